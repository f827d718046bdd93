// Unloaded latencies of each path of a missed line in remote_sharing, as sums of their causes. SM 0 is mesh node 0, SM 1 node 1, SM 2 node
// 2; the line's slice is node 3 (RS-1): 1, 2 and 3 hops from SM 0.

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

constexpr Cycle kTag = 4, kHit = 28, kL2 = 120, kFill = 1;  // RS-3

/// Core cycles of a packet over the mesh of half the clock: one to enter, two per hop, one per flit after the first (RS-2).
constexpr Cycle packet(Cycle hops, Cycle flits) { return 2 * (1 + 2 * hops + flits - 1); }
constexpr Cycle control(Cycle hops) { return packet(hops, 1); }
constexpr Cycle data(Cycle hops) { return packet(hops, 5); }  // RS-6: 8 B and a line in flits of 32 B

/// SM `holder` reads the line early. SM 0 reads it late; this read is measured. The slice has the line in any case.
std::vector<ScriptedKernel> early_and_late(unsigned holder) {
  Instructions late(40, compute(Unit::sfu, 5, 5));
  late.push_back(load(kLine, 1, 5));
  ScriptedKernel kernel;
  kernel.ctas.resize(4, Warps{Instructions{exit_warp()}});
  kernel.ctas[0] = {late};
  if (holder != 0) kernel.ctas[holder] = {{load(kLine, 1)}};
  return {one_warp({load(kLine, 1)}), kernel};
}

