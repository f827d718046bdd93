// Atomics of SPMD kernels, in global and in shared memory.

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>

#include "stimuli_sample.h"

using namespace wharf;
using namespace wharf::spmd;
using wharf::test::Arrays;
using wharf::test::Run;

TEST_CASE("lanes of an atomic take turns at one element and each sees what those below it left", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) {
    const auto before = w.atomic(a.index, 5, 3, std::plus<>());
    w.store(a.out, w.thread_x(), lanewise([](int b) { return float(b); }, before));
    w.where(w.thread_x() >= 30, [&] { w.reduce(a.index, w.thread_x(), 7, std::minus<>()); });
  });
  const auto list = run.instructions();
  REQUIRE(list.size() == 3);
  CHECK(list[0].unit == Unit::atomic);
  CHECK(list[0].cache_op == CacheOp::bypass_l1);
  CHECK(list[0].addresses[31] == run.arrays.index.base + 5 * 4);
  CHECK(list[1].sources[0] == list[0].destination);
  CHECK(list[2].unit == Unit::atomic);
  CHECK(list[2].destination == kNoRegister);
  CHECK(list[2].active == 3u << 30);
  for (unsigned l = 0; l < kLanes; ++l) CHECK(run.arrays.out[l] == 3.0f * float(l));
  CHECK(run.arrays.index[5] == 96);
  CHECK(run.arrays.index[29] == 0);
  CHECK(run.arrays.index[30] == -7);
}

TEST_CASE("an atomic happens when it is issued and not before", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) { w.reduce(a.index, 0, 1, std::plus<>()); });
  run.stimulus.next_kernel();
  const auto warps = run.stimulus.open_cta(0);
  warps[0]->peek();
  run.arrays.index[0] = 100;
  CHECK(run.arrays.index[0] == 100);
  warps[0]->advance();
  CHECK(run.arrays.index[0] == 132);
}

TEST_CASE("lanes that meet at one element of shared memory cost an instruction for each turn", "[stimuli][spmd]") {
  Run run(
      [](Warp& w, const Arrays& a) {
        const auto counters = w.shared<std::int32_t>(0, 32);
        const auto group = lanewise([](int l) { return l < 3 ? 0 : l; }, w.thread_x());
        const auto before = w.atomic(counters, group, 1, std::plus<>());
        w.store(a.index, w.thread_x(), before);
        w.reduce(counters, group, 1, std::plus<>());
        w.store(a.out, w.thread_x(), lanewise([](int n) { return float(n); }, w.load(counters, w.thread_x())));
      },
      {32}, {}, {}, 4 * 32);
  const auto list = run.instructions();
  REQUIRE(list.size() == 3 + 1 + 3 + 2);
  const LaneMask turns[3] = {kAllLanes & ~6u, 2u, 4u};
  for (std::size_t turn = 0; turn < 3; ++turn) {
    CHECK(list[turn].unit == Unit::shared_atomic);
    CHECK(list[turn].active == turns[turn]);
    CHECK(list[turn].destination == list[0].destination);
    CHECK(list[turn].sources[0] == (turn == 0 ? kNoRegister : list[0].destination));  // a turn adds its lanes to the result
    CHECK(list[4 + turn].active == turns[turn]);
    CHECK(list[4 + turn].destination == kNoRegister);
  }
  for (unsigned l = 0; l < kLanes; ++l) {
    CHECK(run.arrays.index[l] == (l < 3 ? int(l) : 0));
    CHECK(run.arrays.out[l] == (l == 0 ? 6.0f : l < 3 ? 0.0f : 2.0f));
  }
}

TEST_CASE("threads are numbered in three dimensions", "[stimuli][spmd]") {
  Run run(
      [](Warp& w, const Arrays& a) {
        const auto thread = w.thread_x() + 8 * w.thread_y() + 32 * w.thread_z();
        w.store(a.out, thread, lanewise([](int z) { return float(z); }, w.thread_z()));
      },
      {8, 4, 2});
  run.instructions();
  CHECK(run.arrays.out[31] == 0.0f);
  CHECK(run.arrays.out[32] == 1.0f);
  CHECK(run.arrays.out[63] == 1.0f);
}
