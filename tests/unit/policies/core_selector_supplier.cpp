// The supplier selector replays remote_sharing section 6.2: weights from counts, periods, drawing without replacement.
#include "policies/core_selector/supplier.h"

#include <catch2/catch.hpp>
#include <set>

using namespace wharf;

namespace {

SupplierSelector of_four(SelectorMode mode = SelectorMode::previous_period) { return {4, 3, {8192, mode}, Rng(1)}; }

void reply(SupplierSelector& selector, unsigned core, unsigned times, Cycle now) {
  for (unsigned i = 0; i < times; ++i) selector.replied(core, now);
}

}  // namespace

// RS-18, RS-19
TEST_CASE("five, three and two replies weigh 50, 30 and 20 percent in the next period") {
  SupplierSelector selector = of_four();
  reply(selector, 0, 5, 100);
  reply(selector, 1, 3, 200);
  reply(selector, 2, 2, 8191);
  for (unsigned core = 0; core < 3; ++core) CHECK(selector.weight(core, 8191) == 1);
  CHECK(selector.weight(0, 8192) == 10);
  CHECK(selector.weight(1, 8192) == 6);
  CHECK(selector.weight(2, 8192) == 4);
  CHECK(selector.weight(3, 8192) == 0);
}

// RS-19
TEST_CASE("a core without a reply weighs half of the lowest that had one") {
  SupplierSelector selector = of_four();
  reply(selector, 0, 5, 0);
  reply(selector, 1, 3, 0);
  CHECK(selector.weight(0, 8192) == 2 * 5);
  CHECK(selector.weight(1, 8192) == 2 * 3);
  CHECK(selector.weight(2, 8192) == 3);
}

// RS-18
TEST_CASE("a period without replies makes the next one uniform, and so does silence over several") {
  SupplierSelector selector = of_four();
  reply(selector, 0, 5, 0);
  REQUIRE(selector.weight(0, 8192) == 10);
  for (unsigned core = 0; core < 3; ++core) CHECK(selector.weight(core, 2 * 8192) == 1);
  reply(selector, 1, 2, 2 * 8192);
  for (unsigned core = 0; core < 3; ++core) CHECK(selector.weight(core, 5 * 8192) == 1);
}

// RS-18
TEST_CASE("the running mode weighs the replies of the present period at once") {
  SupplierSelector selector = of_four(SelectorMode::running);
  reply(selector, 0, 5, 10);
  CHECK(selector.weight(0, 10) == 10);
  CHECK(selector.weight(1, 10) == 5);
  CHECK(selector.weight(0, 8192) == 1);
}

// RS-20
TEST_CASE("targets are drawn in proportion to their weights and none twice") {
  SupplierSelector selector = of_four();
  reply(selector, 0, 5, 0);
  reply(selector, 1, 3, 0);
  reply(selector, 2, 2, 0);
  unsigned first[4] = {};
  CoreList list;
  for (int i = 0; i < 10000; ++i) {
    selector.select(3, {}, 8192, list);
    REQUIRE(list.count == 3);
    CHECK(std::set<unsigned>(list.cores.begin(), list.cores.begin() + 3) == std::set<unsigned>{0, 1, 2});
    ++first[list.cores[0]];
  }
  CHECK(std::abs(static_cast<int>(first[0]) - 5000) < 200);
  CHECK(std::abs(static_cast<int>(first[1]) - 3000) < 200);
  CHECK(std::abs(static_cast<int>(first[2]) - 2000) < 200);
}

TEST_CASE("the next selector takes the cores behind its own, round the ring") {
  const auto selector = make_core_selector("next", {6, 4, {}, {}, 1});
  CoreList list;
  selector->select(3, {}, 0, list);
  REQUIRE(list.count == 3);
  CHECK((list.cores[0] == 5 && list.cores[1] == 0 && list.cores[2] == 1));
}

// RS-17
TEST_CASE("the index selector takes the lowest cores other than its own") {
  const auto selector = make_core_selector("index", {6, 2, {}, {}, 1});
  CoreList list;
  selector->select(3, {}, 0, list);
  REQUIRE(list.count == 3);
  CHECK(list.cores[0] == 0);
  CHECK(list.cores[1] == 1);
  CHECK(list.cores[2] == 3);
}

// RS-12
TEST_CASE("the nearest selector takes the holder with the fewest hops, the lowest of several") {
  const auto selector = make_core_selector("nearest", {5, 0, {}, {0, 4, 2, 2, 1}, 1});
  HolderMask holders;
  holders.set(0);
  CoreList list;
  selector->select(1, holders, 0, list);
  CHECK(list.count == 0);
  for (const unsigned core : {1, 2, 3}) holders.set(core);
  selector->select(1, holders, 0, list);
  REQUIRE(list.count == 1);
  CHECK(list.cores[0] == 2);
}
