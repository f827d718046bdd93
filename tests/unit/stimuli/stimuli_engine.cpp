// The coroutine engine of SPMD kernels, tested with kernels written for these tests.

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/base/error.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "stimuli_sample.h"
#include "stimuli_walk.h"

using namespace wharf;
using namespace wharf::spmd;
using wharf::test::Arrays;
using wharf::test::kElements;
using wharf::test::Run;
using wharf::test::walk;

namespace {

std::vector<std::uint32_t> repeats(const std::vector<WarpInstruction>& list) {
  std::vector<std::uint32_t> counts;
  for (const auto& i : list) counts.push_back(i.repeat);
  return counts;
}

}  // namespace

TEST_CASE("an access happens when the instruction is issued, however often it is looked at", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto x = w.load(a.in, w.thread_x());
    w.store(a.out, w.thread_x(), x);
  });
  run.stimulus.next_kernel();
  auto warps = run.stimulus.open_cta(0);
  REQUIRE(warps.size() == 1);
  const WarpInstruction* const load = warps[0]->peek();
  REQUIRE(load != nullptr);
  CHECK(load->unit == Unit::load);
  CHECK(load->access_bytes == 4);
  CHECK(load->addresses[31] == run.arrays.in.base + 31 * 4);
  CHECK(warps[0]->peek() == load);
  run.arrays.in[7] = 70.0f;  // between look-ahead and issue: the load sees it
  warps[0]->advance();
  run.arrays.in[8] = 80.0f;  // after the issue: too late
  const WarpInstruction* const store = warps[0]->peek();
  CHECK(store->unit == Unit::store);
  for (int i = 0; i < 10; ++i) CHECK(warps[0]->peek() == store);
  CHECK(run.arrays.out[7] == 0.0f);
  warps[0]->advance();
  CHECK(run.arrays.out[7] == 70.0f);
  CHECK(run.arrays.out[8] == 8.0f);
  CHECK(warps[0]->peek()->unit == Unit::exit);
  warps[0]->advance();
  CHECK(warps[0]->peek() == nullptr);
  warps[0]->advance();  // nothing to issue, so nothing happens
  CHECK(warps[0]->peek() == nullptr);
}

TEST_CASE("an instruction names the registers it waits for and the one it fills", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto i = w.load(a.index, w.thread_x());
    const auto x = w.load(a.in, i + 1);
    const auto y = w.load(a.in, w.thread_x());
    auto sum = w.compute(2, x + 3.0f * y);
    w.update(sum, 1, sum + y);
    w.store(a.out, i, sum);
  });
  const auto list = run.instructions();
  REQUIRE(list.size() == 6);
  const auto [i, x, y] = std::tuple(list[0].destination, list[1].destination, list[2].destination);
  CHECK(std::set<RegisterId>{i, x, y}.size() == 3);
  CHECK(list[0].sources[0] == kNoRegister);
  CHECK(list[1].sources[0] == i);  // a gather waits for its indices
  CHECK(list[1].sources[1] == kNoRegister);
  CHECK(list[3].unit == Unit::fp32);
  CHECK(list[3].repeat == 2);
  CHECK(list[3].sources[0] == x);
  CHECK(list[3].sources[1] == y);
  const RegisterId sum = list[3].destination;
  CHECK(list[4].destination == sum);  // a variable keeps its register
  CHECK(list[4].sources[0] == sum);
  CHECK(list[4].sources[1] == y);
  CHECK(list[5].destination == kNoRegister);
  CHECK(list[5].sources[0] == sum);
  CHECK(list[5].sources[1] == i);
}

TEST_CASE("an expression over more than four registers is refused", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto p = w.load(a.in, 0);
    const auto q = w.load(a.in, 1);
    const auto r = w.load(a.in, 2);
    const auto s = w.load(a.in, 3);
    const auto t = w.load(a.in, 4);
    w.store(a.out, 0, p + q + r + s + t);
  });
  CHECK_THROWS_AS(run.instructions(), std::logic_error);
}

TEST_CASE("fractions of compute instructions add up exactly over a warp's life", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays&) {
    for (int i = 0; i < 10; ++i) w.alu(1.3);
    for (int i = 0; i < 4; ++i) w.alu(0.25);
  });
  CHECK(repeats(run.instructions()) == std::vector<std::uint32_t>{1, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1});  // 13 = 10 * 1.3, then 1 = 4 * 0.25
}

