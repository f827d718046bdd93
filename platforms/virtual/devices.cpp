#include "platforms/virtual/devices.h"

#include "model/base/bits.h"
#include "platforms/virtual/firmware/machine.h"

namespace wharf::vp {

namespace {
constexpr Picoseconds kPicosecondsPerNs = 1000;
}  // namespace

ExitDevice::ExitDevice(sc_core::sc_module_name name) : RegisterDevice(name, WHARF_EXIT_BYTES, 4) {}

bool ExitDevice::peek(std::uint64_t offset, std::uint32_t& value) {
  value = code_.value_or(0);
  return offset == WHARF_EXIT_CODE;
}

bool ExitDevice::write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time&) {
  if (offset != WHARF_EXIT_CODE) return false;
  code_ = value;
  return true;
}

Timer::Timer(sc_core::sc_module_name name) : RegisterDevice(name, WHARF_TIMER_BYTES, 4) {}

Picoseconds Timer::due() const { return compare_ > kNever / kPicosecondsPerNs ? kNever : compare_ * kPicosecondsPerNs; }

bool Timer::half_of(std::uint64_t offset, std::uint64_t time, std::uint32_t& value) const {
  const bool high = offset % 8 != 0;
  const std::uint64_t base = offset - (high ? 4 : 0);
  const std::uint64_t whole = base == WHARF_TIMER_TIME ? time : compare_;
  value = static_cast<std::uint32_t>(high ? whole >> 32 : whole);
  return base == WHARF_TIMER_TIME || base == WHARF_TIMER_COMPARE;
}

bool Timer::peek(std::uint64_t offset, std::uint32_t& value) {
  return half_of(offset, sc_core::sc_time_stamp().value() / kPicosecondsPerNs, value);
}

bool Timer::read(std::uint64_t offset, std::uint32_t& value, sc_core::sc_time& delay) {
  return half_of(offset, (sc_core::sc_time_stamp() + delay).value() / kPicosecondsPerNs, value);
}

bool Timer::write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time&) {
  constexpr std::uint64_t kLow = 0xFFFFFFFFu;
  if (offset == WHARF_TIMER_COMPARE) {
    compare_ = (compare_ & ~kLow) | value;
  } else if (offset == WHARF_TIMER_COMPARE + 4) {
    compare_ = (compare_ & kLow) | std::uint64_t{value} << 32;
  } else {
    return false;
  }
  return true;
}

InterruptController::InterruptController(sc_core::sc_module_name name, InterruptLine line)
    : RegisterDevice(name, WHARF_INTERRUPTS_BYTES, 4), line_(std::move(line)) {}

void InterruptController::set(unsigned number, bool level) {
  const std::uint32_t bit = std::uint32_t{1} << number;
  level_ = level ? level_ | bit : level_ & ~bit;
  update();
}

void InterruptController::update() {
  const bool raise = ready() != 0;
  if (raise == raised_) return;
  raised_ = raise;
  line_(raise);
}

bool InterruptController::peek(std::uint64_t offset, std::uint32_t& value) {
  switch (offset) {
    case WHARF_INTERRUPTS_PENDING:
      value = level_ & ~claimed_;
      return true;
    case WHARF_INTERRUPTS_ENABLE:
      value = enable_;
      return true;
    case WHARF_INTERRUPTS_CLAIM:
      value = ready() == 0 ? 0 : lowest_bit(ready());
      return true;
    default:
      return false;
  }
}

bool InterruptController::read(std::uint64_t offset, std::uint32_t& value, sc_core::sc_time&) {
  if (!peek(offset, value)) return false;
  if (offset == WHARF_INTERRUPTS_CLAIM && value != 0) claimed_ |= std::uint32_t{1} << value;
  update();
  return true;
}

bool InterruptController::write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time&) {
  if (offset == WHARF_INTERRUPTS_ENABLE) {
    enable_ = value & ~1u;  // there is no source 0
  } else if (offset == WHARF_INTERRUPTS_CLAIM) {
    if (value < 32) claimed_ &= ~(std::uint32_t{1} << value);
  } else {
    return false;
  }
  update();
  return true;
}

Uart::Uart(sc_core::sc_module_name name, std::ostream& out) : RegisterDevice(name, WHARF_UART_BYTES, 1), out_(out) {}

bool Uart::peek(std::uint64_t offset, std::uint32_t& value) {
  constexpr std::uint32_t kReady = 0x60;
  value = kReady;
  return offset == WHARF_UART_STATUS;
}

bool Uart::write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time&) {
  if (offset != WHARF_UART_TRANSMIT) return false;
  out_.put(static_cast<char>(value));
  if (value == '\n') out_.flush();
  return true;
}

}  // namespace wharf::vp
