// The pair of Bloom filters (morpheus section 5.1): what it forgets and when, and its error rate against theory.
#include <catch2/catch.hpp>
#include <cmath>
#include <list>

#include "model/base/rng.h"
#include "policies/hit_predictor/bloom.h"

using namespace wharf;

namespace {

HitPredictor::Block block(std::uint32_t tag, std::uint32_t row = 0) { return {row, tag, {tag}}; }

/// The textbook probability that all `hashes` bits of an absent block are set in a filter of `bits` bits with `blocks` distinct blocks.
double analytic(double bits, double hashes, double blocks) { return std::pow(1.0 - std::pow(1.0 - 1.0 / bits, hashes * blocks), hashes); }

/// Mean over the life of a first filter. It starts with the `blocks` of one life of the second and receives as many more, one by one.
double expected_rate(double bits, double hashes, double blocks) {
  double sum = 0.0;
  const int steps = static_cast<int>(blocks);
  for (int more = 0; more < steps; ++more) sum += analytic(bits, hashes, blocks + more);
  return sum / steps;
}

struct Measured {
  double rate;  // false positives per actual miss
  double life;  // misses from one swap to the next
};

Measured false_positives(std::uint32_t hashes, unsigned ways, double reuse) {
  BloomHitPredictor predictor({32, hashes}, {ways});
  Rng rng(17);
  std::list<std::uint32_t> set;
  std::uint64_t misses = 0, errors = 0, swaps = 0, late_misses = 0;
  for (int i = 0; i < 200000; ++i) {
    auto held = set.begin();
    const bool hit = set.size() == ways && rng.chance(reuse);
    if (hit) std::advance(held, static_cast<long>(rng.below(ways)));
    const std::uint32_t tag = hit ? *held : static_cast<std::uint32_t>(rng.below(1u << 17));
    if (!hit && std::find(set.begin(), set.end(), tag) != set.end()) continue;
    if (swaps > 2 && !hit) {
      ++late_misses;
      ++misses;
      errors += predictor.predict_hit(block(tag)) ? 1 : 0;
    }
    if (hit) set.erase(held);
    set.push_front(tag);
    if (set.size() > ways) set.pop_back();
    swaps += predictor.accessed(block(tag), false) ? 1 : 0;
  }
  return {static_cast<double>(errors) / static_cast<double>(misses), static_cast<double>(late_misses) / static_cast<double>(swaps - 2)};
}

}  // namespace

TEST_CASE("the filters swap with the access that makes as many distinct blocks as the set has ways, and forget what came before those") {
  BloomHitPredictor predictor({256, 2}, {3});
  CHECK_FALSE(predictor.predict_hit(block(1)));
  CHECK_FALSE(predictor.accessed(block(1), false));
  CHECK_FALSE(predictor.accessed(block(2), false));
  CHECK_FALSE(predictor.accessed(block(1), false));  // a repeated block: not distinct
  CHECK(predictor.counted(0) == 2);
  CHECK(predictor.accessed(block(3), false));
  CHECK(predictor.counted(0) == 0);
  for (const std::uint32_t tag : {4u, 5u}) CHECK_FALSE(predictor.accessed(block(tag), false));
  CHECK(predictor.predict_hit(block(1)));  // still in the first filter
  CHECK(predictor.accessed(block(6), false));
  CHECK_FALSE(predictor.predict_hit(block(1)));
  for (const std::uint32_t tag : {4u, 5u, 6u}) CHECK(predictor.predict_hit(block(tag)));
}

TEST_CASE("a set that is no LRU set swaps when all it holds has been touched, and not before") {
  BloomHitPredictor predictor({256, 2}, {0});
  for (std::uint32_t tag = 1; tag < 200; ++tag) CHECK_FALSE(predictor.accessed(block(tag), false));
  CHECK(predictor.predict_hit(block(7)));
  CHECK(predictor.accessed(block(200), true));  // the contents of the second filter become the first
  CHECK(predictor.predict_hit(block(7)));
  CHECK(predictor.accessed(block(201), true));
  CHECK_FALSE(predictor.predict_hit(block(7)));
}

TEST_CASE("rows share no bits: what one set has used says nothing of another") {
  BloomHitPredictor predictor({32, 2}, {50, 50});
  for (std::uint32_t tag = 0; tag < 40; ++tag) predictor.accessed(block(tag, 0), false);
  for (std::uint32_t tag = 0; tag < 1000; ++tag) CHECK_FALSE(predictor.predict_hit(block(tag, 1)));
}

TEST_CASE("without reuse the false-positive rate of the pair is what an analytic Bloom filter of its age has, within a tenth") {
  for (const unsigned ways : {32u, 50u, 64u, 96u}) {
    for (const std::uint32_t hashes : {1u, 2u, 3u, 4u}) {
      INFO(ways << " ways, " << hashes << " hashes");
      const Measured measured = false_positives(hashes, ways, 0.0);
      CHECK(measured.life >= ways);  // a block that the second filter falsely reports is not counted
      CHECK(measured.rate == Approx(expected_rate(256, hashes, measured.life)).epsilon(0.10));
    }
  }
}

TEST_CASE("the rates of the specification's table for two hashes come out: blocks a set, and share of hits") {
  const struct {
    unsigned ways;
    double reuse, rate;
  } rows[] = {{32, 0.0, .10}, {32, 0.5, .08}, {32, 0.8, .07}, {50, 0.0, .21}, {50, 0.5, .17}, {50, 0.8, .15},
              {64, 0.0, .30}, {64, 0.5, .26}, {64, 0.8, .23}, {96, 0.0, .52}, {96, 0.5, .48}, {96, 0.8, .44}};
  for (const auto& row : rows) {
    INFO(row.ways << " blocks, " << row.reuse << " hits");
    CHECK(false_positives(2, row.ways, row.reuse).rate == Approx(row.rate).margin(0.025));
  }
}