TEST_CASE("the alu knob scales counts and keeps what joins registers", "[stimuli][spmd]") {
  const auto program = [](Warp& w, const Arrays& a) {
    const auto x = w.load(a.in, 0);
    const auto y = w.load(a.in, 1);
    const auto both = w.compute(2, x + y);
    const auto one = w.compute(3, both * 2.0f);
    const auto root = w.sfu(1, one);
    w.store(a.out, 0, root);
  };
  Translation twice, none;
  twice.alu_scale = 2.0;
  none.alu_scale = 0.0;
  const auto doubled = Run(program, {32}, {}, twice).instructions();
  CHECK(repeats(doubled) == std::vector<std::uint32_t>{1, 1, 4, 6, 2, 1});
  CHECK(doubled[4].unit == Unit::sfu);
  const auto least = Run(program, {32}, {}, none).instructions();  // two loads, the join, the store that waits for it
  REQUIRE(least.size() == 4);
  CHECK(least[3].sources[0] == least[2].destination);
}

TEST_CASE("conditions split a warp and both sides see their own lanes", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto x = w.thread_x();
    Lanes<float> value = 1.0f;
    w.where(
        x < 8, [&] { w.set(value, w.load(a.in, x)); }, [&] { w.set(value, 5.0f); });
    w.where(x >= 32, [&] { w.store(a.out, x, 9.0f); });  // no lane is active: not run at all
    w.store(a.out, x, value);
  });
  const auto list = run.instructions();
  REQUIRE(list.size() == 2);
  CHECK(list[0].active == 0xFFu);
  CHECK(list[1].active == kAllLanes);
  CHECK(run.arrays.out[7] == 7.0f);
  CHECK(run.arrays.out[8] == 5.0f);
}

TEST_CASE("a branch on loaded values waits for them and counts as compute", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto x = w.load(a.in, w.thread_x());
    w.where(x > 30.0f, [&] { w.alu(3); });
  });
  const auto list = run.instructions();
  REQUIRE(list.size() == 3);
  CHECK(list[1].unit == Unit::branch);
  CHECK(list[1].sources[0] == list[0].destination);
  CHECK(list[1].active == kAllLanes);
  CHECK(list[2].active == 1u << 31);
  CHECK(list[2].repeat == 3 - 1);
}

TEST_CASE("lanes leave a loop as their trip counts end and do not come back", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    Lanes<float> sum = 0.0f;
    w.for_lanes(0, w.thread_x(), [&](const Lanes<int>& i) { w.set(sum, sum + 1.0f + 0.0f * w.load(a.in, i)); });
    w.store(a.out, w.thread_x(), sum);
  });
  std::uint64_t lanes = 0;
  std::uint32_t trips = 0;
  for (const auto& i : run.instructions()) {
    if (i.unit != Unit::load) continue;
    CHECK(i.active == (kAllLanes << (trips + 1)));  // lane l runs l iterations
    lanes += std::uint64_t(__builtin_popcount(i.active));
    ++trips;
  }
  CHECK(trips == 31);
  CHECK(lanes == 31 * 32 / 2);
  for (unsigned l = 0; l < kLanes; ++l) CHECK(run.arrays.out[l] == float(l));
}

TEST_CASE("a CTA whose threads do not fill the last warp has lanes missing there", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) { w.store(a.out, w.global_x() + 36 * w.global_y(), w.load(a.in, w.thread_y())); }, {12, 3}, {2, 2});
  std::vector<LaneMask> masks;
  const auto result = walk(run.stimulus, [&](const KernelLaunch& launch, const WarpInstruction& i, std::uint64_t, unsigned) {
    CHECK(launch.warps_per_cta() == 2);
    if (i.unit == Unit::exit) masks.push_back(i.active);
  });
  CHECK(result.warps == 2 * 2 * 2);
  REQUIRE(masks.size() == 8);
  for (std::size_t i = 0; i < masks.size(); ++i) CHECK(masks[i] == (i % 2 == 0 ? kAllLanes : 0xFu));  // 36 threads = 32 + 4
  CHECK(run.arrays.out[(12 + 11) + 36 * (3 + 2)] == 2.0f);                                            // CTA (1, 1), thread (11, 2)
  CHECK(run.arrays.out[36 * 6] == 0.0f);
}

