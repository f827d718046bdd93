#include "platforms/cli/commands/run_report.h"

#include <fmt/ostream.h>

#include <ostream>

#include "model/base/error.h"
#include "platforms/cli/program.h"
#include "platforms/cli/results/check_results.h"
#include "platforms/cli/results/rtl_cost.h"
#include "platforms/cli/results/run_warnings.h"
#include "platforms/cli/results/sampled_result.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/terminal/progress_bar.h"

namespace wharf::cli {

int report_run(const RunSpec& spec, const RunOutcome& outcome, const RunFiles& files, bool quiet, const TableOutput& output,
               const Context& context) {
  const Json program = outcome.result.value("cuda", Json::object());
  const bool is_wrong = report_checks(program.value("checks", Json::object()), quiet, context.err);
  for (const Json& fault : program.value("faults", Json::array()))
    fmt::print(context.err, "returned to the program: {}\n", fault.get<std::string>());
  if (!outcome.failure.empty()) {
    for (const std::string& line : warning_lines({{spec.stimulus, warnings_of(outcome.result)}})) fmt::print(context.err, "{}\n", line);
    throw SimulationError(outcome.failure);
  }
  const bool is_sampled = outcome.result.contains("sampled");
  const Json& host = outcome.result["host"];
  if (!quiet) {
    std::vector<Table> tables;
    if (output.format() == TableFormat::text)
      fmt::print(context.out, "{}, {}: {}\n", spec.config, spec.stimulus,
                 is_sampled ? sampled_summary(outcome.result) : summary(outcome.result));
    else
      tables = is_sampled ? sampled_tables(outcome.result) : std::vector<Table>{run_table(outcome.result), kernel_table(outcome.result)};
    if (!outcome.rtl.empty()) tables.push_back(rtl_table(outcome.rtl, outcome.wall_s));
    output.print(tables);
    if (output.format() != TableFormat::text)
      for (const std::string& line : warning_lines({{spec.stimulus, warnings_of(outcome.result)}}))
        fmt::print(output.remarks(), "{}\n", line);
    fmt::print(output.remarks(), "wrote {} ({}, {:.2f} M warp instructions/s, {:.0f} MB)\n", (files.out / "result.json").string(),
               format_duration(outcome.wall_s), host["warp_instructions_per_s"].get<double>() / 1e6, host["rss_mb"].get<double>());
  }
  if (InterruptGuard::requested()) {
    fmt::print(context.err, "wharf: stopped by a signal; results until then are in {}, marked partial\n", files.out.string());
    return kInterrupted;
  }
  return is_wrong ? kSimulationFailed : kDone;
}

}  // namespace wharf::cli
