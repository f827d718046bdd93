// Properties of every CTA scheduler in the catalogue.
#include "policies/cta_scheduler/cta_scheduler.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "model/base/rng.h"

using namespace wharf;

namespace {

struct Run {
  std::vector<CtaScheduler::Dispatch> given;
  unsigned without_room = 0;  // dispatched to an SM without a free slot
};

// A kernel on a chip of 12 SMs: every third is not eligible, and CTAs finish at random.
Run run(CtaScheduler& scheduler, std::uint64_t ctas, std::uint64_t seed) {
  std::vector<std::uint32_t> eligible;
  CtaScheduler::Room room(12, 1);
  for (std::uint32_t sm = 0; sm < 12; ++sm)
    if (sm % 3 != 2) eligible.push_back(sm);
  scheduler.start_kernel(ctas, eligible);
  Rng rng(seed);
  std::vector<unsigned> free_slots(12, 4);
  Run result;
  for (int cycle = 0; cycle < 20000 && result.given.size() < ctas; ++cycle) {
    while (const auto dispatch = scheduler.next(room)) {
      result.without_room += room.at(dispatch->sm) == 0;
      result.given.push_back(*dispatch);
      room[dispatch->sm] = --free_slots[dispatch->sm] != 0;
    }
    const std::uint32_t sm = eligible[rng.below(eligible.size())];
    if (free_slots[sm] < 4) room[sm] = ++free_slots[sm] != 0;
  }
  return result;
}

}  // namespace

TEST_CASE("every CTA scheduler gives out each CTA once to an eligible SM with room") {
  for (const auto& policy : cta_scheduler_catalogue_names()) {
    INFO(policy.name);
    CHECK_FALSE(policy.help.empty());
    const auto scheduler = make_cta_scheduler(policy.name);
    for (const std::uint64_t ctas : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{100}, std::uint64_t{1000}}) {
      const Run result = run(*scheduler, ctas, ctas);
      std::vector<unsigned> times(ctas, 0);
      unsigned ineligible = 0;
      for (const auto& dispatch : result.given) {
        ++times.at(dispatch.cta);
        ineligible += dispatch.sm % 3 == 2;
      }
      CHECK(times == std::vector<unsigned>(ctas, 1));
      CHECK(ineligible == 0);
      CHECK(result.without_room == 0);
      CHECK_FALSE(scheduler->next(CtaScheduler::Room(12, 1)).has_value());
    }
  }
}

TEST_CASE("every CTA scheduler gives the CTAs of one SM out in ascending order") {
  for (const auto& policy : cta_scheduler_catalogue_names()) {
    INFO(policy.name);
    const auto scheduler = make_cta_scheduler(policy.name);
    std::vector<std::int64_t> last(12, -1);
    unsigned descending = 0;
    for (const auto& dispatch : run(*scheduler, 500, 3).given) {
      descending += static_cast<std::int64_t>(dispatch.cta) <= last[dispatch.sm];
      last[dispatch.sm] = static_cast<std::int64_t>(dispatch.cta);
    }
    CHECK(descending == 0);
  }
}

TEST_CASE("every CTA scheduler gives a kernel without CTAs and an SM without room nothing") {
  for (const auto& policy : cta_scheduler_catalogue_names()) {
    INFO(policy.name);
    const auto scheduler = make_cta_scheduler(policy.name);
    scheduler->start_kernel(0, {0, 1});
    CHECK_FALSE(scheduler->next({1, 1}).has_value());
    scheduler->start_kernel(5, {0, 1});
    CHECK_FALSE(scheduler->next({0, 0}).has_value());
    CHECK(scheduler->next({0, 1})->sm == 1);
  }
}

TEST_CASE("an unknown CTA scheduler is refused with the names on offer") {
  CHECK_THROWS_WITH(make_cta_scheduler("roundrobin"),
                    Catch::Contains("unknown CTA scheduler 'roundrobin'") && Catch::Contains("round_robin, rotating, distributed"));
}
