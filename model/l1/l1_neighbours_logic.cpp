// How an L1 asks the other L1s of its cluster, informs them, and supplies them (ata sections 4 to 6).

#include "model/l1/l1_logic.h"

namespace wharf {

/// Returns the sectors that a load must fetch: neither valid nor pending. `slot`: of its line, or kNone.
SectorMask L1Logic::missing_of(const Access& access, TagArray::Slot slot) const {
  const SectorMask needed = access.sectors | whole_;
  if (slot == TagArray::kNone) return needed;
  const TagArray::Line& line = tags_.line(slot);
  return needed & ~(line.valid & ~line.partial) & ~line.pending;
}

/// Publishes the sectors of the line that are valid from now on.
void L1Logic::publish(const TagArray::Line& line) {
  const SectorMask held = line.valid & ~line.partial;
  if (side_store_ != nullptr)
    check_single_copy(LineAddress{line.number}, line.valid != 0, side_store_->held(LineAddress{line.number}) != 0);
  if (directory_ != nullptr) directory_->install(self_, LineAddress{line.number}, held);
  if (neighbours_ != nullptr) neighbours_->holds(LineAddress{line.number}, held, line.modified);
}

L1Logic::Supply L1Logic::supply(const Access& reader, SectorMask sectors, bool touch, SectorVersions& versions) {
  const TagArray::Slot slot = tags_.find(reader.line.number);
  if (slot == TagArray::kNone) return {0, Denial::evicted, true};
  const TagArray::Line& copy = tags_.line(slot);
  if (copy.modified) return {0, Denial::dirty, true};
  const SectorMask granted = sectors & copy.valid & ~copy.partial;
  if (touch && granted != 0) tags_.touch(slot, reader);
  if (tags_.keeps_versions()) read_versions(slot, versions);
  return {granted, granted == sectors ? Denial::none : Denial::evicted, false};
}

}  // namespace wharf
