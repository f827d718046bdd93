#include "platforms/virtual/host_cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/base/error.h"

namespace wharf::vp {

namespace {

constexpr std::uint64_t kTimerBit = std::uint64_t{1} << kTimerInterrupt, kExternalBit = std::uint64_t{1} << kExternalInterrupt;
constexpr std::size_t kStackBytes = 1 << 20;  // the translator runs on the stack of the process

const char* name_of(Cause cause) {
  switch (cause) {
    case Cause::fetch_misaligned:
      return "jumps to an address that is not even";
    case Cause::fetch_fault:
      return "jumps to an address where there is no memory";
    case Cause::illegal_instruction:
      return "executes an illegal instruction";
    case Cause::breakpoint:
      return "stops at a breakpoint";
    case Cause::load_misaligned:
    case Cause::load_fault:
      return "loads from an address where there is nothing to read";
    case Cause::store_misaligned:
    case Cause::store_fault:
      return "stores to an address where nothing can be written";
    case Cause::environment_call:
      return "calls an environment that there is not (ecall)";
    case Cause::none:
      break;
  }
  return "raises an exception";
}

}  // namespace

HostCpu::HostCpu(sc_core::sc_module_name name, const HostCpuParams& params, const Elf& firmware, const Timer& timer,
                 const ExitDevice& exited, std::function<bool()> interruptible)
    : sc_module(name),
      params_(params),
      firmware_(firmware),
      timer_(timer),
      exit_(exited),
      interruptible_(std::move(interruptible)),
      cycle_(sc_core::sc_time::from_value(1'000'000 / params.clock_mhz)),
      core_(*this) {
  tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(static_cast<double>(params.quantum_ns), sc_core::SC_NS));
  core_.set_pc(firmware.entry());
  socket.register_invalidate_direct_mem_ptr(this, &HostCpu::invalidate);
  SC_THREAD(run);
  set_stack_size(kStackBytes);
}

void HostCpu::interrupt(bool level) {
  external_ = level;
  if (level) wake_.notify(sc_core::SC_ZERO_TIME);
}

void HostCpu::run() {
  keeper_.reset();
  while (!exit_.code()) run_instructions();
  keeper_.sync();
  done_ = true;
  if (ended) ended();
}

void HostCpu::run_instructions() {
  take_interrupt();
  const RiscvCore::Stop stop = core_.run(allowance());
  count_time();
  if (core_.has_left_machine_mode()) fail("leaves machine mode, the only one that this CPU has");
  if (exit_.code()) return;
  check_limits();
  if (stop == RiscvCore::Stop::exception) handle_exception();
  if (stop == RiscvCore::Stop::wait) wait_for_interrupt();
  if (keeper_.need_sync()) keeper_.sync();
}

std::uint64_t HostCpu::allowance() {
  sc_core::sc_time until = tlm::tlm_global_quantum::instance().compute_local_quantum() + sc_core::sc_time_stamp();
  const Picoseconds due = timer_.due(), now = local().value();
  if (due > now) until = std::min(until, sc_core::sc_time::from_value(std::min(due, params_.limit_time)));
  const Picoseconds left = until.value() > now ? until.value() - now : 0;
  const std::uint64_t instructions = (left + cycle_.value() - 1) / cycle_.value();
  return std::clamp<std::uint64_t>(instructions, 1, params_.limit_instructions);
}

void HostCpu::count_time() {
  const std::uint64_t executed = core_.executed();
  keeper_.inc(sc_core::sc_time::from_value((executed - counted_) * cycle_.value()));
  counted_ = executed;
}

void HostCpu::check_limits() {
  if (local().value() >= params_.limit_time)
    fail(fmt::format("has not ended within {} us of simulated time; --limit-time raises this", params_.limit_time / 1'000'000));
  if (core_.executed() >= params_.limit_instructions)
    fail(fmt::format("has not ended within {} instructions; --limit-instructions raises this", params_.limit_instructions));
}

std::uint64_t HostCpu::pending() {
  const bool timer = local().value() >= timer_.due();
  return (timer ? kTimerBit : 0) | (external_ ? kExternalBit : 0);
}