TEST_CASE("warps of a CTA exchange values through shared memory across a barrier", "[stimuli][spmd]") {
  Run run(
      [](Warp& w, const Arrays& a) {
        const auto tile = w.shared<float>(64, 64);
        const auto x = w.thread_x();
        w.store(tile, x, w.load(a.in, w.global_x()));
        w.barrier();
        w.store(a.out, w.global_x(), w.load(tile, 63 - x));
      },
      {64}, {2}, {}, 64 + 4 * 64);
  std::uint64_t barriers = 0, shared = 0;
  walk(run.stimulus, [&](const KernelLaunch&, const WarpInstruction& i, std::uint64_t, unsigned) {
    barriers += i.unit == Unit::barrier;
    if (i.unit != Unit::shared) return;
    ++shared;
    CHECK(i.addresses[0] >= 64);  // offsets in the CTA's shared memory
    CHECK(i.addresses[0] < 64 + 4 * 64);
  });
  CHECK(barriers == 4);
  CHECK(shared == 2 * 4);
  for (unsigned i = 0; i < 128; ++i) CHECK(run.arrays.out[i] == float(i / 64 * 64 + 63 - i % 64));
}

TEST_CASE("more shared memory than declared is refused", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays&) { w.shared<float>(4, 8); }, {32}, {}, {}, 32);
  CHECK_THROWS_AS(run.instructions(), std::logic_error);
}

TEST_CASE("unrolling replicates the pcs of a loop and nothing else", "[stimuli][spmd]") {
  const auto pcs = [](std::uint32_t unroll) {
    Translation translation;
    translation.unroll = unroll;
    std::set<std::uint32_t> in_loop, unrolled;
    std::uint64_t loads = 0;
    Run run(
        [](Warp& w, const Arrays& a) {
          for (const int i : w.trips(12)) w.load(a.in, i);
          for (const int i : w.unrolled(2)) w.load(a.in, i + 100);
        },
        {32}, {}, translation);
    for (const auto& i : run.instructions()) {
      CHECK(i.pc % 16 == 0);
      (i.addresses[0] < run.arrays.in.base + 400 ? in_loop : unrolled).insert(i.pc);
      ++loads;
    }
    CHECK(loads == 12 + 2);
    CHECK(unrolled.size() == 2);
    return in_loop.size();
  };
  CHECK(pcs(1) == 1);
  CHECK(pcs(4) == 4);
  CHECK(pcs(5) == 5);
}

TEST_CASE("an access outside its array stops the run and says where", "[stimuli][spmd]") {
  for (const int index : {-1, int(kElements)}) {
    Run run([index](Warp& w, const Arrays& a) {
      w.where(w.thread_x() == 3, [&] { w.load(a.in, index); });
      w.store(a.out, 0, 1.0f);
    });
    CHECK_THROWS_WITH(run.instructions(), Catch::Contains("lane 3 accesses element " + std::to_string(index) + " of an array of 4096"));
    CHECK(run.arrays.out[0] == 0.0f);
  }
}

TEST_CASE("inactive lanes may hold any index", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto wild = (w.thread_x() - 1) * 0x40000000;  // lane 1: 0
    w.where(w.thread_x() == 1, [&] { w.store(a.out, wild, w.load(a.in, wild + 5)); });
  });
  CHECK(run.instructions().size() == 2);
  CHECK(run.arrays.out[0] == 5.0f);
}

TEST_CASE("where lanes store to one element the highest lane wins", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) { w.store(a.out, 9, w.load(a.in, w.thread_x())); });
  run.instructions();
  CHECK(run.arrays.out[9] == 31.0f);
}

TEST_CASE("warps abandoned half-way release their stacks, also after the stimulus", "[stimuli][spmd]") {
  std::vector<std::unique_ptr<WarpStream>> survivors;
  {
    Run run(
        [](Warp& w, const Arrays& a) {
          for (const int i : w.trips(1000)) w.load(a.in, i);
        },
        {1024}, {40});
    run.stimulus.next_kernel();
    for (std::uint64_t cta = 0; cta < 39; ++cta) {
      for (auto& warp : run.stimulus.open_cta(cta)) {
        warp->peek();
        warp->advance();
      }
    }
    survivors = run.stimulus.open_cta(39);
    for (auto& warp : survivors) warp->advance();
  }
  CHECK(survivors.size() == 32);
  survivors.clear();
}

