// Bulk copies whose lines the network of replies multiplies, on an H100: cycles as sums of their causes, what travels, and what is refused
// (modern_gpus section 4, MG-15).

#include <catch2/catch.hpp>

#include "stimuli/catalogue.h"
#include "tests/designs/cluster/platform/bulk_copies.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;
using Op = MbarrierOp;

const Settings kAtSource = {"cluster.tma.multicast_at=source"}, kAtGpc = {"cluster.tma.multicast_at=gpc"};
constexpr Cycle kOverSm = 2;  // a line that comes with a copy of the reply does not pass the SM, nor its link to the port

Outcome run_at(const Settings& at, const std::vector<ScriptedKernel>& kernels, const RunOptions& options = checked()) {
  return run_checked(machine("cluster/h100", at), kernels, options);
}

/// `rounds` times, rank 0 copies to three of four CTAs, which answer with an arrival each.
ScriptedKernel to_three_of_four(unsigned rounds, std::uint32_t bytes) {
  Warps warps(4);
  for (unsigned i = 0; i < rounds; ++i) {
    warps[0].push_back(arrive(0, 0, 0, bytes));
    warps[0].push_back(bulk_copy(bytes, 0b1011));
    for (const unsigned rank : {1u, 3u})
      for (const WarpInstruction& instruction :
           {arrive(0, rank, 0, bytes), arrive(0, rank), mbarrier(Op::wait, 0, i % 2, rank), arrive(0, 0)})
        warps[rank].push_back(instruction);
    warps[0].push_back(mbarrier(Op::wait, 0, i % 2));
  }
  ScriptedKernel kernel = cluster_of(warps);
  kernel.ctas[0][0][0] = mbarrier(Op::init, 0, 2);
  return kernel;
}

}  // namespace

// CL-9
TEST_CASE("multicast: a line for another CTA takes no hop of the cluster's network if the GPC copies the reply") {
  for (const unsigned rank : {1u, 2u}) {
    const Cycle back = kArrival + (rank == 1 ? 0 : kBase - kSameTpc);
    CHECK(longer_when_warm(there_and_back(3, rank, 128), there_and_back(4, rank, 128), kAtGpc) == load_time() + kMore - kOverSm + back);
  }
}

// CL-9
TEST_CASE(
    "multicast: a line for three of four CTAs arrives last at the farthest, one after the other from the source, together at the GPC") {
  const auto round = [](const Settings& at) { return longer_when_warm(to_three_of_four(3, 128), to_three_of_four(4, 128), at); };
  const Cycle back = kArrival + kBase - kSameTpc;        // the arrival of rank 3, in the next TPC
  const Cycle expects = 1;                               // rank 0 issues in front of its copy
  const Cycle own = 1, of_rank_1 = kLineBytes * 3 / 64;  // what leaves before the line for rank 3: to the port, and to the network
  CHECK(round(kAtSource) == expects + load_time() + kMore + own + of_rank_1 + kBase + back);
  CHECK(round(kAtGpc) == expects + load_time() + kMore - kOverSm + back);
}

// CL-9
TEST_CASE("multicast: a copy to three of four CTAs reads each line of L2 once, and sends none over the cluster's network") {
  const auto network = [](const Outcome& outcome) { return outcome.run("net.peer.packets"); };
  const Outcome nothing = run_at(kAtGpc, {to_three_of_four(1, 16)}), outcome = run_at(kAtGpc, {to_three_of_four(1, 512)});
  CHECK(outcome.run("tma.lines") == 4);
  CHECK(outcome.run("tma.multicast_lines") == 4);
  CHECK(outcome.run("nic.sm.requests") == 4);
  CHECK(outcome.run("nic.l2.data_replies") == 4);
  CHECK(outcome.run("nic.sm.replies") == 4);
  CHECK(outcome.run("l2.loads") == 4);
  CHECK(outcome.run("tma.delivered_bytes") == 3 * 512);
  CHECK(outcome.run("multicast.replies") == 4);
  CHECK(outcome.run("multicast.copies") == 2 * 4);
  CHECK(outcome.run("multicast.bytes") == 2 * 4 * 136);
  CHECK(outcome.run("dsm.lines") == 2 * 4);
  CHECK(outcome.run("dsm.own") == 4);
  CHECK(network(outcome) == network(nothing));
  CHECK(outcome.run("net.reply.gpc.packets") + 2 * 4 == outcome.run("net.reply.sm.packets"));
}

