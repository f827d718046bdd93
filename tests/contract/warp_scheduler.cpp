// Properties of every warp scheduler in the catalogue (CM-24), under random launches, stalls and exits.
#include "policies/warp_scheduler/warp_scheduler.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/rng.h"
#include "model/base/types.h"

using namespace wharf;

namespace {

struct Step {
  WarpMask ready;
  int pick;
};

// Drives a scheduler of `slots` warp slots through `cycles` random cycles.
std::vector<Step> drive(const std::string& name, std::uint64_t seed, unsigned slots, unsigned cycles) {
  const auto scheduler = make_warp_scheduler(name, {});
  Rng rng(seed);
  WarpMask resident = 0;
  std::uint64_t age = 0;
  std::vector<Step> steps;
  for (Cycle now = 0; now < cycles; ++now) {
    const auto slot = static_cast<unsigned>(rng.below(slots));
    if ((resident & warp_bit(slot)) == 0) {
      scheduler->warp_launched(slot, age++);
      resident |= warp_bit(slot);
    } else if (rng.chance(0.1)) {
      scheduler->warp_finished(slot);
      resident &= ~warp_bit(slot);
    }
    const WarpMask ready = resident & rng.next() & (rng.chance(0.5) ? rng.next() & rng.next() : ~WarpMask{0});
    const int pick = scheduler->pick(ready, now);
    steps.push_back({ready, pick});
    if (pick == WarpScheduler::kNone) continue;
    scheduler->issued(static_cast<unsigned>(pick));
    if (rng.chance(0.3)) scheduler->stalled_long(static_cast<unsigned>(pick));
  }
  return steps;
}

}  // namespace

TEST_CASE("every warp scheduler picks a ready warp and none exactly when none is ready") {
  for (const auto& policy : warp_scheduler_catalogue_names()) {
    INFO(policy.name);
    for (const unsigned slots : {1u, 12u, 48u, 64u}) {
      unsigned picks = 0, refusals = 0, wrong = 0;
      for (const Step& step : drive(policy.name, slots, slots, 5000)) {
        ++(step.pick == WarpScheduler::kNone ? refusals : picks);
        if (step.ready == 0 ? step.pick != WarpScheduler::kNone
                            : step.pick < 0 || (step.ready & warp_bit(static_cast<unsigned>(step.pick))) == 0)
          ++wrong;
      }
      CHECK(wrong == 0);
      CHECK(picks > 0);
      CHECK(refusals > 0);
    }
  }
}

TEST_CASE("every warp scheduler picks the same warps when it is told the same") {
  for (const auto& policy : warp_scheduler_catalogue_names()) {
    INFO(policy.name);
    const auto first = drive(policy.name, 9, 48, 3000), second = drive(policy.name, 9, 48, 3000);
    unsigned different = 0;
    for (std::size_t i = 0; i < first.size(); ++i) different += first[i].pick != second[i].pick;
    CHECK(different == 0);
  }
}

TEST_CASE("every warp scheduler lets all of its warps finish when stalls are reported") {
  for (const auto& policy : warp_scheduler_catalogue_names()) {
    INFO(policy.name);
    constexpr unsigned kWarps = 48;
    const auto scheduler = make_warp_scheduler(policy.name, {});
    for (unsigned warp = 0; warp < kWarps; ++warp) scheduler->warp_launched(warp, warp);
    // Ten instructions per warp, each followed by a wait of 20 cycles for memory.
    std::vector<unsigned> left(kWarps, 10);
    std::vector<Cycle> ready_at(kWarps, 0);
    unsigned finished = 0;
    Cycle now = 0;
    for (; finished < kWarps && now < 10000; ++now) {
      WarpMask ready = 0;
      for (unsigned warp = 0; warp < kWarps; ++warp)
        if (left[warp] != 0 && ready_at[warp] <= now) ready |= warp_bit(warp);
      const int pick = scheduler->pick(ready, now);
      if (pick == WarpScheduler::kNone) continue;
      const auto warp = static_cast<unsigned>(pick);
      scheduler->issued(warp);
      scheduler->stalled_long(warp);
      ready_at[warp] = now + 20;
      if (--left[warp] == 0) {
        scheduler->warp_finished(warp);
        ++finished;
      }
    }
    CHECK(finished == kWarps);
    CHECK(now >= kWarps * 10);
  }
}

TEST_CASE("an unknown warp scheduler is refused with the names on offer") {
  for (const auto& policy : warp_scheduler_catalogue_names()) CHECK_FALSE(policy.help.empty());
  CHECK_THROWS_WITH(make_warp_scheduler("got", {}),
                    Catch::Contains("unknown warp scheduler 'got'") && Catch::Contains("lrr, gto, two_level"));
}
