// Mbarriers of thread-block clusters on an H100: cycles as sums of their causes, the wait as a cause of lost issue slots, and misuse
// (modern_gpus section 4).

#include <catch2/catch.hpp>
#include <map>

#include "stimuli/spmd/mbarrier.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "tests/designs/cluster/platform/h100_clusters.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;
using Op = MbarrierOp;

constexpr Cycle kToPort = 1 + 1;                 // the SM sends an arrival in the cycle after its issue, and the port has it in the next
constexpr Cycle kServed = 1;                     // the cycle of the turn at the memory; the SM sees the arrival in the next
constexpr Cycle kStore = 29 + 4 + 2 * kSameTpc;  // to another SM of the TPC and back, like a load
constexpr Cycle kWriteback = 1;                  // of a load alone

/// Two CTAs on the SMs of one TPC. Each initialises an mbarrier, meets the other, and goes on with its own instructions.
ScriptedKernel pair(const Instructions& first, const Instructions& second) {
  ScriptedKernel kernel;
  kernel.shared_bytes = 4096;
  kernel.cluster.x = 2;
  for (const Instructions& own : {first, second}) {
    Instructions warp = {mbarrier(Op::init, 0, 1), cluster_arrive(), cluster_wait()};
    warp.insert(warp.end(), own.begin(), own.end());
    warp.push_back(exit_warp());
    kernel.ctas.push_back({warp});
  }
  return kernel;
}

/// The CTAs answer each other's arrivals `rounds` times. Rank 1 does `before` in front of each of its arrivals, rank 0 `first_of_all` once.
ScriptedKernel ping(unsigned rounds, const Instructions& before = {}, const Instructions& first_of_all = {}) {
  Instructions first = first_of_all, second;
  for (unsigned i = 0; i < rounds; ++i) {
    first.push_back(mbarrier(Op::wait, 0, i % 2));
    first.push_back(arrive(0, 1));
    second.insert(second.end(), before.begin(), before.end());
    second.push_back(arrive(0, 0));
    second.push_back(mbarrier(Op::wait, 0, i % 2));
  }
  return pair(first, second);
}

/// A store to rank `to`, or a reduction of its word by `lanes`, whose bytes the mbarrier at `mbarrier` counts.
WarpInstruction counted_store(unsigned to, std::uint32_t mbarrier, LaneMask lanes = 1, bool reduces = false) {
  WarpInstruction store = shared_of(to, 64, kNoRegister, kNoRegister, lanes, reduces ? 0 : 4);
  if (reduces) store.unit = Unit::shared_atomic;
  store.mbarrier = mbarrier;
  return store;
}

/// As ping(), by stores or reductions of `lanes` that the mbarriers count.
ScriptedKernel store_ping(unsigned rounds, LaneMask lanes = 1, bool reduces = false) {
  Instructions first, second;
  const auto bytes = static_cast<std::int32_t>(4 * __builtin_popcount(lanes));
  for (unsigned i = 0; i < rounds; ++i) {
    first.insert(first.end(), {arrive(0, 0, 1, bytes), mbarrier(Op::wait, 0, i % 2), counted_store(1, 0, lanes, reduces)});
    second.insert(second.end(), {counted_store(0, 0, lanes, reduces), arrive(0, 1, 1, bytes), mbarrier(Op::wait, 0, i % 2, 1)});
  }
  return pair(first, second);
}

