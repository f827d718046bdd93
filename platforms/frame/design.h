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

class Design {
 public:
  virtual ~Design() = default;
  virtual std::unique_ptr<Design> copy() const = 0;

  /// Binds the design's groups of keys, in every GPU, and marks the keys without effect in this one.
  virtual void bind(config::Binder&, const GpuParams&) {}

  // Called for the design that is the platform:
  /// The reason why the keys of the L1's queues have no effect; null if they have one.
  virtual const char* l1_queues_elsewhere() const { return nullptr; }
  /// True if SMs send each other messages, and the SMs per cluster within which they do; 0: all SMs are one cluster.
  virtual bool between_sms(const GpuParams&) const { return false; }
  virtual std::uint32_t cluster_sms() const { return 0; }
  /// Reports settings that the design cannot be built with.
  virtual void check(config::Binder&, const GpuParams&) const {}
  /// Number of caches of the L1 class.
  virtual std::uint32_t caches(const GpuParams& gpu) const;
  /// Number of SMs that are caches and take no CTAs.
  virtual std::uint32_t cache_sms(const GpuParams&) const { return 0; }
  /// True if every store passes through a cache of the L1 class, so that caches know at a kernel boundary which lines are stale.
  virtual bool sees_all_stores() const { return false; }
  /// True if the SMs answer reads that L2 forwards to them.
  virtual bool answers_forwards() const { return false; }
  /// The network between SMs and L1s outside the SMs: its clock (0: no such network), and whether the L1s are behind it.
  struct FirstNetwork {
    std::uint32_t clock_mhz = 0;
    bool before_l1 = false;
  };
  virtual FirstNetwork first_network() const { return {}; }
  /// The design's own tables, in addition to those of every GPU (platforms/frame/table_memory.h).
  virtual std::vector<TableMemory> tables(const GpuParams&) const { return {}; }
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
          [](const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
             RunObserver& observer) -> std::unique_ptr<GpuFrame> {
            return std::make_unique<Platform>(params, options, stimulus, registry, observer);
          },
          baseline};
}

}  // namespace wharf
