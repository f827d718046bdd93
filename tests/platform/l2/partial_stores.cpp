// Stores that cover sectors in part, on a machine whose caches have byte masks (CM-45).

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

/// Sectors that DRAM delivers when one kernel has run `stores`, and the next loads `bytes` from kLine on.
double sectors_read(const char* transaction, const Instructions& stores, unsigned bytes) {
  const LaneMask lanes = (LaneMask{1} << bytes / 4) - 1;
  const GpuParams params = machine("gpus/ampere_a100", {std::string("transaction=") + transaction});
  const Outcome outcome = run_apart(params, {one_warp(stores), one_warp({load(kLine, 1, kNoRegister, lanes)})}, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return static_cast<double>(outcome.run("dram.reads"));
}

TEST_CASE("a load fetches the sectors that earlier stores cover in part, and no other, whether requests are for sectors or for lines") {
  constexpr LaneMask k16Bytes = 0xF, k48Bytes = 0xFFF;
  for (const char* transaction : {"line", "sector"}) {
    INFO(transaction);
    CHECK(sectors_read(transaction, {store(kLine, kNoRegister, k16Bytes)}, 32) == 1);
    CHECK(sectors_read(transaction, {store(kLine, kNoRegister, k16Bytes), store(kLine + 16, kNoRegister, k16Bytes)}, 32) == 0);
    CHECK(sectors_read(transaction, {store(kLine, kNoRegister, k48Bytes)}, 32) == 0);
    CHECK(sectors_read(transaction, {store(kLine, kNoRegister, k48Bytes)}, 64) == 1);
  }
}

}  // namespace
}  // namespace wharf::test
