// Cycles of an L1 with a shared-memory cache, each latency one cycle, as on the GPU of ciao (ciao sections 6.3 to 6.6).

#include "tests/block/l1_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

constexpr Cycle kTag = 1, kFill = 1, kShared = 1;  // cycles
constexpr Cycle kDrain = 1, kReadOut = 1;

L1Params ciao_params() {
  L1Params p = l1_params();
  p.tag_cycles = kTag;
  p.data_cycles = 0;
  p.fill_cycles = kFill;
  p.store_hit = StoreHit::evict;
  return p;
}

SharedMemoryCacheParams always_used() {
  SharedMemoryCacheParams p;
  p.placement = SharedMemoryPlacement::plain;  // lines kApart from each other share a place
  p.use = SharedMemoryUse::always;
  return p;
}

Access isolated(std::uint64_t line, SectorMask sectors = kAllSectors) {
  Access access = a_load(line, sectors);
  access.hint.isolated = true;
  return access;
}

/// A kernel begins and leaves 32 KiB of lines, and their tags, of the 48 KiB.
class SharedBlock : public L1Block {
 public:
  explicit SharedBlock(const L1Params& params = ciao_params(), const SharedMemoryCacheParams& shared_memory = always_used())
      : L1Block(params, TransactionUnit::line, 1, 0, 0, shared_memory) {
    start_kernel(1, 0);
    nic().latency = 100;
  }
  void start_kernel(Cycle cycle, std::uint32_t used) {
    script.at(cycle, [this, used] {
      Event start;
      start.shared_bytes = 48 * 1024;
      start.used_shared_bytes = used;
      l1.write(start);
    });
  }
  std::uint64_t shared(const std::string& metric) const { return count("shared_memory_cache." + metric); }
  bool in_l1(std::uint64_t line) const {
    SectorVersions versions;
    return l1.logic().copy_of(a_load(line), versions) != nullptr;
  }
  SharedMemoryCache& cache() { return l1.companion<SharedMemoryPort>().cache(); }
  bool in_side_store(std::uint64_t line) { return cache().held({line}) != 0; }
};

/// Lines this far apart share a place in shared memory.
constexpr std::uint64_t kApart = 256;

}  // namespace

// CIAO-O25: translation costs nothing.
TEST_CASE(
    "l1 shared memory: an isolated miss pays tags and shared memory, then the response queue and the write, and a hit is two cycles") {
  SharedBlock block;
  const auto miss = block.sm().send(10, isolated(5)), hit = block.sm().send(500, isolated(5));
  block.run();
  CHECK(block.nic().arrivals() == Cycles{10 + kTag + kShared});
  CHECK(block.sm().answered(miss) == 10 + kTag + kShared + 100 + kDrain + kShared);
  CHECK(block.sm().reply_to(miss).hint.served_by == ServedBy::l2);
  CHECK(block.sm().reply_to(miss).hint.l1_done == 10 + kTag + kShared);
  CHECK(block.sm().answered(hit) == 500 + kTag + kShared);
  CHECK(block.sm().reply_to(hit).hint.served_by == ServedBy::l1);
  CHECK(block.shared("fills") == 1);
  CHECK(block.shared("accesses") == 3);
  CHECK_FALSE(block.in_l1(5));
}

TEST_CASE("l1 shared memory: hits in shared memory follow each other every cycle, and so do hits in the L1 at the same time") {
  SharedBlock block;
  block.sm().send(10, isolated(5));
  block.sm().send(11, a_load(6));
  for (Cycle i = 0; i < 6; ++i) block.sm().send(500 + i, isolated(5));
  for (Cycle i = 0; i < 6; ++i) block.sm().send(600 + i, i % 2 == 0 ? isolated(5) : a_load(6));
  block.run();
  for (Cycle i = 0; i < 6; ++i) CHECK(block.sm().answered(3 + i) == 500 + i + kTag + kShared);
  for (Cycle i = 0; i < 6; ++i) CHECK(block.sm().answered(9 + i) == 600 + i + kTag + (i % 2 == 0 ? kShared : 0));
}

