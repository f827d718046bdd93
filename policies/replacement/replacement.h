#pragma once
// Chooses the way of a set that gives way to a new line. Not virtual, because every hit calls it. The tag array handles empty ways.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/access.h"
#include "model/base/arguments.h"
#include "model/base/config/binder.h"
#include "policies/replacement/way_order.h"
#include "policies/replacement/way_ring.h"

namespace wharf {

class Archive;

enum class ReplacementKind : std::uint8_t { lru, fifo, random, tree_plru, added };

/// The ways of a set that may be evicted. Refers to the caller's predicate for the duration of one call.
class EligibleWays {
 public:
  template <class Eligible>
  explicit EligibleWays(const Eligible& eligible)
      : asker_(&eligible), ask_([](const void* asker, std::uint32_t way) -> bool { return (*static_cast<const Eligible*>(asker))(way); }) {}
  bool operator()(std::uint32_t way) const { return ask_(asker_, way); }

 private:
  const void* asker_;
  bool (*ask_)(const void*, std::uint32_t);
};

/// A policy behind an interface: a member of the family, or one that a plugin adds. It holds the state of every set of one cache, whose
/// ways are all empty at first. Each call brings the access, with its line, kind, pc, CTA, warp and SM. It must keep the contract of
/// Replacement, below.
class AddedReplacement {
 public:
  virtual ~AddedReplacement() = default;
  /// `access` has used the line in `way`.
  virtual void touch(std::uint32_t set, std::uint32_t way, const Access& access) = 0;
  /// The line of `access` entered `way`, which was empty or the victim.
  virtual void fill(std::uint32_t set, std::uint32_t way, const Access& access) = 0;
  /// One of the ways for which `eligible(way)` holds, for the line of `access`; Replacement::kNone if there is none.
  virtual int victim(std::uint32_t set, const EligibleWays& eligible, const Access& access) const = 0;
  /// The line in `way` was invalidated: the way is empty.
  virtual void remove(std::uint32_t /*set*/, std::uint32_t /*way*/) {}
  /// Saves or loads its state (model/base/archive.h); false if it cannot be saved; checkpoints are then refused.
  virtual bool archive(Archive& /*file*/) { return false; }
};

struct ReplacementOptions {
  std::uint32_t sets = 1, ways = 1;
  std::uint64_t seed = 1;
  Arguments arguments = {};
};
using MakeReplacement = std::unique_ptr<AddedReplacement> (*)(const ReplacementOptions&);

/// The state of every set of one cache. Asking for a victim changes nothing, so a refused access may ask again: until the set's next fill
/// or touch, the answer for the same eligible ways is the same.
class Replacement {
 public:
  static constexpr int kNone = -1;
  static constexpr std::uint32_t kMaxWays = WayRing::kMostWays;

  /// `sets` >= 1 and `ways` in 1..kMaxWays; throws InputError otherwise. Only random uses `seed`.
  Replacement(ReplacementKind kind, std::uint32_t sets, std::uint32_t ways, std::uint64_t seed);
  /// For an added policy: `make` is called for these ways, and again for others when they change.
  Replacement(std::function<std::unique_ptr<AddedReplacement>(const ReplacementOptions&)> make, const ReplacementOptions& options);

  std::uint32_t ways() const { return ways_; }
  /// Its name in configurations, with the arguments. archive() distinguishes policies by it.
  void set_name(std::string_view name) { name_ = name; }
  /// Returns false if the saved state is that of a policy with another name; it is then ignored.
  bool archive(Archive& file);

  /// `access` has used the line in `way`.
  void touch(std::uint32_t set, std::uint32_t way, const Access& access) {
    if (touch_orders_) return orders_[set].make_newest(way);
    touch_otherwise(set, way, access);
  }

  /// The line of `access` entered `way`.
  void fill(std::uint32_t set, std::uint32_t way, const Access& access) {
    if (fill_orders_) return orders_[set].make_newest(way);
    fill_otherwise(set, way, access);
  }

  /// The line in `way` was invalidated.
  void remove(std::uint32_t set, std::uint32_t way) {
    if (added_ != nullptr) added_->remove(set, way);
  }

  /// The way to evict for the line of `access`, among those for which `eligible(way)` holds; kNone if there is none.
  template <class Eligible>
  int victim(std::uint32_t set, const Access& access, Eligible eligible) const {
    if (!fill_orders_) return victim_otherwise(set, access, eligible);
    const WayOrder order = orders_[set];
    for (std::uint32_t age = ways_; age-- > 0;)
      if (const std::uint32_t way = order.of_age(age); eligible(way)) return static_cast<int>(way);
    return kNone;
  }

