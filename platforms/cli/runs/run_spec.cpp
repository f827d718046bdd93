#include "platforms/cli/runs/run_spec.h"

#include "model/base/error.h"
#include "model/base/hash.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/runs/checkpoint.h"
#include "platforms/cli/version.h"
#include "platforms/inputs/files.h"
#include "stimuli/cuda/process/program_stimulus.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace fs = std::filesystem;

Configuration configuration_of(const RunSpec& spec) { return load_configuration(spec.config, spec.overrides, workload_of(spec.stimulus)); }

void check_stimulus_of(const RunSpec& spec) {
  check_stimulus(spec.stimulus);
  if (spec.explain != 0 && is_recorded_name(spec.stimulus) && split_recorded(spec.stimulus).warm)
    throw InputError(spec.stimulus +
                     ": --explain counts issue slots from the beginning of a run; leave out :warm to count the kernels before as well");
}

StimulusOptions stimulus_options_of(const RunSpec& spec) {
  StimulusOptions options;
  if (spec.strict_opcodes) options.traces.rules.unknown_opcodes = traces::UnknownOpcodes::refused;
  options.traces.skip_bad_kernels = spec.skip_bad_kernels;
  options.loose_replay = spec.loose_replay;
  options.device = spec.device;
  return options;
}

namespace {

Json inputs_with(const RunSpec& spec, const Configuration& configuration, const std::string& trace_hash) {
  Json json;
  json["version"] = kVersion;
  json["config"] = spec.config;
  json["config_hash"] = hash_text(configuration.resolved_yaml);
  json["set"] = spec.overrides;
  json["stimulus"] = spec.stimulus;
  if (!trace_hash.empty()) {
    json["trace_hash"] = trace_hash;
    if (spec.skip_bad_kernels) json["skip_bad_kernels"] = true;
    if (spec.strict_opcodes) json["strict_opcodes"] = true;
    if (spec.loose_replay) json["replay"] = "loose";
  }
  if (!spec.device.checks.empty()) json["check"] = ptx::to_text(spec.device.checks);
  if (spec.device.poisons) json["poison"] = true;
  if (spec.device.returns_faults) json["on_fault"] = "return";
  json["seed"] = spec.seed;
  json["verify"] = spec.verify;
  if (spec.explain != 0) json["explain_every"] = spec.explain;
  if (spec.sample != 0) json["sample"] = spec.sample;
  if (spec.limit_warp_instructions != kNever) json["limit_warp_instructions"] = spec.limit_warp_instructions;
  if (spec.limit_cycles != kNever) json["limit_cycles"] = spec.limit_cycles;
  if (Json boundaries = boundaries_of(spec, configuration); !boundaries.empty()) json["boundaries"] = std::move(boundaries);
  name_plugins(json);
  return json;
}

}  // namespace

Json inputs_json(const RunSpec& spec, const Configuration& configuration) {
  return inputs_with(spec, configuration, is_recorded_name(spec.stimulus) ? hash_of_recorded(spec.stimulus) : "");
}

Json inputs_json_of(const RunSpec& spec, const Configuration& configuration, const Stimulus& ran) {
  Json json = inputs_with(spec, configuration, is_recorded_name(spec.stimulus) ? hash_of_recorded(spec.stimulus, ran) : "");
  const auto* program = dynamic_cast<const cuda::ProgramStimulus*>(&ran);
  if (program != nullptr && !program->file().empty()) json["program_hash"] = fingerprint_of_file(program->file());
  return json;
}

std::vector<std::string> run_arguments(const RunSpec& spec, const fs::path& out) {
  std::vector<std::string> arguments = {"run", spec.config, "--out=" + out.string(), "--seed=" + std::to_string(spec.seed), "--quiet"};
  arguments.push_back("--stimulus=" + spec.stimulus);
  for (const std::string& setting : spec.overrides) arguments.push_back("--set=" + setting);
  for (const LoadedPlugin& plugin : loaded_plugins()) arguments.push_back("--plugin=" + plugin.file);
  if (spec.skip_bad_kernels) arguments.emplace_back("--skip-bad-kernels");
  if (spec.strict_opcodes) arguments.emplace_back("--strict-opcodes");
  if (spec.loose_replay) arguments.emplace_back("--replay=loose");
  if (!spec.device.checks.empty()) arguments.push_back("--check=" + ptx::to_text(spec.device.checks));
  if (spec.verify) arguments.emplace_back("--verify");
  if (spec.explain != 0) arguments.push_back("--explain-every=" + std::to_string(spec.explain));
  if (spec.sample != 0) arguments.push_back("--sample=" + std::to_string(spec.sample));
  if (spec.limit_warp_instructions != kNever)
    arguments.push_back("--limit-warp-instructions=" + std::to_string(spec.limit_warp_instructions));
  if (spec.limit_cycles != kNever) arguments.push_back("--limit-cycles=" + std::to_string(spec.limit_cycles));
  if (!spec.load.empty()) arguments.push_back("--load=" + spec.load);
  return arguments;
}

}  // namespace wharf::cli
