#pragma once
// The side of a DC-L1 node that faces the SMs (dc_l1 section 3). It sits between NoC#1 and the DC-L1 cache.
//
//   NoC#1 -> Q1 -> DC-L1$ -> Q3 -> NoC#2        Q1 is the queue behind the cache's remote port, Q3 its miss queue, Q4 its fill queue;
//   NoC#1 <- Q2 <- DC-L1$ <- Q4 <- NoC#2        Q2 is here. A network interface (SmNic) joins Q3 and Q4 to NoC#2.
//
// An answer enters Q2 when its data are read; until then it stays in the cache's pipeline. One answer per cycle enters Q2; merged targets
// enter one by one (DC-14). While an answer waits to enter, lookups and replies from L2 stall, because each of them would produce another
// answer.
//
// Not modelled: area; the energy of the queues (dc_l1 section 10); the texture, constant and instruction caches of a lite core (CM-26).

#include <systemc>

#include "model/designs/dc_l1/dc_l1_node_logic.h"
#include "model/l1_sharing/sender.h"
#include "model/monitor/watchdog.h"

namespace wharf {

class DcL1Node : public sc_core::sc_module, public Inspectable, private MemoryInitiator, private MessageSink, private SenderOwner {
 public:
  DcL1Node(sc_core::sc_module_name name, const DcL1Params& params, DcL1NodeLogic& logic, ClockDomain& clock);

  tlm::tlm_target_socket<>& request() { return request_.socket; }
  tlm::tlm_initiator_socket<>& reply() { return q2_.socket(); }
  /// To the cache's remote port.
  tlm::tlm_initiator_socket<>& cache() { return cache_.socket; }

  /// Saves or loads the state between kernels (model/base/archive.h).
  void archive(Archive& file);
  void inspect(std::vector<Wait>& waits) const override;

 private:
  bool message(unsigned, Payload& payload, Picoseconds at) override;
  void request_accepted(unsigned, Picoseconds at) override;
  bool response(unsigned, Payload& payload, Picoseconds at) override;
  void after_sending(Cycle now) override;
  void enter(Payload& payload, Cycle ready, Cycle in);

  DcL1NodeLogic& logic_;
  ClockDomain& clock_;
  MessageSinkPort request_;
  MemoryInitiatorPort cache_;
  Sender q2_;
  Payload* pending_request_ = nullptr;  // waits because Q1 is full
  Payload* refused_ = nullptr;          // an answer that waits to enter Q2
  Cycle refused_ready_ = 0, refused_in_ = 0;
  bool refused_by_turn_ = false;
  Cycle entered_in_ = kNever;  // the last cycle in which an answer entered
};

}  // namespace wharf
