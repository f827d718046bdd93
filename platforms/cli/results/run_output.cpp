#include "platforms/cli/results/run_output.h"

#include <fmt/core.h>

#include "platforms/cli/files.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

std::string progress_text(const Progress& progress, double elapsed_s) {
  const double rate = elapsed_s > 0.0 ? static_cast<double>(progress.warp_instructions) / elapsed_s / 1e6 : 0.0;
  return fmt::format("{} cycles, {} warp instructions, {:.2f} M/s", with_commas(progress.cycles), with_commas(progress.warp_instructions),
                     rate);
}

Measurement measurement_of(const Simulation& simulation, const std::string& failure) {
  return {simulation.statistics(), simulation.whole_run(), simulation.kernels(), simulation.windows(),
          simulation.warnings(),   simulation.partial(),   failure};
}

void write_results(const std::filesystem::path& out, const std::string& config, const Configuration& configuration, const Measurement& measured,
                   const Json& result) {
  const std::string json = result.dump(2) + "\n", csv = stats_csv(measured),
                    yaml = fmt::format("# {}, resolved: reads back as the same configuration.\n{}", config, configuration.resolved_yaml);
  write_files({{out / "stats.csv", csv}, {out / "config.yaml", yaml}, {out / "result.json", json}});
}

}  // namespace wharf::cli
