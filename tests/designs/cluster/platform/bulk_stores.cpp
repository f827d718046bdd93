// Bulk copies that read shared memory, on an H100: cycles as sums of their causes, what travels, what waits, and misuse (CL-8).

#include <catch2/catch.hpp>
#include <map>

#include "model/base/barriers/bulk_copy.h"
#include "stimuli/functional_run.h"
#include "stimuli/spmd/bulk_stores.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "tests/designs/cluster/platform/h100_clusters.h"

namespace wharf::test {
namespace {

using Catch::Matchers::Contains;
using Op = MbarrierOp;
using Direction = BulkCopy::Direction;

constexpr Address kStored = 0x1'0000'0000;
constexpr Cycle kIssue = 1, kStart = 168;      // from issue to the first read: sm.issue_to_execute_cycles and cluster.tma.start_cycles
constexpr Cycle kOwnPath = 1 + 24 + 4;         // to the port, where the read has its turn, and sm.shared_cycles + cluster.own_extra
constexpr Cycle kDelivery = 1 + kSameTpc + 1;  // to the port, a hop, and a turn at the memory of another SM
constexpr Cycle kAnswer = 1 + kDelivery;       // leaves in the cycle behind its issue

WarpInstruction bulk(Direction direction, std::uint32_t bytes, Address from, Address to, std::uint32_t ranks = 0) {
  BulkCopy copy;
  copy.direction = direction;
  copy.from = from;
  copy.to = to;
  copy.row_bytes = bytes;
  copy.ranks = ranks;
  WarpInstruction instruction = barrier();
  copy.put_into(instruction, kMostClusterCtas);
  return instruction;
}
WarpInstruction to_global(std::uint32_t bytes, Address to = kStored) { return bulk(Direction::to_global, bytes, 1024, to); }

ScriptedKernel one_of(Instructions instructions) {
  instructions.push_back(exit_warp());
  ScriptedKernel kernel = one_warp(std::move(instructions));
  kernel.shared_bytes = 64 << 10;
  return kernel;
}

/// `rounds` times a copy that is a group, and a wait for all groups but the latest `open`.
ScriptedKernel bulk_groups(unsigned rounds, unsigned open, std::uint32_t bytes = 128, Op wait = Op::wait_copies) {
  Instructions warp;
  for (unsigned i = 0; i < rounds; ++i)
    for (const WarpInstruction& instruction : {to_global(bytes), mbarrier(Op::commit_copies, 0), mbarrier(wait, 0, open)})
      warp.push_back(instruction);
  return one_of(warp);
}

Cycle group_time(Op wait = Op::wait_copies, std::uint32_t bytes = 128, const std::vector<std::string>& settings = {}) {
  return longer_when_warm(bulk_groups(3, 0, bytes, wait), bulk_groups(4, 0, bytes, wait), settings);
}

/// Cycles of a kernel that runs after one like it.
Cycle cycles_when_warm(const ScriptedKernel& kernel) {
  const Outcome outcome = run_checked(h100(), {kernel, kernel});
  return outcome.kernel(1, "cycles");
}

/// Writes rows of a table in reverse order through one row of shared memory, which a row's copy must have read before the next one comes.
class Reverse final : public spmd::Workload {
 public:
  static constexpr std::uint32_t kRows = 4, kRow = 32;

  Reverse(spmd::Memory& memory, std::uint32_t count) : out_(memory.array<int>("out", kRows * kRow)) {
    const auto program = [out = out_, count](spmd::Warp& w) {
      const auto row = w.shared<int>(0, kRow);
      spmd::BulkStores stores(w);
      for (const int i : w.trips(kRows)) {
        w.store(row, w.thread_x(), 31 - w.thread_x() + 100 * i);
        stores.copy(out.from((kRows - 1 - static_cast<std::uint32_t>(i)) * kRow), row, 0, count);
        stores.commit();
        stores.wait_for_reads();
      }
      stores.wait();
    };
    add_launch("reverse", {1}, {32}, 32, program, kRow * sizeof(int));
  }
  bool check(std::string& why) const override {
    for (std::uint32_t i = 0; i < kRows * kRow; ++i) {
      const std::uint32_t expected = 31 - i % kRow + 100 * (kRows - 1 - i / kRow);
      if (out_.data[i] == static_cast<int>(expected)) continue;
      why = "out[" + std::to_string(i) + "] is " + std::to_string(out_.data[i]);
      return false;
    }
    return true;
  }

