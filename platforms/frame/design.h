#pragma once
// A design beside its wiring: its parameters, its effect on the parameters of other blocks, and its requirements on them. A design is a
// folder of platforms/designs with its platform, its Design and its metrics, and a row of the catalogue (platforms/catalogue.cpp) or of a
// plugin. GpuParams holds one Design per row; the functions of the one that `platform` names apply.

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/stats/stats.h"
#include "model/network/sm_groups.h"

namespace wharf {

class GpuFrame;
class RunObserver;
class Stimulus;
struct GpuParams;
struct RunOptions;

/// The tables of a machine whose size one key determines.
struct TableMemory {
  std::string key;          // and its value
  std::uint64_t bytes = 0;  // of the host's memory
};

/// What the design that is the platform says of a GPU.
struct DesignFacts {
  /// Caches of the L1 class; 0: one for each SM, or one for all of them (l1.single).
  std::uint32_t caches = 0;
  /// SMs that are caches and take no CTAs.
  std::uint32_t cache_sms = 0;
  /// SMs send each other messages, within these groups; none: all to all.
  bool between_sms = false;
  SmGroups groups = {};
  /// SMs that have blocks in common, or links that only one thread may use; no block but networks has a part in several such groups. None:
  /// all SMs and slices have.
  SmGroups islands = {};
  /// An SM sends its requests to the slices of its half, where L2 has two.
  bool uses_near_slices = false;
  /// The CTAs of a thread-block cluster share their memory, within a group.
  bool runs_clusters = false;
  /// All stores pass through a cache of the L1 class, so that it knows at a kernel boundary which of its lines are old.
  bool sees_all_stores = false;
  /// Its SMs answer reads that L2 forwards to them.
  bool answers_forwards = false;
  /// Why the keys of the L1's queues have no effect; null: they have.
  const char* l1_queues_elsewhere = nullptr;
  /// A network between the SMs and L1s that stand apart from them: its clock, 0 where it has none; and whether L1s are behind it.
  struct FirstNetwork {
    std::uint32_t clock_mhz = 0;
    bool before_l1 = false;
  } first_network = {};
  /// The design's own tables, beside those that every GPU has (platforms/frame/table_memory.h).
  std::vector<TableMemory> tables = {};
};

class Design {
 public:
  virtual ~Design() = default;
  virtual std::unique_ptr<Design> copy() const = 0;

  /// Binds the design's groups of keys, in every GPU, and marks the keys without effect in this one.
  virtual void bind(config::Binder&, const GpuParams&) {}

  // Of the design that is the platform:
  virtual DesignFacts facts(const GpuParams&) const { return {}; }
  /// What it cannot be built with.
  virtual void check(config::Binder&, const GpuParams&) const {}
};

/// A design with parameters, found by their type: GpuParams::of<Params>().
template <class Params>
class ParamsOf : public Design {
 public:
  Params params;
};

/// The design of each row of the catalogue. Copied by value.
class Designs {
 public:
  Designs();  // all designs, with their defaults
  Designs(const Designs& other) {
    for (const auto& design : other.designs_) designs_.push_back(design->copy());
  }
  Designs(Designs&&) = default;
  Designs& operator=(Designs other) {
    designs_.swap(other.designs_);
    return *this;
  }

  Design& operator[](std::size_t row) { return *designs_[row]; }
  const Design& operator[](std::size_t row) const { return *designs_[row]; }
  std::size_t size() const { return designs_.size(); }

  template <class Params>
  Params& of() const {
    for (const auto& design : designs_)
      if (auto* const found = dynamic_cast<ParamsOf<Params>*>(design.get())) return found->params;
    throw std::logic_error("no design has these parameters");
  }

 private:
  std::vector<std::unique_ptr<Design>> designs_;
};

/// A row of the catalogue.
struct DesignEntry {
  const char* name;
  const char* help;
  std::unique_ptr<Design> (*design)();
  std::unique_ptr<GpuFrame> (*platform)(const GpuParams&, const RunOptions&, Stimulus&, stats::Registry&, RunObserver&);
  const char* baseline = nullptr;  // the baseline of `compare`: private L1s on the same GPU; null: the design is not compared
};

/// The row of a design and the platform of its wiring.
template <class Platform, class OwnDesign>
constexpr DesignEntry design_entry(const char* name, const char* help, const char* baseline = nullptr) {
  return {name, help, []() -> std::unique_ptr<Design> { return std::make_unique<OwnDesign>(); },
          [](const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer)
              -> std::unique_ptr<GpuFrame> { return std::make_unique<Platform>(params, options, stimulus, registry, observer); },
          baseline};
}

}  // namespace wharf