// CIAO-O26
TEST_CASE("l1 shared memory: another warp's miss is a cycle later once a warp is isolated, and its hit in shared memory two cycles") {
  SharedBlock with, without;
  without.start_kernel(2, 48 * 1024);
  with.sm().send(9, isolated(6));
  const auto miss = with.sm().send(10, a_load(5)), miss_without = without.sm().send(10, a_load(5));
  const auto hit = with.sm().send(500, a_load(6)), again = with.sm().send(600, a_load(6));
  with.run();
  CHECK(with.nic().arrivals() == Cycles{9 + kTag + kShared, 10 + kTag + kShared});
  CHECK(with.sm().answered(miss) == 10 + kTag + kShared + 100 + kFill);
  CHECK(without.nic().arrivals() == Cycles{10 + kTag});
  CHECK(without.sm().answered(miss_without) == 10 + kTag + 100 + kFill);
  CHECK(with.in_l1(5));
  CHECK(with.sm().answered(hit) == 500 + kTag + kShared);
  CHECK(with.sm().answered(again) == 600 + kTag + kShared);
  CHECK(with.in_side_store(6));
  CHECK(with.shared("probe_hits") == 2);
}

TEST_CASE("l1 shared memory: an isolated hit of the L1 moves the line in four cycles, and nothing goes below") {
  SharedBlock block;
  block.nic().contents = {3, 3, 3, 3};
  block.sm().send(10, a_load(5));
  const auto moves = block.sm().send(500, isolated(5)), there = block.sm().send(600, isolated(5)), other = block.sm().send(700, a_load(5));
  block.run();
  CHECK(block.sm().answered(moves) == 500 + kTag + kReadOut + kDrain + kShared);
  CHECK(block.sm().reply_to(moves).hint.served_by == ServedBy::l1);
  CHECK(block.sm().reply_to(moves).hint.l1_done == 500 + 4);
  CHECK(block.sm().reply_to(moves).versions == SectorVersions{3, 3, 3, 3});
  CHECK(block.sm().answered(there) == 600 + 2);
  CHECK(block.sm().answered(other) == 700 + 2);
  CHECK(block.nic().requests.size() == 1);
  CHECK(block.shared("migrations") == 1);
  CHECK(block.count("fills") == 1);
  CHECK(block.count("load.hits") == 1);
}

TEST_CASE("l1 shared memory: the L1 looks nothing up in the cycle in which it reads a line out") {
  SharedBlock block;
  block.sm().send(10, a_load(5));
  block.sm().send(11, a_load(6));
  block.sm().send(500, isolated(5));
  const auto behind = block.sm().send(501, a_load(6));
  block.run();
  CHECK(block.sm().answered(behind) == 501 + kReadOut + kTag);
}

TEST_CASE("l1 shared memory: a load of a line that moves joins it, and its lookup goes before the write") {
  SharedBlock block;
  block.sm().send(10, a_load(5));
  const auto moves = block.sm().send(500, isolated(5)), joins = block.sm().send(501, a_load(5));
  block.run();
  // Looked up in 502, after the read-out, and in shared memory in 503. The line was to be written then, so it is written a cycle later.
  CHECK(block.sm().answered(joins) == 501 + kReadOut + kTag + kShared + kShared);
  CHECK(block.sm().answered(moves) == 500 + 4 + 1);
  CHECK(block.shared("merged") == 1);
  CHECK(block.shared("wait_cycles") == 1);
  CHECK(block.nic().requests.size() == 1);
}

