// Properties of every hit predictor in the catalogue.
#include "policies/hit_predictor/hit_predictor.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "model/base/rng.h"

using namespace wharf;

namespace {

/// One set in strict LRU order, newest first.
struct LruSet {
  std::size_t ways;
  std::vector<std::uint32_t> tags;

  bool holds(std::uint32_t tag) const { return std::find(tags.begin(), tags.end(), tag) != tags.end(); }
  void use(std::uint32_t tag) {
    tags.erase(std::remove(tags.begin(), tags.end(), tag), tags.end());
    tags.insert(tags.begin(), tag);
    if (tags.size() > ways) tags.pop_back();
  }
};

}  // namespace

TEST_CASE("no hit predictor ever misses a block that an LRU set holds, whatever is used") {
  for (const auto& policy : hit_predictor_catalogue_names()) {
    INFO(policy.name);
    CHECK_FALSE(policy.help.empty());
    LruSet sets[2] = {{50, {}}, {64, {}}};
    HitPredictorOptions options;
    options.associativity = {50, 64};
    options.resident = [&](LineAddress line) { return sets[line.number & 1].holds(static_cast<std::uint32_t>(line.number >> 1)); };
    const auto predictor = make_hit_predictor(policy.name, options);
    Rng rng(3);
    for (int i = 0; i < 60000; ++i) {
      const std::uint32_t row = static_cast<std::uint32_t>(rng.below(2));
      LruSet& set = sets[row];
      const bool reuse = !set.tags.empty() && rng.chance(0.5);
      const std::uint32_t tag = reuse ? set.tags[rng.below(set.tags.size())] : static_cast<std::uint32_t>(rng.below(1u << 17));
      const HitPredictor::Block block{row, tag, {std::uint64_t{tag} << 1 | row}};
      if (set.holds(tag)) REQUIRE(predictor->predict_hit(block));
      set.use(tag);
      predictor->accessed(block, false);
      REQUIRE(predictor->counted(row) <= set.ways);
    }
  }
}

TEST_CASE("no hit predictor ever misses a block of a set whose victims are arbitrary, if it is told when all it holds has been touched") {
  for (const auto& policy : hit_predictor_catalogue_names()) {
    INFO(policy.name);
    std::vector<std::uint32_t> held, touched;
    HitPredictorOptions options;
    options.associativity = {0};
    options.resident = [&](LineAddress line) {
      return std::find(held.begin(), held.end(), static_cast<std::uint32_t>(line.number)) != held.end();
    };
    const auto predictor = make_hit_predictor(policy.name, options);
    Rng rng(11);
    bool swapped = false;
    for (int i = 0; i < 60000; ++i) {
      const bool reuse = !held.empty() && rng.chance(0.8);
      const std::uint32_t tag = reuse ? held[rng.below(held.size())] : static_cast<std::uint32_t>(rng.below(1u << 17));
      const HitPredictor::Block block{0, tag, {tag}};
      if (reuse) REQUIRE(predictor->predict_hit(block));
      if (!reuse && std::find(held.begin(), held.end(), tag) == held.end()) {
        if (held.size() == 20)
          held[rng.below(20)] = tag;  // any victim
        else
          held.push_back(tag);
      }
      touched.push_back(tag);
      const bool all = std::all_of(held.begin(), held.end(),
                                   [&](std::uint32_t one) { return std::find(touched.begin(), touched.end(), one) != touched.end(); });
      if (predictor->accessed(block, all)) {
        touched.clear();
        swapped = true;
      }
    }
    CHECK(swapped == (policy.name == "bloom"));
  }
}

TEST_CASE("an unknown hit predictor is refused with the names on offer, and so are options out of their range") {
  CHECK_THROWS_WITH(make_hit_predictor("psychic", {}),
                    Catch::Contains("unknown hit predictor 'psychic'") && Catch::Contains("none, bloom, perfect"));
  CHECK_THROWS_WITH(make_hit_predictor("perfect", {}), Catch::Contains("not connected to"));
  HitPredictorOptions options;
  options.bloom.bytes = 48;
  CHECK_THROWS_WITH(make_hit_predictor("bloom", options), Catch::Contains("1, 2, 4 ... 4096 bytes"));
  options.bloom = {32, 5};
  CHECK_THROWS_WITH(make_hit_predictor("bloom", options), Catch::Contains("1 to 4 hashes"));
}
