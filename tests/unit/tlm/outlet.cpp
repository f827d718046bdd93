// When a port may send the next transaction.

#include <catch2/catch.hpp>

#include "model/tlm/outlet.h"

using namespace wharf;

namespace {
constexpr Cycle kNow = 10;
const auto accepted = [] { return true; };
const auto refused = [] { return false; };
}  // namespace

TEST_CASE("outlet: the first transaction may leave in cycle 0") {
  const Outlet outlet;
  CHECK(outlet.is_open(0));
  CHECK(outlet.opens_at() == 0);
  CHECK_FALSE(outlet.is_pending());
}

TEST_CASE("outlet: after a transaction that is accepted at once the next one may leave in the cycle that the owner names") {
  Outlet outlet;
  CHECK(outlet.send(kNow + 1, accepted));
  CHECK_FALSE(outlet.is_pending());
  CHECK(outlet.opens_at() == kNow + 1);
  CHECK_FALSE(outlet.is_open(kNow));
  CHECK(outlet.is_open(kNow + 1));
  CHECK(outlet.is_open(kNow + 2));
}

TEST_CASE("outlet: an owner that keeps the opening cycle may send several transactions per cycle") {
  Outlet outlet;
  outlet.reopen(kNow);
  CHECK(outlet.send(outlet.opens_at(), accepted));
  CHECK(outlet.opens_at() == kNow);
  CHECK(outlet.send(outlet.opens_at(), accepted));
  CHECK(outlet.is_open(kNow));
}

TEST_CASE("outlet: a transaction that is not accepted at once closes the port until it is accepted") {
  Outlet outlet;
  CHECK_FALSE(outlet.send(kNow + 1, refused));
  CHECK(outlet.is_pending());
  CHECK(outlet.opens_at() == kNever);
  CHECK_FALSE(outlet.is_open(kNow + 1000));
  outlet.reopen(kNow + 5);
  CHECK_FALSE(outlet.is_pending());
  CHECK_FALSE(outlet.is_open(kNow + 4));
  CHECK(outlet.is_open(kNow + 5));
}

TEST_CASE("outlet: an acceptance that arrives during the sending call is not lost") {
  Outlet outlet;
  CHECK_FALSE(outlet.send(kNow + 1, [&] {
    CHECK(outlet.is_pending());
    outlet.reopen(kNow + 3);
    return false;
  }));
  CHECK_FALSE(outlet.is_pending());
  CHECK(outlet.opens_at() == kNow + 3);
}
