#include <algorithm>
#include <array>

#include "model/base/error.h"
#include "platforms/cli/bench/bench.h"
#include "platforms/cli/program_fingerprint.h"
#include "platforms/cli/results/host.h"
#include "platforms/cli/serve/run_process.h"

namespace wharf::cli {

double serve_start_s(const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);  // a run that is kept would not start
  const RunStore store{std::filesystem::absolute(folder), program_fingerprint()};
  RunSpec spec;
  spec.config = "private";
  spec.stimulus = "synthetic:loads=50";
  std::array<double, 9> seconds = {};
  for (double& second : seconds) {
    ++spec.seed;
    const double begin = wall_seconds();
    RunProcess run(spec, store);
    const std::vector<Json> first = run.read();
    second = wall_seconds() - begin;
    if (first.empty() || !first.front().contains("progress"))
      throw SimulationError("a run of `wharf serve` did not start" + (first.empty() ? std::string() : ": " + first.front().dump()));
  }
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace wharf::cli
