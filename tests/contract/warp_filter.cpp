// Properties of every warp filter in the catalogue (CM-24).
#include "policies/warp_filter/warp_filter.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "model/base/rng.h"

using namespace wharf;
using Kind = WarpEvent::Kind;

TEST_CASE("every warp filter lets some warp issue whenever one is resident and not waiting") {
  for (const auto& policy : warp_filter_catalogue_names()) {
    for (std::uint32_t limit = 1; limit <= 6; ++limit) {
      for (std::uint32_t schedulers = 1; schedulers <= 4; ++schedulers) {
        INFO(policy.name << " " << limit << " " << schedulers);
        const auto filter = make_warp_filter(policy.name, {limit, schedulers});
        Rng rng(limit * 8 + schedulers);
        WarpMask resident = 0, waiting = 0;
        std::uint64_t age = 0;
        unsigned stuck = 0, loads_only = 0;
        for (int i = 0; i < 3000; ++i) {
          const auto warp = static_cast<std::uint32_t>(rng.below(48));
          const WarpMask bit = warp_bit(warp);
          if ((resident & bit) == 0) {
            filter->observe({Kind::launched, warp, age++});
            resident |= bit;
          } else if ((waiting & bit) != 0) {
            filter->observe({Kind::resumed, warp, 0});
            waiting &= ~bit;
          } else if (rng.chance(0.4)) {
            filter->observe({Kind::finished, warp, 0});
            resident &= ~bit;
          } else {
            filter->observe({Kind::waiting, warp, 0});
            waiting |= bit;
          }
          const WarpMask runnable = resident & ~waiting;
          stuck += runnable != 0 && (runnable & filter->masks().may_issue) == 0;
          loads_only += (filter->masks().may_issue_load & ~filter->masks().may_issue) != 0;
        }
        CHECK(stuck == 0);
        CHECK(loads_only == 0);
      }
    }
  }
}

TEST_CASE("a warp filter that does not restrict lets every warp issue everything, whoever predicts") {
  for (const auto& policy : warp_filter_catalogue_names()) {
    CHECK_FALSE(policy.help.empty());
    const auto filter = make_warp_filter(policy.name, {1, 1});
    for (unsigned warp = 0; warp < 8; ++warp) filter->observe({Kind::launched, warp, warp});
    filter->observe({Kind::predictor, 3, 0});
    if (!filter->restricts()) CHECK((filter->masks().may_issue & filter->masks().may_issue_load) == ~WarpMask{0});
  }
}

TEST_CASE("predictor_cta prefers the warps of the predictor until they end or it predicts no more, and restricts no warp") {
  const auto filter = make_warp_filter("predictor_cta", {});
  for (unsigned warp = 0; warp < 8; ++warp) filter->observe({Kind::launched, warp, warp});
  CHECK(filter->masks().prefer == 0);
  for (const unsigned warp : {4u, 5u, 6u}) filter->observe({Kind::predictor, warp, 0});
  CHECK(filter->masks().prefer == 0x70);
  filter->observe({Kind::waiting, 4, 0});
  CHECK(filter->masks().prefer == 0x70);
  filter->observe({Kind::finished, 5, 0});
  CHECK(filter->masks().prefer == 0x50);
  filter->observe({Kind::predicted, 0, 0});
  CHECK(filter->masks().prefer == 0);
  CHECK(filter->masks().may_issue == ~WarpMask{0});
}

namespace {

/// A filter that receives every possible event, chosen at random, for 12 warps in CTAs of 3.
class Bustle {
 public:
  static constexpr unsigned kWarps = 12, kPerCta = 3;
  Bustle(const std::string& name, std::uint64_t seed) : rng_(seed) {
    WarpFilterOptions options;
    options.limit = 1 + static_cast<std::uint32_t>(seed % 5);
    options.schedulers = 2;
    options.ciao.low_epoch = options.ciao.high_epoch = 5;
    options.ciao.high = options.ciao.low = 0.0;
    options.ciao.irs_window = ScoreWindow::epoch;  // a score of the whole kernel never falls to a cut-off of 0, and blocks warps for ever
    options.ciao.same_domain = false;
    options.predictor_first = seed % 2 == 0;
    filter = make_warp_filter(name, options);
    filter->kernel_started(true);
    for (unsigned cta = 0; cta < kWarps / kPerCta; ++cta) launch(cta);
  }

  void cycle() {
    ++now;
    if (rng_.chance(0.2)) filter->lost({any(), any()}, now);
    if (now % 64 == 0) filter->bandwidth(rng_.unit(), rng_.unit());
    if (filter->due() <= now) filter->advance(now);
    const unsigned warp = any();
    if ((runnable() & filter->masks().may_issue & warp_bit(warp)) == 0) return;
    if ((filter->masks().may_issue_load & warp_bit(warp)) == 0 && rng_.chance(0.5)) return;  // its next instruction is a load
    filter->issued(warp, now);
    last[warp] = now;
    if (rng_.chance(0.05)) {
      waiting_ |= warp_bit(warp);
      filter->observe({Kind::waiting, warp});
    } else if (rng_.chance(0.01)) {
      here_ &= ~warp_bit(warp);
      filter->observe({Kind::finished, warp});
    }
    pass_barrier(warp / kPerCta);
  }
  WarpMask runnable() const { return here_ & ~waiting_; }

