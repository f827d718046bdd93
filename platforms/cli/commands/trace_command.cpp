// trace: info, check, pack and export.

#include <fmt/ostream.h>

#include <ostream>

#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "model/base/text.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/trace_options.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/host.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/runs/runner.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/runs/single_run.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/terminal/progress_bar.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/inputs/files.h"
#include "platforms/simulation.h"
#include "stimuli/traces/ctas/packed_kernel.h"
#include "stimuli/traces/recording/recording_stimulus.h"
#include "stimuli/traces/trace_check.h"
#include "stimuli/traces/trace_list.h"

namespace wharf::cli {
namespace {

std::string dimensions(const Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

void print_warnings(const std::vector<std::pair<std::string, std::uint64_t>>& warnings, std::ostream& out) {
  for (const auto& [text, count] : warnings) fmt::print(out, "{}\n", warning_line(text, count));
}

void add(traces::KernelInfo& all, const traces::KernelInfo& kernel) {
  all.file_bytes += kernel.file_bytes;
  all.warps += kernel.warps;
  all.warp_instructions += kernel.warp_instructions;
  all.thread_instructions += kernel.thread_instructions;
  all.memory_instructions += kernel.memory_instructions;
  all.accesses += kernel.accesses;
  all.sectors += kernel.sectors;
  all.bulk_bytes += kernel.bulk_bytes;
  all.replay_regions += kernel.replay_regions;
  for (unsigned unit = 0; unit < kUnits; ++unit) all.by_unit[unit] += kernel.by_unit[unit];
}

int trace_info(const std::string& path, const TableOutput& output) {
  const traces::TraceInfo info = traces::info(path);
  traces::KernelInfo all;
  bool has_clusters = false;
  for (const traces::KernelInfo& kernel : info.kernels) {
    add(all, kernel);
    has_clusters |= kernel.cluster.count() != 1;
  }
  // Traces before the 2.0 tracer have none of the last three.
  const bool is_new = has_clusters || all.bulk_bytes != 0 || all.replay_regions != 0;
  Table table{
      "", "", {"kernel", "grid", "block", "warps", "warp instr.", "thread instr.", "memory instr.", "lines", "sectors", "file MB"}, {}, 1};
  if (is_new) table.columns.insert(table.columns.end(), {"cluster", "TMA bytes", "replay regions"});
  const auto row = [&](const std::string& name, const traces::KernelInfo& kernel, bool shape) {
    table.rows.push_back({name, shape ? dimensions(kernel.grid) : "", shape ? dimensions(kernel.block) : "", with_commas(kernel.warps),
                          with_commas(kernel.warp_instructions), with_commas(kernel.thread_instructions),
                          with_commas(kernel.memory_instructions), with_commas(kernel.accesses), with_commas(kernel.sectors),
                          fmt::format("{:.2f}", static_cast<double>(kernel.file_bytes) / 1e6)});
    if (!is_new) return;
    for (std::string& cell : std::vector<std::string>{shape ? dimensions(kernel.cluster) : "", with_commas(kernel.bulk_bytes),
                                                      with_commas(kernel.replay_regions)})
      table.rows.back().push_back(std::move(cell));
  };
  for (const traces::KernelInfo& kernel : info.kernels) row(kernel.name, kernel, true);
  row("all", all, false);
  for (unsigned unit = 0; unit < kUnits; ++unit) {
    if (all.by_unit[unit] == 0) continue;
    table.note +=
        fmt::format("{}{} {}", table.note.empty() ? "warp instructions by unit: " : ", ", kUnitNames[unit], with_commas(all.by_unit[unit]));
  }
  output.print({table});
  print_warnings(info.warnings, output.remarks());
  return kDone;
}

int trace_check(const std::string& path, traces::UnknownOpcodes unknown, const Context& context) {
  const traces::CheckReport report = traces::check(path, unknown);
  for (const traces::Problem& problem : report.problems) {
    const std::string line = problem.line == 0 ? "" : fmt::format(":{}", problem.line);
    fmt::print(context.err, "{}{}: {}; {}\n", problem.file, line, problem.text, problem.remedy);
  }
  print_warnings(report.warnings, context.out);
  if (!report.problems.empty()) {
    fmt::print(context.err, "{}: {} mistakes\n", path, report.problems.size());
    return kBadInput;
  }
  const std::size_t warnings = report.warnings.size();
  fmt::print(context.out, "{}: {}\n", path,
             warnings == 0 ? "good" : fmt::format("no mistakes, {} warning{}", warnings, plural_ending(warnings)));
  return kDone;
}

/// Packs each kernel file that has no packed form of its present contents.
int trace_pack(const std::string& path, const Context& context) {
  const traces::TraceList list = traces::read_trace_list(path);
  for (const traces::ListedKernel& kernel : list.kernels) {
    traces::require_file(list, kernel);
    if (!traces::is_packed(kernel.path)) require_writable(traces::packed_name(kernel.path));
  }
  const InterruptGuard guard;
  ProgressBar bar;
  std::size_t packed = 0;
  for (std::size_t k = 0; k < list.kernels.size(); ++k) {
    const std::string& file = list.kernels[k].path;
    if (traces::is_packed(file)) continue;
    const auto show = [&](double fraction) {
      bar.show((static_cast<double>(k) + fraction) / static_cast<double>(list.kernels.size()),
               fmt::format("{}/{} kernels", k, list.kernels.size()));
      return !InterruptGuard::requested();
    };
    if (!traces::pack_kernel(file, show)) {
      bar.clear();
      fmt::print(context.err, "wharf: stopped by a signal; {} of {} kernels {} packed\n", k, list.kernels.size(), is_or_are(k));
      return kInterrupted;
    }
    ++packed;
  }
  bar.clear();
  const std::size_t ready = list.kernels.size() - packed;
  fmt::print(context.out, "{}: packed {} kernel file{}, {} {} already packed\n", path, packed, plural_ending(packed), ready,
             ready == 1 ? "was" : "were");
  return kDone;
}

traces::TraceForm form_of(const std::string& format) {
  if (format == "text") return traces::TraceForm::xz;
  if (format == "tracez") return traces::TraceForm::container;
  throw InputError("trace export: --format " + quote(format) + " is neither text nor tracez; give one of them");
}

int trace_export(const CommandLine& arguments, const Context& context) {
  if (!arguments.has("stimulus") || !arguments.has("out")) throw InputError("trace export: give --stimulus SPEC and --out DIR");
  RunSpec spec;
  spec.config = arguments.text("config", "private");
  spec.stimulus = arguments.text("stimulus");
  spec.overrides = arguments.texts("set");
  spec.seed = arguments.count("seed", 1, 0, kNever);
  const std::string out = arguments.text("out");
  const traces::TraceForm form = form_of(arguments.text("format", "text"));
  const Configuration configuration = closed_configuration_of(spec);
  if (arguments.has("dry-run")) {
    check_stimulus(spec.stimulus);
    fmt::print(context.err, "{} on {} would be recorded in {}; nothing was run\n", spec.stimulus, spec.config, out);
    return kDone;
  }
  traces::RecordingStimulus recording(open_stimulus(spec, configuration), out, form);

  const InterruptGuard guard;
  ProgressBar bar;
  RunOptions options;
  options.seed = spec.seed;
  options.on_progress = [&](const Progress& progress) {
    bar.show(progress.fraction, fmt::format("{} warp instructions", with_commas(progress.warp_instructions)));
    return !InterruptGuard::requested();
  };
  Simulation simulation(configuration.params, recording, options);
  simulation.run();
  bar.clear();
  if (simulation.partial()) {
    fmt::print(context.err, "wharf: stopped by a signal; the kernel that was running is missing in {}\n", out);
    return kInterrupted;
  }
  recording.finish();
  fmt::print(context.out, "wrote {}/kernelslist.g ({} kernel{})\n", out, simulation.kernels().size(),
             plural_ending(simulation.kernels().size()));
  return kDone;
}

}  // namespace

int trace_command(const Context& context) {
  const std::vector<std::string> actions = {"info", "check", "pack", "export"};
  CommandLine arguments(
      "trace info|check|pack PATH, or trace export --stimulus SPEC --out DIR",
      "info prints the contents of a trace; check reports every mistake with file, line and remedy; pack writes the decoded form next to each\n"
      "kernel file, as FILE.packed, which runs read instead of the text; export records a stimulus as it runs on a configuration.\n"
      "PATH is a kernelslist.g, a folder that holds one, or a kernel file.");
  arguments.value("stimulus", "SPEC", "stimulus to export")
      .output_folder("out", "folder of the exported trace", "", {"kernelslist.g"})
      .value("config", "CONFIG", "configuration that runs it (default private)")
      .values("set", "KEY=VALUE", "set a configuration key")
      .value("seed", "N", "seed of all random numbers (default 1)")
      .flag("dry-run", kDryRunHelp)
      .positionals(2);
  declare_strict_opcodes(arguments);
  arguments.value("format", "text|csv|json|markdown|tracez",
                  "of info's table (default text; all other output then goes to stderr); of exported kernels text (default) or tracez");
  if (!parse_with_plugins(arguments, context)) return kDone;
  const std::vector<std::string>& names = arguments.positional();
  const std::string action = names.empty() ? "" : names.front();
  if (action == "export" && names.size() == 1) return trace_export(arguments, context);
  if (action == "info" || action == "check" || action == "pack") {
    if (names.size() < 2) throw InputError(fmt::format("trace {}: name a kernelslist.g or its folder", action));
    expect_path(names[1], PathKind::trace);
    if (action == "pack") return trace_pack(names[1], context);
    if (action == "info") return trace_info(names[1], TableOutput(arguments, context));
    RunSpec spec;
    read_trace_options(arguments, spec);
    return trace_check(names[1], stimulus_options_of(spec).traces.rules.unknown_opcodes, context);
  }
  if (action == "export")
    throw InputError(fmt::format("trace export: {} is one argument too many; use --stimulus and --out", quote(names[1])));
  throw InputError(fmt::format("trace: {}{}The actions are {}", action.empty() ? "name an action" : "unknown action " + quote(action),
                               suggestion(action, actions), join(actions)));
}

}  // namespace wharf::cli
