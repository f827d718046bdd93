// A short soak with traces, on a few configurations of every design. `./wharf test --soak` runs all of them.

#include <catch2/catch.hpp>
#include <set>

#include "tests/platform/machines/apart.h"
#include "tests/platform/soak/trace_soak.h"
#include "tests/support/program_under_test.h"

namespace wharf::test {
namespace {

/// Random loads, stores, reductions and atomics of a trace, on the machines of every kind of keys.
void soak(const std::string& configuration, std::uint64_t seed) {
  const cli::TemporaryFolder folder;
  for (const SoakKeys keys : {SoakKeys::own, SoakKeys::smallest_queues, SoakKeys::random, SoakKeys::small_machine}) {
    CAPTURE(configuration, soak_settings(configuration, keys, seed), seed);
    const TraceSoakResult result = run_trace_soak({configuration, keys, seed, 2'000}, folder / "trace");
    CHECK(result.finding == "");
    if (keys == SoakKeys::own || keys == SoakKeys::smallest_queues) CHECK(result.accesses > 2'000);  // others may refuse the trace
  }
}

TEST_CASE("random traces pass through private L1s") {
  soak("private", 1);
  soak("private", 9);   // with hints
  soak("private", 10);  // with a checkpoint
}
TEST_CASE("random traces pass through remote_sharing") {
  soak("remote_sharing/ip_15_2_02", 1);
  soak("remote_sharing/probes:s3", 2);
}
TEST_CASE("random traces pass through shared_l1 and dc_l1") {
  soak("shared_l1/dyn_eb", 1);
  soak("dc_l1/sh40_c10_boost", 2);
}
TEST_CASE("random traces pass through ata, ciao and loscache") {
  soak("ata/ata", 1);
  soak("ciao/ciao_c", 2);
  soak("loscache/adaptive", 3);
}
TEST_CASE("random traces pass through morpheus") { soak("morpheus/all", 1); }

TEST_CASE("kernels of two streams that run together see what ended before them, and their warps' own local memory") {
  const cli::TemporaryFolder folder;
  const auto finding = [&](const std::string& configuration, std::vector<std::string> settings) {
    settings.push_back("front_end.concurrent_kernels=2");
    return run_trace_soak({configuration, SoakKeys::own, 1, 2'000, settings}, folder / "trace").finding;
  };
  CHECK(finding("private", {"sms=2"}) == "");
  CHECK(finding("gpus/80sm_kept_l1", {"sms=4"}) == "");  // where two kernels start in one cycle
  CHECK(finding("private", {"sms=2", "l1.perfect=true"}) == "");
  CHECK(finding("gpus/volta_qv100", {"sms=4"}) == "");
}

TEST_CASE("the smallest queues are one place wherever the machine accepts it") {
  const std::vector<std::string> settings = smallest_queues("private");
  const std::set<std::string> all(settings.begin(), settings.end());
  for (const char* setting : {"l1.input_queue=1", "l1.fill_queue=1", "l1.miss_queue=1", "l1.mshr_entries=1", "l2.input_queue=1",
                              "l2.miss_queue=2", "dram.queue_entries=1", "network.crossbar.buffer_flits=1", "sm.lsu_queue=1"}) {
    INFO(setting);
    CHECK(all.count(setting) == 1);
  }
  CHECK(machine("private", settings).l2.input_queue == 1);
}

TEST_CASE("random keys are a seed's own, up to twelve of them, and none of energy or the watchdog") {
  std::set<std::vector<std::string>> seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::vector<std::string> settings = random_keys("morpheus/all", seed);
    CHECK(settings == random_keys("morpheus/all", seed));
    CHECK(!settings.empty());
    CHECK(settings.size() <= 12);
    for (const std::string& setting : settings) {
      INFO(setting);
      CHECK(setting.rfind("energy.", 0) != 0);
      CHECK(setting.rfind("watchdog.", 0) != 0);
    }
    CHECK_NOTHROW(machine("morpheus/all", settings));
    seen.insert(settings);
  }
  CHECK(seen.size() == 20);
  CHECK(random_keys("morpheus/all", 1) != random_keys("morpheus", 1));
}

TEST_CASE("small machines of the soak have few SMs, slices and warps, and a seed's own keys") {
  unsigned few_slices_and_warps = 0;
  for (const char* configuration : {"ata", "gpus/28sm_mesh", "cluster/dc_l1"}) {
    std::set<std::vector<std::string>> seen;
    unsigned few_sms = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const std::vector<std::string> settings = small_machine(configuration, seed);
      CAPTURE(configuration, settings);
      CHECK(settings == small_machine(configuration, seed));
      const GpuParams params = machine(configuration, settings);
      if (params.sms <= 16) ++few_sms;
      if (params.slices() <= 8 && params.sm.warps <= 32) ++few_slices_and_warps;
      seen.insert(settings);
    }
    INFO(configuration);
    CHECK(seen.size() == 6);
    CHECK(few_sms == 6);
  }
  CHECK(few_slices_and_warps >= 4);
}

TEST_CASE("every configuration that can be run is soaked") {
  const std::vector<std::string> names = soak_configurations();
  for (const char* name : {"private", "remote_sharing/probes:s3", "gpus/volta_qv100", "morpheus/all"})
    CHECK(std::count(names.begin(), names.end(), name) == 1);
  CHECK(names.size() > 200);
}

}  // namespace
}  // namespace wharf::test