  std::unique_ptr<WarpFilter> filter;
  Cycle now = 0;
  std::array<Cycle, kWarps> last{};  // cycle of each warp's last issue

 private:
  unsigned any() { return static_cast<unsigned>(rng_.below(kWarps)); }
  void launch(unsigned cta) {
    for (unsigned warp = cta * kPerCta; warp < (cta + 1) * kPerCta; ++warp) {
      filter->observe({Kind::launched, warp, now, cta});
      if (cta == 0) filter->observe({Kind::predictor, warp});
      here_ |= warp_bit(warp);
      last[warp] = now;
    }
  }
  void pass_barrier(unsigned cta) {
    const WarpMask members = WarpMask{7} << (cta * kPerCta);
    if ((runnable() & members) != 0) return;
    for (WarpMask rest = waiting_ & members; rest != 0; rest &= rest - 1) filter->observe({Kind::resumed, lowest_warp(rest)});
    waiting_ &= ~members;
    if ((here_ & members) == 0) launch(cta);
  }

  Rng rng_;
  WarpMask here_ = 0, waiting_ = 0;
};

}  // namespace

TEST_CASE("no warp filter starves an SM: whatever has happened, some warp soon issues, and some may load") {
  for (const auto& policy : warp_filter_catalogue_names()) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      INFO(policy.name << " " << seed);
      Bustle bustle(policy.name, seed);
      Cycle idle = 0, longest = 0;
      unsigned no_load = 0, longest_without = 0;
      for (int i = 0; i < 20000; ++i) {
        bustle.cycle();
        const WarpMasks& masks = bustle.filter->masks();
        idle = (bustle.runnable() & masks.may_issue) == 0 ? idle + 1 : 0;
        longest = std::max(longest, idle);
        no_load = (bustle.runnable() & masks.may_issue & masks.may_issue_load) == 0 ? no_load + 1 : 0;
        longest_without = std::max(longest_without, no_load);
      }
      CHECK(longest <= 1);
      CHECK(longest_without < 5000);  // ccws: the warps that may load wait at barriers until scores have fallen
      unsigned starved = 0;
      for (const Cycle last : bustle.last) starved += bustle.now - last > 15000;
      CHECK(starved == 0);
    }
  }
}

TEST_CASE("warp filters mark accesses only where they say so") {
  for (const auto& policy : warp_filter_catalogue_names()) {
    INFO(policy.name);
    Bustle bustle(policy.name, 3);
    bool marks = false;
    for (int i = 0; i < 5000; ++i) {
      bustle.cycle();
      marks = marks || (bustle.filter->masks().isolated | bustle.filter->masks().no_install) != 0;
    }
    if (!bustle.filter->needs().hints) CHECK_FALSE(marks);
    if (!bustle.filter->restricts()) CHECK(bustle.filter->due() == kNever);
  }
}

TEST_CASE("a warp filter keeps its masks between the cycles it asks for") {
  for (const auto& policy : warp_filter_catalogue_names()) {
    INFO(policy.name);
    Bustle bustle(policy.name, 2);
    unsigned changed = 0;
    for (int i = 0; i < 5000; ++i) {
      bustle.cycle();
      const WarpMasks before = bustle.filter->masks();
      const Cycle due = bustle.filter->due();
      if (due <= bustle.now + 1) continue;
      bustle.filter->advance(bustle.now);
      const WarpMasks& after = bustle.filter->masks();
      changed += after.may_issue != before.may_issue || after.may_issue_load != before.may_issue_load || after.isolated != before.isolated;
    }
    CHECK(changed == 0);
  }
}

TEST_CASE("any warp filter lets the predictor CTA go first when it is told to") {
  for (const auto& policy : warp_filter_catalogue_names()) {
    for (const bool first : {false, true}) {
      INFO(policy.name);
      WarpFilterOptions options;
      options.predictor_first = first;
      const auto filter = make_warp_filter(policy.name, options);
      for (unsigned warp = 0; warp < 4; ++warp) filter->observe({Kind::launched, warp, warp});
      filter->observe({Kind::predictor, 2});
      CHECK(filter->masks().prefer == (first || policy.name == "predictor_cta" ? 0b100u : 0u));
      filter->observe({Kind::predicted, 0});
      CHECK(filter->masks().prefer == 0);
    }
  }
}

TEST_CASE("an unknown warp filter is refused with the names on offer") {
  CHECK_THROWS_WITH(make_warp_filter("swll", {}), Catch::Contains("unknown warp filter 'swll'") && Catch::Contains("none, swl"));
}
