// Thread-block clusters on an H100: unloaded latencies as sums of their causes, the barrier, what kernels compute, and what is refused
// (modern_gpus section 4).

#include <catch2/catch.hpp>

#include "stimuli/catalogue.h"
#include "tests/designs/cluster/platform/h100_clusters.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;

constexpr Cycle kLocal = 29;        // a dependent load of shared memory
constexpr Cycle kOwn = kLocal + 4;  // cluster.own_extra
constexpr unsigned kCtas = 16;      // on SMs 0 to 15 of the first GPC, in order of rank

/// A kernel of one cluster, in which only `rank` has instructions.
ScriptedKernel only(unsigned rank, const Instructions& instructions, unsigned ctas = kCtas) {
  ScriptedKernel kernel;
  kernel.shared_bytes = 4096;
  kernel.cluster.x = ctas;
  for (unsigned cta = 0; cta < ctas; ++cta) kernel.ctas.push_back({cta == rank ? instructions : Instructions{exit_warp()}});
  return kernel;
}

/// Dependent loads of shared memory of `rank`, or of the SM's own by its own address.
Instructions chase(unsigned length, unsigned rank) {
  Instructions instructions;
  for (unsigned i = 0; i < length; ++i) instructions.push_back(shared_of(rank, 0, 1, 1));
  instructions.push_back(exit_warp());
  return instructions;
}

Outcome run_cluster(const std::vector<ScriptedKernel>& kernels, const std::vector<std::string>& settings = {}) {
  return run_checked(h100(settings), kernels);
}

Cycle load_of(unsigned rank, unsigned of, const std::vector<std::string>& settings = {}) {
  return longer(only(rank, chase(4, of)), only(rank, chase(5, of)), settings);
}

Outcome run_kernel(const std::string& workload, const std::vector<std::string>& settings, const RunOptions& options) {
  return run_apart(
      machine("cluster/h100", settings), [&] { return make_stimulus(workload, 1); }, options);
}

}  // namespace

// CL-2
TEST_CASE("cluster: a load takes 33 cycles of the own memory, and two hops more of another SM's") {
  CHECK(load_of(0, 0) == kOwn);
  CHECK(load_of(1, 0) == kOwn + 2 * kSameTpc);
  CHECK(load_of(2, 0) == kOwn + 2 * kBase);
  CHECK(load_of(0, 6) == kOwn + 2 * (kBase + kSecondCpc));
  CHECK(load_of(12, 14) == kOwn + 2 * (kBase + 2 * kThirdCpc));
  CHECK(load_of(0, 2, {"cluster.own_extra=0"}) == kLocal + 2 * kBase);
  CHECK(load_of(0, 2, {"network.cluster.base=20"}) == kOwn + 2 * 20);
}

// CL-2
TEST_CASE("cluster: issue slots lost to the shared memory of another SM are a cause of their own") {
  RunOptions options = checked();
  options.cycle_stack = 1;
  const Outcome outcome = run_h100({only(1, chase(8, 0))}, options);
  REQUIRE(outcome.end == End::done);
  std::map<std::string, double> slots = lost_slots(outcome);
  // A load issues in one of its cycles, and the exit behind the last one issues in another.
  CHECK(slots["result_cluster"] == 8 * (kOwn + 2 * kSameTpc - 1) - 1);
  CHECK(slots["result_shared"] == 0);
}

// CL-4
TEST_CASE("cluster: an instruction makes one access per row of 128 B and CTA, and each takes a cycle to leave") {
  const auto spread = [](unsigned rows) {
    Instructions instructions = {shared_of(2, 0, 1, kNoRegister, (LaneMask{1} << rows) - 1, 128), exit_warp()};
    return only(0, instructions);
  };
  CHECK(longer(spread(1), spread(2)) == 1);
  const Outcome outcome = run_cluster({spread(8)});
  CHECK(outcome.run("dsm.loads") == 8);
  CHECK(outcome.run("dsm.by_distance.cpc") == 8);
  CHECK(outcome.run("dsm.bytes") == 8 * 32);
  CHECK(outcome.run("dsm.served") == 8);
}

// CL-5
TEST_CASE("cluster: a barrier takes one hop to rank 0, 20 cycles there, and one hop back") {
  const auto rounds = [](unsigned count, unsigned ctas, const Instructions& before_rank_0) {
    ScriptedKernel kernel;
    kernel.shared_bytes = 4096;
    kernel.cluster.x = ctas;
    for (unsigned cta = 0; cta < ctas; ++cta) {
      Instructions instructions;
      for (unsigned i = 0; i < count; ++i) {
        if (cta == 0) instructions.insert(instructions.end(), before_rank_0.begin(), before_rank_0.end());
        instructions.push_back(cluster_arrive());
        instructions.push_back(cluster_wait());
      }
      instructions.push_back(exit_warp());
      kernel.ctas.push_back({instructions});
    }
    return kernel;
  };
  const Cycle to_port = 1 + 1;  // the SM sends an arrival in the cycle after its issue, and the port has it in the next
  CHECK(longer(rounds(3, 2, {}), rounds(4, 2, {})) == to_port + kSameTpc + 20 + kSameTpc);
  // Rank 0 arrives when its store to rank 2 is acknowledged, and its own port has the arrival in the next cycle. The others have arrived.
  const Instructions store = {shared_of(2, 0, kNoRegister, 2)};  // reads a register, as a load of the chase does
  const Cycle writeback = 1;                                     // of a load alone
  CHECK(longer(rounds(3, 3, store), rounds(4, 3, store)) == kOwn - writeback + 2 * kBase + 1 + 20);
  const Outcome outcome = run_cluster({rounds(4, 2, {})});
  CHECK(outcome.run("dsm.barriers") == 4);
}