 private:
  spmd::Array<int> out_;
};

WarpInstruction store_of_line(Address address = kStored) {
  WarpInstruction line = store(address, kNoRegister, kAllLanes);
  line.cache_op = CacheOp::bypass_l1;
  return line;
}

}  // namespace

// CL-8
TEST_CASE("bulk stores: a copy of a line starts as late as one from global memory, reads its own shared memory, and stores past the L1") {
  // Both kernels end with the acknowledgement. A store leaves the SM in the third cycle behind its issue.
  CHECK(cycles_when_warm(one_of({to_global(128)})) - cycles_when_warm(one_of({store_of_line()})) == kIssue + kStart + kOwnPath - 3);
  // A wait for the group adds two instructions in front of the end, and the instruction behind it issues with the acknowledgement.
  CHECK(cycles_when_warm(bulk_groups(1, 0)) == cycles_when_warm(one_of({to_global(128)})));
  CHECK(group_time(Op::wait_copies, 128, {"cluster.tma.start_cycles=200"}) == group_time() + 200 - kStart);
}

// CL-8
TEST_CASE("bulk stores: a wait for reads ends when shared memory has been read") {
  CHECK(group_time(Op::wait_reads) == kIssue + kStart + kOwnPath);
}

// CL-8
TEST_CASE("bulk stores: lines are read at 64 B per cycle, and no more wait than the engine has room for") {
  const auto reads = [](std::uint32_t lines, const std::vector<std::string>& settings) {
    return group_time(Op::wait_reads, lines * 128, settings);
  };
  CHECK(reads(9, {}) - reads(8, {}) == 2);
  const std::vector<std::string> slow = {"cluster.tma.bytes_per_clock=32"}, one = {"cluster.tma.in_flight=1"};
  CHECK(reads(9, slow) - reads(8, slow) == 4);
  CHECK(reads(9, one) - reads(8, one) == kOwnPath);
  // The SM's link is slower, and as fast for a copy as for stores.
  Instructions stores;
  for (Address line = 0; line < 40; ++line) stores.push_back(store_of_line(kStored + line * kLineBytes));
  CHECK(cycles_when_warm(one_of({to_global(40 * 128)})) - cycles_when_warm(one_of(stores)) == kIssue + kStart + kOwnPath - 3);
}

// CL-8
TEST_CASE("bulk stores: a wait for the last group ends with its copy, and a wait for the one before leaves two in flight") {
  CHECK(longer_when_warm(bulk_groups(8, 1), bulk_groups(10, 1)) == group_time());
  CHECK(longer_when_warm(bulk_groups(8, 3), bulk_groups(12, 3)) == group_time());
}

// CL-8
TEST_CASE("bulk stores: each byte is read and stored once, and sectors that are partly written travel alone where caches keep bytes") {
  const auto counts_of = [](const std::vector<std::string>& settings) {
    return run_checked(h100(settings), {one_of({to_global(256, kStored + 16)})});
  };
  const Outcome plain = counts_of({"l1.byte_masks=false", "l2.byte_masks=false"});
  CHECK(plain.run("tma.copies") == 1);
  CHECK(plain.run("tma.lines") == 0);
  CHECK(plain.run("tma.delivered_bytes") == 256);
  CHECK(plain.run("dsm.own") == 3);
  CHECK(plain.run("dsm.loads") == 3);
  CHECK(plain.run("l1.store.bypasses") == 3);
  CHECK(plain.run("l2.stores") == 3);
  // The first line has a sector partly written, and so has the last.
  const Outcome masked = counts_of({});
  CHECK(masked.run("l1.store.bypasses") == 4);
  CHECK(masked.run("tma.delivered_bytes") == 256);
}

// CL-8
TEST_CASE("bulk stores: what a load reads behind a wait is what the copy has stored, not the L1's older line") {
  const Instructions program = {load(kStored, 1), to_global(128), mbarrier(Op::commit_copies, 0), mbarrier(Op::wait_copies, 0),
                                load(kStored, 1)};
  const Outcome outcome = run_h100({one_of(program)});  // golden memory refuses an older version
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("l1.load.hits") == 0);
}

// CL-8
TEST_CASE("bulk stores: a reduction is an atomic in L2, which returns nothing") {
  const Outcome outcome = run_h100({one_of({bulk(Direction::reduce_in_global, 256, 0, kStored + 64)})});
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  CHECK(outcome.run("l2.atomics") == 3);
  CHECK(outcome.run("l2.stores") == 0);
  CHECK(outcome.run("tma.delivered_bytes") == 256);
}

// CL-8
TEST_CASE("bulk stores: a prefetch brings its lines to L2, past the L1, and a later load finds them there") {
  const auto misses = [](bool prefetches) {
    Instructions program = {load(kStored, 1), load(kStored + 128, 2)};
    if (prefetches) {
      program[0].sources[0] = 3;
      program.insert(program.begin(), bulk(Direction::prefetch, 256, kStored, 0));
      for (unsigned i = 0; i < 6; ++i) program.insert(program.begin() + 1, load(kStored + (i + 2) * 4096, 3, 3));
    }
    const Outcome outcome = run_h100({one_of(program)});
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome.run("l2.misses");
  };
  CHECK(misses(true) == misses(false) + 6);
  const Outcome outcome = run_h100({one_of({bulk(Direction::prefetch, 256, kStored, 0)})});
  CHECK(outcome.run("tma.lines") == 2);
  CHECK(outcome.run("l1.load.bypasses") == 2);
  CHECK(outcome.run("tma.delivered_bytes") == 0);
}

