#pragma once
// The line hooks of an L2 slice (CM-19): each line has 32 bits for a policy that observes it. The policy may let an SM answer a read hit in
// the slice's place, and may decide that a line's data are no longer needed, or not worth storing.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/access.h"
#include "model/base/config/binder.h"

namespace wharf {

/// `bits` are the line's own 32 bits, which are 0 when the line is allocated.
class L2LinePolicy {
 public:
  virtual ~L2LinePolicy() = default;
  /// The line was read or written; called for its first access too. Returns true if its data are not needed after this access.
  virtual bool on_access(std::uint32_t& bits, const Access& access) = 0;
  /// Sectors of the line have arrived from DRAM. Returns true if its data are not needed once the waiting accesses are served.
  virtual bool on_fill(std::uint32_t& bits, const Access& access) = 0;
  /// The line is evicted.
  virtual void on_evict(std::uint32_t bits, LineAddress line) = 0;
  /// True if absent data are to be stored for accesses other than this one.
  virtual bool may_store(const Access& access) const {
    static_cast<void>(access);
    return true;
  }
  /// True if on_access, on_fill or may_store may give up data, so that lines may have a tag and no data.
  virtual bool gates() const { return false; }
  /// Number of accesses to the line, for a policy that gates.
  virtual std::uint16_t count(std::uint32_t bits) const {
    static_cast<void>(bits);
    return 0;
  }
  /// A read hits: returns true if the SM `target` is to answer it. Called before on_access.
  virtual bool forward_to(std::uint32_t bits, const Transaction& read, std::uint16_t& target) const {
    static_cast<void>(bits);
    static_cast<void>(read);
    static_cast<void>(target);
    return false;
  }
};

/// When an access's predicted count is compared with the line's count: after the access has been counted, or before (loscache section 6).
enum class GateCompare { post, pre };

struct L2LineOptions {
  GateCompare gate_compare = GateCompare::post;  // loscache
};

/// Null for `none`. Throws InputError for an unknown name.
std::unique_ptr<L2LinePolicy> make_l2_line_policy(std::string_view name, const L2LineOptions& options = {});

std::vector<config::PolicyName> l2_line_catalogue_names();

}  // namespace wharf
