// Properties of clusters with an aggregated tag array on whole machines, and the machines that are refused (ata sections 7 and 8).

#include <catch2/catch.hpp>
#include <utility>

#include "tests/designs/ata/platform/ata_rig.h"
#include "tests/platform/soak/random_traffic.h"

namespace wharf::test {
namespace {

using Settings = std::vector<std::string>;

constexpr Address kShared = 0x100'0000;

/// Each of 30 CTAs reads the same lines one after the other, in its own order.
std::vector<ScriptedKernel> all_read_the_same(unsigned lines) {
  ScriptedKernel kernel;
  for (unsigned cta = 0; cta < 30; ++cta) {
    Instructions reads;
    for (unsigned i = 0; i < lines; ++i) reads.push_back(load(kShared + (i * 7 + cta * 5) % lines * kLineBytes, 1, 1, kAllLanes));
    reads.push_back(exit_warp());
    kernel.ctas.push_back({reads});
  }
  return {kernel};
}

TEST_CASE("clusters of one SM without an extra tag cycle are the private machine, cycle for cycle") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto traffic = random_traffic(seed, {2, 30, 2, 40, 6, 400, 3, true});
    const Outcome alone = run_ata("private", traffic);
    const Outcome clusters = run_ata("ata", traffic, {"ata.cluster_size=1", "ata.extra_tag_cycles=0", "l1.input_queue=4"});
    CAPTURE(seed);
    const auto of_power = [](const std::string& key) {  // arrays and crossbars leak even when they are not used
      return key.rfind("energy.", 0) == 0 || key.rfind("power.", 0) == 0 || key.rfind("noc.", 0) == 0;
    };
    for (const auto& [key, value] : alone.result.at("run").items()) {
      INFO(key);
      if (!of_power(key)) CHECK(clusters.result.at("run").at(key) == value);
    }
    CHECK(clusters.run("cluster.requests") == 0);
  }
}

TEST_CASE("lines that all SMs read come from neighbours instead of L2") {
  const auto kernels = all_read_the_same(120);
  const Outcome alone = run_ata("private", kernels), clusters = run_ata("ata", kernels);
  CHECK(clusters.run("cluster.sectors.received") > 0);
  CHECK(clusters.run("l2.accesses") < alone.run("l2.accesses") / 2);
  CHECK(clusters.run("cycles") < alone.run("cycles"));
}

TEST_CASE("where one cluster holds all SMs, its tags and the oracle's directory agree on every miss") {
  const Outcome outcome = run_ata("ata", all_read_the_same(60), {"sms=10", "front_end.cta_scheduler=round_robin"});
  CHECK(outcome.run("cluster.requests") > 0);
  CHECK(outcome.run("cluster.requests") == outcome.run("l1.load.misses_held_elsewhere"));
}

TEST_CASE("nine SMs that read one sector of a tenth are served one a cycle, those that read its four sectors up to four") {
  // The line is in SM 0. Nine others read it much later, all in the same cycle.
  const auto reads = [](bool same) {
    ScriptedKernel kernel;
    kernel.ctas.push_back({{load(kShared, 1, kNoRegister, kAllLanes), exit_warp()}});
    for (unsigned sm = 1; sm < 10; ++sm) {
      Instructions late(20, compute(Unit::sfu, 5, 5));
      late.push_back(load(kShared + (same ? 0 : sm % 4 * kSectorBytes), 1, 5));
      late.push_back(exit_warp());
      kernel.ctas.push_back({late});
    }
    return std::vector<ScriptedKernel>{kernel};
  };
  for (const bool same : {true, false}) {
    const Outcome outcome = run_ata("ata", reads(same));
    REQUIRE(outcome.run("sm.served_by.peer") == 9);
    // The request crossbar delivers one read per cycle to the holder, and the reply crossbar takes one per cycle from it. So the nth reply
    // arrives n cycles later, whatever the banks.
    CHECK(outcome.run("sm.served_by_cycles.peer") == 9 * 41 + (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8));
    CHECK(outcome.run("cluster.read_wait") == 0);
  }
}

TEST_CASE("a read of another SM waits for a bank that the holder's own loads use, for age_limit cycles at most") {
  // SM 0 reads the same sector of 32 lines again and again, one per cycle (ATA-O8). SM 1 reads one of them meanwhile.
  const auto wait_for = [](unsigned own_sector, const Settings& settings) {
    const auto diverged = [&](unsigned sector, RegisterId to, RegisterId from) {
      return load(kShared + sector * kSectorBytes, to, from, kAllLanes, kLineBytes);
    };
    Instructions owner = {diverged(0, 1, kNoRegister), diverged(1, 2, 1)};
    for (unsigned i = 0; i < 12; ++i) owner.push_back(diverged(own_sector, kNoRegister, 2));
    owner.push_back(exit_warp());
    Instructions late(42, compute(Unit::sfu, 5, 5));
    late.push_back(load(kShared + 7 * kLineBytes, 1, 5));
    late.push_back(exit_warp());
    ScriptedKernel kernel;
    kernel.ctas = {{owner}, {late}};
    const Outcome outcome = run_ata("ata", {kernel}, settings);
    REQUIRE(outcome.run("sm.served_by.peer") == 1);
    CHECK(outcome.run("sm.served_by_cycles.peer") == 41 + outcome.run("cluster.read_wait"));
    return std::pair{outcome.run("cluster.read_wait"), outcome.run("l1.refused.bank_busy")};
  };
  using Waits = std::pair<std::uint64_t, std::uint64_t>;
  CHECK(wait_for(0, {}) == Waits{16, 1});  // ATA-O10
  CHECK(wait_for(0, {"l1.age_limit=5"}) == Waits{5, 1});
  CHECK(wait_for(1, {}) == Waits{0, 0});
  CHECK(wait_for(1, {"l1.data_banks=2"}) == Waits{0, 0});
}

TEST_CASE("machines whose L1s could not share are refused with the reason") {
  const auto refused = [](const Settings& settings, const char* reason) {
    CHECK_THROWS_WITH(machine("ata/ata", settings), Catch::Contains(reason));
  };
  refused({"sms=29"}, "cluster_size: 10 does not divide the 29 SMs");
  refused({"ata.cluster_size=17"}, "cluster_size");
  refused({"l1.sectored=false"}, "keep sectors");  // ATA-O14
  refused({"transaction=sector"}, "keep sectors");
  refused({"l1.single=true"}, "no other L1 to share with");
  refused({"l1.banks=4"}, "one access per cycle is looked up");                   // ATA-O8, ATA-O11
  refused({"l1.local_stores=write_back"}, "keeps stores that L2 does not have");  // ATA-O6
  refused({"ata.request_queue=8", "ata.store_invalidates_cluster=true"}, "cannot hold an invalidation");
  refused({"l1.data_banks=3"}, "do not divide the four sectors");
  refused({"l1.fill_shares_port=false"}, "a port beside the data banks");
  refused({"l1.data_banks=1", "l1.age_limit=16"}, "data_banks is 1");
  refused({"l2.latency_semantics=load_to_use", "l2.access_cycles=32"}, "takes up all of access_cycles");
  refused({"l2.latency_semantics=load_to_use", "clock_mhz.l2=1000"}, "the clocks differ");
  CHECK_THROWS_WITH(machine("ata/private", {"ata.cluster_size=5"}), Catch::Contains("platform is not ata"));
}

}  // namespace
}  // namespace wharf::test
