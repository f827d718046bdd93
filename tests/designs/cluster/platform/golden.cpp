// Golden memory of shared memory on an H100 (CL-10): what whole runs check, and programs whose accesses meet where they could overtake.

#include <catch2/catch.hpp>

#include "tests/designs/cluster/platform/h100_clusters.h"

namespace wharf::test {
namespace {

constexpr unsigned kRows = 32;

/// One cluster of `ctas` CTAs of one warp, whose instructions are those of `of` behind those of `before`, in front of the barrier.
template <class Before, class After>
ScriptedKernel around_barrier(unsigned ctas, Before before, After after) {
  ScriptedKernel kernel;
  kernel.shared_bytes = kRows * kLineBytes;
  kernel.cluster.x = ctas;
  for (unsigned rank = 0; rank < ctas; ++rank) {
    Instructions instructions = before(rank);
    instructions.push_back(cluster_arrive());
    instructions.push_back(cluster_wait());
    for (const WarpInstruction& instruction : after(rank)) instructions.push_back(instruction);
    instructions.push_back(exit_warp());
    kernel.ctas.push_back({instructions});
  }
  return kernel;
}
Instructions nothing(unsigned) { return {}; }

WarpInstruction all_rows(unsigned rank, RegisterId destination) {
  return shared_of(rank, 0, destination, kNoRegister, kAllLanes, kLineBytes);
}

}  // namespace

// CL-10
TEST_CASE("golden shared memory: each row of an access is checked, at other SMs and at the own") {
  const auto loads = [](unsigned rank) {
    return rank == 0 ? Instructions{all_rows(1, 1), all_rows(0, 2), shared(0, 3, kNoRegister, kAllLanes, kLineBytes)} : Instructions{};
  };
  const Outcome outcome = run_checked(h100(), {around_barrier(2, loads, nothing)});
  CHECK(outcome.run("golden.shared_turns") == 3 * kRows);
}

// CL-5, CL-10
TEST_CASE("golden shared memory: a store behind the barrier comes after loads before it that wait for an SM from which all load") {
  const auto loads = [](unsigned rank) {
    Instructions instructions;
    for (unsigned i = 0; rank != 2 && i < 4; ++i) instructions.push_back(all_rows(2, static_cast<RegisterId>(1 + i)));
    return instructions;
  };
  const auto stores = [](unsigned rank) {
    return rank == 2 ? Instructions{shared(0, kNoRegister, kNoRegister, kAllLanes, kLineBytes)} : Instructions{};
  };
  run_checked(h100(), {around_barrier(16, loads, stores)});
}

// CL-4, CL-10
TEST_CASE("golden shared memory: an instruction of the own SM comes after an access through an address of the cluster") {
  WarpInstruction reduction = shared_of(0, 0, kNoRegister, kNoRegister, kAllLanes, 0);
  reduction.unit = Unit::shared_atomic;
  const auto both = [&](unsigned rank) { return rank == 0 ? Instructions{reduction, shared(0, 1)} : Instructions{}; };
  run_checked(h100(), {around_barrier(2, both, nothing)});
}

}  // namespace wharf::test
