// The contract of every cache organisation in the catalogue.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "policies/cache_organisation/cache_organisation.h"

using namespace wharf;

TEST_CASE("cache organisation contract: a static one never changes, one that never shares never shares, whatever it hears") {
  for (const config::PolicyName& policy : cache_organisation_catalogue_names()) {
    CAPTURE(policy.name);
    DynamicParams params;
    params.sample_accesses = 5;
    params.execute_accesses = 20;
    const auto organisation = make_cache_organisation(policy.name, params);
    CHECK(organisation->dynamic() == is_dynamic(policy.name));
    const bool even = organisation->shared(false), odd = organisation->shared(true);
    Rng rng(7);
    for (Cycle now = 1; now < 5000; ++now) {
      organisation->advance(now, 0);
      OrganisationEvent event;
      event.kind = static_cast<OrganisationEvent::Kind>(rng.below(8));
      event.odd = rng.below(2) != 0;
      event.hit = rng.below(2) != 0;
      organisation->observe(event, now);
      if (!organisation->dynamic()) {
        REQUIRE(organisation->shared(false) == even);
        REQUIRE(organisation->shared(true) == odd);
      }
      if (!ever_shares(policy.name)) REQUIRE_FALSE((organisation->shared(false) || organisation->shared(true)));
    }
    CHECK(organisation->phases().empty() == !organisation->dynamic());
    if (organisation->dynamic()) CHECK(organisation->phases().size() > 10);
  }
}

TEST_CASE("cache organisation contract: an unknown name is refused") {
  CHECK_THROWS_AS(make_cache_organisation("adaptive", {}), InputError);
  CHECK_THROWS_AS(is_dynamic("adaptive"), InputError);
}