// CL-4
TEST_CASE("cluster: a program that always uses its shared memory goes on after other SMs' accesses and arrivals have taken turns") {
  ScriptedKernel kernel;
  kernel.shared_bytes = 4096;
  kernel.cluster.x = 3;
  // In each round rank 1 loads once, and rank 2 arrives a little later than in the round before: also right behind the load, which waits.
  const auto busy = [](unsigned i) { return shared(0, static_cast<RegisterId>(8 + i % 8), kNoRegister, kAllLanes, 128); };  // 32 cycles
  for (unsigned cta = 0; cta < 3; ++cta) {
    Instructions instructions;
    for (unsigned round = 0; round < 20; ++round) {
      for (unsigned i = 0; cta == 2 && i < round; ++i) instructions.push_back(compute(Unit::alu, 3, 3));
      if (cta == 1) instructions.push_back(shared_of(0, 0, 1, 1));
      instructions.push_back(cluster_arrive());
      for (unsigned i = 0; cta == 0 && i < 20; ++i) instructions.push_back(busy(i));
      instructions.push_back(cluster_wait());
    }
    instructions.push_back(exit_warp());
    kernel.ctas.push_back({instructions});
  }
  for (const char* limit : {"1", "16"}) {
    const Outcome outcome = run_cluster({kernel}, {std::string("cluster.age_limit=") + limit});
    CHECK(outcome.run("dsm.served") == 20);
    CHECK(outcome.run("dsm.barriers") == 20);
  }
}

// CL-5
TEST_CASE("cluster: a CTA that has ended counts as arrived, also that of rank 0, whose SM has the barrier") {
  for (const unsigned ended : {0u, 2u}) {
    ScriptedKernel kernel = only(ended, {exit_warp()}, 3);
    for (unsigned cta = 0; cta < 3; ++cta)
      if (cta != ended) kernel.ctas[cta] = {{cluster_arrive(), cluster_wait(), exit_warp()}};
    CHECK(run_cluster({kernel}).run("dsm.barriers") == 1);
  }
}

// CL-1
TEST_CASE("cluster: packed CTAs share an SM, and reach each other at the latency of the own memory") {
  CHECK(longer(only(1, chase(4, 0), 2), only(1, chase(5, 0), 2), {"front_end.cluster_policy=pack"}) == kOwn);
  CHECK(run_cluster({only(1, chase(4, 0), 2)}, {"front_end.cluster_policy=pack"}).run("dsm.own") == 4);
}

// CL-1
TEST_CASE("cluster: a cluster without places for all its CTAs waits until the one before has ended, and the wait is counted") {
  ScriptedKernel kernel = only(0, chase(4, 1), 2);
  const std::vector<std::string> two_places = {"front_end.eligible_sms=2", "sm.ctas=1"};
  CHECK(run_cluster({kernel}, two_places).run("front_end.cluster_wait") == 0);
  kernel.ctas.insert(kernel.ctas.end(), kernel.ctas.begin(), kernel.ctas.begin() + 2);
  CHECK(run_cluster({kernel}, two_places).run("front_end.cluster_wait") > 4 * (kOwn + 2 * kSameTpc) - kSameTpc);
}

TEST_CASE("cluster: kernels compute the same through shared memory of other SMs, whichever block acts first") {
  for (const std::string workload : {"cluster_histogram@tiny", "cluster_reduction@tiny", "cluster_stencil@tiny", "cluster_gemm@tiny"})
    for (const std::string way : {"", ":dsm=0"})
      for (const bool scramble : {false, true}) {
        RunOptions options = checked();
        options.scramble = scramble;
        const Outcome outcome = run_kernel(workload + way, {}, options);
        INFO(workload << way << ": " << outcome.failure);
        CHECK(outcome.end == End::done);
      }
}

TEST_CASE("cluster: the order in which blocks act changes no cycle") {
  for (const std::string workload : {"cluster_histogram@tiny", "cluster_stencil@tiny", "cluster_gemm@tiny"}) {
    RunOptions options = checked();
    const Outcome fixed = run_kernel(workload, {}, options);
    options.scramble = true;
    const Outcome scrambled = run_kernel(workload, {}, options);
    options.scramble = false;
    options.ticking = true;
    CHECK(differing_metrics(fixed, scrambled) == "");
    CHECK(differing_metrics(fixed, run_kernel(workload, {}, options)) == "");
  }
}

// CL-1
TEST_CASE("cluster: what fits no GPC, or needs a platform with clusters, is refused with the remedy") {
  const Outcome none = run_apart(machine("gpus/hopper_h100"), {only(0, {exit_warp()}, 2)}, checked());
  CHECK(none.end == End::bad_input);
  CHECK_THAT(none.failure, Contains("clusters of 2 CTAs need SMs that share their memory; set platform: cluster"));
  const auto refused = [](unsigned ctas, const std::vector<std::string>& settings) {
    const Outcome outcome = run_apart(machine("cluster/h100", settings), {only(0, {exit_warp()}, ctas)}, checked());
    CHECK(outcome.end == End::bad_input);
    return outcome.failure;
  };
  CHECK_THAT(refused(17, {}), Contains("clusters of 17 CTAs; choose 1 to 16"));
  CHECK_THAT(refused(9, {"front_end.nonportable_clusters=false"}), Contains("not portable; choose at most 8"));
  CHECK_THAT(refused(3, {"front_end.eligible_sms=2"}), Contains("fit no GPC, of which the largest has places for 2"));
}

}  // namespace wharf::test
