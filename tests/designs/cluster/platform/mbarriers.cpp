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

/// The CTAs answer each other's arrivals `rounds` times. Rank 1 does `before` in front of each of its arrivals.
ScriptedKernel ping(unsigned rounds, const Instructions& before = {}) {
  Instructions first, second;
  for (unsigned i = 0; i < rounds; ++i) {
    first.push_back(mbarrier(Op::wait, 0, i % 2));
    first.push_back(arrive(0, 1));
    second.insert(second.end(), before.begin(), before.end());
    second.push_back(arrive(0, 0));
    second.push_back(mbarrier(Op::wait, 0, i % 2));
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
  std::map<std::string, double> slots;
  for (const cli::Json& row : fixed.result.at("tables").at("cycle_stack").at("rows")) slots[row[0]] += row[3].get<double>();
  CHECK(slots["mbarrier"] > slots["barrier"]);
}

// CL-6
TEST_CASE("mbarriers: a phase in which an arrival is missing does not end, and the watchdog names the mbarrier") {
  const Outcome outcome = run_h100({pair({mbarrier(Op::wait, 0, 0)}, {})});
  CHECK(outcome.end == End::simulation_failed);
  CHECK_THAT(outcome.failure, Contains("sm[0].mbarrier"));
}

// CL-5, CL-6
TEST_CASE("mbarriers and the barrier of the cluster: misuse is refused with the remedy") {
  const auto refused = [](const Instructions& instructions) {
    const Outcome outcome = run_h100({pair(instructions, {})});
    CHECK(outcome.end == End::bad_input);
    return outcome.failure;
  };
  CHECK_THAT(refused({arrive(8)}), Contains("byte 8 of shared memory is not initialised; initialise it"));
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