// CL-9
TEST_CASE("multicast: bytes outside the tensor and what is not read of L2 still travel over the cluster's network") {
  const auto run_copy = [](const BulkCopy& copy) {
    Warps warps(2);
    WarpInstruction instruction = barrier();
    copy.put_into(instruction, 2);
    warps[0] = {instruction};
    for (const WarpInstruction& waits : {arrive(0, 1, 0, copy.bytes()), arrive(0, 1), mbarrier(Op::wait, 0, 0, 1)})
      warps[1].push_back(waits);
    return run_at(kAtGpc, {cluster_of(warps)});
  };
  BulkCopy copy;
  copy.from = kGlobal;
  copy.to = 1024;
  copy.row_bytes = 128;
  copy.ranks = 0b10;
  copy.filled = 64;
  const Outcome filled = run_copy(copy);
  CHECK(filled.run("tma.delivered_bytes") == 128 + 64);
  CHECK(filled.run("multicast.copies") == 1);
  CHECK(filled.run("dsm.by_distance.tpc") == 1);
  copy.filled = 0;
  copy.from = 2048;
  copy.direction = BulkCopy::Direction::between_shared;
  const Outcome between = run_copy(copy);
  CHECK(between.run("tma.delivered_bytes") == 128);
  CHECK(between.run("multicast.copies") == 0);
}

// CL-9
TEST_CASE("multicast: a request holds the credits of its SM alone, also where that SM gets no line") {
  const Outcome outcome = run_at(kAtGpc + Settings{"network.hierarchical_crossbar.sm_slice_credits=4"}, {there_and_back(6, 1, 4096)});
  CHECK(outcome.run("tma.delivered_bytes") == 6 * 4096);
}

// CL-9
TEST_CASE("multicast: a CTA that has ended loses its lines, and no later CTA in its place gets them") {
  Warps warps(16, {bulk_copy(4096, 1u << 15)});  // more than the links of one SM carry while 15 warps wait for replies of their own
  warps[15] = {};
  const ScriptedKernel one = cluster_of(warps);
  ScriptedKernel many = one;
  for (unsigned more = 0; more < 23; ++more) many.ctas.insert(many.ctas.end(), one.ctas.begin(), one.ctas.end());
  run_at(kAtGpc + Settings{"sm.ctas=1"}, {many, many});  // kernels end with their CTAs
  const Outcome outcome = run_at(kAtGpc + Settings{"sm.ctas=1", "front_end.kernel_end=drained"}, {many, many});
  CHECK(outcome.run("tma.delivered_bytes") == 2 * 24 * 15 * 4096);
}

// CL-9
TEST_CASE("multicast: CTAs that share an SM share a copy of the reply") {
  Warps warps(4);
  warps[0] = {bulk_copy(128, 0b1111)};
  for (unsigned rank = 0; rank < 4; ++rank)
    for (const WarpInstruction& instruction : {arrive(0, rank, 0, 128), arrive(0, rank), mbarrier(Op::wait, 0, 0, rank)})
      warps[rank].push_back(instruction);
  const Outcome outcome = run_at(kAtGpc + Settings{"front_end.cluster_policy=pack", "sm.ctas=2"}, {cluster_of(warps)});
  CHECK(outcome.run("tma.delivered_bytes") == 4 * 128);
  CHECK(outcome.run("dsm.own") == 2);
  CHECK(outcome.run("multicast.copies") == 1);
  CHECK(outcome.run("dsm.lines") == 1);
}

// CL-9
TEST_CASE("multicast: all CTAs of a cluster read what each has given to all, whichever block acts first, also where reads are merged") {
  for (const char* coalescer : {"none", "tpc", "gpc"})
    for (const bool scramble : {false, true}) {
      RunOptions options = checked();
      options.scramble = scramble;
      const Settings settings = kAtGpc + Settings{std::string("network.hierarchical_crossbar.coalescer=") + coalescer};
      const Outcome outcome = run_apart(
          machine("cluster/h100", settings), [] { return share(4, 0b1111); }, options);
      INFO(coalescer << ": " << outcome.failure);
      REQUIRE(outcome.end == End::done);
      CHECK(outcome.run("multicast.copies") == 3 * outcome.run("tma.multicast_lines"));
    }
}

// CL-9
TEST_CASE("multicast: networks that copy no replies are refused with the remedy") {
  CHECK_THROWS_WITH(machine("cluster/h100", kAtGpc + Settings{"network.topology=crossbar"}),
                    Contains("tma.multicast_at is gpc, but no GPC's link of network.topology crossbar copies replies; set "
                             "network.topology: hierarchical_crossbar, or cluster.tma.multicast_at: source"));
}

}  // namespace wharf::test
