#pragma once
// The agent of one SM for inter-core communication (remote_sharing). It sits between the L1 and the networks and replaces the SM's network
// interface. It sends misses to L2, or searches for them in other L1s with probes. It looks up the probes of other SMs in its own L1 over
// the L1's remote port. Decisions are in probe_agent_logic.h. This module moves messages and charges time.
//
// It acts at the end of a cycle (commit phase), when its L1 has acted. So a request of the L1 that need not wait reaches the network as
// early as through a plain interface. Messages that other clocks send at some instant are used from the next cycle on.

#include <systemc>

#include "model/base/transaction_list.h"
#include "model/cache/line_directory.h"
#include "model/designs/remote_sharing/probe_agent_logic.h"
#include "model/monitor/watchdog.h"
#include "model/nic/l2_route.h"
#include "model/nic/nic_params.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/debug_access.h"
#include "model/tlm/message_link.h"
#include "model/tlm/outlet.h"
#include "model/tlm/request_queue.h"
#include "model/tlm/sideband.h"

namespace wharf {

class ProbeAgent : public sc_core::sc_module,
                   public Clocked,
                   public Committed,
                   public Inspectable,
                   public SidebandListener,
                   private MemoryTarget,
                   private MemoryInitiator,
                   private MessageSource,
                   private MessageSink,
                   private TransactionStock {
 public:
  struct Environment {
    ClockDomain& clock;
    const ClockDomain& network;
    PayloadPool& pool;
    ProbePool& bodies;
    stats::Registry& registry;
    LineDirectory* directory;  // null: oracle_directory off
    L2Route l2;
    std::uint32_t l2_flit_bytes, probe_flit_bytes, data_flit_bytes;
    /// SMs send messages to each other. If false, there are no sockets for probes.
    bool between_sms;
    /// Probes have their own network, separate from that of L2 traffic.
    bool own_peer_network;
  };

  ProbeAgent(sc_core::sc_module_name name, const RemoteSharingParams& params, const PacketParams& packets,
             const ProbeAgentLogic::Environment& core, const Environment& environment);

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }          // of the L1's misses
  tlm::tlm_initiator_socket<>& lookups() { return peers_->lookups.socket; }  // to the L1's remote port
  tlm::tlm_initiator_socket<>& request(Traffic traffic) { return requests_[lane(traffic)]->socket; }
  tlm::tlm_target_socket<>& probes() { return peers_->probes.socket; }  // to_peer
  tlm::tlm_initiator_socket<>& peer_reply() { return peers_->reply.socket; }
  tlm::tlm_target_socket<>& reply(Traffic traffic) { return inboxes_[lane(traffic)]->port.socket; }

  void act(Cycle) override { clock_.request_commit(*this); }
  void commit() override;
  void write(const Event& event) override;
  void inspect(std::vector<Wait>& waits) const override;
  /// Saves or loads the state between kernels.
  void archive(Archive& file);
  const ProbeAgentLogic& logic() const { return logic_; }
  SentToL2Port sent_to_l2;
  DebugWay below;
  GateTerms gate;  // for a foreign module before it
  bool own_peer_network() const { return own_peer_network_; }
  ProbeCounters& counters() { return counters_; }

 private:
  /// Replies of one network, in order of arrival.
  struct Inbox {
    Inbox(const std::string& name, ProbeAgent& owner, unsigned index, std::uint32_t places) : port(name, owner, index), queue(places) {}
    MessageSinkPort port;
    RequestQueue queue;
    Cycle arrives = 0;  // arrival of the message that waits for room
  };
  struct PeerPorts {
    explicit PeerPorts(ProbeAgent& owner);
    MemoryInitiatorPort lookups;
    MessageSinkPort probes;
    MessageSourcePort reply;
  };

  Acceptance request(unsigned, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload& transaction) override { return below ? below(transaction) : 0; }
  GateTerms gate_terms(unsigned) const override { return gate; }
  void request_accepted(unsigned, Picoseconds at) override;
  bool response(unsigned, Payload& payload, Picoseconds at) override;
  void posted(unsigned port, Picoseconds at) override;
  bool message(unsigned port, Payload& payload, Picoseconds at) override;
  Transaction& acquire(const Access& access) override;
  void release(Transaction& transaction) override;

  unsigned lane(Traffic traffic) const {
    return own_peer_network_ && (traffic == Traffic::to_peer || traffic == Traffic::from_peer) ? 1 : 0;
  }
  unsigned lanes() const { return own_peer_network_ ? 2 : 1; }
  /// Holders of the access's line as of the last commit; none if there is no directory.
  HolderMask holders(const Access& access) const;
  bool probe_arrives(Payload& payload, Picoseconds at);
  bool receive_replies(Cycle now);
  void count_reply(const Transaction& reply);
  void answer(Transaction& request);
  bool admit_blocked(Cycle now);
  bool look_up(Cycle now);
  bool inject(unsigned lane, Cycle now);
  void address(Transaction& transaction, InjectionClass type);
  bool send_data(Cycle now);
  bool accept_waiting(Cycle now);
  Cycle next_work(bool changed, Cycle now) const;
  /// Requests action at the end of `cycle`, which may be the present one.
  void wake(Cycle cycle) {
    if (cycle > clock_.now())
      clock_.wake(block_, cycle);
    else
      clock_.request_commit(*this);
  }
  /// Returns the cycle at whose end a message sent now, arriving at `at`, can first be processed: the cycle before it arrives. The present
  /// cycle does not count if another clock may have sent the message after its end.
  Cycle usable(Picoseconds at) const {
    const Cycle present = clock_.present_cycle(), arrival = clock_.cycle_at(at);
    return std::max(arrival - 1, one_clock_ && arrival > present ? present : present + 1);
  }

  const RemoteSharingParams params_;
  const PacketParams packets_;
  ClockDomain& clock_;
  const ClockDomain& network_;
  const bool one_clock_;  // core and network have one clock
  PayloadPool& pool_;
  LineDirectory* directory_;
  const L2Route l2_;
  std::uint16_t self_;
  unsigned bits_per_core_;
  std::uint32_t l2_flit_bytes_, probe_flit_bytes_, data_flit_bytes_;
  bool own_peer_network_;
  stats::Group nic_group_;
  stats::Counter l2_requests_, l2_replies_, reply_bytes_;
  ProbeCounters counters_;
  ProbeAgentLogic logic_;
  ClockDomain::BlockId block_;

  MemoryTargetPort upstream_;
  std::unique_ptr<MessageSourcePort> requests_[2];
  std::unique_ptr<PeerPorts> peers_;  // null if SMs send each other no messages
  std::unique_ptr<Inbox> inboxes_[2];

  Payload* waiting_ = nullptr;  // the L1's request behind the one that is on its way to L2
  // They open by the cycle of arrival: what is sent in cycle `now` arrives in `now + 1`.
  Outlet request_[2], data_, lookup_, upstream_out_;
  HolderMask waiting_holders_;
  TransactionList home_;     // own probes that have returned, each with the cycle from which it is usable
  TransactionList answers_;  // filled misses that wait because the L1 has no room for them
  Cycle stepped_ = kNever;
  bool kernel_starts_ = false;
  bool concurrent_ = false;  // other kernels run at the kernel start
};

}  // namespace wharf
