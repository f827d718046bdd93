// Bulk copies of thread-block clusters on an H100: cycles as sums of their causes, what travels, and misuse (modern_gpus section 4).

#include <catch2/catch.hpp>
#include <functional>

#include "stimuli/functional_run.h"
#include "tests/designs/cluster/platform/bulk_copies.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;
using Op = MbarrierOp;

constexpr Cycle kIssues = 2;  // instructions in front of a copy, one per cycle

/// Copies one after another, each when the one before has been written.
Instructions copies(unsigned rounds, std::uint32_t bytes, Address from = kGlobal) {
  Instructions warp;
  for (unsigned i = 0; i < rounds; ++i) {
    warp.push_back(arrive(0, 0, 0, bytes));
    warp.push_back(arrive(0));
    warp.push_back(bulk_copy(bytes, 1, from));
    warp.push_back(mbarrier(Op::wait, 0, i % 2));
  }
  return warp;
}

}  // namespace

// CL-8
TEST_CASE("copies: a copy of a line to the own CTA takes 170 cycles more than a load past the L1") {
  CHECK(longer_when_warm(cluster_of({copies(3, 128)}), cluster_of({copies(4, 128)})) == load_time() + kMore + kIssues);
  const std::vector<std::string> later = {"cluster.tma.start_cycles=200"};
  CHECK(longer_when_warm(cluster_of({copies(3, 128)}), cluster_of({copies(4, 128)}), later) == load_time() + kMore + 200 - 168 + kIssues);
}

// CL-8
TEST_CASE("copies: lines leave at 64 B per cycle, and no more are in flight than the engine has room for") {
  const auto lines = [](std::uint32_t count) { return cluster_of({copies(1, count * 128)}); };
  CHECK(longer_when_warm(lines(8), lines(9)) == 2);
  CHECK(longer_when_warm(lines(8), lines(9), {"cluster.tma.bytes_per_clock=32"}) == 4);
  // A load leaves the SM in the cycle after its issue. A place is free in the cycle after its line has left for shared memory.
  CHECK(longer_when_warm(lines(8), lines(9), {"cluster.tma.in_flight=1"}) == load_time() - 1 + 1);
}

// CL-8
TEST_CASE("copies: issue slots lost to a copy are the engine's before it requests the last line, and a load's behind that") {
  const auto slots = [](const std::vector<std::string>& settings) {
    RunOptions options = checked();
    options.cycle_stack = 1;
    const Outcome fixed = run_apart(h100(settings), {cluster_of({copies(8, 128)})}, options);
    REQUIRE(fixed.end == End::done);
    options.scramble = true;
    CHECK(differing_metrics(fixed, run_apart(h100(settings), {cluster_of({copies(8, 128)})}, options)) == "");
    return lost_slots(fixed);
  };
  std::map<std::string, double> early = slots({}), late = slots({"cluster.tma.start_cycles=368"});
  CHECK(early["mbarrier"] == 8 * 170);
  CHECK(late["mbarrier"] == 8 * 370);
  CHECK(early["load"] == Approx(late["load"]).margin(8));  // each wait is divided in whole parts
}

// CL-8
TEST_CASE("copies: each line is read once, past the L1, and each byte is written once") {
  const Outcome outcome = run_h100({cluster_of({copies(1, 256, kGlobal + 16)})});
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("tma.copies") == 1);
  CHECK(outcome.run("tma.lines") == 3);
  CHECK(outcome.run("tma.multicast_lines") == 0);
  CHECK(outcome.run("tma.delivered_bytes") == 256);
  CHECK(outcome.run("l1.load.bypasses") == 3);
  CHECK(outcome.run("nic.sm.requests") == 3);
  CHECK(outcome.run("dsm.own") == 3);
}

// CL-9
TEST_CASE("copies: a line for another CTA takes a hop of the cluster's network more") {
  CHECK(longer_when_warm(there_and_back(3, 1, 128), there_and_back(4, 1, 128)) == load_time() + kMore + kSameTpc + kArrival);
  CHECK(longer_when_warm(there_and_back(3, 2, 128), there_and_back(4, 2, 128)) ==
        load_time() + kMore + kBase + kArrival + kBase - kSameTpc);
}

