#pragma once
// The module around an SM: the memory link to its L1, and the sidebands from and to the front end.

#include <memory>
#include <systemc>

#include "model/monitor/watchdog.h"
#include "model/sm/gpu_period.h"
#include "model/sm/sm_logic.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/sideband.h"

namespace wharf {

class Sm final : public sc_core::sc_module,
                 public Clocked,
                 public Inspectable,
                 public SidebandListener,
                 public SentToL2Listener,
                 public CacheEventListener,
                 private MemoryInitiator,
                 private SmLogic::Port {
 public:
  Sm(sc_core::sc_module_name name, const SmParams& params, TransactionUnit unit, std::uint32_t l1_banks, unsigned number,
     ClockDomain& clock, PayloadPool& pool, stats::Registry& registry, std::uint64_t seed = 0, GpuPeriod* period = nullptr);

  tlm::tlm_initiator_socket<>& downstream() { return downstream_.socket; }
  /// The link for accesses to shared memory of the cluster, where the SM has one.
  tlm::tlm_initiator_socket<>& peers() { return peers_->link.socket; }
  SidebandPort finished{"finished"};  // carries cta_finish to the front end
  SidebandPort to_l1{"to_l1"};        // carries fence to an L1 that serves only this SM

  void act(Cycle now) override;
  void write(const Event& event) override;
  /// An access of this SM has left for L2; the SM sees it in the next cycle.
  void write(const Access& access) override;
  /// A cache that serves this SM reports an event; the SM sees it in the next cycle.
  void write(const CacheEvent& event) override;
  /// Busy fractions (0..1) of L2 ports and DRAM buses, up to the end of the present cycle; the SM sees them in the next.
  void measured(double l2, double dram);
  /// Wakes the SM in the next cycle.
  void wake() { clock_.wake(block_, clock_.present_cycle() + 1); }
  void inspect(std::vector<Wait>& waits) const override;
  /// The cluster port has served another SM's arrival at an mbarrier; the SM sees it in the next cycle.
  void peer_arrives(const Access& arrival) {
    logic_.peer_arrives(arrival, clock_.present_cycle() + 1);
    wake();
  }
  SmLogic& logic() { return logic_; }
  void keep_cycle_stack(unsigned stages) { logic_.keep_cycle_stack(group_, stages); }
  /// True if kernel-start events must be sent to this SM.
  bool needs_kernel_starts() {
    return filter_needs_kernel_starts_ || local_memory_ == LocalMemory::interleaved || logic_.cycle_stack() != nullptr;
  }

 private:
  friend class MemoryInitiatorPortOf<Sm>;

  Access& next(const Access& like) override;
  bool send() override;
  void copy_reply(const Access& write) override;
  void pass_fence() override;
  void hold_kernel(bool held) override;
  std::string describe(const SmLogic::CtaWait& waiting) const;
  void request_accepted(unsigned port, Picoseconds at) override;
  bool response(unsigned port, Payload& payload, Picoseconds at) override;

  /// The port to the shared memory of the cluster.
  class Peers final : public SmLogic::Port {
   public:
    explicit Peers(Sm& sm) : sm_(sm), link("peers", sm, kPeers) {}
    Access& next(const Access& like) override { return sm_.next(like); }
    bool send() override {
      sm_.next_->set_attributes();
      return link.send(*sm_.next_, sm_.clock_.delay(1)) != Acceptance::pending;
    }
    void copy_reply(const Access&) override {}  // its accesses read no L2

   private:
    Sm& sm_;

   public:
    MemoryInitiatorPortOf<Sm> link;
  };
  static constexpr unsigned kPeers = 1;  // index of its link; 0 is the L1's

  std::uint16_t number_;
  GpuPeriod* period_;  // null if the SM has its own prediction period
  ClockDomain& clock_;
  PayloadPool& pool_;
  Payload* next_ = nullptr;  // the access that is being completed, to be sent to the L1
  Payload* held_ = nullptr;  // keeps the kernel from ending, as an access in flight does
  stats::Group group_;
  SmLogic logic_;
  bool wakes_on_misses_;
  bool filter_needs_kernel_starts_;  // its warp filter wants kernel-start events
  LocalMemory local_memory_;
  ClockDomain::BlockId block_;
  MemoryInitiatorPortOf<Sm> downstream_;
  std::unique_ptr<Peers> peers_;                                      // null without SmParams::has_peers
  std::vector<const KernelLaunch*> kernels_;                          // [place]: whose CTA has arrived last
  std::vector<std::pair<Cycle, std::unique_ptr<CtaWork>>> arriving_;  // each CTA with the cycle in which it arrives
};

}  // namespace wharf
