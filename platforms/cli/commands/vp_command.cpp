// vp: runs firmware on the virtual platform, on one configuration in this process, or on several for comparison, with a process each.

#include <fmt/ostream.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <ostream>

#include "model/base/error.h"
#include "model/base/hash.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/firmware.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/processes/child_processes.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/host.h"
#include "platforms/cli/results/run_output.h"
#include "platforms/cli/runs/records/finished_run.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/cli/version.h"
#include "platforms/inputs/files.h"
#include "platforms/virtual/virtual_platform.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

constexpr const char* kDemo = "demo";
/// The configurations that the demonstration compares.
constexpr const char* kDemoConfigs[] = {"private", "dc_l1", "ata", "morpheus"};
constexpr std::uint64_t kPicosecondsPerUs = 1'000'000;

CommandLine declare_vp() {
  CommandLine arguments(
      "vp [FIRMWARE.elf] [--config CONFIG] [options]",
      "Boots firmware on a RISC-V host with a simulated GPU, a configuration that 'wharf list configs' prints. The firmware's\n"
      "UART output goes to stdout. Without FIRMWARE, a demonstration: gemm, spmv and bfs launched by name and\n"
      "checked on the host. Without --config, on private, dc_l1, ata and morpheus, with a table of the kernels' times.\n"
      "docs/virtual.md says how to write firmware.");
  arguments.value("config", "CONFIG", "the GPU: a name that 'wharf list configs' prints, or a YAML file")
      .output_folder("out", "folder of the results", "out/vp", result_files())
      .output("uart", "write the UART output to FILE instead of stdout")
      .values("set", "KEY=VALUE", "set a configuration key, such as sm.warp_scheduler=gto; may be repeated")
      .value("seed", "N", "seed of all random numbers (default 1)")
      .flag("verify", "check every load of the GPU against golden memory")
      .value("ram-mib", "N", "RAM of the host (default 64)")
      .value("cpu-mhz", "N", "clock of the host CPU, one instruction per cycle (default 1000)")
      .value("quantum-ns", "N", "how far the host may run ahead of the GPU between accesses to it (default 1000)")
      .value("limit-time", "US", "end firmware that runs longer, in simulated us (default 1000000)")
      .value("limit-instructions", "N", "end firmware that executes more instructions")
      .value("jobs", "N", "without --config: processes at a time (default: one per processor)")
      .flag("quiet", "no progress bar and no summary")
      .flag("dry-run", kDryRunHelp)
      .positionals(1);
  TableOutput::declare(arguments);
  return arguments;
}