// CL-9
TEST_CASE("copies: a line for three of four CTAs is read once, and all three get it") {
  Warps warps(4);
  warps[0] = {bulk_copy(512, 0b1011)};
  for (const unsigned rank : {0u, 1u, 3u})
    for (const WarpInstruction& instruction : {arrive(0, rank, 0, 512), arrive(0, rank), mbarrier(Op::wait, 0, 0, rank)})
      warps[rank].push_back(instruction);
  const Outcome outcome = run_h100({cluster_of(warps)});
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("tma.multicast_lines") == 4);
  CHECK(outcome.run("nic.sm.requests") == 4);
  CHECK(outcome.run("tma.delivered_bytes") == 3 * 512);
  CHECK(outcome.run("dsm.own") == 4);
  CHECK(outcome.run("dsm.by_distance.tpc") == 4);
  CHECK(outcome.run("dsm.by_distance.cpc") == 4);
}

// CL-8
TEST_CASE("copies: a warp does not end before its copies have been written, also to a CTA that has ended") {
  const Outcome outcome = run_h100({cluster_of({{bulk_copy(4096, 0b11)}, {}})});
  INFO(outcome.failure);
  CHECK(outcome.end == End::done);
  CHECK(outcome.run("tma.delivered_bytes") == 2 * 4096);
}

// CL-8
TEST_CASE("copies: the program's loads of other CTAs go on beside the lines that leave for them") {
  Instructions both = {bulk_copy(16 << 10, 0b10)};
  for (unsigned i = 0; i < 64; ++i) both.push_back(shared_of(1, 0, static_cast<RegisterId>(8 + i % 8)));
  Instructions alone(both.begin() + 1, both.end());
  const Outcome outcome = run_h100({cluster_of({both, {}}), cluster_of({alone, {}}), cluster_of({{both[0]}, {}})});
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.kernel(0, "cycles") < outcome.kernel(1, "cycles") + outcome.kernel(2, "cycles"));
}

// CL-9
TEST_CASE("copies: all CTAs of a cluster read what each has given to all, with and without a machine, whichever block acts first") {
  for (const std::uint32_t ctas : {1u, 2u, 4u}) {
    const auto open = [=] { return share(ctas, (1u << ctas) - 1); };
    const auto stimulus = open();
    run_functionally(*stimulus, [](const FunctionalRun&) { return true; });
    std::string why;
    CHECK(stimulus->check_results(why));
    for (const bool scramble : {false, true}) {
      RunOptions options = checked();
      options.scramble = scramble;
      const Outcome outcome = run_apart(machine("cluster/h100"), open, options);
      INFO(outcome.failure);
      CHECK(outcome.end == End::done);
    }
  }
}

// CL-8
TEST_CASE("copies: a phase in which bytes are missing does not end, and the watchdog names the mbarrier") {
  const Outcome outcome = run_h100({cluster_of({{arrive(0, 0, 0, 256), arrive(0), bulk_copy(128), mbarrier(Op::wait, 0, 0)}})});
  CHECK(outcome.end == End::simulation_failed);
  CHECK_THAT(outcome.failure, Contains("sm[0].mbarrier"));
}

// CL-8, CL-9
TEST_CASE("copies: misuse and machines without a copy engine are refused with the remedy") {
  const auto refused = [](const std::string& configuration, const OpenStimulus& open) {
    const Outcome outcome = run_apart(machine(configuration), open, checked());
    CHECK(outcome.end == End::bad_input);
    return outcome.failure;
  };
  CHECK_THAT(refused("cluster/h100", [] { return share(2, 0b111); }),
             Contains("names rank 2 in a cluster of 2 CTAs; set bits below 2 only"));
  CHECK_THAT(refused("cluster/h100", [] { return share(2, 0b11, 200); }),
             Contains("a bulk copy of 128 elements, of which the source has 128, to element 128 of 200; keep it within both arrays"));
  CHECK_THAT(refused("cluster/h100", [] { return share(1, 1, Share::kElements, 100); }),
             Contains("share: an mbarrier that expects 100 bytes; choose a multiple of 16, the granule of copies"));
  CHECK_THAT(refused("gpus/hopper_h100", [] { return share(1, 1); }), Contains("a bulk copy needs a copy engine; set platform: cluster"));
  const auto scripted = [](const Instructions& instructions) {
    const Outcome outcome = run_h100({cluster_of({instructions})});
    CHECK(outcome.end == End::bad_input);
    return outcome.failure;
  };
  Instructions unexpected = loads(2);  // take longer than the copy in front of them
  unexpected.insert(unexpected.begin(), bulk_copy(128));
  unexpected.push_back(arrive(0));
  unexpected.back().sources[0] = 1;
  CHECK_THAT(scripted(unexpected), Contains("has received 128 bytes more than its phase expects; expect them"));
  CHECK_THAT(scripted({arrive(0, 0, 0, 128), arrive(0), arrive(0)}),
             Contains("has all arrivals of its phase, which lacks 128 bytes; wait for the end of the phase"));
}

}  // namespace wharf::test
