// Properties of every L2 line policy in the catalogue (CM-19), and the behaviour of the locality-aware LLC (RS-40).
#include "policies/l2_line/l2_line.h"

#include <catch2/catch.hpp>

#include "model/base/rng.h"

using namespace wharf;

namespace {

Access access_of(std::uint16_t sm, AccessKind kind = AccessKind::load) {
  Access access;
  access.sm = sm;
  access.kind = kind;
  return access;
}

}  // namespace

TEST_CASE("no L2 line policy forwards a read to its own SM, or one that has come back") {
  for (const auto& name : l2_line_catalogue_names()) {
    INFO(name.name);
    CHECK_FALSE(name.help.empty());
    const auto policy = make_l2_line_policy(name.name);
    if (policy == nullptr) continue;
    Rng rng(3);
    std::uint32_t bits = 0;
    unsigned wrong = 0;
    for (int i = 0; i < 5000; ++i) {
      Transaction read;
      read.access = access_of(static_cast<std::uint16_t>(rng.below(6)), rng.chance(0.2) ? AccessKind::store : AccessKind::load);
      std::uint16_t target = 0xFFFF;
      if (policy->forward_to(bits, read, target)) wrong += target == read.access.sm || target >= 6;
      read.message.kind = MessageKind::forward_return;
      wrong += policy->forward_to(bits, read, target);
      policy->on_access(bits, read.access);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the last sharer answers the next read of another SM, until somebody writes") {
  const auto policy = make_l2_line_policy("last_sharer");
  std::uint32_t bits = 0;
  Transaction read;
  read.access = access_of(2);
  std::uint16_t target = 0;
  CHECK_FALSE(policy->forward_to(bits, read, target));
  policy->on_access(bits, access_of(5));
  REQUIRE(policy->forward_to(bits, read, target));
  CHECK(target == 5);
  policy->on_access(bits, access_of(2));
  CHECK_FALSE(policy->forward_to(bits, read, target));
  policy->on_access(bits, access_of(5));
  policy->on_access(bits, access_of(1, AccessKind::store));
  CHECK_FALSE(policy->forward_to(bits, read, target));
}

TEST_CASE("a read that leaves no whole new copy makes nobody the last sharer") {
  const auto policy = make_l2_line_policy("last_sharer");
  std::uint32_t bits = 0;
  Access bypass = access_of(5);
  bypass.cache_op = CacheOp::bypass_l1;
  policy->on_access(bits, bypass);
  Access part = access_of(5);
  part.sectors = 1;
  policy->on_access(bits, part);
  CHECK(bits == 0);
}

TEST_CASE("loscache wants a line's data no more after the access that reaches its prediction, counted with that access or before it") {
  const auto wanted_for = [](GateCompare compare, std::uint8_t predicted) {
    const auto policy = make_l2_line_policy("loscache", {compare});
    Access access;
    access.hint.predicted_count = predicted;
    std::uint32_t bits = 0;
    for (unsigned i = 1; i <= 200; ++i)
      if (policy->on_access(bits, access)) return i;
    return 0u;
  };
  for (unsigned predicted = 1; predicted <= 63; ++predicted) {
    INFO(predicted);
    CHECK(wanted_for(GateCompare::post, static_cast<std::uint8_t>(predicted)) == predicted);
    CHECK(wanted_for(GateCompare::pre, static_cast<std::uint8_t>(predicted)) == predicted + 1);
  }
  CHECK(wanted_for(GateCompare::post, 0) == 0);
}

TEST_CASE("loscache counts to 63 and stays there, lets the latest access decide for a fill, and stores nothing predicted one access") {
  const auto policy = make_l2_line_policy("loscache");
  CHECK(policy->gates());
  Access none, two, one;
  two.hint.predicted_count = 2;
  one.hint.predicted_count = 1;
  std::uint32_t bits = 0;
  policy->on_access(bits, none);
  CHECK_FALSE(policy->on_fill(bits, none));
  policy->on_access(bits, two);
  CHECK(policy->on_fill(bits, none));
  policy->on_access(bits, none);
  CHECK_FALSE(policy->on_fill(bits, none));
  CHECK(policy->count(bits) == 3);
  for (int i = 0; i < 100; ++i) policy->on_access(bits, none);
  CHECK(policy->count(bits) == 63);
  CHECK_FALSE(policy->may_store(one));
  CHECK(policy->may_store(two));
  CHECK(policy->may_store(none));
}

TEST_CASE("an unknown L2 line policy is refused with the names on offer") {
  CHECK_THROWS_WITH(make_l2_line_policy("first_sharer"), Catch::Contains("none, last_sharer"));
}