// CIAO-O22: the response queue is the fill queue.
TEST_CASE("l1 shared memory: a line waits to move while the response queue is full, and is in the L1 until then") {
  L1Params params = ciao_params();
  params.fill_queue = 1;
  SharedBlock block(params);
  block.nic().latency = Target::kByHand;
  block.sm().send(10, a_load(5));
  block.sm().send(20, isolated(6));
  block.sm().send(30, isolated(7));
  block.script.at(100, [&] {
    block.nic().answer(0, 110);
    // The program uses shared memory from 201 to 230. The first line from below waits for it, the second in the response queue.
    block.nic().answer(1, 200);
    block.nic().answer(2, 201);
  });
  block.script.at(200, [&] { block.turns.start(200, 30); });
  const auto moves = block.sm().send(210, isolated(5));
  block.script.at(225, [&] {
    CHECK(block.in_l1(5));
    CHECK(block.shared("migrations") == 0);
  });
  block.run();
  // 231: the first is written, and the second leaves the queue later in the same cycle.
  CHECK(block.sm().answered(moves) == 232 + 4);
  CHECK(block.shared("replies_full") == 232 - 210);
  CHECK(block.in_side_store(5));
}

TEST_CASE("l1 shared memory: a miss waits for an MSHR where its tags have been looked up") {
  L1Params params = ciao_params();
  params.mshr_entries = 1;
  SharedBlock block(params);
  block.sm().send(10, a_load(5));
  const auto first = block.sm().send(200, isolated(6)), second = block.sm().send(210, isolated(7));
  block.run();
  const Cycle written = 200 + kTag + kShared + 100 + kDrain;
  CHECK(block.sm().answered(first) == written + kShared);
  // The write frees the MSHR after the lookup's turn in that cycle.
  CHECK(block.nic().arrivals()[2] == written + 1 + kShared);
  CHECK(block.sm().answered(second) == block.nic().arrivals()[2] + 100 + kDrain + kShared);
  CHECK(block.count("refused.mshr_full") == written + 1 - (210 + kTag));
}

TEST_CASE("l1 shared memory: a line to move waits for an MSHR in the L1") {
  L1Params params = ciao_params();
  params.mshr_entries = 1;
  SharedBlock moving(params);
  const Cycle written = 200 + kTag + kShared + 100 + kDrain;
  moving.sm().send(10, a_load(5));
  moving.sm().send(200, isolated(6));
  const auto moves = moving.sm().send(210, isolated(5));
  moving.script.at(250, [&] { CHECK(moving.in_l1(5)); });
  moving.run();
  CHECK(moving.sm().answered(moves) == written + 4);  // the L1 looks up after the write that frees the MSHR
}

// CIAO-O24
TEST_CASE("l1 shared memory: if two pending lines share a place, the later one stays") {
  SharedBlock block;
  std::vector<std::uint64_t> lost;
  struct Listener final : CacheEventListener {
    explicit Listener(std::vector<std::uint64_t>& lost) : lost(lost) {}
    void write(const CacheEvent& event) override {
      if (event.kind != CacheEvent::Kind::evicted) return;
      CHECK(event.from_shared);
      lost.push_back(event.line.number);
    }
    std::vector<std::uint64_t>& lost;
  } listener(lost);
  block.l1.cache_events().bind(listener);
  block.sm().send(10, isolated(5));
  block.sm().send(11, isolated(5 + kApart));
  const auto stays = block.sm().send(500, isolated(5 + kApart)), gone = block.sm().send(501, isolated(5));
  block.run();
  CHECK(block.sm().answered(stays) == 502);
  CHECK(block.sm().answered(gone) == 501 + 2 + 100 + 2);
  CHECK(lost == std::vector<std::uint64_t>{5, 5 + kApart});
  CHECK(block.shared("evictions") == 2);
}

