#pragma once
// What an aggregated tag array keeps: which sectors of which lines the L1s of its cluster hold (ata section 4.3). The forms in which it
// can be kept have names, as policies have; they all give the same answers.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/designs/ata/hit_vector.h"
#include "policies/set_index/set_index.h"

namespace wharf {

class Archive;

/// The L1s of a cluster are alike.
struct ClusterShape {
  unsigned l1s = 1;        // at most 64
  std::uint32_t ways = 1;  // of an L1, at most
  SetIndex set_index{SetIndexKind::linear, 1};
};

class ClusterTags {
 public:
  virtual ~ClusterTags() = default;

  /// Who holds what of the line, as of the last commit(). `l1`: which of the cluster asks.
  virtual HitVector lookup(unsigned l1, LineAddress line) = 0;

  // What happens in the running cycle, in its order.
  /// The sectors of the line that are VALID in the L1 are now exactly `valid`. No set of an L1 may have more lines than ways: a form that
  /// keeps ways throws SimulationError.
  virtual void hold(unsigned l1, LineAddress line, SectorMask valid) = 0;
  /// The L1 holds nothing any more.
  virtual void empty(unsigned l1) = 0;
  virtual void commit() = 0;
  /// Saves or loads its state between kernels (model/base/archive.h); false where that has no description, and checkpoints are refused.
  virtual bool archive(Archive&) { return false; }
};

namespace cluster_tags {

/// Names and help texts of every form, for Binder::policy.
std::vector<config::PolicyName> catalogue_names();

/// Throws InputError for an unknown name, and for a shape that the form cannot have.
std::unique_ptr<ClusterTags> make(std::string_view name, const ClusterShape& shape);

/// A form. The texts are kept as they are given.
struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<ClusterTags> (*make)(const ClusterShape& shape);
};
/// Before the first configuration is read. Throws InputError where the name is taken.
void add(const Entry& entry);

}  // namespace cluster_tags
}  // namespace wharf