/// Rank 1 gives a value to rank 0, which writes it to global memory.
class Hand final : public spmd::Workload {
 public:
  explicit Hand(spmd::Memory& memory) : out_(memory.array<int>("out", 32)) {
    const auto program = [out = out_](spmd::Warp& w) {
      const auto box = w.shared<int>(8, 32);
      spmd::Mbarrier full(w, 0);
      full.init(1);
      w.cluster_sync();
      if (w.cluster_rank() == 1) {
        for (const int turn : w.trips(3)) {
          w.store(w.map_shared(box, 0), w.thread_x(), w.thread_x() + turn);
          full.arrive(0);
          full.wait(static_cast<unsigned>(turn));
        }
        return;
      }
      for (const int turn : w.trips(3)) {
        full.wait(static_cast<unsigned>(turn));
        w.store(out, w.thread_x(), w.load(out, w.thread_x()) * 2 + w.load(box, w.thread_x()));
        full.arrive(1);
      }
    };
    add_launch("hand", {2}, {32}, 32, program, 8 + 32 * sizeof(int)).cluster.x = 2;
  }
  bool check(std::string& why) const override {
    for (int i = 0; i < 32; ++i) {
      if (out_.data[i] == (i * 2 + i + 1) * 2 + i + 2) continue;
      why = "out[" + std::to_string(i) + "] is " + std::to_string(out_.data[i]);
      return false;
    }
    return true;
  }

 private:
  spmd::Array<int> out_;
};

}  // namespace

// CL-6
TEST_CASE("mbarriers: an arrival takes one hop and a turn at the memory, and the warp that waits goes on in the next cycle") {
  CHECK(longer(ping(3), ping(4)) == 2 * (kToPort + kSameTpc + kServed));
}

// CL-6
TEST_CASE("mbarriers: an arrival at another CTA leaves when the CTA's stores to the cluster are acknowledged") {
  const Instructions store = {shared_of(0, 64, kNoRegister, 2)};  // reads a register, as the load does of which kStore is the time
  CHECK(longer(ping(3, store), ping(4, store)) ==
        longer(ping(3), ping(4)) + kStore - kWriteback - 1);  // it leaves with the acknowledgement, not in the cycle after its issue
}

// CL-6
TEST_CASE("mbarriers: a store that an mbarrier counts takes a hop and a turn, and a reduction a turn per lane of a word") {
  constexpr Cycle kStoreToPort = 3 + 1;  // a store leaves the SM in the third cycle behind its issue
  CHECK(longer(store_ping(3), store_ping(4)) == 2 * (kStoreToPort + kSameTpc + kServed));
  const Cycle one = longer(store_ping(3, 1, true), store_ping(4, 1, true));
  CHECK(one == longer(store_ping(3), store_ping(4)));
  CHECK(longer(store_ping(3, 0xFF, true), store_ping(4, 0xFF, true)) == one + 2 * 7);
  CHECK(longer(store_ping(3, 0xFF), store_ping(4, 0xFF)) == one);
}

// CL-6
TEST_CASE("mbarriers: a store that an mbarrier counts is a store like others in the network, and arrivals do not wait for it") {
  const Outcome outcome = run_h100({pair({mbarrier(Op::init, 8, 1), arrive(8, 0, 1, 128 + 32), mbarrier(Op::wait, 8, 0)},
                                         {counted_store(0, 8, kAllLanes), counted_store(0, 8, 0xFF)})});
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("dsm.stores") == 2 + 1);  // the first lies in two rows
  CHECK(outcome.run("dsm.bytes") == 128 + 32);
  CHECK(outcome.run("tma.delivered_bytes") == 0);
  const Instructions before = {counted_store(0, 8)};
  CHECK(longer(ping(3, before, {mbarrier(Op::init, 8, 1)}), ping(4, before, {mbarrier(Op::init, 8, 1)})) == longer(ping(3), ping(4)) + 1);
}

// CL-6
TEST_CASE("mbarriers: an arrival at another CTA may drop, and the phases that follow need one less") {
  const auto program = [](unsigned arrivals) {
    return run_h100({pair({mbarrier(Op::init, 8, 2), arrive(8), mbarrier(Op::wait, 8, 0), arrive(8, 0, arrivals), mbarrier(Op::wait, 8, 1)},
                          {mbarrier(Op::arrive_drop, 8, 1)})});
  };
  CHECK(program(1).end == End::done);
  CHECK_THAT(program(2).failure, Contains("gets 2 arrivals, and its phase lacks 1"));
  const Outcome own =
      run_h100({pair({mbarrier(Op::init, 8, 2), mbarrier(Op::arrive_drop, 8, 1), arrive(8), arrive(8), mbarrier(Op::wait, 8, 1)}, {})});
  INFO(own.failure);
  CHECK(own.end == End::done);
}

