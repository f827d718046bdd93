// Properties of every core selector in the catalogue.
#include "policies/core_selector/core_selector.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "model/base/rng.h"

using namespace wharf;

namespace {

CoreSelectorOptions options_of(unsigned cores, unsigned self) {
  CoreSelectorOptions options{cores, self, {}, {}, 7};
  for (unsigned core = 0; core < cores; ++core) options.hops.push_back(static_cast<std::uint16_t>(core > self ? core - self : self - core));
  return options;
}

}  // namespace

TEST_CASE("every core selector names different cores, never its own, and no more than it is asked for") {
  for (const auto& policy : core_selector_catalogue_names()) {
    INFO(policy.name);
    CHECK_FALSE(policy.help.empty());
    for (const unsigned cores : {2u, 5u, 28u, 128u}) {
      const unsigned self = cores / 2;
      const auto selector = make_core_selector(policy.name, options_of(cores, self));
      Rng rng(cores);
      unsigned wrong = 0;
      for (Cycle now = 0; now < 30000; now += 30) {
        HolderMask holders;
        for (unsigned core = 0; core < cores; ++core)
          if (rng.chance(0.2)) holders.set(core);
        const auto count = static_cast<unsigned>(rng.between(1, cores - 1));
        CoreList list;
        selector->select(count, holders, now, list);
        std::vector<unsigned> chosen(list.cores.begin(), list.cores.begin() + list.count);
        std::sort(chosen.begin(), chosen.end());
        wrong += list.count > count || std::adjacent_find(chosen.begin(), chosen.end()) != chosen.end();
        for (const unsigned core : chosen) wrong += core == self || core >= cores;
        if (list.count != 0) selector->replied(list.cores[rng.below(list.count)], now);
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("the core selectors that do not ask who holds the line name all others when they are asked for all") {
  for (const char* const name : {"index", "next", "supplier"}) {
    INFO(name);
    const auto selector = make_core_selector(name, options_of(28, 27));
    CoreList list;
    selector->select(27, {}, 0, list);
    CHECK(list.count == 27);
  }
}

TEST_CASE("an unknown core selector is refused with the names on offer") {
  CHECK_THROWS_WITH(make_core_selector("far", options_of(4, 0)),
                    Catch::Contains("unknown core selector 'far'") && Catch::Contains("index, next, supplier, nearest"));
  CHECK_THROWS_WITH(make_core_selector("index", CoreSelectorOptions{1, 0, {}, {}, 1}), Catch::Contains("2 to 160 SMs"));
  CHECK_THROWS_WITH(make_core_selector("nearest", CoreSelectorOptions{4, 0, {}, {}, 1}), Catch::Contains("distance of every SM"));
  CHECK_THROWS_WITH(make_core_selector("supplier", CoreSelectorOptions{4, 0, {0, {}}, {}, 1}), Catch::Contains("at least one cycle"));
}
