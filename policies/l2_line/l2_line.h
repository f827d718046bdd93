#pragma once
// The line hooks of an L2 slice (CM-19): each line has 32 bits of its own, and one policy is told what happens to it.

#include <cstdint>

#include "model/base/access.h"

namespace wharf {

/// Observes only: the slice does not ask it anything. `bits` are the line's own 32 bits, cleared when the line comes in.
class L2LinePolicy {
 public:
  virtual ~L2LinePolicy() = default;
  /// The line was read or written, its first access included.
  virtual void on_access(std::uint32_t& bits, const Access& access) = 0;
  /// Sectors of the line have arrived from DRAM.
  virtual void on_fill(std::uint32_t& bits, const Access& access) = 0;
  /// The line gives way to another.
  virtual void on_evict(std::uint32_t bits, LineAddress line) = 0;
};

}  // namespace wharf
