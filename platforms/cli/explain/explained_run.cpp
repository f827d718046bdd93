#include "platforms/cli/explain/explained_run.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/config/named_files.h"
#include "model/base/error.h"
#include "platforms/cli/explain/slot_stack.h"
#include "platforms/cli/runs/search.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void unusable(const fs::path& file, const std::string& why) {
  throw InputError(file.string() + ": " + why + "; name a folder that 'wharf run' wrote, or a configuration");
}

/// The configuration by its name if it is unchanged, otherwise the one stored in the folder.
void take_configuration(RunSpec& spec, const Json& inputs, const fs::path& folder) {
  spec.config = inputs.at("config").get<std::string>();
  spec.overrides = inputs.at("set").get<std::vector<std::string>>();
  try {
    if (inputs_json(spec, closed_configuration_of(spec)).at("config_hash") == inputs.at("config_hash")) return;
  } catch (const InputError&) {  // it is gone, or has changed
  }
  spec.config = (folder / "config.yaml").string();
  spec.overrides.clear();
}

RunSpec spec_of_folder(const fs::path& folder, const Json& inputs) {
  RunSpec spec;
  spec.stimulus = inputs.at("stimulus").get<std::string>();
  spec.skip_bad_kernels = inputs.value("skip_bad_kernels", false);
  spec.strict_opcodes = inputs.value("strict_opcodes", false);
  spec.seed = inputs.at("seed").get<std::uint64_t>();
  spec.limit_warp_instructions = inputs.value("limit_warp_instructions", kNever);
  spec.limit_cycles = inputs.value("limit_cycles", kNever);
  take_configuration(spec, inputs, folder);
  return spec;
}

/// Throws InputError where `name` is neither a run nor a configuration.
void require_configuration(const std::string& name) {
  try {
    config::Mistakes mistakes;
    config::load_layers(configuration_root(), name, mistakes);
    mistakes.throw_if_any();
  } catch (const InputError& error) {
    if (config::locate(name, "", configuration_root())) throw;
    expect_path(name, PathKind::yaml);
    if (fs::is_directory(name)) throw InputError(name + ": has no result.json; name a folder that 'wharf run' wrote, or a configuration");
    if (name.find('/') == std::string::npos) throw;
    throw InputError(fmt::format("there is no folder {}, and {}", name, error.what()));
  }
}

ExplainedRun run_of_folder(const fs::path& folder) {
  const fs::path file = folder / "result.json";
  ExplainedRun run;
  run.name = folder.string();
  Json result = Json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
  if (!result.is_object()) unusable(file, "is not the JSON of a run");
  if (result.contains("sampled"))
    throw InputError(file.string() + ": a sample has no issue slots; to simulate the whole program, name its configuration and --stimulus");
  try {
    run.spec = spec_of_folder(folder, result.at("inputs"));
    run.recording = result.value("cuda", Json::object()).value("recording", "");
    if (has_slot_stack(result) && result.at("run").contains("sm.slots.all")) run.result = std::move(result);
  } catch (const Json::exception&) {
    unusable(file, "is not the result of a run");
  }
  return run;
}

}  // namespace

ExplainedRun named_run(const std::string& name, const RunSpec& given) {
  if (fs::is_regular_file(fs::path(name) / "result.json")) {
    ExplainedRun run = run_of_folder(name);
    if (given.overrides.empty()) return run;
    for (const std::string& setting : given.overrides) set_key(run.spec, setting);
    run.result = Json();
    return run;
  }
  require_configuration(name);
  ExplainedRun run;
  run.name = name;
  run.spec = given;
  run.spec.config = name;
  return run;
}

void set_key(RunSpec& spec, const std::string& setting) {
  const std::string key = setting.substr(0, setting.find('=')) + '=';
  std::vector<std::string>& overrides = spec.overrides;
  const auto is_of_key = [&](const std::string& other) { return other.rfind(key, 0) == 0; };
  overrides.erase(std::remove_if(overrides.begin(), overrides.end(), is_of_key), overrides.end());
  overrides.push_back(setting);
}

bool make_runs(const std::vector<ExplainedRun*>& runs, const RunnerOptions& options, std::ostream& err, Counting counting) {
  std::vector<ExplainedRun*> open;
  std::vector<RunSpec> specs;
  for (ExplainedRun* run : runs) {
    if (!run->result.is_null()) continue;
    if (counting == Counting::time)
      run->spec.explain = 0;
    else if (run->spec.explain == 0)
      run->spec.explain = 1;
    open.push_back(run);
    specs.push_back(run->spec);
  }
  if (open.empty()) return true;
  const RunBatch batch = run_batch(specs, options, err);
  if (batch.interrupted) return false;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (batch.records[i].status != RunStatus::done) throw SimulationError(open[i]->name + ": " + batch.records[i].failure);
    open[i]->result = batch.records[i].result;
  }
  return true;
}

}  // namespace wharf::cli
