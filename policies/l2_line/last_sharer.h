#pragma once
// The locality-aware LLC (remote_sharing section 13, RS-40): a line records the SM that read it last. The next read by another SM is
// forwarded to that SM, which replies in the slice's place. A read that it cannot serve comes back and is served here.

#include "policies/l2_line/l2_line.h"

namespace wharf {

class LastSharer final : public L2LinePolicy {
 public:
  bool on_access(std::uint32_t& bits, const Access& access) override {
    if (access.kind == AccessKind::store || access.kind == AccessKind::atomic)
      bits = 0;
    else if (leaves_copy(access))
      bits = 1 + access.sm;
    return false;
  }
  bool on_fill(std::uint32_t&, const Access&) override { return false; }
  void on_evict(std::uint32_t, LineAddress) override {}

  bool forward_to(std::uint32_t bits, const Transaction& read, std::uint16_t& target) const override {
    if (bits == 0 || bits == 1u + read.access.sm || read.message.kind == MessageKind::forward_return) return false;
    if (read.access.kind != AccessKind::load || !leaves_copy(read.access)) return false;
    target = static_cast<std::uint16_t>(bits - 1);
    return true;
  }

 private:
  /// True if the reader had no part of the line and will have all of it. A reader that had written a part keeps that part, which may be
  /// old.
  static bool leaves_copy(const Access& access) { return access.cache_op == CacheOp::all && access.sectors == kAllSectors; }
};

}  // namespace wharf
