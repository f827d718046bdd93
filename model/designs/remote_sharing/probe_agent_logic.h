#pragma once
// One SM's part in inter-core communication (remote_sharing): which misses of its L1 are searched for and where, how it treats the probes
// of other SMs, and what it injects first into the networks (remote_sharing section 11).
//
// It acts once per cycle, at its end, when all own requests of the cycle are known. Messages from other blocks and clocks are usable from
// the cycle after they were sent.

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/holder_mask.h"
#include "model/base/rng.h"
#include "model/cache/line_set.h"
#include "model/designs/remote_sharing/pc_sharing.h"
#include "model/designs/remote_sharing/probe_requester_logic.h"
#include "model/designs/remote_sharing/probe_supplier_logic.h"
#include "model/network/sm_groups.h"

namespace wharf {

/// What an oracle may see of the other SMs' L1s, at the end of a cycle.
class PeerTags {
 public:
  virtual ~PeerTags() = default;
  /// Returns whether `core` holds every sector of the access. If so, also returns their versions and the CTA that brought the line in.
  virtual bool find_sectors(unsigned core, const Access& access, SectorVersions& versions, std::uint32_t& cta) const = 0;
  /// Reports that `core` could have served a miss of another SM.
  virtual void count_supplier(unsigned core) = 0;
};

/// Injection into the request network, highest priority first (remote_sharing section 11). Deflected probes come first of all (RS-33).
enum class InjectionClass : std::uint8_t { deflected, non_shared, selective_l2, forwarded, processed_nack, outgoing };

class ProbeAgentLogic {
 public:
  struct Environment {
    unsigned self = 0, sms = 2;
    SmGroups::Group cluster = {0, 2};  // SMs that search each other's L1s, at least 2
    unsigned misses = 32;              // limit on outstanding misses of the L1
    std::vector<std::uint16_t> hops;   // or cycles, to each SM
    std::uint64_t seed = 0;            // of the run
    PeerTags* peers = nullptr;
    PcSharing* pcs = nullptr;  // table shared by all SMs
  };
  ProbeAgentLogic(const RemoteSharingParams& params, const Environment& environment, ProbeCounters& counters, TransactionStock& stock,
                  ProbePool& bodies);

  /// Returns false while a request of the L1 must wait; request() must not be called then. Either the entry for requests to L2 is occupied,
  /// or `access` may be searched for and as many searches run as the L1 has MSHR entries. A store or atomic that has partly invalidated an
  /// entry's line may cause several requests of this entry to be in flight.
  bool can_accept(const Access& access) const {
    return direct_ == nullptr && (!params_.searches() || !is_searchable(access) || requester_.has_room());
  }
  /// Handles a request of the SM's L1. `holders`: the caches that hold its line, as of the last commit; all empty if there is no directory.
  void request(Transaction& request, const HolderMask& holders, Cycle now);
  /// Call at the end of the cycle of request(), when all L1s have acted. Returns a miss that is filled at once (perfect probing), or
  /// nullptr.
  Transaction* finish_miss();

  /// Handles data or an acknowledgement for this SM. Returns the L1's request that it answers; nullptr if nobody waits for it any more.
  Transaction* reply(Transaction& message, Cycle now);
  /// True if a message from the request network is an own probe that has returned.
  static bool is_own(const Transaction& message) { return message.message.kind == MessageKind::probe_return; }
  /// `concurrent`: other kernels run, whose stores may still be on their way.
  void kernel_started(bool concurrent = false);

  struct Injection {
    Transaction* transaction = nullptr;
    InjectionClass type = InjectionClass::deflected;
  };
  /// Removes from its queue and returns what is sent next: to the slices, to other SMs, or, if both share a network, to either.
  Injection inject(bool to_l2, bool to_peers, Cycle now);

  ProbeRequesterLogic& requester() { return requester_; }
  ProbeSupplierLogic& supplier() { return supplier_; }
  const ProbeRequesterLogic& requester() const { return requester_; }
  const ProbeSupplierLogic& supplier() const { return supplier_; }
  /// True if something waits for the request network now, in addition to what supplier().next_ready() reports.
  bool injectable() const;
  /// Saves or loads the state between kernels. Throws InputError, naming it, for a predictor or selector that does not support this.
  void archive(Archive& file);

 private:
  bool is_searchable(const Access& access) const { return access.kind == AccessKind::load && access.cache_op == CacheOp::all; }
  bool search(Transaction& miss, const HolderMask& holders, Cycle now);
  void count_prediction(bool shared, bool held);
  Transaction* filled(Transaction* miss, bool from_core);
  void count_peer_fill(const Access& miss);
  unsigned nearest(const HolderMask& holders) const;

  const RemoteSharingParams params_;
  unsigned self_, sms_, targets_;
  SmGroups::Group cluster_;
  std::vector<std::uint16_t> hops_;
  PeerTags* peers_;
  PcSharing* pcs_;
  ProbeCounters& counters_;
  std::unique_ptr<SharingPredictor> predictor_;
  std::unique_ptr<CoreSelector> selector_;
  Rng random_;  // draws with P (RS-21)
  ProbeRequesterLogic requester_;
  ProbeSupplierLogic supplier_;
  Transaction* direct_ = nullptr;       // class 1: a request sent to L2 without a search
  Transaction* turned_back_ = nullptr;  // own forwards that were turned back: a list, injected with the processed NACKs
  Transaction* fresh_ = nullptr;        // the miss of this cycle, with the holders from the directory
  HolderMask fresh_holders_;
  bool fresh_perfect_ = false;
  LineSet written_;  // lines stored to in this kernel, if stores forbid probes
};

}  // namespace wharf
