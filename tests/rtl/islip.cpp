// The RTL of iSLIP against its TLM form.

#include "policies/arbitration/islip.h"

#include <islip_counted_sets.h>
#include <islip_faulty_sets.h>

#include <catch2/catch.hpp>
#include <string>

#include "model/base/error.h"
#include "model/rtl/blocks/islip_rtl.h"
#include "model/rtl/catalogue.h"
#include "model/rtl/lockstep.h"
#include "tests/contract/arbitration_contract.h"
#include "tests/rtl/coverage.h"
#include "tests/rtl/start.h"

namespace wharf::rtl {
namespace {

using namespace arbitration;

// Some sizes fill one of the built arrays, others leave ports of it unused.
const Size kSizes[] = {{1, 1, 1},   {1, 5, 1},   {5, 1, 2},   {4, 4, 1},   {3, 7, 2},  {16, 16, 1},
                       {30, 24, 1}, {24, 30, 1}, {32, 32, 1}, {80, 32, 1}, {80, 64, 1}};

std::unique_ptr<PortAllocator> make(const Size& size) { return make_islip_rtl(size.inputs, size.outputs, size.iterations); }

std::vector<std::pair<unsigned, unsigned>> sorted_pairs(const Matching& matching) {
  auto result = pairs(matching);
  std::sort(result.begin(), result.end());
  return result;
}

void keeps(void (*check)(const MakeAllocator& make, const Size& size)) {
  std::vector<std::unique_ptr<PortAllocator>> made;
  for (const Size& size : kSizes)
    for (unsigned i = 0; i < 2; ++i) made.push_back(make(size));
  start();
  for (std::size_t s = 0; s < std::size(kSizes); ++s) {
    CAPTURE(kSizes[s].inputs, kSizes[s].outputs, kSizes[s].iterations);
    std::size_t next = 2 * s;
    check([&](const Size&) { return std::move(made.at(next++)); }, kSizes[s]);
  }
}

TEST_CASE("iSLIP as RTL grants a matching of requests, and something wherever something is asked for") { keeps(grants_a_matching); }
TEST_CASE("iSLIP as RTL grants requests that do not compete all at once") { keeps(grants_all_that_does_not_compete); }
TEST_CASE("iSLIP as RTL serves a standing request among all others") { keeps(serves_among_all); }
TEST_CASE("iSLIP as RTL serves a standing request among requests that come and go") { keeps(serves_among_some); }
TEST_CASE("iSLIP as RTL does not change in a round in which nothing is asked for") { keeps(keeps_still_when_idle); }

TEST_CASE("iSLIP as RTL matches as its TLM form does, with all ports of the array or some") {
  std::vector<std::unique_ptr<PortAllocator>> made;
  for (const Size& size : kSizes) made.push_back(make(size));
  start();
  for (std::size_t s = 0; s < std::size(kSizes); ++s) {
    const Size& size = kSizes[s];
    CAPTURE(size.inputs, size.outputs, size.iterations);
    Islip tlm(size.inputs, size.outputs, size.iterations);
    std::mt19937 random(static_cast<unsigned>(s));
    Matching expected, matching;
    unsigned different = 0, matched = 0;
    for (unsigned r = 0; r < 500; ++r) {
      const Round round = random_round(size, random, r % 3 == 0 ? 60 : 10, 10 + random() % 91);
      tlm.allocate(round.view(), expected);
      made[s]->allocate(round.view(), matching);
      different += sorted_pairs(matching) != sorted_pairs(expected);
      matched += matching.size();
    }
    CHECK(different == 0);
    CHECK(matched > 10);
  }
}

TEST_CASE("random requests reach every line of iSLIP as RTL") {
  visit_islip_counted_sets([](auto set) {
    LockstepAllocator lockstep(std::make_unique<Islip>(5, 3, 2),
                               std::make_unique<IslipRtl<typename decltype(set)::Model>>("rtl", "islip_counted", set.text));
    start();
    std::mt19937 random(1);
    Matching matching;
    for (unsigned r = 0; r < 500; ++r) lockstep.allocate(random_round({5, 3, 2}, random, 40, 80).view(), matching);
    const test::LineCoverage coverage = test::line_coverage("islip.sv");  // the model counts the lines reached
    CHECK(coverage.unreached == std::vector<std::string>{});
    CHECK(coverage.reached > 10);
  });
}

TEST_CASE("iSLIP in lockstep with RTL whose accept pointer stays at its partner stops at the first round that differs") {
  visit_islip_faulty_sets([](auto set) {
    using Model = typename decltype(set)::Model;
    LockstepAllocator lockstep(std::make_unique<Islip>(4, 4, 1), std::make_unique<IslipRtl<Model>>("rtl", "islip_faulty", set.text));
    start();
    Round round({4, 4, 1});
    round.by_output[1].set(2);
    round.by_output[3].set(2);
    Matching matching;
    // Input 2 accepts output 1, and next time output 3. The faulty RTL, whose pointer did not move, accepts output 1 again.
    lockstep.allocate(round.view(), matching);
    CHECK(pairs(matching) == std::vector<std::pair<unsigned, unsigned>>{{2, 1}});
    CHECK_THROWS_WITH(lockstep.allocate(round.view(), matching),
                      Catch::Contains("RTL and TLM form differ at 0 ps") &&
                          Catch::Contains("inputs: free inputs 0 1 2 3; output 1 asked by 2; output 3 asked by 2") &&
                          Catch::Contains("TLM:    2 -> 3") && Catch::Contains("RTL:    2 -> 1"));
  });
}

TEST_CASE("iSLIP as RTL is refused where no array was built for it, with those that were") {
  CHECK_THROWS_WITH(make({128, 4, 1}), Catch::Contains("not built for INPUTS=128 or more OUTPUTS=4 or more ITERATIONS=1") &&
                                           Catch::Contains("INPUTS=80 OUTPUTS=32 ITERATIONS=1") && Catch::Contains("WHARF_RTL_ISLIP_SETS"));
  CHECK_THROWS_AS(make({4, 4, 3}), InputError);
}

}  // namespace
}  // namespace wharf::rtl
