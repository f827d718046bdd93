// Random traffic through every scheme of remote_sharing: nothing is lost, duplicated or stale, no deadlock, and the same result in any
// order of the blocks.

#include <catch2/catch.hpp>

#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

/// Four SMs and two slices on a mesh of 3 x 2.
const Settings kFew = {"sms=4",
                       "channels=2",
                       "network.mesh.columns=3",
                       "watchdog.interval_cycles=40000",
                       "sm.warps=8",
                       "sm.ctas=2",
                       "l1.capacity_kib=1",
                       "l2.slice_kib=2",
                       "l2.access_cycles=10",
                       "l2.input_queue=10",
                       "dram_link_queue=2"};
/// One place in every queue; probes time out and are dropped early.
const Settings kSmallestQueues = {"sm.lsu_queue=1",
                                  "l1.ways=2",
                                  "l1.input_queue=4",
                                  "l1.fill_queue=1",
                                  "l1.miss_queue=1",
                                  "l1.mshr_entries=2",
                                  "l1.mshr_targets=1",
                                  "network.interface_packets=1",
                                  "network.mesh.buffer_flits=1",
                                  "l2.mshr_entries=1",
                                  "l2.mshr_targets=1",
                                  "l2.miss_queue=2",
                                  "l2.reply_queue=1",
                                  "dram.queue_entries=1",
                                  "dram.return_entries=1",
                                  "remote_sharing.reply_latch=1"};
const Settings kSmallestAgents = {"remote_sharing.queues.incoming=1",  "remote_sharing.queues.forwarded=1",
                                  "remote_sharing.queues.replies=1",   "remote_sharing.queues.deflection=latch",
                                  "remote_sharing.queues.deflected=1", "remote_sharing.drop_after_cycles=3"};
/// The same settings without a latch: no probe waits in the network.
const Settings kSmallestInPlace = {"remote_sharing.queues.incoming=1", "remote_sharing.queues.forwarded=1",
                                   "remote_sharing.queues.replies=1"};

void check_conservation(const Outcome& outcome) {
  const auto sum = [&](const char* metric) { return outcome.run(metric); };
  CHECK(sum("sm.round_trips") == sum("l1.load.accesses") + sum("l1.texture.accesses"));
  CHECK(sum("l1.fills") ==
        sum("l1.load.misses") + sum("l1.load.sector_misses") + sum("l1.texture.misses") + sum("l1.texture.sector_misses"));
  CHECK(sum("l1.load.misses") + sum("l1.load.sector_misses") == sum("probes.misses"));
  CHECK(sum("probes.injected") == sum("probes.supplied") + sum("probes.returned") + sum("probes.dropped"));
  CHECK(sum("probes.searches") >= sum("probes.failed_searches") + sum("probes.timeouts"));
  if (outcome.result.at("run").contains("l1.remote.probes")) CHECK(sum("l1.remote.probes") == sum("probes.lookups"));
  CHECK(sum("l2.stores") == sum("nic.l2.acks"));
  CHECK(sum("l2.atomics") == sum("l1.atomics"));
  CHECK(sum("l2.accesses") == sum("nic.sm.requests") + sum("la_llc.forwards") - sum("la_llc.found") - sum("la_llc.turned_back"));
}

Outcome soak(const std::string& configuration, const Settings& settings, std::uint64_t seed) {
  return test::soak(configuration, settings, seed, {}, check_conservation);
}

TEST_CASE("a reply is taken when it arrives, or later, at clocks of any ratio") {
  for (const char* clock : {"clock_mhz.network=712", "clock_mhz.network=650", "clock_mhz.network=2000"})
    for (const std::uint64_t seed : {1, 2})
      soak("remote_sharing/coverage:c10_index", kFew + Settings{clock, "remote_sharing.reply_latch=1", "remote_sharing.timeout_cycles=2"},
           seed);
}

// RS-21: each core draws its own random numbers, so the order of the cores changes no result.
TEST_CASE("random traffic passes through each scheme of remote_sharing") {
  for (const char* name : {"baseline", "pp", "dp", "n_ip", "coverage:c5", "ip_15_2_02", "rp_5_2_05", "rp_27_1_1", "ccn_ring", "la_llc",
                           "precision:ip_5_2_05_p70", "probes:s3", "rp_5_2_05_hints", "baseline_crossbar"}) {
    const bool crossbar = std::string(name) == "baseline_crossbar";
    Settings settings = kFew;
    if (crossbar) settings.erase(settings.begin() + 2);
    for (const std::uint64_t seed : {1, 2}) soak(std::string("remote_sharing/") + name, settings, seed);
  }
}

// RS-32: a core's own returning probes always find room.
TEST_CASE("with the smallest queues no probe is lost or doubled under deflection, drops and timeouts") {
  std::uint64_t deflected = 0, dropped = 0, timeouts = 0, late = 0;
  for (const char* name : {"dp", "n_ip", "ip_15_2_02", "rp_5_2_05", "ccn_ring", "probes:s3"}) {
    for (const std::uint64_t seed : {3, 4}) {
      const Outcome outcome = soak(std::string("remote_sharing/") + name,
                                   kFew + kSmallestQueues + kSmallestAgents + Settings{"remote_sharing.timeout_cycles=60"}, seed);
      deflected += outcome.run("probes.deflected");
      dropped += outcome.run("probes.dropped");
      timeouts += outcome.run("probes.timeouts");
      late += outcome.run("probes.late_returns") + outcome.run("probes.redundant") + outcome.run("probes.late_l2_replies");
    }
  }
  CHECK(deflected > 0);
  CHECK(dropped > 0);
  CHECK(timeouts > 0);
  CHECK(late > 0);
}