TEST_CASE("progress follows finished CTAs", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays&) { w.alu(1); }, {64}, {4});
  CHECK(run.stimulus.progress() == 0.0);
  run.stimulus.next_kernel();
  for (std::uint64_t cta = 0; cta < 4; ++cta) {
    auto warps = run.stimulus.open_cta(cta);
    for (auto& warp : warps) {
      CHECK(run.stimulus.progress() == double(cta) / 4);
      while (warp->peek() != nullptr) warp->advance();
    }
  }
  CHECK(run.stimulus.next_kernel() == nullptr);
  CHECK(run.stimulus.next_kernel() == nullptr);
  CHECK(run.stimulus.progress() == 1.0);
}

TEST_CASE("arrays are apart, aligned, zero and found by address", "[stimuli][spmd]") {
  Memory memory;
  const auto small = memory.array<float>("small", 3);
  const auto large = memory.array<double>("large", 1u << 20);
  const auto last = memory.array<std::uint8_t>("last", 1);
  CHECK(small.base % 256 == 0);
  CHECK(large.base % (2u << 20) == 0);
  CHECK(last.base % 256 == 0);
  CHECK(large.base >= small.base + 3 * 4 + 4096);
  CHECK(last.base >= large.base + (8u << 20) + 4096);
  CHECK(large[123456] == 0.0);
  CHECK(memory.find(small.base + 4) == reinterpret_cast<std::byte*>(small.data + 1));
  CHECK(memory.find(small.base + 12) == nullptr);
  CHECK(memory.find(small.base - 1) == nullptr);
  CHECK(memory.find(last.base) == reinterpret_cast<std::byte*>(last.data));
  CHECK_THROWS_AS(memory.array<float>("huge", std::uint64_t{1} << 31), InputError);
  CHECK_THROWS_AS(memory.array<double>("too much with the others", (std::uint64_t{1} << 31) - 1), InputError);
}

TEST_CASE("a load past the L1 says so, and no later access does", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto x = w.load_past_l1(a.in, w.thread_x());
    const auto y = w.load(a.in, w.thread_x());
    w.store(a.out, w.thread_x(), x + y);
  });
  const auto list = run.instructions();
  REQUIRE(list.size() == 3);
  CHECK(list[0].unit == Unit::load);
  CHECK(list[0].cache_op == CacheOp::bypass_l1);
  CHECK(list[1].cache_op == CacheOp::all);
  CHECK(list[2].cache_op == CacheOp::all);
  CHECK(run.arrays.out[5] == 10.0f);
}

TEST_CASE("a vote is true where all active lanes agree", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto x = w.load(a.in, w.thread_x());
    w.where(w.all(x < 31.0f), [&] { w.store(a.out, 0, 1.0f); });
    w.where(w.thread_x() < 31, [&] { w.where(w.all(x < 31.0f), [&] { w.store(a.out, 1, 1.0f); }); });
  });
  const auto list = run.instructions();
  CHECK(run.arrays.out[0] == 0.0f);
  CHECK(run.arrays.out[1] == 1.0f);
  CHECK(list[1].unit == Unit::branch);
  CHECK(list[1].sources[0] == list[0].destination);
}

TEST_CASE("structs of floats are loaded at once and computed as floats", "[stimuli][spmd]") {
  struct Pair {
    float a, b;
  };
  Run run([](Warp& w, const Arrays& a) {
    const Array<Pair> pairs{a.in.base, reinterpret_cast<Pair*>(a.in.data), a.in.size / 2};
    const auto pair = w.load(pairs, w.thread_x());
    const auto sum = w.compute(1, lanewise([](const Pair& p) { return Pair{p.a + p.b, 0.0f}; }, pair));
    w.store(a.out, w.thread_x(), lanewise([](const Pair& p) { return p.a; }, sum));
  });
  const auto list = run.instructions();
  REQUIRE(list.size() == 3);
  CHECK(list[0].access_bytes == 8);
  CHECK(list[0].addresses[31] == run.arrays.in.base + 31 * 8);
  CHECK(list[1].unit == Unit::fp32);
  CHECK(run.arrays.out[3] == 6.0f + 7.0f);
}