  /// Changes the number of ways and clears all state; only for an empty cache. Throws InputError as the constructor does.
  void resize(std::uint32_t ways);

 private:
  // The functions below are not inlined: caches with few ways and lru, the common case, use none of them.
  [[gnu::noinline]] void touch_otherwise(std::uint32_t set, std::uint32_t way, const Access& access);
  [[gnu::noinline]] void fill_otherwise(std::uint32_t set, std::uint32_t way, const Access& access);
  template <class Eligible>
  [[gnu::noinline]] int victim_otherwise(std::uint32_t set, const Access& access, Eligible& eligible) const {
    switch (kind_) {
      case ReplacementKind::lru:
      case ReplacementKind::fifo:
        return rings_[set].oldest(eligible);
      case ReplacementKind::random:
        return drawn(set, eligible);
      case ReplacementKind::tree_plru:
        return pointed_at(set, 1, eligible);
      case ReplacementKind::added:
        return added_->victim(set, EligibleWays(eligible), access);
    }
    return kNone;
  }

  // The draw depends only on the set's fills, so that repeated questions get the same answer.
  std::uint64_t draw(std::uint32_t set) const;

  template <class Eligible>
  int drawn(std::uint32_t set, Eligible& eligible) const {
    std::uint32_t count = 0;
    for (std::uint32_t way = 0; way < ways_; ++way) count += eligible(way) ? 1 : 0;
    if (count == 0) return kNone;
    auto skipped = static_cast<std::uint32_t>(draw(set) % count);
    for (std::uint32_t way = 0;; ++way)
      if (eligible(way) && skipped-- == 0) return static_cast<int>(way);
  }

  // Nodes of a set are numbered as a heap from 1; its leaves leaves_..2 leaves_ - 1 are the ways, padded to a power of two.
  void point_away(std::uint32_t set, std::uint32_t way) {
    std::uint8_t* const right = &points_right_[std::size_t{set} * leaves_];
    for (std::uint32_t node = leaves_ + way; node > 1; node /= 2) right[node / 2] = node % 2 == 0;
  }

  /// The eligible leaf under `node` that the nodes point to, turning aside only where a subtree has none.
  template <class Eligible>
  [[gnu::noinline]] int pointed_at(std::uint32_t set, std::uint32_t node, Eligible& eligible) const {
    if (node >= leaves_) {
      const std::uint32_t way = node - leaves_;
      return way < ways_ && eligible(way) ? static_cast<int>(way) : kNone;
    }
    const std::uint32_t preferred = 2 * node + points_right_[std::size_t{set} * leaves_ + node];
    const int way = pointed_at(set, preferred, eligible);
    return way != kNone ? way : pointed_at(set, preferred ^ 1, eligible);
  }

  ReplacementKind kind_;
  bool touch_orders_ = false, fill_orders_ = false;  // use orders_: lru, and lru or fifo, with few ways
  std::uint32_t ways_ = 0;
  std::vector<WayOrder> orders_;            // lru and fifo with few ways
  std::uint32_t sets_, leaves_ = 0;
  std::vector<WayRing> rings_;              // lru and fifo with more ways
  std::uint64_t seed_;
  std::vector<std::uint64_t> fills_;        // random: number of fills per set
  std::vector<std::uint8_t> points_right_;  // tree_plru
  std::unique_ptr<AddedReplacement> added_;
  std::function<std::unique_ptr<AddedReplacement>(std::uint32_t ways)> make_added_;
  std::string name_;
};

/// The seed of one of many caches, from the run's seed.
constexpr std::uint64_t seed_of(std::uint64_t run, std::uint64_t cache) { return run * 0x9E3779B97F4A7C15u + cache; }

/// `name` may carry arguments. Throws InputError for an unknown name, and as the constructor does.
Replacement make_replacement(std::string_view name, std::uint32_t sets, std::uint32_t ways, std::uint64_t seed);

std::vector<config::PolicyName> replacement_catalogue_names();

/// An entry of the catalogue, which keeps the pointers to its texts.
struct ReplacementEntry {
  const char* name;
  const char* help;
  MakeReplacement make;
  ReplacementKind kind = ReplacementKind::added;
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add_replacement(const ReplacementEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
