#pragma once
// One core's part in inter-core communication (remote_sharing): which of its L1's misses are searched for where, what it does with probes
// of others, and what goes first into the networks (remote_sharing section 11).
//
// Acts once a cycle, at its end. Own requests of the cycle are known then; what other blocks and clocks send is usable from the cycle
// after they sent it.

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/holder_mask.h"
#include "model/base/rng.h"
#include "model/cache/line_set.h"
#include "model/designs/remote_sharing/pc_sharing.h"
#include "model/designs/remote_sharing/probe_requester_logic.h"
#include "model/designs/remote_sharing/probe_supplier_logic.h"

namespace wharf {

/// What an oracle may see of the other cores' L1s, at the end of a cycle.
class PeerTags {
 public:
  virtual ~PeerTags() = default;
  /// Does `core` hold every sector of the access? With their versions, and the CTA that brought the line in.
  virtual bool look(unsigned core, const Access& access, SectorVersions& versions, std::uint32_t& cta) const = 0;
  /// `core` could have served a miss of another.
  virtual void could_supply(unsigned core) = 0;
};

/// What goes into the request network, the first first (remote_sharing section 11); deflected probes stand above all (RS-33).
enum class InjectionClass : std::uint8_t { deflected, non_shared, selective_l2, forwarded, processed_nack, outgoing };

class ProbeAgentLogic {
 public:
  struct Environment {
    unsigned self = 0, sms = 2;
    unsigned misses = 32;             // of the L1 that can be outstanding
    std::vector<std::uint16_t> hops;  // to each SM
    std::uint64_t seed = 0;           // of the run
    PeerTags* peers = nullptr;
    PcSharing* pcs = nullptr;  // of all cores
  };
  ProbeAgentLogic(const RemoteSharingParams& params, const Environment& environment, ProbeCounters& counters, TransactionStock& stock,
                  ProbePool& bodies);

  /// False while a request of the L1 has to wait, and request() must not be called: the place for requests to L2 is taken, or `access` may be
  /// searched for and as many misses are as the L1 has MSHR entries. An entry whose line a store or an atomic has partly invalidated may have
  /// several requests on their way.
  bool takes(const Access& access) const {
    return direct_ == nullptr && (!params_.searches() || !is_searchable(access) || requester_.has_room());
  }
  /// A request of the SM's L1. `holders`: the caches that hold its line, as of the last commit; all empty where no directory is kept.
  void request(Transaction& request, const HolderMask& holders, Cycle now);
  /// End of the cycle of request(), once the L1s have said all: a miss that is filled at once (perfect probing), or nullptr.
  Transaction* settle_miss();

  /// Data or an acknowledgement for this core: the L1's request that it answers, nullptr where nobody waits any more.
  Transaction* reply(Transaction& message, Cycle now);
  /// A message of the request network for this core is an own probe, home again.
  static bool is_own(const Transaction& message) { return message.message.kind == MessageKind::probe_return; }
  /// `beside`: others run, whose stores may still be on their way.
  void kernel_started(bool beside = false);

  struct Injection {
    Transaction* transaction = nullptr;
    InjectionClass type = InjectionClass::deflected;
  };
  /// What goes next to the slices, to other SMs, or, where both share a network, to either. It is out of its queue then.
  Injection inject(bool to_l2, bool to_peers, Cycle now);

  ProbeRequesterLogic& requester() { return requester_; }
  ProbeSupplierLogic& supplier() { return supplier_; }
  const ProbeRequesterLogic& requester() const { return requester_; }
  const ProbeSupplierLogic& supplier() const { return supplier_; }
  /// Something waits for the request network now, beside what supplier().next_ready() says.
  bool injectable() const;
  /// Between kernels. Throws InputError, naming it, for a predictor or selector whose state has no description.
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
  unsigned first_, cores_;  // of its cluster
  std::vector<std::uint16_t> hops_;
  PeerTags* peers_;
  PcSharing* pcs_;
  ProbeCounters& counters_;
  std::unique_ptr<SharingPredictor> predictor_;
  std::unique_ptr<CoreSelector> selector_;
  Rng random_;  // of P (RS-21)
  ProbeRequesterLogic requester_;
  ProbeSupplierLogic supplier_;
  Transaction* direct_ = nullptr;       // class 1: on its way to L2 by itself
  Transaction* turned_back_ = nullptr;  // forwards that come back here: list, with the processed NACKs
  Transaction* fresh_ = nullptr;        // the miss of this cycle, with what the directory says
  HolderMask fresh_holders_;
  bool fresh_perfect_ = false;
  LineSet written_;  // lines stored to in this kernel, where that forbids probes
};

}  // namespace wharf
