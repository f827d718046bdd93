#include "platforms/cli/results/host.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <ctime>

#include "platforms/cli/program_fingerprint.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace {

double seconds_of(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }
double process_cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

double peak_rss_mb() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024.0 / 1e6;
}

Json host_json(double wall_s, std::uint64_t warp_instructions) {
#ifdef __SANITIZE_ADDRESS__
  constexpr const char* kBuild = "sanitize";
#elif defined(__OPTIMIZE__)
  constexpr const char* kBuild = "release";
#else
  constexpr const char* kBuild = "debug";
#endif
  Json json;
  json["wall_s"] = wall_s;
  json["cpu_s"] = process_cpu_seconds();
  json["rss_mb"] = peak_rss_mb();
  json["warp_instructions_per_s"] = wall_s > 0.0 ? static_cast<double>(warp_instructions) / wall_s : 0.0;
  json["build"] = fmt::format("{}, {}", kBuild, __VERSION__);
  json["commit"] = commit_id();
  json["program"] = program_fingerprint();
  return json;
}

}  // namespace wharf::cli
