#pragma once
// The line hooks of an L2 slice (CM-19): each line has 32 bits of its own, and one policy is told what happens to it. It may have a read
// that hits answered by an SM in the slice's place, and it may say that a line's data are not wanted any more, or were never.

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
  /// The line was read or written, its first access included. True where its data are not wanted after this access.
  virtual bool on_access(std::uint32_t& bits, const Access& access) = 0;
  /// Sectors of the line have arrived from DRAM. True where its data are not wanted after those that wait for them.
  virtual bool on_fill(std::uint32_t& bits, const Access& access) = 0;
  /// The line gives way to another.
  virtual void on_evict(std::uint32_t bits, LineAddress line) = 0;
  /// Whether data that are not here are to be kept for others than this access.
  virtual bool may_store(const Access& access) const {
    static_cast<void>(access);
    return true;
  }
  /// It answers true, or may_store false, at times: lines may have a tag and no data.
  virtual bool gates() const { return false; }
  /// Accesses that the line has had, for a policy that gates.
  virtual std::uint16_t count(std::uint32_t bits) const {
    static_cast<void>(bits);
    return 0;
  }
  /// A read finds the line here: true where the SM `target` is to answer it. Asked before on_access.
  virtual bool forward_to(std::uint32_t bits, const Transaction& read, std::uint16_t& target) const {
    static_cast<void>(bits);
    static_cast<void>(read);
    static_cast<void>(target);
    return false;
  }
};

/// When the predicted count of an access is compared with the line's: after it has been counted, or before (loscache section 6).
enum class GateCompare { post, pre };

struct L2LineOptions {
  GateCompare gate_compare = GateCompare::post;  // loscache
};

/// Null for `none`. Throws InputError for an unknown name.
std::unique_ptr<L2LinePolicy> make_l2_line_policy(std::string_view name, const L2LineOptions& options = {});

std::vector<config::PolicyName> l2_line_catalogue_names();

}  // namespace wharf
