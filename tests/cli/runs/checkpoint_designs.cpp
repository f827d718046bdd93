// Every configuration continues from a checkpoint, and so does each design in runs that use its state from kernel to kernel.

#include <algorithm>

#include "model/base/config/named_files.h"
#include "model/base/error.h"
#include "platforms/inputs/configuration.h"
#include "tests/cli/runs/saved_and_restored.h"

namespace wharf::cli {
namespace {

Arguments bfs_with(const std::vector<std::string>& settings) {
  Arguments arguments = {"--stimulus", "bfs@tiny", "--verify", "--scramble"};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
  return arguments;
}

/// True unless it is a table of energies, a search, or a point of a variant, which has the blocks of another machine with other values.
bool is_machine(const std::string& name) {
  if (name.find(':') != std::string::npos) return false;
  try {
    return !load_configuration(name, {}, "").search;
  } catch (const InputError&) {
    return false;
  }
}

/// Machines whose names begin with one of `folders`; with `others`, those whose names begin with none of them.
std::vector<std::string> machines_of(const std::vector<std::string>& folders, bool others = false) {
  std::vector<std::string> names = config::configuration_names(configuration_root());
  const auto is_in_folders = [&folders](const std::string& name) {
    return std::any_of(folders.begin(), folders.end(), [&name](const std::string& folder) { return name.rfind(folder + "/", 0) == 0; });
  };
  names.erase(std::remove_if(names.begin(), names.end(),
                             [&](const std::string& name) { return is_in_folders(name) == others || !is_machine(name); }),
              names.end());
  return names;
}

void expect_all_go_on(const std::vector<std::string>& configs, std::size_t least) {
  REQUIRE(configs.size() >= least);
  for (const std::string& config : configs)
    if (config != "morpheus/characterise") expect_identical(config, bfs_with({}), "6");
}

// Together these cases run every machine. Each stays far below the time limit of a case.
TEST_CASE("every configuration of morpheus but the one that never rests goes on from a checkpoint") {
  expect_all_go_on(machines_of({"morpheus"}), 15);
}

TEST_CASE("every configuration of ciao and loscache goes on from a checkpoint") { expect_all_go_on(machines_of({"ciao", "loscache"}), 20); }

TEST_CASE("every configuration of dc_l1 and shared_l1 goes on from a checkpoint") {
  expect_all_go_on(machines_of({"dc_l1", "shared_l1"}), 30);
}

TEST_CASE("every configuration of the other designs, and every GPU, goes on from a checkpoint") {
  expect_all_go_on(machines_of({"morpheus", "ciao", "loscache", "dc_l1", "shared_l1"}, true), 30);
}

TEST_CASE("line times, and the predictions and draws of SMs for loscache, survive a checkpoint") {
  const auto result = expect_identical("loscache/adaptive", bfs_with({}), "3");
  CHECK(result["run"]["l2.gates.clean"] > 0);
  CHECK_FALSE(result["tables"]["prediction_pcs"]["rows"].empty());
  expect_identical("loscache/adaptive", bfs_with({"sm.prediction.reuse_table_across_launches=true", "sm.prediction.period_scope=gpu"}),
                   "3");
  expect_identical("loscache/adaptive", bfs_with({"sm.prediction.source=random"}), "3");
  CHECK(expect_identical("loscache/ideal", bfs_with({}), "3")["run"]["l2.reused.reads"] > 0);
}

TEST_CASE("predictors and selectors of cores to search go on behind a checkpoint") {
  const auto result = expect_identical("remote_sharing/rp_5_2_05", bfs_with({"remote_sharing.supplier.period_cycles=20000"}), "8");
  CHECK(result["run"]["probes.supplied"] > 0);
  expect_identical("remote_sharing/ip_5_2_05", bfs_with({"remote_sharing.oracle_precision_percent=80"}), "3");
}

TEST_CASE("lost lines of warps and actions of filters survive a checkpoint, even within a window") {
  const auto result = expect_identical("ciao/ciao_c_short", bfs_with({"l1.ways=1"}), "7");
  for (const char* metric : {"sm.interference.hits", "sm.filter.isolations", "sm.filter.stalls", "l1.shared_memory_cache.fills"})
    CHECK(result["kernels"][6][metric] > 0);
  const auto settings = [](const char* window, const char* threshold) {
    const std::string fraction = threshold;
    return bfs_with({"sm.swl_limit=2", std::string("sm.pcal.window=") + window, "sm.pcal.low=" + fraction, "sm.pcal.high=" + fraction});
  };
  expect_identical("ciao/statpcal", settings("4000", "0.05"), "8");
  expect_identical("ciao/statpcal", settings("20000", "0.9"), "8");
}

TEST_CASE("the extended LLC, its predictors and its epochs go on behind a checkpoint") {
  const auto result = expect_identical("morpheus/all", bfs_with({}), "8");
  for (const char* metric : {"morpheus.hits", "ellc.dirty_victims", "ellc.layout_changes", "hit_predictor.swaps"})
    CHECK(result["run"][metric] > 0);
  expect_identical("morpheus/all", bfs_with({"morpheus.kernel.service=warps"}), "8");
  // A checkpoint within an epoch, and randomly drawn levels.
  expect_identical("morpheus/all", bfs_with({"morpheus.kernel.compression.source=drawn", "morpheus.kernel.compression.epoch_cycles=40000"}),
                   "8");
}

TEST_CASE("the causes of issue slots go on behind a checkpoint") {
  Arguments explained = bfs_with({});
  explained.emplace_back("--explain");
  CHECK_FALSE(expect_identical("private", explained, "4")["tables"]["cycle_stack"]["rows"].empty());
}

}  // namespace
}  // namespace wharf::cli
