#pragma once
// The small devices of the virtual platform: exit, timer, interrupt controller, UART. Their registers stand in firmware/machine.h.

#include <functional>
#include <optional>
#include <ostream>

#include "platforms/virtual/register_device.h"

namespace wharf::vp {

/// Told the level of an interrupt line when it changes: at once, not a delta cycle later, so that an initiator which has taken an
/// interrupt back within its quantum does not see it again.
using InterruptLine = std::function<void(bool level)>;

/// Ends the run when the firmware writes to it.
class ExitDevice final : public RegisterDevice {
 public:
  explicit ExitDevice(sc_core::sc_module_name name);
  /// What the firmware wrote, once it has.
  std::optional<std::uint32_t> code() const { return code_; }

 private:
  bool peek(std::uint64_t offset, std::uint32_t& value) override;
  bool write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time& delay) override;

  std::optional<std::uint32_t> code_;
};

/// A clock in ns and a comparison with it. It belongs to the CPU, which asks when its interrupt is due: being at most a quantum ahead of
/// the kernel, it must know before the kernel gets there.
class Timer final : public RegisterDevice {
 public:
  explicit Timer(sc_core::sc_module_name name);
  /// When the interrupt line rises (or rose), in ps; kNever where it is not set.
  Picoseconds due() const;

 private:
  bool peek(std::uint64_t offset, std::uint32_t& value) override;
  bool read(std::uint64_t offset, std::uint32_t& value, sc_core::sc_time& delay) override;
  bool write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time& delay) override;

  /// Half of a 64-bit register where the time is `time`, in ns.
  bool half_of(std::uint64_t offset, std::uint64_t time, std::uint32_t& value) const;

  std::uint64_t compare_ = kNever;
};

/// Sources that are pending and enabled raise the CPU's line until they are claimed; a source can be claimed again when it is done with.
/// Not modelled: priorities and thresholds, more than one context.
class InterruptController final : public RegisterDevice {
 public:
  InterruptController(sc_core::sc_module_name name, InterruptLine line);
  /// The line of source `number`, 1..31.
  void set(unsigned number, bool level);
  bool enabled(unsigned number) const { return (enable_ >> number & 1u) != 0; }

 private:
  bool peek(std::uint64_t offset, std::uint32_t& value) override;
  bool read(std::uint64_t offset, std::uint32_t& value, sc_core::sc_time& delay) override;
  bool write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time& delay) override;
  std::uint32_t ready() const { return level_ & enable_ & ~claimed_; }
  void update();

  InterruptLine line_;
  std::uint32_t level_ = 0, enable_ = 0, claimed_ = 0;  // bit a source
  bool raised_ = false;
};

/// What the firmware transmits goes to a stream, a character at once. Not modelled: reception, baud rates, interrupts.
class Uart final : public RegisterDevice {
 public:
  Uart(sc_core::sc_module_name name, std::ostream& out);

 private:
  bool peek(std::uint64_t offset, std::uint32_t& value) override;
  bool write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time& delay) override;

  std::ostream& out_;
};

}  // namespace wharf::vp