vp::VirtualParams params_of(const CommandLine& arguments) {
  vp::VirtualParams params;
  params.ram_bytes = arguments.count("ram-mib", params.ram_bytes >> 20, 1, 4096) << 20;
  params.cpu.clock_mhz = static_cast<std::uint32_t>(arguments.count("cpu-mhz", params.cpu.clock_mhz, 1, 100'000));
  params.cpu.quantum_ns = arguments.count("quantum-ns", params.cpu.quantum_ns, 1, 1'000'000'000);
  params.cpu.limit_time = arguments.count("limit-time", params.cpu.limit_time / kPicosecondsPerUs, 1, 1'000'000'000) * kPicosecondsPerUs;
  params.cpu.limit_instructions = arguments.count("limit-instructions", kNever, 1, kNever);
  return params;
}

/// Keeps bytes in the caches unless the user says otherwise, because a host reads their contents.
std::vector<std::string> settings_of(const CommandLine& arguments) {
  std::vector<std::string> settings = arguments.texts("set");
  const auto says = [](const std::string& setting) { return setting.rfind("data=", 0) == 0; };
  if (std::none_of(settings.begin(), settings.end(), says)) settings.emplace_back("data=bytes");
  return settings;
}

std::string firmware_of(const CommandLine& arguments) { return arguments.positional().empty() ? kDemo : arguments.positional().front(); }

Json inputs_of(const CommandLine& arguments, const Configuration& configuration, const std::string& firmware) {
  Json json;
  json["version"] = kVersion;
  json["config"] = arguments.text("config");
  json["config_hash"] = hash_text(configuration.resolved_yaml);
  json["set"] = settings_of(arguments);
  json["firmware"] = firmware_of(arguments);
  json["firmware_hash"] = hash_text(firmware);
  json["seed"] = arguments.count("seed", 1, 0, kNever);
  json["verify"] = arguments.has("verify");
  for (const char* name : {"ram-mib", "cpu-mhz", "quantum-ns"})
    if (arguments.has(name)) json[name] = arguments.text(name);
  name_plugins(json);
  return json;
}

/// The stream that --uart names; stdout by default.
class UartStream {
 public:
  UartStream(const CommandLine& arguments, std::ostream& out) : stream_(&out) {
    if (!arguments.has("uart")) return;
    name_ = arguments.text("uart");
    stream_ = &file_;
  }
  std::ostream& stream() { return *stream_; }
  /// Once nothing can refuse the run any more.
  void open() {
    if (name_.empty()) return;
    std::error_code ignored;  // without a folder, opening the file fails
    fs::create_directories(fs::path(name_).parent_path(), ignored);
    file_.open(name_);
    if (!file_) throw InputError(name_ + ": cannot be written; choose another place for --uart");
  }
  /// The program itself reports that stdout cannot be written.
  void flush() {
    if (!stream_->flush() && file_.is_open()) throw InputError(name_ + ": cannot be written; choose another place for --uart");
  }

 private:
  std::string name_;
  std::ofstream file_;
  std::ostream* stream_;
};

int run_one(const CommandLine& arguments, const Context& context) {
  const std::string config = arguments.text("config");
  const Configuration configuration = load_configuration(config, settings_of(arguments), "");
  const fs::path file = firmware_file(firmware_of(arguments));
  const std::string text = read_file(file);
  const vp::Elf firmware(file.string(), text);
  const Json inputs = inputs_of(arguments, configuration, text);
  UartStream uart(arguments, context.out);
  params_of(arguments);
  if (arguments.has("dry-run")) {
    fmt::print(context.err, "{} would boot on {}; nothing was run\n", firmware_of(arguments), config);
    return kDone;
  }

  const InterruptGuard guard;
  RunOptions options;
  options.seed = arguments.count("seed", 1, 0, kNever);
  options.verify = arguments.has("verify");
  options.on_progress = [](const Progress&) { return !InterruptGuard::requested(); };
  vp::VirtualPlatform platform(configuration.params, firmware, params_of(arguments), options, uart.stream());
  uart.open();
  const double begin = wall_seconds();
  std::string failure;
  try {
    platform.run();
  } catch (const SimulationError& error) {
    failure = error.what();
  }
  const double wall_s = wall_seconds() - begin;
  uart.flush();
  const bool stopped = InterruptGuard::requested();
  if (failure.empty() && !stopped && platform.exit_code() != 0)
    failure = fmt::format("the firmware ended with exit code {}", platform.exit_code());

  const fs::path out = arguments.text("out");
  const Measurement measured = measurement_of(platform.gpu(), failure);
  if (!measured.kernels.empty()) {
    Json result = result_json(inputs, measured, Json());
    result["host"] = host_json(wall_s, result["run"]["warp_instructions"].get<std::uint64_t>());
    result["host"]["cpu_instructions"] = platform.instructions();
    write_results(out, config, configuration, measured, result);
  }
  if (!failure.empty()) throw SimulationError(failure);
  if (!arguments.has("quiet"))
    fmt::print(context.out, "{} on {}: {} kernel{}, {} host instructions, {}{}\n", firmware_of(arguments), config, measured.kernels.size(),
               plural_ending(measured.kernels.size()), with_commas(platform.instructions()), format_duration(wall_s),
               measured.kernels.empty() ? std::string() : "; wrote " + (out / "result.json").string());
  return stopped ? kInterrupted : kDone;
}

using KernelTimes = std::vector<std::pair<std::string, double>>;  // in us

KernelTimes::iterator find_time(KernelTimes& times, const std::string& kernel) {
  return std::find_if(times.begin(), times.end(), [&](const auto& time) { return time.first == kernel; });
}

/// Times of a run's kernels in order of first launch, summed by name.
KernelTimes kernel_times(const fs::path& out) {
  KernelTimes times;
  if (!fs::exists(out / "result.json")) return times;  // the run launched no kernel
  const Json result = Json::parse(read_file(out / "result.json"));
  for (const Json& kernel : result["kernels"]) {
    const std::string name = kernel["name"];
    auto it = find_time(times, name);
    if (it == times.end()) it = times.insert(it, {name, 0.0});
    it->second += kernel["time_ns"].get<double>() / 1000.0;
  }
  return times;
}

struct AllJobs : JobOwner {
  std::vector<JobResult> ended;
  bool finished(std::size_t job, const JobResult& result) override {
    ended[job] = result;
    return false;
  }
};

/// The same command line with its own configuration and folder.
Job job_of(const CommandLine& arguments, const std::string& config, const fs::path& folder) {
  Job job{{"vp", firmware_of(arguments), "--config=" + config, "--out=" + folder.string(), "--quiet"}, folder / "uart.txt"};
  for (const char* name : {"set", "plugin"})
    for (const std::string& text : arguments.texts(name)) job.arguments.push_back(fmt::format("--{}={}", name, text));
  for (const char* name : {"seed", "ram-mib", "cpu-mhz", "quantum-ns", "limit-time", "limit-instructions"})
    if (arguments.has(name)) job.arguments.push_back(fmt::format("--{}={}", name, arguments.text(name)));
  if (arguments.has("verify")) job.arguments.emplace_back("--verify");
  return job;
}

/// `times` is indexed by configuration. The launches of a firmware may depend on what it reads, and so on the GPU.
Table times_table(std::vector<KernelTimes> times) {
  Table table{"Times of the kernels in us", "", {"kernel"}, {}, 0};
  std::vector<std::string> kernels;
  for (const KernelTimes& of_config : times)
    for (const auto& time : of_config)
      if (std::find(kernels.begin(), kernels.end(), time.first) == kernels.end()) kernels.push_back(time.first);
  for (const char* config : kDemoConfigs) table.columns.emplace_back(config);
  for (const std::string& kernel : kernels) {
    auto& row = table.rows.emplace_back(std::vector<std::string>{kernel});
    for (KernelTimes& of_config : times) {
      const auto time = find_time(of_config, kernel);
      row.push_back(time == of_config.end() ? "-" : fmt::format("{:.2f}", time->second));
    }
  }
  return table;
}

int run_in_parallel(const CommandLine& arguments, const Context& context) {
  const TableOutput output(arguments, context);
  if (arguments.has("uart")) throw InputError("vp: --uart works with one --config only; parallel runs write uart.txt in their folders");
  firmware_file(firmware_of(arguments));
  const fs::path out = arguments.text("out");
  std::vector<Job> jobs;
  for (const char* config : kDemoConfigs) {
    load_configuration(config, settings_of(arguments), "");
    jobs.push_back(job_of(arguments, config, out / config));
  }
  if (arguments.has("dry-run")) {
    fmt::print(context.err, "{} run{}, in {}; nothing was run\n", jobs.size(), plural_ending(jobs.size()), out.string());
    return kDone;
  }
  const InterruptGuard guard;
  AllJobs all;
  all.ended.resize(jobs.size());
  if (!run_jobs(jobs, static_cast<unsigned>(arguments.count("jobs", usable_processors(), 1, 1024)), all)) return kInterrupted;
  std::vector<KernelTimes> times;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!all.ended[i].ok()) throw SimulationError(fmt::format("{}: {}", kDemoConfigs[i], failure_of(all.ended[i].exit_code, jobs[i].log)));
    if (!arguments.has("quiet")) fmt::print(output.remarks(), "---- {}\n{}\n", kDemoConfigs[i], read_file(jobs[i].log));
    times.push_back(kernel_times(out / kDemoConfigs[i]));
  }
  output.print({times_table(std::move(times))});
  return kDone;
}

}  // namespace

int vp_command(const Context& context) {
  CommandLine arguments = declare_vp();
  if (!parse_with_plugins(arguments, context)) return kDone;
  return arguments.has("config") ? run_one(arguments, context) : run_in_parallel(arguments, context);
}

}  // namespace wharf::cli
