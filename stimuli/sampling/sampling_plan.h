#pragma once
// Decides which launches of a program run in detail, from what is known of all of them before the run.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/types.h"
#include "stimuli/sampling/cta_spans.h"

namespace wharf {

/// What is known of a launch before it is simulated.
struct LaunchFacts {
  std::string kernel;
  Dim3 grid, block;
  std::uint64_t size = 0;            // warp instructions; of a trace: bytes of the kernel's file
  std::uint64_t ctas_at_a_time = 0;  // that the machine holds; 0: the launch never runs in part
  bool is_expected = false;          // the size, from some CTAs
};

/// Launches that execute the same: equal kernel, grid and block, and sizes between the same two powers of two.
struct LaunchGroup {
  LaunchFacts first;                                  // launch of the group
  std::uint64_t smallest = 0, largest = 0, size = 0;  // of the launches; `size` is the sum
  std::vector<std::size_t> launches;                  // numbers from 0, ascending
};

/// Launches of which some are drawn at random, all with the same probability.
struct LaunchStratum {
  std::size_t group = 0;
  std::uint64_t launches = 0;
  std::uint64_t size = 0;             // the sum over the launches
  std::vector<std::size_t> measured;  // ascending
};

/// What fills the caches before a measured launch.
enum class WarmedBy : std::uint8_t {
  launch_before,     // which runs in detail
  skipped_launches,  // which warm the caches functionally (warmed_caches.h)
};

enum class LaunchRole : std::uint8_t {
  skipped,   // executed functionally; of a trace: not read
  warm_up,   // runs in detail before a measured launch, for the contents of the caches, and does not count
  measured,  // runs in detail and counts
};

class SamplingPlan {
 public:
  /// The first launch of each group is a stratum of its own, because it finds other contents in the caches than later ones. Of the others of
  /// the group, `per_group` are drawn, or all if there are no more. `per_group` is 2 or more; `seed` decides what is drawn. Launches that run
  /// in detail run in part if they are long, with `per_group` drawn spans.
  SamplingPlan(std::vector<LaunchFacts> launches, std::uint64_t per_group, std::uint64_t seed,
               WarmedBy warmed_by = WarmedBy::launch_before);

  /// The same plan with the sizes of all launches as they were executed, where it was made by expected ones.
  SamplingPlan with_executed(const std::vector<std::uint64_t>& sizes) const;

  std::uint64_t per_group() const { return per_group_; }
  WarmedBy warmed_by() const { return warmed_by_; }
  const std::vector<LaunchFacts>& launches() const { return launches_; }
  /// Of all launches.
  std::uint64_t ctas() const {
    std::uint64_t ctas = 0;
    for (const LaunchFacts& launch : launches_) ctas += launch.grid.count();
    return ctas;
  }
  const std::vector<LaunchGroup>& groups() const { return groups_; }  // in the order of their first launches
  const std::vector<LaunchStratum>& strata() const { return strata_; }
  LaunchRole role(std::size_t launch) const { return roles_[launch]; }
  bool is_detailed(std::size_t launch) const { return roles_[launch] != LaunchRole::skipped; }
  /// The spans that run in detail of a launch in part; null if it runs whole, or not in detail.
  const CtaSpans* spans(std::size_t launch) const { return spans_[launch] ? &*spans_[launch] : nullptr; }
  /// For each launch in detail, the CTAs with which its spans begin, but for the first, in the machine's numbering.
  std::vector<std::vector<std::uint64_t>> span_starts() const;
  /// True if no launch is skipped without warming the caches.
  bool skips_warm_all() const { return warmed_by_ == WarmedBy::skipped_launches || detailed().size() == launches_.size(); }
  /// True if every launch is measured, and whole.
  bool is_complete() const;
  /// The numbers of the launches that run in detail, ascending.
  std::vector<std::size_t> detailed() const;

 private:
  void group_launches();
  void add_up_sizes();
  void assign_roles();
  void divide_long_launches(std::uint64_t seed);

  std::uint64_t per_group_;
  WarmedBy warmed_by_;
  std::vector<LaunchFacts> launches_;
  std::vector<LaunchGroup> groups_;
  std::vector<LaunchStratum> strata_;
  std::vector<LaunchRole> roles_;               // [launch]
  std::vector<std::optional<CtaSpans>> spans_;  // [launch]
};

}  // namespace wharf
