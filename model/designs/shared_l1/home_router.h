#pragma once
// The node of the shared L1 organisation (shared_l1 sections 5 and 6), between an SM, its L1 and the networks. It replaces the SM's network
// interface. It routes the SM's accesses to its own L1, to the home or directly to L2, and serves other SMs as a home.
//
//       SM                       Local accesses pass in no time. Accesses that bypass the own L1 are offered to the network in the cycle
//       | upstream               after their acceptance, as an L1 does with accesses that it never looks up.
//   home router ---- network     to_l2, to_peer, from_peer out; from_l2, from_peer, to_peer in
//    | l1  | l1_below  | remote
//   own L1 (local)  (its misses)  (accesses of other SMs)
//
// The In queue is behind the L1's remote port; the Out queue is here. The SM accepts every answer at once. Messages are sent at the end of
// a cycle (commit), so the order in which blocks were called in the cycle does not matter.
//
// Not modelled: area and energy (shared_l1 section 13).

#include <systemc>

#include "model/designs/shared_l1/home_router_logic.h"
#include "model/l1_sharing/out_queue.h"
#include "model/monitor/watchdog.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/debug_access.h"
#include "model/tlm/message_link.h"
#include "model/tlm/outlet.h"
#include "model/tlm/request_queue.h"
#include "model/tlm/sideband.h"

namespace wharf {

class HomeRouter : public sc_core::sc_module,
                   public Clocked,
                   public Committed,
                   public Inspectable,
                   public LookupListener,
                   public SidebandListener,
                   private MemoryTarget,
                   private MemoryInitiator,
                   private MessageSource,
                   private MessageSink {
 public:
  HomeRouter(sc_core::sc_module_name name, const SharedL1Params& params, HomeRouterLogic& logic, unsigned core, ClockDomain& clock);

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }
  tlm::tlm_initiator_socket<>& l1() { return l1_.socket; }
  tlm::tlm_target_socket<>& l1_below() { return l1_below_.socket; }
  tlm::tlm_initiator_socket<>& remote() { return remote_.socket; }
  tlm::tlm_initiator_socket<>& output(Traffic traffic) { return outputs_[output_of(traffic)].port->socket; }
  tlm::tlm_target_socket<>& input(Traffic traffic) { return inputs_[input_of(traffic)].port->socket; }
  /// to_l1 sends line_written to the own L1.
  SentToL2Port sent_to_l2;
  SidebandPort to_l1;
  DebugWay home, below;  // home: to the L1 that is the home of a line; below: to the level below its L1
  GateTerms gate;        // for a foreign module before this one

  void act(Cycle now) override;
  void commit() override;
  void write(const LookupEvent& event) override;
  void write(const Event& event) override;
  /// Saves or loads the state between kernels (model/base/archive.h).
  void archive(Archive& file);
  void inspect(std::vector<Wait>& waits) const override;

 private:
  enum Target : unsigned { kFromSm, kFromL1 };     // memory links in
  enum Initiator : unsigned { kToL1, kToRemote };  // memory links out
  enum Out : unsigned { kToL2, kToPeer, kToRequester };
  enum In : unsigned { kFromL2, kFromHome, kFromPeer };
  static unsigned output_of(Traffic traffic);
  static unsigned input_of(Traffic traffic);
  struct Output {
    std::unique_ptr<MessageSourcePort> port;
    Outlet outlet;
  };
  struct Input {
    std::unique_ptr<MessageSinkPort> port;
    Payload* pending = nullptr;  // a message not accepted yet
  };

  Acceptance request(unsigned port, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned port, Picoseconds at) override;
  unsigned debug(unsigned port, tlm::tlm_generic_payload& transaction) override;
  GateTerms gate_terms(unsigned) const override { return gate; }
  void request_accepted(unsigned port, Picoseconds at) override;
  bool response(unsigned port, Payload& payload, Picoseconds at) override;
  void posted(unsigned port, Picoseconds at) override;
  bool message(unsigned port, Payload& payload, Picoseconds at) override;

  Acceptance request_of_sm(Payload& payload, Picoseconds at);
  bool l2_message(Payload& payload, Picoseconds at);
  bool home_message(Payload& payload, Picoseconds at);
  void answer_sm(Payload& payload, Cycle at);
  bool queue_answer(Payload& payload, Cycle ready);
  bool answer_own_l1(Payload& payload, Picoseconds at);
  void accept_from_l2(Picoseconds at);
  void forward_acks(Cycle now);
  void send(Cycle now);
  bool post(unsigned port, Payload& payload, Cycle ready, Cycle now);
  Cycle next_work(Cycle now) const;
  void wake(Cycle cycle) { clock_.wake(block_, cycle); }

  HomeRouterLogic& logic_;
  ClockDomain& clock_;
  unsigned core_;
  ClockDomain::BlockId block_;
  MemoryTargetPort upstream_, l1_below_;
  MemoryInitiatorPort l1_, remote_;
  Output outputs_[3];
  Input inputs_[3];
  RequestQueue requests_;  // of the SM, to homes and directly to L2, in order
  RequestQueue from_l1_;   // one entry: the L1's message to L2
  RequestQueue acks_;      // from L2 for stores and bypassing loads of other SMs, on their way into the Out queue
  OutQueue out_;
  Outlet to_own_l1_;  // of answers from below
  // The own L1 has refused an answer of acks_: a load, which takes a place among its fills. L2's next answer to that L1 waits until the end of
  // the cycle in which the L1 takes it.
  bool forwarding_ = false;
  Payload* refused_answer_ = nullptr;  // of the L1 to another SM, waits for room
  Cycle refused_ready_ = 0;
  Payload* pending_local_ = nullptr;  // waits because the own L1 has not accepted it
  Cycle committed_ = kNever;          // the last cycle that has ended
  bool committing_ = false;
  bool core_turn_ = false;                          // turn between SM and L1 when both send to L2
  bool sent_request_ = false, sent_fetch_ = false;  // in this cycle: entries have become free
};

}  // namespace wharf
