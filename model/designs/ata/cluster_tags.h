#pragma once
// The contents of an aggregated tag array: which sectors of which lines the L1s of its cluster hold (ata section 4.3). Like policies, the
// forms of storage have names. All forms give equal answers.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/designs/ata/hit_vector.h"
#include "policies/set_index/set_index.h"

namespace wharf {

class Archive;

/// Shape of a cluster. All its L1s have equal shapes.
struct ClusterShape {
  static constexpr unsigned kMostL1s = 64;
  unsigned l1s = 1;
  std::uint32_t ways = 1;  // of an L1: upper bound
  SetIndex set_index{SetIndexKind::linear, 1};
};

class ClusterTags {
 public:
  virtual ~ClusterTags() = default;

  /// Returns who holds which sectors of the line, as of the last commit(). `l1`: the L1 that asks.
  virtual HitVector lookup(unsigned l1, LineAddress line) = 0;

  // The events of the running cycle, in order.
  /// Reports that exactly the sectors `valid` of the line are now VALID in the L1. No set of an L1 may hold more lines than it has ways:
  /// a form that models ways throws SimulationError.
  virtual void hold(unsigned l1, LineAddress line, SectorMask valid) = 0;
  /// Reports that the L1 is now empty.
  virtual void empty(unsigned l1) = 0;
  virtual void commit() = 0;
  /// Saves or loads the state between kernels (model/base/archive.h). Returns false if the form cannot: checkpoints are then refused.
  virtual bool archive(Archive&) { return false; }
};

namespace cluster_tags {

/// Names and help texts of all forms, for Binder::policy.
std::vector<config::PolicyName> catalogue_names();

/// Throws InputError if the name is unknown or the form does not support the shape.
std::unique_ptr<ClusterTags> make(std::string_view name, const ClusterShape& shape);

/// One form. `name` and `help` are stored as pointers, not copied.
struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<ClusterTags> (*make)(const ClusterShape& shape);
};
/// Registers a form. Call it before the first configuration is read. Throws InputError if the name is taken.
void add(const Entry& entry);

}  // namespace cluster_tags
}  // namespace wharf
