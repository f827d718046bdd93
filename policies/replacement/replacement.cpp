#include "policies/replacement/replacement.h"

#include <algorithm>
#include <string>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "model/base/rng.h"

namespace wharf {
namespace {

constexpr const char* kNoSets = "a cache has 0 sets; give it at least one";

}  // namespace

Replacement::Replacement(ReplacementKind kind, std::uint32_t sets, std::uint32_t ways, std::uint64_t seed)
    : kind_(kind), sets_(sets), seed_(seed) {
  if (sets == 0) throw InputError(kNoSets);
  resize(ways);
}

Replacement::Replacement(MakeReplacement make, const ReplacementOptions& options)
    : kind_(ReplacementKind::added), sets_(options.sets), seed_(options.seed), make_added_([make, options](std::uint32_t ways) {
        ReplacementOptions resized = options;
        resized.ways = ways;
        return make(resized);
      }) {
  if (sets_ == 0) throw InputError(kNoSets);
  resize(options.ways);
}

void Replacement::resize(std::uint32_t ways) {
  if (ways == 0 || ways > kMaxWays)
    throw InputError("a cache of " + std::to_string(ways) + " ways is not offered; choose 1 to " + std::to_string(kMaxWays));
  ways_ = ways;
  leaves_ = std::uint32_t{1} << ceil_log2(ways);
  touch_orders_ = kind_ == ReplacementKind::lru && ways <= WayOrder::kMostWays;
  fill_orders_ = touch_orders_ || (kind_ == ReplacementKind::fifo && ways <= WayOrder::kMostWays);
  switch (kind_) {
    case ReplacementKind::lru:
    case ReplacementKind::fifo:
      orders_.assign(fill_orders_ ? sets_ : 0, WayOrder(std::min(ways, WayOrder::kMostWays)));
      rings_.resize(fill_orders_ ? 0 : std::size_t{sets_} * (ways + 1));
      for (std::size_t i = 0; i < rings_.size(); ++i) {
        const auto cell = static_cast<std::uint32_t>(i % (ways + 1));
        rings_[i] = {static_cast<std::uint16_t>(cell == 0 ? ways : cell - 1), static_cast<std::uint16_t>(cell == ways ? 0 : cell + 1)};
      }
      break;
    case ReplacementKind::random:
      fills_.assign(sets_, 0);
      break;
    case ReplacementKind::tree_plru:
      points_right_.assign(std::size_t{sets_} * leaves_, 0);
      break;
    case ReplacementKind::added:
      added_ = make_added_(ways);
      break;
  }
}

void Replacement::touch_otherwise(std::uint32_t set, std::uint32_t way) {
  if (kind_ == ReplacementKind::lru)
    make_newest_of_many(set, way);
  else if (kind_ == ReplacementKind::tree_plru)
    point_away(set, way);
  else if (kind_ == ReplacementKind::added)
    added_->touch(set, way);
}

void Replacement::fill_otherwise(std::uint32_t set, std::uint32_t way) {
  switch (kind_) {
    case ReplacementKind::lru:
    case ReplacementKind::fifo:
      make_newest_of_many(set, way);
      break;
    case ReplacementKind::random:
      ++fills_[set];
      break;
    case ReplacementKind::tree_plru:
      point_away(set, way);
      break;
    case ReplacementKind::added:
      added_->fill(set, way);
      break;
  }
}

std::uint64_t Replacement::draw(std::uint32_t set) const {
  const std::uint64_t of_set = SplitMix64(seed_ ^ set).next();
  return SplitMix64(of_set + fills_[set]).next();
}

}  // namespace wharf