// CL-8, CL-9
TEST_CASE("bulk stores: a line for the shared memory of another CTA is read and delivered in a turn each, and travels one hop") {
  const auto ping = [](unsigned rounds) {
    ScriptedKernel kernel;
    kernel.shared_bytes = 4096;
    kernel.cluster.x = 2;
    Instructions first = {mbarrier(Op::init, 0, 1), cluster_arrive(), cluster_wait()}, second = first;
    for (unsigned i = 0; i < rounds; ++i) {
      first.push_back(bulk(Direction::between_shared, 128, 1024, 2048, 0b10));
      first.push_back(mbarrier(Op::wait, 0, i % 2));
      for (const WarpInstruction& instruction : {arrive(0, 1, 0, 128), arrive(0, 1), mbarrier(Op::wait, 0, i % 2, 1), arrive(0, 0)})
        second.push_back(instruction);
    }
    first.push_back(exit_warp());
    second.push_back(exit_warp());
    kernel.ctas = {{first}, {second}};
    return kernel;
  };
  CHECK(longer(ping(3), ping(4)) == kIssue + kStart + kOwnPath + kDelivery + kAnswer);
}

// CL-8
TEST_CASE("bulk stores: a warp that does not wait ends behind its copies, and the wait is a cause of lost issue slots") {
  CHECK(cycles_when_warm(one_of({to_global(4096)})) > kStart + 4096 / 64);
  RunOptions options = checked();
  options.cycle_stack = 1;
  const Outcome fixed = run_h100({bulk_groups(8, 0)}, options);
  REQUIRE(fixed.end == End::done);
  std::map<std::string, double> slots = lost_slots(fixed);
  CHECK(slots["mbarrier"] > 8 * kStart);
  options.scramble = true;
  CHECK(differing_metrics(fixed, run_h100({bulk_groups(8, 0)}, options)) == "");
}

// CL-8
TEST_CASE("bulk stores: a kernel's values are those of its shared memory, with and without a machine, and its arrays bound its copies") {
  const auto open = [](std::uint32_t count) {
    return [=] {
      return std::make_unique<spmd::SpmdStimulus>(spmd::Translation{},
                                                  [=](spmd::Memory& memory) { return std::make_unique<Reverse>(memory, count); });
    };
  };
  const auto stimulus = open(Reverse::kRow)();
  run_functionally(*stimulus, [](const FunctionalRun&) { return true; });
  std::string why;
  CHECK(stimulus->check_results(why));
  INFO(why);
  for (const bool scramble : {false, true}) {
    RunOptions options = checked();
    options.scramble = scramble;
    const Outcome outcome = run_apart(h100(), open(Reverse::kRow), options);
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.run("tma.copies") == Reverse::kRows);
  }
  const Outcome beyond = run_apart(h100(), open(Reverse::kRow + 4), checked());
  CHECK(beyond.end == End::bad_input);
  CHECK_THAT(beyond.failure, Contains("reverse: a bulk copy of 36 elements from element 0 of 32, to an array of"));
}

// CL-8
TEST_CASE("bulk stores: a machine without a copy engine refuses them with the remedy") {
  const Outcome outcome = run_apart(machine("gpus/hopper_h100"), {one_of({to_global(128)})}, checked());
  CHECK(outcome.end == End::bad_input);
  CHECK_THAT(outcome.failure, Contains("a bulk copy needs a copy engine; set platform: cluster"));
}

// CL-8
TEST_CASE("bulk stores: the report of a deadlock names the warps that wait for copies, apart from those at mbarriers") {
  // The watchdog's interval ends before the first line of the copy leaves the SM.
  for (const auto& [wait, what] : {std::pair{Op::wait_copies, "the end of bulk copies to global memory"},
                                   std::pair{Op::wait_reads, "the end of reads of shared memory by bulk copies"}}) {
    const Outcome outcome = run_apart(h100({"dram.refresh.enabled=false", "watchdog.interval_cycles=100", "cluster.tma.start_cycles=1000"}),
                                      {bulk_groups(1, 0, 128, wait)});
    CHECK(outcome.end == End::simulation_failed);
    CHECK_THAT(outcome.failure, Contains("sm[0].warps waits for sm[0].bulk_copies: kernel kernel_1, CTA 0: ") &&
                                    Contains(std::string(what) + " is awaited by warp 0") && !Contains("mbarrier"));
  }
  // Without the wait, the warp's slot waits for the copy.
  const Outcome ended = run_apart(h100({"dram.refresh.enabled=false", "watchdog.interval_cycles=100", "cluster.tma.start_cycles=1000"}),
                                  {one_of({to_global(128)})});
  CHECK_THAT(ended.failure, Contains("sm[0].warps and waits for sm[0].pipeline"));
}

}  // namespace wharf::test
