// Properties of every set index in the catalogue.
#include "policies/set_index/set_index.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "model/base/error.h"
#include "model/base/rng.h"

using namespace wharf;

TEST_CASE("every set index spreads each aligned run of as many lines as sets over all sets once") {
  Rng rng(17);
  for (const auto& policy : set_index_catalogue_names()) {
    for (std::uint32_t sets = 1; sets <= 4096; sets *= 2) {
      INFO(policy.name << " " << sets);
      const SetIndex index = make_set_index(policy.name, sets);
      CHECK(index.sets() == sets);
      for (int run = 0; run < 8; ++run) {
        const std::uint64_t first = (rng.next() >> (7 * run)) / sets * sets;
        std::vector<unsigned> lines(sets, 0);
        for (std::uint32_t i = 0; i < sets; ++i) {
          const std::uint32_t set = index(first + i);
          REQUIRE(set < sets);
          ++lines[set];
        }
        CHECK(lines == std::vector<unsigned>(sets, 1));
      }
    }
  }
}

TEST_CASE("every set index maps the first lines in order") {
  for (const auto& policy : set_index_catalogue_names()) {
    CHECK_FALSE(policy.help.empty());
    const SetIndex index = make_set_index(policy.name, 32);
    for (std::uint32_t line = 0; line < 32; ++line) CHECK(index(line) == line);
  }
}

TEST_CASE("every set index refuses zero sets") {
  for (const auto& policy : set_index_catalogue_names()) CHECK_THROWS_AS(make_set_index(policy.name, 0), InputError);
}

TEST_CASE("an unknown set index is refused with the names on offer") {
  CHECK_THROWS_WITH(make_set_index("xorr", 32),
                    Catch::Contains("unknown set index 'xorr'") && Catch::Contains("linear, xor, ipoly, fold8"));
}
