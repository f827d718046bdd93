// The contract of every arbitration policy in the catalogue (policies/arbitration/port_allocator.h).

#include "tests/contract/arbitration_contract.h"

#include <string>

#include "model/base/error.h"
#include "policies/arbitration/catalogue.h"
#include "policies/arbitration/small_islip.h"

using namespace wharf;
using namespace wharf::arbitration;

namespace {

const Size kSizes[] = {{1, 1, 1}, {1, 5, 1}, {5, 1, 2}, {4, 4, 1}, {3, 7, 3}, {80, 64, 1}, {65, 128, 2}, {128, 128, 1}};

// Runs a check for every policy and size.
void for_every_policy(void (*check)(const MakeAllocator& make, const Size& size)) {
  REQUIRE_FALSE(catalogue_names().empty());
  for (const auto& policy : catalogue_names())
    for (const Size& size : kSizes) {
      CAPTURE(policy.name, size.inputs, size.outputs, size.iterations);
      check([&](const Size& s) { return make(policy.name, s.inputs, s.outputs, s.iterations); }, size);
    }
}

}  // namespace

TEST_CASE("arbitration grants a matching of requests, and something wherever something is asked for") {
  for_every_policy(grants_a_matching);
}

TEST_CASE("arbitration grants requests that do not compete all at once") { for_every_policy(grants_all_that_does_not_compete); }

TEST_CASE("arbitration serves a standing request within inputs times outputs rounds, among all others") {
  for_every_policy(serves_among_all);
}

TEST_CASE("arbitration serves a standing request within inputs times outputs rounds, among requests that come and go") {
  for_every_policy(serves_among_some);
}

TEST_CASE("arbitration does not change in a round in which nothing is asked for, and depends on its requests only") {
  for_every_policy(keeps_still_when_idle);
}

TEST_CASE("arbitration refuses sizes that it cannot serve and names that it does not know") {
  for (const auto& policy : catalogue_names()) {
    CAPTURE(policy.name);
    CHECK_FALSE(policy.help.empty());
    CHECK_THROWS_AS(make(policy.name, 0, 4, 1), InputError);
    CHECK_THROWS_AS(make(policy.name, 4, 0, 1), InputError);
    CHECK_THROWS_AS(make(policy.name, kMaxPorts + 1, 4, 1), InputError);
    CHECK_THROWS_AS(make(policy.name, 4, kMaxPorts + 1, 1), InputError);
    CHECK_THROWS_AS(make(policy.name, 4, 4, 0), InputError);
  }
  CHECK_THROWS_WITH(make("lru", 4, 4, 1), Catch::Matchers::Contains("unknown arbitration policy 'lru'; choose one of islip, round_robin"));
}

TEST_CASE("arbitration: the small iSLIP of a router gives the same answers as iSLIP") {
  for (const unsigned ports : {1u, 2u, 5u, 6u, 16u})
    for (const unsigned iterations : {1u, 2u, 4u}) {
      CAPTURE(ports, iterations);
      const auto islip = make("islip", ports, ports, iterations);
      SmallIslip small;
      std::mt19937 random(ports * 10 + iterations);
      Matching matching;
      unsigned different = 0, matched = 0;
      for (unsigned round = 0; round < 2000; ++round) {
        const Round asked = random_round({ports, ports, iterations}, random, round % 3 == 0 ? 60 : 15, 80);
        islip->allocate(asked.view(), matching);
        SmallIslip::Ports by_output[SmallIslip::kPorts] = {};
        unsigned outputs = 0;
        for (unsigned o = 0; o < ports; ++o) {
          for (unsigned i = 0; i < ports; ++i)
            if (asked.legal(i, o)) by_output[o] = static_cast<SmallIslip::Ports>(by_output[o] | 1u << i);
          if (by_output[o] != 0) outputs |= 1u << o;
        }
        std::vector<std::pair<unsigned, unsigned>> granted;
        small.allocate(by_output, static_cast<SmallIslip::Ports>(outputs), ports, iterations,
                       [&](unsigned input, unsigned output) { granted.emplace_back(input, output); });
        different += granted != pairs(matching);
        matched += matching.size();
      }
      CHECK(different == 0);
      CHECK(matched > 300);
    }
}
