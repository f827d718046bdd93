#pragma once
// Sampled runs of the program, and what they estimate.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "platforms/inputs/files.h"
#include "platforms/measure/interval_metrics.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {

constexpr const char* kProgram = "gaussian@tiny";  // 31 columns with two launches each
/// 1,024 CTAs, of which this machine holds 16.
constexpr const char* kLongLaunch = "vectoradd:n=262144";
inline const std::vector<std::string> kSmallMachine = {"--set", "sms=2",           "--set",    "channels=2",
                                                       "--set", "l2.slice_kib=16", "--sample", "2"};

inline std::vector<std::string> with(std::vector<std::string> options, const std::vector<std::string>& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

inline Json run(const TemporaryFolder& folder, const std::vector<std::string>& options, const std::string& stimulus = kProgram,
                const std::string& config = "private") {
  const Ended ended = wharf(folder, with({"run", config, "--stimulus", stimulus, "--out", "o", "--quiet"}, options));
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  return read_json(folder / "o/result.json");
}

inline double value(const Json& metric, const char* which) { return metric[which].get<double>(); }

}  // namespace wharf::cli
