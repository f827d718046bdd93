#include "platforms/cli/results/run_output.h"

#include <fmt/core.h>

#include "model/base/files/output_files.h"
#include "platforms/cli/results/sampled_result.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

std::string progress_text(const Progress& progress, double elapsed_s) {
  const double rate = elapsed_s > 0.0 ? static_cast<double>(progress.warp_instructions) / elapsed_s / 1e6 : 0.0;
  return fmt::format("{} cycles, {} warp instructions, {:.2f} M/s", with_commas(progress.cycles), with_commas(progress.warp_instructions),
                     rate);
}

MeasuredPart part_after(std::size_t kernels, const Simulation& simulation) {
  MeasuredPart part{simulation.whole_run(), {}, {}};
  const std::vector<Interval>& all = simulation.kernels();
  if (all.size() > kernels) {
    const Interval& first = all[kernels];
    part.run.begin_cycle = first.begin_cycle;
    part.run.begin_ps = first.begin_ps;
    part.run.begin = first.begin;
    part.kernels.assign(all.begin() + static_cast<std::ptrdiff_t>(kernels), all.end());
  } else {  // a limit has ended the run before
    part.run.begin_cycle = part.run.end_cycle;
    part.run.begin_ps = part.run.end_ps;
    part.run.begin = part.run.end;
  }
  for (const Interval& window : simulation.windows())
    if (window.begin_cycle >= part.run.begin_cycle) part.windows.push_back(window);
  return part;
}

Measurement measurement_of(const Simulation& simulation, const std::string& failure) {
  return {simulation.statistics(),
          simulation.whole_run(),
          simulation.kernels(),
          simulation.windows(),
          simulation.warnings(),
          simulation.partial(),
          failure};
}

Measurement measurement_of(const Simulation& simulation, const std::string& failure, const MeasuredPart& part, std::size_t warm_up) {
  return {simulation.statistics(), part.run, part.kernels, part.windows, simulation.warnings(),
          simulation.partial(),    failure,  false,        warm_up};
}

std::vector<std::string> result_files() { return {"result.json", "stats.csv", "config.yaml"}; }

void write_results(const std::filesystem::path& out, const std::string& config, const Configuration& configuration,
                   const Measurement& measured, const Json& result) {
  const std::string json = result.dump(2) + "\n", csv = result.contains("sampled") ? sampled_csv(measured, result) : stats_csv(measured),
                    yaml = fmt::format("# {}, resolved: reads back as the same configuration.\n{}", config, configuration.resolved_yaml);
  write_files({{out / "stats.csv", csv}, {out / "config.yaml", yaml}, {out / "result.json", json}});
}

}  // namespace wharf::cli
