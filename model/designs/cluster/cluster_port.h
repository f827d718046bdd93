#pragma once
// Connects an SM's shared memory with those of the other SMs of its GPC (modern_gpus section 4). It sends the SM's accesses to the SM that
// holds their CTA and serves those of other SMs, each in order. Accesses to the SM's own memory do not leave it.
//
// An access is served in a cycle in which no instruction of the program uses shared memory. It takes `hop` cycles each way (hop_table), so
// an access to another SM takes two hops more than one to the own memory. Requests wait for shared memory, which waits for nothing but
// replies, which always find the SM ready. So the two classes of traffic cannot block each other.
//
// With multicast_at: gpc, lines of other SMs' bulk copies come from the network of L2's replies, to be written here (MG-15). They too wait
// for shared memory alone, and nobody is told that they have been written.
//
// The port of the SM of rank 0 holds the barrier of a cluster: it answers all arrivals when every CTA has arrived or ended.

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "model/base/cluster_member.h"
#include "model/base/stats/stats.h"
#include "model/base/transaction_list.h"
#include "model/designs/cluster/cluster_params.h"
#include "model/l1_sharing/sender.h"
#include "model/l1_sharing/shared_memory/shared_memory_turns.h"
#include "model/monitor/shared_memory/golden_shared_memory.h"
#include "model/monitor/watchdog.h"
#include "model/network/hierarchical/hierarchy.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/request_queue.h"
#include "model/tlm/sideband.h"

namespace wharf {

class ClusterPort final : public sc_core::sc_module,
                          public Clocked,
                          public Inspectable,
                          public SidebandListener,
                          private MemoryTarget,
                          private MessageSink,
                          private SenderOwner {
 public:
  struct Environment {
    ClockDomain& clock;
    PayloadPool& pool;
    stats::Registry& registry;
    const network::Hierarchy& hierarchy;
    std::uint32_t shared_cycles, slots;         // of an SM: sm.shared_cycles, and its CTA slots
    std::function<void(const Access&)> arrive;  // tells the SM of an arrival at one of its mbarriers
    GoldenSharedMemory* golden = nullptr;       // null: turns are not checked
  };
  ClusterPort(sc_core::sc_module_name name, const ClusterParams& params, unsigned sm, SharedMemoryTurns& turns,
              const Environment& environment);

  tlm::tlm_target_socket<>& upstream() { return upstream_.socket; }
  tlm::tlm_initiator_socket<>& request() { return requests_.socket(); }
  tlm::tlm_initiator_socket<>& reply() { return replies_.socket(); }
  tlm::tlm_target_socket<>& arriving_request() { return request_in_.socket; }
  tlm::tlm_target_socket<>& arriving_reply() { return reply_in_.socket; }
  tlm::tlm_target_socket<>& arriving_line() { return lines_->in.socket; }

  void act(Cycle now) override;
  /// CTAs that the SM gets and ends.
  void write(const Event& event) override;
  void inspect(std::vector<Wait>& waits) const override;
  /// Called between kernels (model/base/archive.h).
  void archive(Archive& file);
  /// Accesses that this SM has sent to others, and that it has served for others.
  std::uint64_t sent() const { return tpc_.value() + cpc_.value() + gpc_.value(); }
  std::uint64_t served() const { return served_.value(); }

 private:
  static constexpr unsigned kRequests = 0, kReplies = 1, kLines = 2;  // indices of the message sinks

  /// The barrier of a cluster whose rank 0 has this CTA slot.
  struct Barrier {
    std::uint64_t cluster = 0;  // the age of its rank 0
    std::size_t ctas = 0, ended = 0;
    std::vector<Payload*> arrived;
    Cycle arrivals_sum = 0;
  };
  /// A CTA of a cluster.
  struct Member {
    bool present = false;
    CtaPlace first;             // the place of rank 0
    std::uint64_t cluster = 0;  // the age of rank 0, which no other cluster of the run has
  };
  /// Its end.
  struct Exit {
    Cycle at;
    Member member;
  };
  /// Lines that come with replies of L2.
  struct Lines {
    Lines(ClusterPort& port, std::uint32_t places);
    MessageSinkPort in;
    RequestQueue queue;
    stats::Counter received;
  };

  Acceptance request(unsigned, Payload& payload, Picoseconds at) override;
  void response_accepted(unsigned, Picoseconds at) override;
  unsigned debug(unsigned, tlm::tlm_generic_payload&) override { return 0; }
  bool message(unsigned port, Payload& payload, Picoseconds at) override;
  void after_sending(Cycle now) override;

  bool is_own(const Payload& payload) const { return place_of(payload.access().line).sm == sm_; }
  void admit_pending(Cycle now);
  void send_exits(Cycle now);
  void send_own(Cycle now);
  void serve(Cycle now);
  RequestQueue* oldest(Cycle now);
  bool has_turn(Cycle since, Cycle now);
  void finish(RequestQueue& queue, Cycle now);
  void write_lines(Payload& payload, Cycle now);
  void yield_memory(Cycle now);
  void enter(Payload& arrival, Cycle now);
  void leave(std::uint16_t slot, std::uint64_t cluster, Cycle now);
  void open(Barrier& barrier, Cycle now);
  void answer(Payload& payload, Cycle at);
  void show(Payload& payload, Picoseconds at);
  void count_request(const Access& access);
  Cycle next_event(Cycle now);

  const ClusterParams params_;
  const std::uint16_t sm_;
  const Cycle latency_;  // from service to data
  SharedMemoryTurns& turns_;
  ClockDomain& clock_;
  PayloadPool& pool_;
  const network::Hierarchy& hierarchy_;
  const std::function<void(const Access&)> arrive_;
  GoldenSharedMemory* const golden_;
  stats::Group group_;
  stats::Counter loads_, stores_, atomics_, answers_, bytes_, own_, tpc_, cpc_, gpc_, served_, wait_cycles_, barriers_opened_,
      barrier_wait_;
  ClockDomain::BlockId block_;
  MemoryTargetPort upstream_;
  MessageSinkPort request_in_, reply_in_;
  Sender requests_, replies_;
  RequestQueue from_sm_, from_others_;
  std::unique_ptr<Lines> lines_;  // null with multicast_at: source
  std::uint32_t turns_left_ = 0;  // of the access that is being served; 0: none has begun
  RequestQueue* serving_ = nullptr;
  bool claimed_ = false;           // the program's instructions wait for this port
  std::vector<Barrier> barriers_;  // [CTA slot]
  std::vector<Member> members_;    // [CTA slot]
  std::vector<Exit> exits_;
  Outlet outlet_;            // of answers to the SM
  TransactionList waiting_;  // answers behind one that has not been accepted
};

}  // namespace wharf
