#pragma once
// A run that saves a checkpoint and continues, and a run that continues from the checkpoint.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "platforms/inputs/files.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {

using Arguments = std::vector<std::string>;

inline Ended run(const TemporaryFolder& folder, const std::string& config, const Arguments& more) {
  Arguments arguments = {"run", config, "--quiet"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return wharf(folder, arguments);
}

/// Saves after `kernel` and continues in one process, continues from there in another, and compares all their outputs. Returns result.json
/// of the first.
inline nlohmann::ordered_json expect_identical(const std::string& config, const Arguments& input, const std::string& kernel) {
  INFO(config);
  const TemporaryFolder folder;
  Arguments saving = input, loading = input;
  saving.insert(saving.end(), {"--save-at", kernel, "warm", "--out", "saved"});
  loading.insert(loading.end(), {"--load", "warm", "--out", "restored"});
  const Ended saved = run(folder, config, saving);
  INFO(saved.output);
  REQUIRE(saved.exit_code == 0);
  const Ended restored = run(folder, config, loading);
  INFO(restored.output);
  REQUIRE(restored.exit_code == 0);
  CHECK(comparable_result(folder / "saved") == comparable_result(folder / "restored"));
  CHECK(read_file(folder / "saved/stats.csv") == read_file(folder / "restored/stats.csv"));
  const auto result = read_json(folder / "saved/result.json");
  CHECK(result["kernels"].size() > std::stoul(kernel));
  return result;
}

}  // namespace wharf::cli
