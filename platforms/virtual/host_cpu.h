#pragma once
// The host CPU: a RISC-V hart as a loosely-timed TLM-2.0 initiator (b_transport, quantum keeper, DMI). One instruction takes one cycle;
// memory that is reached by DMI takes no more, devices what they and the bus annotate.
//
// Interrupts are looked for where a run of instructions ends: at the end of the quantum, when the timer is due, after an access that
// writes to a device, where the firmware lets interrupts in, and on waking from WFI. Not modelled: caches, pipeline, several harts.

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <functional>
#include <systemc>
#include <tlm>

#include "platforms/virtual/devices.h"
#include "platforms/virtual/elf.h"
#include "platforms/virtual/riscv_core.h"

namespace wharf::vp {

struct HostCpuParams {
  std::uint32_t clock_mhz = 1000;
  std::uint64_t quantum_ns = 1000;  // how far it may run ahead of the kernel
  std::uint64_t limit_instructions = kNever;
  Picoseconds limit_time = 1'000'000'000'000;  // of the simulated machine
};

class HostCpu final : public sc_core::sc_module, private RiscvBus {
 public:
  SC_HAS_PROCESS(HostCpu);
  /// `interruptible`: whether anything that is under way may raise the external interrupt. `firmware` names places in errors; the CPU starts
  /// at its entry. `exited`: what ends the run.
  HostCpu(sc_core::sc_module_name name, const HostCpuParams& params, const Elf& firmware, const Timer& timer, const ExitDevice& exited,
          std::function<bool()> interruptible);

  tlm_utils::simple_initiator_socket<HostCpu> socket{"socket"};

  /// The external interrupt.
  void interrupt(bool level);
  /// What `interruptible` says may have changed.
  void reconsider() { wake_.notify(sc_core::SC_ZERO_TIME); }
  /// Called when the firmware has ended, from the CPU's process.
  std::function<void()> ended;

  std::uint64_t instructions() const { return core_.executed(); }
  bool done() const { return done_; }

 private:
  void run();
  void run_instructions();
  /// Takes a pending interrupt, if it may.
  void take_interrupt();
  void wait_for_interrupt();
  void handle_exception();
  /// Instructions before the next instant at which something is due.
  std::uint64_t allowance();
  sc_core::sc_time local() const { return sc_core::sc_time_stamp() + keeper_.get_local_time(); }
  /// Brings the keeper up to the instructions executed.
  void count_time();
  void check_limits();
  [[noreturn]] void fail(const std::string& what) const;

  bool direct(Address address, DirectMemory& memory) override;
  bool exists(Address address) override;
  bool read(Address address, unsigned size, std::uint64_t& value, bool& direct_now) override;
  bool write(Address address, unsigned size, std::uint64_t value, bool& direct_now) override;
  bool transport(tlm::tlm_command command, Address address, unsigned size, std::uint64_t& value, bool& direct_now);
  std::uint64_t cycles() override { return core_.executed(); }
  std::uint64_t time() override;
  std::uint64_t pending() override;
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) { core_.invalidate_direct(begin, end); }

  const HostCpuParams params_;
  const Elf& firmware_;
  const Timer& timer_;
  const ExitDevice& exit_;
  const std::function<bool()> interruptible_;
  const sc_core::sc_time cycle_;
  RiscvCore core_;
  tlm_utils::tlm_quantumkeeper keeper_;
  std::uint64_t counted_ = 0;  // instructions whose time has passed
  bool external_ = false, done_ = false;
  sc_core::sc_event wake_;
};

}  // namespace wharf::vp
