#include "policies/replacement/replacement.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/archive.h"
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

Replacement::Replacement(std::function<std::unique_ptr<AddedReplacement>(const ReplacementOptions&)> make,
                         const ReplacementOptions& options)
    : kind_(ReplacementKind::added),
      sets_(options.sets),
      seed_(options.seed),
      make_added_([make = std::move(make), options](std::uint32_t ways) {
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
      rings_.assign(fill_orders_ ? 0 : sets_, WayRing(ways));
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

void Replacement::touch_otherwise(std::uint32_t set, std::uint32_t way, const Access& access) {
  if (kind_ == ReplacementKind::lru)
    rings_[set].make_newest(way);
  else if (kind_ == ReplacementKind::tree_plru)
    point_away(set, way);
  else if (kind_ == ReplacementKind::added)
    added_->touch(set, way, access);
}

void Replacement::fill_otherwise(std::uint32_t set, std::uint32_t way, const Access& access) {
  switch (kind_) {
    case ReplacementKind::lru:
    case ReplacementKind::fifo:
      rings_[set].make_newest(way);
      break;
    case ReplacementKind::random:
      ++fills_[set];
      break;
    case ReplacementKind::tree_plru:
      point_away(set, way);
      break;
    case ReplacementKind::added:
      added_->fill(set, way, access);
      break;
  }
}

std::uint64_t Replacement::draw(std::uint32_t set) const {
  const std::uint64_t of_set = SplitMix64(seed_ ^ set).next();
  return SplitMix64(of_set + fills_[set]).next();
}

bool Replacement::archive(Archive& file) {
  std::string name = name_;
  file(name);
  if (name != name_) {
    file.skip_rest();
    return false;
  }
  file.elements(orders_);
  file.elements(rings_);
  file.elements(fills_);
  file.elements(points_right_);
  if (added_ != nullptr && !added_->archive(file)) Archive::refuse("the replacement policy " + name_);
  return true;
}

}  // namespace wharf