std::uint64_t HostCpu::time() {
  count_time();
  return local().value() / 1000;
}

void HostCpu::take_interrupt() {
  const std::uint64_t ready = pending();
  if (ready == 0 || !core_.interrupts_on()) return;
  const std::uint64_t taken = ready & core_.enabled_interrupts();
  if (taken == 0) return;
  if (core_.trap_handler() == 0) fail("is interrupted, but has installed no handler (mtvec is 0)");
  core_.trap((taken & kExternalBit) != 0 ? kExternalInterrupt : kTimerInterrupt, true, 0);
}

void HostCpu::wait_for_interrupt() {
  keeper_.sync();
  const std::uint64_t enabled = core_.enabled_interrupts();
  while ((pending() & enabled) == 0) {
    const bool timer = (enabled & kTimerBit) != 0 && timer_.due() != kNever;
    if (!timer && !((enabled & kExternalBit) != 0 && interruptible_())) fail("waits for an interrupt that nothing will raise (wfi)");
    const Picoseconds now = sc_core::sc_time_stamp().value();
    const Picoseconds until = timer ? std::min(timer_.due(), params_.limit_time) : params_.limit_time;
    wait(sc_core::sc_time::from_value(until > now ? until - now : 0), wake_);
    check_limits();
  }
}

void HostCpu::handle_exception() {
  const RiscvCore::Exception& exception = core_.exception();
  if (core_.trap_handler() != 0) return core_.trap(static_cast<std::uint64_t>(exception.cause), false, exception.value);
  std::string what = name_of(exception.cause);
  if (exception.value != 0) what += fmt::format(": 0x{:x}", exception.value);
  fail(fmt::format("{} (cause {}), and has installed no handler", what, static_cast<std::uint64_t>(exception.cause)));
}

void HostCpu::fail(const std::string& what) const {
  const std::string place = firmware_.place_of(core_.pc());
  throw SimulationError(fmt::format("{}: the firmware {}; pc 0x{:x}{}, {} ns, {} instructions", firmware_.name(), what, core_.pc(),
                                    place.empty() ? "" : " in " + place, local().value() / 1000, core_.executed()));
}

bool HostCpu::direct(Address address, DirectMemory& memory) {
  tlm::tlm_generic_payload transaction;
  transaction.set_read();
  transaction.set_address(address);
  transaction.set_data_length(1);
  tlm::tlm_dmi dmi;
  if (!socket->get_direct_mem_ptr(transaction, dmi) || !dmi.is_read_write_allowed()) return false;
  memory = {dmi.get_start_address(), dmi.get_end_address() + 1, reinterpret_cast<std::byte*>(dmi.get_dmi_ptr())};
  return true;
}

bool HostCpu::exists(Address address) {
  // A register answers to accesses of its own width alone.
  for (const unsigned size : {4u, 1u}) {
    std::uint32_t value = 0;
    tlm::tlm_generic_payload transaction;
    transaction.set_read();
    transaction.set_address(address / size * size);
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    transaction.set_data_length(size);
    transaction.set_streaming_width(size);
    if (socket->transport_dbg(transaction) == size) return true;
  }
  return false;
}

bool HostCpu::read(Address address, unsigned size, std::uint64_t& value, bool& direct_now) {
  return transport(tlm::TLM_READ_COMMAND, address, size, value, direct_now);
}

bool HostCpu::write(Address address, unsigned size, std::uint64_t value, bool& direct_now) {
  return transport(tlm::TLM_WRITE_COMMAND, address, size, value, direct_now);
}

bool HostCpu::transport(tlm::tlm_command command, Address address, unsigned size, std::uint64_t& value, bool& direct_now) {
  count_time();
  tlm::tlm_generic_payload transaction;
  transaction.set_command(command);
  transaction.set_address(address);
  transaction.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  transaction.set_data_length(size);
  transaction.set_streaming_width(size);
  sc_core::sc_time delay = keeper_.get_local_time();
  socket->b_transport(transaction, delay);
  keeper_.set(delay);
  if (keeper_.need_sync()) core_.stop();
  direct_now = transaction.is_dmi_allowed();
  return transaction.is_response_ok();
}

}  // namespace wharf::vp