/// Round trip of the late read, served by `server`: aligned with an edge of the network, or one cycle after it.
std::pair<Cycle, Cycle> late_read(const std::string& configuration, const std::vector<std::string>& settings, unsigned holder,
                                  const std::string& server) {
  Cycle least = kNever, most = 0;
  for (const char* launch : {"1", "2"}) {
    std::vector<std::string> all = settings;
    all.push_back(std::string("front_end.kernel_launch_cycles=") + launch);
    const Outcome outcome = run_apart(machine("remote_sharing/" + configuration, all), early_and_late(holder), checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    const std::uint64_t early = holder != 0 && server == "l2" ? 1 : 0;
    REQUIRE(outcome.kernel(1, "sm.served_by." + server) == 1 + early);
    const Cycle cycles = outcome.kernel(1, "sm.served_by_cycles." + server);
    least = std::min(least, cycles);
    most = std::max(most, cycles);
  }
  return {least, most};
}

void check(const std::pair<Cycle, Cycle>& measured, Cycle aligned) {
  CHECK(measured.first == aligned);
  CHECK(measured.second == aligned + 1);
}

/// One probe to each of the first `coverage` other SMs, regardless of an oracle.
std::vector<std::string> hinted(unsigned coverage, unsigned probes) {
  return {"remote_sharing.hint_pcs=[0]", "remote_sharing.selector=index", "remote_sharing.coverage=" + std::to_string(coverage),
          "remote_sharing.probes=" + std::to_string(probes), "remote_sharing.probability=1"};
}

TEST_CASE("a miss that is not searched takes the way to L2 and back: 137 cycles and 8 a hop") {
  CHECK(kTag + control(3) + kL2 + data(3) + kFill == 137 + 8 * 3);
  check(late_read("baseline", {}, 0, "l2"), 137 + 8 * 3);
}

// RS-28: 4 cycles of tags, and 24 of data if the line is present.
TEST_CASE("a probe that finds the line brings it without L2") {
  check(late_read("dp", {}, 1, "peer"), kTag + control(1) + kHit + data(1) + kFill);
  check(late_read("dp", {}, 2, "peer"), kTag + control(2) + kHit + data(2) + kFill);
}

TEST_CASE("a probe visits one core after the other and pays their tags") {
  check(late_read("n_ip", {}, 2, "peer"), kTag + control(1) + kTag + control(1) + kHit + data(2) + kFill);
}

TEST_CASE("a probe that finds the incoming queue full goes from that router to its next target, and pays no tags on the way") {
  // SM 0 reads two lines that SM 1 has, then one that SM 2 has. A probe is sent every network cycle. SM 1 has one place in each queue. It
  // looks up the first probe, the second waits for it, and the third finds the queue full.
  const auto address = [](unsigned i) { return kLine + i * 0x1'0000; };
  const auto run = [&](unsigned lines, const char* incoming, const char* deflection, const char* launch) {
    Instructions late(40, compute(Unit::sfu, 5, 5));
    for (unsigned i = 0; i < lines; ++i) late.push_back(load(address(i), static_cast<RegisterId>(10 + i), 5));
    ScriptedKernel kernel;
    kernel.ctas.resize(4, Warps{Instructions{exit_warp()}});
    kernel.ctas[0] = {late};
    kernel.ctas[1] = {{load(address(0), 1), load(address(1), 2, 1)}};
    kernel.ctas[2] = {{load(address(2), 1)}};
    std::vector<std::string> settings = hinted(2, 1);
    for (const char* queue : {"forwarded", "replies"}) settings.push_back(std::string("remote_sharing.queues.") + queue + "=1");
    settings.push_back(std::string("remote_sharing.queues.incoming=") + incoming);
    settings.push_back(std::string("remote_sharing.queues.deflection=") + deflection);
    settings.push_back(std::string("front_end.kernel_launch_cycles=") + launch);
    const Outcome outcome = run_apart(machine("remote_sharing/rp_5_2_05_hints", settings), {kernel}, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome;
  };
  for (const char* deflection : {"in_place", "latch"}) {
    CAPTURE(deflection);
    std::pair<Cycle, Cycle> third{kNever, 0};
    for (const char* launch : {"1", "2"}) {
      const Outcome two = run(2, "1", deflection, launch), three = run(3, "1", deflection, launch);
      CHECK(two.run("probes.deflected") == 0);
      CHECK(three.run("probes.deflected") == 1);
      CHECK(three.run("sm.served_by.peer") == 3);
      CHECK(three.run("probes.lookups") == two.run("probes.lookups") + 1);
      const Cycle cycles = three.run("sm.served_by_cycles.peer") - two.run("sm.served_by_cycles.peer");
      third = {std::min(third.first, cycles), std::max(third.second, cycles)};
      CHECK(run(3, "2", deflection, launch).run("probes.deflected") == 0);
    }
    check(third, kTag + control(1) + control(1) + kHit + data(2) + kFill);
  }
}

TEST_CASE("a search that fails goes to L2 after its NACK") {
  check(late_read("rp_5_2_05_hints", hinted(1, 1), 0, "l2"), kTag + control(1) + kTag + control(1) + control(3) + kL2 + data(3) + kFill);
}

TEST_CASE("the second level fetches from the candidate that a scout has found, who pays no data access") {
  // The scout is sent a network cycle after the leader; the leader's NACK returns first.
  const Cycle scout = 2 + control(2) + kTag + control(2);
  check(late_read("rp_5_2_05_hints", hinted(2, 2), 2, "peer"), kTag + scout + control(2) + kHit + data(2) + kFill);
}

TEST_CASE("a read that its slice forwards is answered by the last sharer, and by the slice where that has lost the line") {
  check(late_read("la_llc", {}, 1, "peer"), kTag + control(3) + kL2 + control(2) + kHit + data(1) + kFill);
  // SM 1 was the last reader in the previous kernel; its L1 has been empty since then (RS-4).
  const auto lost = [](const char* launch) {
    ScriptedKernel before;
    before.ctas = {{{exit_warp()}}, {{load(kLine, 1)}}};
    const Outcome outcome = run_apart(machine("remote_sharing/la_llc", {std::string("front_end.kernel_launch_cycles=") + launch}),
                                      {before, one_warp({load(kLine, 1)})}, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    REQUIRE(outcome.kernel(1, "sm.served_by.l2") == 1);
    return outcome.kernel(1, "sm.served_by_cycles.l2");
  };
  const Cycle one = lost("1"), two = lost("2");
  const Cycle way = kTag + control(3) + kL2 + control(2) + kTag + control(2) + kL2 + data(3) + kFill;
  check({std::min(one, two), std::max(one, two)}, way);
}

// RS-11
TEST_CASE("with perfect probing the data of another core are in the L1 when a request would reach the network") {
  const auto [least, most] = late_read("pp", {}, 1, "peer");
  CHECK(least == kTag + kFill);
  CHECK(most == kTag + kFill);
}

TEST_CASE("late data of a core fill a miss that has gone to L2, whose reply is dropped") {
  // The timeout ends before the probe can be answered. The request goes to L2, but the core is still faster.
  const std::vector<std::string> hasty = {"remote_sharing.timeout_cycles=20"};
  check(late_read("dp", hasty, 1, "peer"), kTag + control(1) + kHit + data(1) + kFill);
  const Outcome outcome = run_apart(machine("remote_sharing/dp", hasty), early_and_late(1), checked());
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("probes.timeouts") == 1);
  CHECK(outcome.run("probes.unanswered") == 1);
  CHECK(outcome.run("probes.late_l2_replies") == 1);
  CHECK(outcome.run("probes.filled_by_peer") == 1);
}

}  // namespace
}  // namespace wharf::test