TEST_CASE("with the smallest queues and deflection in place no probe waits in the network or is dropped, and nothing stands still") {
  std::uint64_t deflected = 0, forwards = 0;
  for (const char* name : {"dp", "n_ip", "ip_15_2_02", "rp_5_2_05", "ccn_ring", "probes:s3", "la_llc"}) {
    for (const std::uint64_t seed : {3, 4}) {
      Settings settings = kFew + kSmallestQueues + kSmallestInPlace;
      settings.push_back(std::string(name) == "la_llc" ? "l2.forward_queue=1" : "remote_sharing.timeout_cycles=60");
      const Outcome outcome = soak(std::string("remote_sharing/") + name, settings, seed);
      deflected += outcome.run("probes.deflected");
      forwards += outcome.run("la_llc.forwards");
      CHECK(outcome.run("probes.dropped") == 0);
      CHECK(outcome.run("la_llc.turned_back") == 0);
    }
  }
  CHECK(deflected > 0);
  CHECK(forwards > 0);
}

TEST_CASE("with the smallest queues forwards of the L2 slices come to an end") {
  std::uint64_t found = 0;
  for (const std::uint64_t seed : {5, 6, 7}) {
    const Outcome outcome = soak("remote_sharing/la_llc", kFew + kSmallestQueues + kSmallestAgents + Settings{"l2.forward_queue=1"}, seed);
    found += outcome.run("la_llc.found");
  }
  CHECK(found > 0);
}

TEST_CASE("forwards that all go to one SM are deflected, or turned back over the reply network") {
  // SM 0 is the last reader of 64 lines. Then the other three SMs read them.
  const auto read = [](Address address, RegisterId to) { return load(address, to, kNoRegister, kAllLanes, kLineBytes); };
  const auto reads = [&] { return Instructions{read(0x10'0000, 1), read(0x10'1000, 2), exit_warp()}; };
  ScriptedKernel first, second;
  first.ctas = {{reads()}};
  second.ctas = {{{exit_warp()}}, {reads()}, {reads()}, {reads()}};
  const Settings roomy = {"remote_sharing.drop_after_cycles=1", "l2.input_queue=1", "l2.slice_kib=16", "l1.capacity_kib=16",
                          "l1.mshr_entries=64"};
  const Outcome outcome = run_apart(machine("remote_sharing/la_llc", kFew + kSmallestAgents + roomy), {first, second}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("la_llc.forwards") > 0);
  CHECK(outcome.run("probes.deflected") > 0);
  CHECK(outcome.run("la_llc.turned_back") > 0);
  check_conservation(outcome);
}

// RS-39: a store to a pending line leaves no old copy there.
TEST_CASE("without probes for lines that the SM has written no value older than its own store is seen") {
  for (const char* name : {"pp", "ip_15_2_02", "probes:s3"})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Outcome outcome =
          soak(std::string("remote_sharing/") + name, kFew + Settings{"remote_sharing.probe_after_own_store=forbid"}, seed);
      CHECK(outcome.run("stale_own.peer") == 0);
    }
}

/// Clusters of two SMs on rings, sectored L1s, 2 x 2 channels and slices on a crossbar.
const Settings kClusters = {"sms=4",
                            "channels=2",
                            "slices_per_channel=1",
                            "watchdog.interval_cycles=40000",
                            "sm.warps=8",
                            "sm.ctas=2",
                            "sm.threads=256",
                            "l1.capacity_kib=1",
                            "l1.ways=4",
                            "l2.slice_kib=2",
                            "l2.access_cycles=10",
                            "dram_link_queue=2",
                            "remote_sharing.cluster_sms=2",
                            "remote_sharing.coverage=1"};

TEST_CASE("random traffic passes through the rings of ATA's clusters, sector by sector") {
  std::uint64_t withheld = 0, filled = 0;
  for (const char* give : {"withhold", "give"})
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Outcome outcome = soak("ata/remote_sharing", kClusters + Settings{std::string("remote_sharing.written_lines=") + give}, seed);
      filled += outcome.run("probes.filled_by_peer");
      withheld += outcome.run("probes.withheld");
    }
  CHECK(filled > 0);
  CHECK(withheld > 0);
}

TEST_CASE("with the smallest queues the rings of ATA's clusters lose nothing") {
  const Settings smallest = {"l1.input_queue=4",
                             "l1.fill_queue=1",
                             "l1.miss_queue=1",
                             "l1.mshr_entries=2",
                             "l1.mshr_targets=1",
                             "l2.mshr_entries=1",
                             "l2.mshr_targets=1",
                             "l2.miss_queue=2",
                             "dram.queue_entries=1",
                             "dram.return_entries=1",
                             "network.interface_packets=1",
                             "network.ring.buffer_flits=1",
                             "network.request_ring.buffer_flits=1",
                             "remote_sharing.reply_latch=1"};
  for (const Settings& agents : {kSmallestAgents, kSmallestInPlace}) {
    std::uint64_t deflected = 0;
    for (const std::uint64_t seed : {3, 4, 5}) {
      const Outcome outcome =
          soak("ata/remote_sharing",
               kClusters + smallest + agents +
                   Settings{"remote_sharing.timeout_cycles=60", "remote_sharing.cluster_sms=4", "remote_sharing.coverage=3"},
               seed);
      deflected += outcome.run("probes.deflected");
    }
    CHECK(deflected > 0);
  }
}

TEST_CASE("kernels that end with their CTAs leave probes behind that do no harm") {
  for (const std::uint64_t seed : {1, 2, 3})
    soak("remote_sharing/probes:s3", kFew + Settings{"front_end.kernel_end=ctas_done", "sm.cta_waits_for_stores=true"}, seed);
}

}  // namespace
}  // namespace wharf::test
