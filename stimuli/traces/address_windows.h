#pragma once
// The memory that an address of a trace lies in. The shared memory of a CTA and the local memory of its threads have windows of generic
// addresses. Those of the shared memory of a cluster's CTAs follow each other, by rank.

#include "model/base/cluster_member.h"
#include "model/base/types.h"
#include "stimuli/traces/kernel_header.h"

namespace wharf::traces {

class AddressWindows {
 public:
  enum class Place { elsewhere, own_shared, peer_shared, local };

  explicit AddressWindows(const KernelHeader& header) : shared_base_(header.shared_base), local_base_(header.local_base) {}

  /// The following addresses are of the CTA of this rank in a cluster of `ctas`.
  void begin_cta(unsigned rank, unsigned ctas) {
    own_ = rank * kBytes;
    all_ = ctas * kBytes;
  }

  Place place_of(Address generic) const {
    const Address shared = generic - shared_base_;
    if (shared_base_ != 0 && shared - own_ < kBytes) return Place::own_shared;
    if (local_base_ != 0 && generic - local_base_ < kBytes) return Place::local;
    return shared_base_ != 0 && shared < all_ ? Place::peer_shared : Place::elsewhere;
  }
  /// Without the base of the shared windows, where a generic address has it.
  Address shared_part(Address generic) const { return generic - shared_base_; }

  // An instruction for shared memory names its CTA's by the window of its rank or by the first one, a generic address by the former alone.
  // Alone in its cluster, a CTA has no peer, and what looks like one's memory is its own.
  bool is_of_peer(Address shared, bool is_generic) const {
    const bool is_own = shared - own_ < kBytes || (shared < kBytes && !is_generic);
    return !is_own && shared < all_ && all_ != kBytes;
  }
  /// Offset in the CTA's own shared memory.
  Address shared_offset(Address shared) const { return shared - own_ < kBytes ? shared - own_ : shared; }
  /// cluster_address of a byte in the memory of the CTA of its window; `is_generic` as above.
  Address in_cluster(Address shared, bool is_generic) const {
    const bool is_peer = is_of_peer(shared, is_generic);
    return cluster_address(static_cast<unsigned>((is_peer ? shared : own_) / kBytes), shared % kBytes);
  }
  /// cluster_address of an mbarrier; `by_rank` as in MbarrierForm.
  Address mbarrier(Address shared, bool by_rank) const {
    return cluster_address(static_cast<unsigned>((by_rank ? shared : own_) / kBytes), shared % kBytes);
  }
  unsigned own_rank() const { return static_cast<unsigned>(own_ / kBytes); }
  unsigned ctas() const { return static_cast<unsigned>(all_ / kBytes); }
  /// Addresses of local space are offsets in a thread's stack; a generic one has the window's base in front.
  Address stack_offset(Address address) const { return place_of(address) == Place::local ? address - local_base_ : address; }

 private:
  static constexpr Address kBytes = 16 << 20;

  const Address shared_base_, local_base_;  // 0: none
  Address own_ = 0;                         // of the CTA's rank, from the first window of shared memory on
  Address all_ = kBytes;                    // end of the last rank's
};

}  // namespace wharf::traces
