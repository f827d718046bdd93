#pragma once
// The line hooks of an L2 slice (CM-19): each line has 32 bits of its own, and one policy is told what happens to it. It may have a read
// that hits answered by an SM in the slice's place.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/access.h"
#include "model/base/config/binder.h"

namespace wharf {

/// `bits` are the line's own 32 bits, cleared when the line comes in.
class L2LinePolicy {
 public:
  virtual ~L2LinePolicy() = default;
  /// The line was read or written, its first access included.
  virtual void on_access(std::uint32_t& bits, const Access& access) = 0;
  /// Sectors of the line have arrived from DRAM.
  virtual void on_fill(std::uint32_t& bits, const Access& access) = 0;
  /// The line gives way to another.
  virtual void on_evict(std::uint32_t bits, LineAddress line) = 0;
  /// A read finds the line here: true where the SM `target` is to answer it. Asked before on_access.
  virtual bool forward_to(std::uint32_t bits, const Transaction& read, std::uint16_t& target) const {
    static_cast<void>(bits);
    static_cast<void>(read);
    static_cast<void>(target);
    return false;
  }
};

/// Null for `none`. Throws InputError for an unknown name.
std::unique_ptr<L2LinePolicy> make_l2_line_policy(std::string_view name);

std::vector<config::PolicyName> l2_line_catalogue_names();

}  // namespace wharf