// CL-6
TEST_CASE("mbarriers: a value handed over by a store and an arrival is read after the wait, whichever block acts first") {
  for (const bool scramble : {false, true}) {
    RunOptions options = checked();
    options.scramble = scramble;
    const auto open = [] {
      return std::make_unique<spmd::SpmdStimulus>(spmd::Translation{}, [](spmd::Memory& memory) { return std::make_unique<Hand>(memory); });
    };
    const Outcome outcome = run_apart(machine("cluster/h100"), open, options);
    INFO(outcome.failure);
    CHECK(outcome.end == End::done);
  }
}

// CL-6
TEST_CASE("mbarriers: the order in which blocks act changes no cycle, and the waits are a cause of their own") {
  RunOptions options = checked();
  options.cycle_stack = 1;
  const Outcome fixed = run_h100({ping(8)}, options);
  REQUIRE(fixed.end == End::done);
  options.scramble = true;
  CHECK(differing_metrics(fixed, run_h100({ping(8)}, options)) == "");
  std::map<std::string, double> slots = lost_slots(fixed);
  CHECK(slots["mbarrier"] > slots["barrier"]);
}

// CL-6
TEST_CASE("mbarriers: a phase in which an arrival is missing does not end, and the watchdog names the mbarrier") {
  const Outcome outcome = run_h100({pair({mbarrier(Op::wait, 0, 0)}, {})});
  CHECK(outcome.end == End::simulation_failed);
  CHECK_THAT(outcome.failure,
             Contains("sm[0].warps waits for sm[0].mbarrier: kernel kernel_1, CTA 0: the mbarrier at byte 0 of shared memory, "
                      "whose phase of parity 0 lacks 1 arrival and 0 bytes, is awaited by warp 0"));
}

// CL-5, CL-6
TEST_CASE("mbarriers and the barrier of the cluster: misuse is refused with the remedy") {
  const auto refused = [](const Instructions& instructions) {
    const Outcome outcome = run_h100({pair(instructions, {})});
    CHECK(outcome.end == End::bad_input);
    return outcome.failure;
  };
  CHECK_THAT(refused({arrive(8)}), Contains("byte 8 of shared memory is not initialised; initialise it"));
  CHECK_THAT(refused({counted_store(1, 8)}), Contains("byte 8 of shared memory is not initialised; initialise it"));
  CHECK_THAT(refused({mbarrier(Op::arrive_drop, 8, 1)}), Contains("byte 8 of shared memory is not initialised; initialise it"));
  CHECK_THAT(refused({arrive(8, 1)}), Contains("byte 8 of shared memory is not initialised; initialise it"));
  CHECK_THAT(refused({mbarrier(Op::init, 0, 1)}), Contains("is initialised twice; initialise it once"));
  CHECK_THAT(refused({mbarrier(Op::init, 8, 0)}), Contains("is initialised for 0 arrivals; choose at least 1"));
  CHECK_THAT(refused({mbarrier(Op::init, 12, 1)}), Contains("byte 12 of shared memory is not aligned to 8 bytes; choose a multiple of 8"));
  CHECK_THAT(refused({mbarrier(Op::wait, 0, 2)}), Contains("has no phase of parity 2; wait for 0 or 1"));
  CHECK_THAT(refused({cluster_wait()}), Contains("waits at the barrier of its cluster, at which it has not arrived; let it arrive first"));
  CHECK_THAT(refused({cluster_arrive(), cluster_arrive()}),
             Contains("arrives twice at the barrier of its cluster; let it wait in between"));
}

}  // namespace wharf::test
