#include "tests/platform/machines/apart.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
#include "stimuli/sampling/sampled_stimulus.h"
#include "stimuli/self_checking.h"

namespace wharf::test {
namespace {

cli::Json measured(const Simulation& simulation) {
  const cli::Measurement measurement{simulation.statistics(),
                                     simulation.whole_run(),
                                     simulation.kernels(),
                                     simulation.windows(),
                                     simulation.warnings(),
                                     simulation.partial(),
                                     ""};
  cli::Json result = cli::result_json({}, measurement, {});
  result.erase("inputs");
  result.erase("host");
  return {{"result", result}, {"csv", cli::stats_csv(measurement)}};
}

/// Loads the state, or saves it after the first kernel.
void use(const Checkpoint& checkpoint, Simulation& simulation) {
  if (checkpoint.loads) {
    Archive file(checkpoint.file, cli::read_file(checkpoint.file));
    return simulation.archive(file);
  }
  Archive before;  // throws where the machine cannot save
  simulation.archive(before);
  if (!simulation.run_to_boundary(1)) throw InputError("all kernels run together");
  Archive file;
  simulation.archive(file);
  std::ofstream(checkpoint.file, std::ios::binary) << file.packed();
}

cli::Json simulate(const GpuParams& params, const OpenStimulus& open, const RunOptions& options,
                   const std::optional<Checkpoint>& checkpoint) {
  try {
    const std::unique_ptr<Stimulus> stimulus = open();
    if (checkpoint && !checkpoint->loads) stimulus->keep_history();
    Simulation simulation(params, *stimulus, options);
    if (checkpoint) use(*checkpoint, simulation);
    std::unique_ptr<WarmedCaches> caches;
    if (auto* sampled = dynamic_cast<SampledStimulus*>(stimulus.get())) {
      caches = simulation.warmed_l2();
      sampled->warm(*caches);
    }
    simulation.run();
    std::string why;
    const auto* checking = dynamic_cast<const SelfChecking*>(stimulus.get());
    if (checking != nullptr && !simulation.partial() && !checking->check_results(why)) throw SimulationError("wrong results: " + why);
    cli::Json report = measured(simulation);
    report["end"] = End::done;
    return report;
  } catch (const SimulationError& error) {
    return {{"end", End::simulation_failed}, {"failure", error.what()}};
  } catch (const InputError& error) {
    return {{"end", End::bad_input}, {"failure", error.what()}};
  } catch (const std::exception& error) {
    return {{"end", End::crashed}, {"failure", error.what()}};
  }
}

[[noreturn]] void report_and_leave(int pipe_end, const std::string& text) {
  std::FILE* file = fdopen(pipe_end, "w");
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  _exit(0);
}

std::string read_all(int pipe_end) {
  std::string text;
  char part[65536];
  for (ssize_t got; (got = read(pipe_end, part, sizeof(part))) > 0;) text.append(part, static_cast<std::size_t>(got));
  close(pipe_end);
  return text;
}

}  // namespace

Outcome run_apart(const GpuParams& params, const OpenStimulus& open, const RunOptions& options,
                  const std::optional<Checkpoint>& checkpoint) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    report_and_leave(ends[1], simulate(params, open, options, checkpoint).dump());
  }
  close(ends[1]);
  const cli::Json report = cli::Json::parse(read_all(ends[0]), nullptr, /*allow_exceptions=*/false);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  if (!report.is_object()) {
    outcome.failure = "the simulation's process ended with status " + std::to_string(status);
    return outcome;
  }
  outcome.end = report.at("end").get<End>();
  outcome.failure = report.value("failure", "");
  outcome.result = report.value("result", cli::Json());
  outcome.csv = report.value("csv", "");
  return outcome;
}

Outcome run_apart(const GpuParams& params, const std::vector<ScriptedKernel>& kernels, const RunOptions& options) {
  return run_apart(
      params, [&] { return std::make_unique<Scripted>(kernels); }, options);
}

namespace {

/// The first differences, because every count of a run may differ.
std::string first_differences(const cli::Json& a, const cli::Json& b) {
  constexpr std::size_t kShown = 4;
  const cli::Json differences = cli::Json::diff(a, b);
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, differences.size()); ++i) text += differences[i].dump() + "\n";
  if (differences.size() > kShown) text += "and " + std::to_string(differences.size() - kShown) + " more\n";
  return text;
}

}  // namespace

std::string differing_metrics(const Outcome& a, const Outcome& b) {
  if (b.end != End::done) return b.failure;
  std::string text;
  for (const auto& [name, value] : a.result.at("run").items())
    if (b.result.at("run").at(name) != value) text += name + " " + value.dump() + " " + b.result.at("run").at(name).dump() + "\n";
  for (const char* part : {"kernels", "windows", "tables"})
    if (a.result.at(part) != b.result.at(part)) text += std::string(part) + " " + first_differences(a.result.at(part), b.result.at(part));
  if (text.empty() && a.bytes() != b.bytes()) text = "counters of single blocks";
  return text;
}

RunOptions checked() {
  RunOptions options;
  options.verify = options.check_protocol = true;
  return options;
}

GpuParams machine(const std::string& configuration, const std::vector<std::string>& settings) {
  return cli::load_configuration(configuration, settings, "").params;
}

}  // namespace wharf::test
