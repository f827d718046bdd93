#pragma once
// A RISC-V 64 hart (RV64IMAFDC, machine mode) on the Unicorn engine: runs a number of instructions and says why it stopped. No SystemC.
//
// Unicorn translates instructions; traps, WFI and the counters that software may read are done here, because Unicorn 2.0 does not enter trap
// handlers and counts the host's clock. Not modelled: user and supervisor mode, virtual memory, PMP, writes to counters. Instructions are
// fetched from direct memory only.

#include <cstdint>
#include <memory>
#include <string>

#include "model/base/types.h"

namespace wharf::vp {

/// Memory that the hart may access without a call: [begin, end).
struct DirectMemory {
  Address begin = 0, end = 0;
  std::byte* data = nullptr;  // of `begin`
};

/// What the hart sees of the rest of the machine. Functions may throw: the error leaves RiscvCore::run().
class RiscvBus {
 public:
  virtual ~RiscvBus() = default;
  /// Direct memory around the address; false where there is none.
  virtual bool direct(Address address, DirectMemory& memory) = 0;
  /// Whether a byte can be read there at all; without effects.
  virtual bool exists(Address address) = 0;
  /// `direct_now`: set where direct() would succeed from now on. False: the access failed.
  virtual bool read(Address address, unsigned size, std::uint64_t& value, bool& direct_now) = 0;
  virtual bool write(Address address, unsigned size, std::uint64_t value, bool& direct_now) = 0;
  /// What the hart's counters read: its own cycles, and the time.
  virtual std::uint64_t cycles() = 0;
  virtual std::uint64_t time() = 0;
  /// Interrupts that are pending, as bits of mip.
  virtual std::uint64_t pending() = 0;
};

/// Exceptions by their codes in mcause.
enum class Cause : std::uint64_t {
  none = ~std::uint64_t{0},
  fetch_misaligned = 0,
  fetch_fault = 1,
  illegal_instruction = 2,
  breakpoint = 3,
  load_misaligned = 4,
  load_fault = 5,
  store_misaligned = 6,
  store_fault = 7,
  environment_call = 11,
};
constexpr std::uint64_t kTimerInterrupt = 7, kExternalInterrupt = 11;  // bits of mip and mie, codes of mcause

class RiscvCore {
 public:
  /// Throws InputError where the program was built without Unicorn, and says how to build it in.
  explicit RiscvCore(RiscvBus& bus);
  ~RiscvCore();
  /// Whether the program was built with Unicorn.
  static bool is_built();

  enum class Stop {
    instructions,  // as many as were allowed
    device,        // after an access that may have changed interrupts or direct memory
    wait,          // WFI, which has been executed
    exception,  // see exception(); the instruction has had no effect but that a load that failed in a device leaves its register undefined
  };
  Stop run(std::uint64_t most_instructions);

  /// So far, the one whose access is under way not included.
  std::uint64_t executed() const;
  Address pc() const;
  void set_pc(Address pc);

  struct Exception {
    Cause cause = Cause::none;
    std::uint64_t value = 0;  // mtval: the address, or the instruction
  };
  const Exception& exception() const;

  /// mie where mstatus.MIE allows interrupts and for WFI, which does not ask for MIE.
  std::uint64_t enabled_interrupts() const;
  bool interrupts_on() const;
  /// mtvec; 0 where the firmware has installed no handler.
  Address trap_handler() const;
  /// Enters the handler: mepc = pc, mcause, mtval, mstatus.
  void trap(std::uint64_t cause, bool interrupt, std::uint64_t value);
  /// The firmware has left machine mode, the only one there is.
  bool has_left_machine_mode() const;

  /// Direct memory in [begin, end] may be used no longer, from the end of the instruction under way.
  void invalidate_direct(Address begin, Address end);
  /// Ends the present run() after the instruction under way.
  void stop();

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace wharf::vp