TEST_CASE("l1 shared memory: whoever opened the request of a line decides where it goes") {
  SharedBlock block;
  block.sm().send(5, isolated(7));
  const auto opens = block.sm().send(10, a_load(5)), joins = block.sm().send(20, isolated(5));
  block.sm().send(30, isolated(6));
  const auto joins_there = block.sm().send(40, a_load(6));
  const auto here = block.sm().send(500, a_load(5)), there = block.sm().send(600, a_load(6));
  block.run();
  CHECK(block.sm().answered(opens) == 10 + kTag + kShared + 100 + kFill);
  CHECK(block.sm().answered(joins) == 10 + kTag + kShared + 100 + kFill);
  CHECK(block.sm().answered(joins_there) == 30 + kTag + kShared + 100 + kDrain + kShared);
  CHECK(block.sm().answered(here) == 500 + 1);
  CHECK(block.sm().answered(there) == 600 + 2);
  CHECK(block.nic().requests.size() == 3);
}

// CIAO-O27; CIAO-O19: the region is empty at the start of a kernel.
TEST_CASE("l1 shared memory: stores take the line from either place, and a kernel starts with neither") {
  SharedBlock block;
  block.sm().send(10, isolated(5));
  block.sm().send(500, a_store(5));
  block.sm().send(600, isolated(5));
  block.sm().send(610, isolated(6));
  block.start_kernel(900, 1000);
  block.script.at(899, [&] { CHECK(block.cache().valid_lines() == 2); });
  block.script.at(910, [&] { CHECK(block.cache().valid_lines() == 0); });
  block.sm().send(1000, isolated(6));
  block.run();
  CHECK(block.nic().lines() == std::vector<std::uint64_t>{5, 5, 5, 6, 6});
  CHECK(block.shared("invalidated") == 1);
}

namespace {

/// The cycles in which the program starts an instruction of shared memory, if it wants to in each of `busy` cycles from 499 on and an
/// isolated hit is looked up in cycle 500.
Cycles hit_side_store_while_busy(SharedBlock& block, Cycle busy) {
  Cycles started;
  block.sm().send(10, isolated(5));
  for (Cycle cycle = 499; cycle < 499 + busy; ++cycle)
    block.script.at(cycle, [&block, &started, cycle] {
      if (!block.turns.may_start(cycle)) return;
      block.turns.start(cycle, 1);
      started.push_back(cycle);
    });
  block.sm().send(500, isolated(5));
  block.run();
  return started;
}

}  // namespace

TEST_CASE("l1 shared memory: a load waits for the program's instructions") {
  SharedBlock block;
  CHECK(hit_side_store_while_busy(block, 4) == Cycles{499, 500, 501, 502});  // it uses shared memory up to cycle 503
  CHECK(block.sm().answered(2) == 503 + 1 + 1);
  CHECK(block.shared("wait_cycles") == 504 - (500 + kTag));
}

TEST_CASE("l1 shared memory: a load that has waited for the age limit goes before the program's next instruction") {
  SharedBlock block;
  const Cycles started = hit_side_store_while_busy(block, 200);
  const Cycle claimed = 500 + kTag + 16;  // the instruction that starts in this cycle is the last
  CHECK(block.sm().answered(2) == claimed + 2 + 1);
  CHECK(std::count(started.begin(), started.end(), claimed) == 1);
  CHECK(std::count(started.begin(), started.end(), claimed + 1) == 0);
  CHECK(std::count(started.begin(), started.end(), claimed + 2) == 0);
  CHECK(started.size() == 200 - 2);
}

TEST_CASE("l1 shared memory: the latency of a shared memory of several cycles is paid by lookups and by fills") {
  SharedMemoryCacheParams shared_memory = always_used();
  shared_memory.access_cycles = 20;
  SharedBlock block(ciao_params(), shared_memory);
  const auto miss = block.sm().send(10, isolated(5)), hit = block.sm().send(500, isolated(5));
  block.run();
  CHECK(block.sm().answered(miss) == 10 + kTag + 20 + 100 + kDrain + 20);
  CHECK(block.sm().answered(hit) == 500 + kTag + 20);
}
