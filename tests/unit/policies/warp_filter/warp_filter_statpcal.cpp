// statPCAL (ciao section 3.4, CIAO-O7): tokens, warps without one, and the effect of idle bandwidth on their number.

#include <catch2/catch.hpp>

#include "policies/warp_filter/static_pcal.h"

using namespace wharf;
using Kind = WarpEvent::Kind;

namespace {

StaticPcal with_tokens(unsigned warps, std::uint32_t tokens, std::uint32_t schedulers = 1) {
  StaticPcal filter(tokens, schedulers, PcalParams{});
  for (unsigned w = 0; w < warps; ++w) filter.observe({Kind::launched, w, w});
  return filter;
}

}  // namespace

TEST_CASE("statpcal: it starts as swl with as many places as tokens") {
  const StaticPcal filter = with_tokens(8, 2);
  CHECK(filter.masks().may_issue == 0b11);
  CHECK(filter.masks().may_issue_load == 0b11);
  CHECK(filter.masks().no_install == 0);
}

TEST_CASE("statpcal: warps without a token come two by two while L2 and DRAM are both idle enough, oldest first, up to all") {
  StaticPcal filter = with_tokens(7, 2);
  filter.bandwidth(0.69, 0.69);
  CHECK(filter.extra() == 2);
  CHECK(filter.masks().may_issue == 0b1111);
  CHECK(filter.masks().no_install == 0b1100);
  filter.bandwidth(0.0, 0.0);
  filter.bandwidth(0.0, 0.0);
  CHECK(filter.extra() == 5);
  CHECK(filter.masks().may_issue == 0b1111111);
}

TEST_CASE("statpcal: between the thresholds nothing changes, and above the upper one of either they go two by two down to none") {
  StaticPcal filter = with_tokens(8, 2);
  for (int i = 0; i < 2; ++i) filter.bandwidth(0.5, 0.5);
  CHECK(filter.extra() == 4);
  filter.bandwidth(0.70, 0.1);
  filter.bandwidth(0.1, 0.90);
  CHECK(filter.extra() == 4);
  filter.bandwidth(0.91, 0.1);
  CHECK(filter.extra() == 2);
  filter.bandwidth(0.1, 0.91);
  CHECK(filter.extra() == 0);
  filter.bandwidth(0.95, 0.95);
  CHECK(filter.extra() == 0);
  CHECK(filter.masks().may_issue == 0b11);
}

TEST_CASE("statpcal: a token passes to the next oldest when its holder finishes or waits") {
  StaticPcal filter = with_tokens(6, 2);
  filter.bandwidth(0.1, 0.1);
  CHECK(filter.masks().no_install == 0b001100);
  filter.observe({Kind::waiting, 0, 0});
  CHECK(filter.masks().may_issue == 0b011110);
  CHECK(filter.masks().no_install == 0b011000);
  filter.observe({Kind::finished, 1, 0});
  CHECK(filter.masks().no_install == 0b110000);
  filter.observe({Kind::resumed, 0, 0});
  CHECK(filter.masks().may_issue == 0b011101);
  CHECK(filter.masks().no_install == 0b011000);
}

TEST_CASE("statpcal: fewer resident warps than tokens leave none without one") {
  StaticPcal filter = with_tokens(2, 4);
  filter.bandwidth(0.0, 0.0);
  CHECK(filter.extra() == 0);
  CHECK(filter.masks().no_install == 0);
}
