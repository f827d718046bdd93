// The Bloom hit predictor as RTL against its TLM form: random stimulus, and the lockstep's report on faulty RTL.

#include <bloom_counted_sets.h>
#include <bloom_faulty_sets.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <systemc>

#include "model/base/error.h"
#include "model/base/rng.h"
#include "model/rtl/blocks/bloom_rtl.h"
#include "model/rtl/lockstep.h"
#include "tests/rtl/coverage.h"

namespace wharf::test {
namespace {

HitPredictorOptions filter_options(std::uint32_t bytes, std::uint32_t hashes, std::vector<std::uint32_t> associativity) {
  HitPredictorOptions options;
  options.bloom = {bytes, hashes};
  options.associativity = std::move(associativity);
  return options;
}

/// Options with the sizes that are built: few large sets of many blocks, or small ones; some that only `all_touched` empties.
HitPredictorOptions filter_options(const std::string& parameters) {
  std::vector<std::uint32_t> associativity;
  if (parameters == "BYTES=32 HASHES=2 ROWS=256") {
    for (std::uint32_t row = 0; row < 256; ++row) associativity.push_back(row % 4 == 3 ? 0 : 50 + row % 15);
    return filter_options(32, 2, associativity);
  }
  REQUIRE(parameters == "BYTES=16 HASHES=3 ROWS=16");
  for (std::uint32_t row = 0; row < 13; ++row) associativity.push_back(row);
  return filter_options(16, 3, associativity);
}

/// Blocks of few rows, sometimes of any row; some of them repeat often.
HitPredictor::Block any_block(Rng& rng, std::size_t rows) {
  const auto row = static_cast<std::uint32_t>(rng.below(rng.chance(0.8) ? std::min<std::size_t>(rows, 6) : rows));
  const auto tag = static_cast<std::uint32_t>(rng.below(rng.chance(0.5) ? 20 : 1u << 23));
  return {row, tag, {}};
}

/// The RTL and the TLM form of one parameter set.
struct FilterPair {
  HitPredictorOptions options;
  std::unique_ptr<HitPredictor> rtl, tlm;
};

void compare_filters(FilterPair& pair, std::uint64_t seed) {
  Rng rng(seed);
  unsigned hits = 0, swaps = 0;
  for (int i = 0; i < 20000; ++i) {
    const HitPredictor::Block block = any_block(rng, pair.options.associativity.size());
    if (rng.chance(0.5)) {
      const bool hit = pair.tlm->predict_hit(block);
      hits += hit;
      REQUIRE(pair.rtl->predict_hit(block) == hit);
    } else {
      const bool all_touched = rng.chance(0.05), swap = pair.tlm->accessed(block, all_touched);
      swaps += swap;
      REQUIRE(pair.rtl->accessed(block, all_touched) == swap);
    }
  }
  CHECK(hits > 1000);
  CHECK(hits < 9000);
  CHECK(swaps > 50);
}

}  // namespace

TEST_CASE("bloom as RTL answers each query and update as its TLM form does, and the stimulus reaches every line") {
  std::vector<FilterPair> pairs;
  rtl::visit_bloom_counted_sets([&](auto set) {
    using Rtl = rtl::BloomRtl<typename decltype(set)::Model>;
    const HitPredictorOptions options = filter_options(set.text);
    pairs.push_back({options, std::make_unique<Rtl>(sc_core::sc_gen_unique_name("bloom"), "bloom", set.text, options),
                     make_hit_predictor("bloom", options)});
  });
  REQUIRE(pairs.size() == 2);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const std::size_t before = line_coverage("bloom.sv").unreached.size();
  CHECK(before > 0);  // reset alone does not cover everything
  for (FilterPair& pair : pairs) compare_filters(pair, 7);
  const LineCoverage coverage = line_coverage("bloom.sv");
  CHECK(coverage.reached > before);
  CHECK(coverage.unreached == std::vector<std::string>{});
}

TEST_CASE("lockstep ends at the first update in which RTL that swaps a block too late differs, and says which") {
  const HitPredictorOptions options = filter_options(16, 3, {2, 4});
  std::unique_ptr<HitPredictor> faulty;
  rtl::visit_bloom_faulty_sets(
      [&](auto set) { faulty = std::make_unique<rtl::BloomRtl<typename decltype(set)::Model>>("faulty", "bloom", set.text, options); });
  rtl::LockstepHitPredictor both(make_hit_predictor("bloom", options), std::move(faulty));
  sc_core::sc_start(sc_core::sc_time(1500, sc_core::SC_PS));
  for (std::uint32_t tag : {1, 2, 3}) {
    CHECK_FALSE(both.accessed({1, tag, {}}, false));
    CHECK(both.predict_hit({1, tag, {}}));
  }
  // The fourth block fills the set: the TLM form forgets, but the RTL waits for a fifth.
  const std::string report =
      "a block outside the hierarchy: RTL and TLM form differ at 1500 ps (no clock)\n"
      "  inputs: update with row 1, tag 0x4, all touched\n  TLM:    swap\n  RTL:    no swap";
  CHECK_THROWS_MATCHES(both.accessed({1, 4, {}}, true), SimulationError, Catch::Message(report));
}

TEST_CASE("bloom as RTL refuses a set larger than its counters") {
  const HitPredictorOptions options = filter_options(16, 3, {1024});
  rtl::visit_bloom_counted_sets([&](auto set) {
    using Rtl = rtl::BloomRtl<typename decltype(set)::Model>;
    CHECK_THROWS_WITH(Rtl(sc_core::sc_gen_unique_name("bloom"), "bloom", set.text, options), Catch::Contains("up to 1023 blocks"));
  });
}

}  // namespace wharf::test
