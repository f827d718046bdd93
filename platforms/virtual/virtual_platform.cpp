#include "platforms/virtual/virtual_platform.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/base/error.h"
#include "platforms/virtual/bus.h"
#include "platforms/virtual/command_processor.h"
#include "platforms/virtual/ram.h"
#include "stimuli/spmd/spmd_stimulus.h"

namespace wharf::vp {

namespace {

const sc_core::sc_time& bus_latency() {
  static const sc_core::sc_time latency(10, sc_core::SC_NS);
  return latency;
}
Ram::Latencies ram_latencies() { return {sc_core::sc_time(50, sc_core::SC_NS), sc_core::sc_time(200, sc_core::SC_NS)}; }

void load(const Elf& firmware, const Ram& ram) {
  for (const Segment& segment : firmware.segments()) {
    const Address offset = segment.address - WHARF_RAM_BASE;
    if (segment.address < WHARF_RAM_BASE || offset > ram.bytes() || ram.bytes() - offset < segment.size)
      throw InputError(
          fmt::format("{}: its segment at 0x{:x} of {} bytes lies outside RAM, which is {} MiB at 0x{:x}; link it there, or "
                      "give --ram-mib",
                      firmware.name(), segment.address, segment.size, ram.bytes() >> 20, WHARF_RAM_BASE));
    const auto* bytes = reinterpret_cast<const std::byte*>(segment.bytes.data());
    std::copy_n(bytes, segment.bytes.size(), ram.data() + offset);
  }
}

}  // namespace

/// The caches of a GPU as RAM asks them. Without bytes (`data: none`) they cannot tell what they hold, and RAM answers.
class CachesOf final : public Coherence {
 public:
  CachesOf(Simulation& gpu, std::function<bool()> active) : gpu_(gpu), active_(std::move(active)) {}
  bool active() const override { return active_(); }
  bool holds(std::uint64_t begin, std::uint64_t bytes) const override { return gpu_.holds(WHARF_RAM_BASE + begin, bytes); }
  unsigned debug(tlm::tlm_generic_payload& transaction) override {
    const Address address = transaction.get_address();
    transaction.set_address(WHARF_RAM_BASE + address);
    const unsigned bytes = gpu_.debug(transaction);
    transaction.set_address(address);
    return bytes;
  }

 private:
  Simulation& gpu_;
  const std::function<bool()> active_;
};

struct VirtualPlatform::Parts {
  Parts(const GpuParams& params, const Elf& firmware, const VirtualParams& machine, RunOptions options, std::ostream& out)
      : stimulus({},
                 [this](spmd::Memory&) {
                   auto made = std::make_unique<spmd::DeviceWorkload>();
                   workload = made.get();
                   return made;
                 }),
        gpu(params, stimulus, std::move(options)),
        caches(gpu, [this] { return commands.busy(); }),
        ram("ram", machine.ram_bytes, ram_latencies(), caches),
        bus("bus", bus_latency()),
        exit("exit"),
        timer("timer"),
        uart("uart", out),
        interrupts("interrupts", [this](bool level) { cpu.interrupt(level); }),
        commands("commands", gpu, *workload, stimulus.memory(),
                 {[this](bool level) { interrupts.set(WHARF_INTERRUPT_GPU, level); },
                  [this] {
                    ram.reconsider();
                    cpu.reconsider();
                  },
                  [this](Address base, std::uint64_t bytes) { ram.share(base - WHARF_RAM_BASE, bytes); }}),
        cpu("cpu", machine.cpu, firmware, timer, exit, [this] { return commands.busy() && interrupts.enabled(WHARF_INTERRUPT_GPU); }) {
    stimulus.memory().map("ram", WHARF_RAM_BASE, ram.bytes(), ram.data());
    load(firmware, ram);
    cpu.socket.bind(bus.initiators);
    commands.memory.bind(bus.initiators);
    bus.map(exit.socket, WHARF_EXIT_BASE, WHARF_EXIT_BYTES);
    bus.map(timer.socket, WHARF_TIMER_BASE, WHARF_TIMER_BYTES);
    bus.map(interrupts.socket, WHARF_INTERRUPTS_BASE, WHARF_INTERRUPTS_BYTES);
    bus.map(uart.socket, WHARF_UART_BASE, WHARF_UART_BYTES);
    bus.map(commands.socket, WHARF_GPU_BASE, WHARF_GPU_BYTES);
    bus.map(ram.socket, WHARF_RAM_BASE, ram.bytes());
    cpu.ended = [this] {
      workload->close();
      gpu.resume();
    };
  }

  spmd::DeviceWorkload* workload = nullptr;  // the stimulus owns it
  spmd::SpmdStimulus stimulus;
  Simulation gpu;
  CachesOf caches;
  Ram ram;
  Bus bus;
  ExitDevice exit;
  Timer timer;
  Uart uart;
  InterruptController interrupts;
  CommandProcessor commands;
  HostCpu cpu;
};

VirtualPlatform::VirtualPlatform(const GpuParams& gpu, const Elf& firmware, const VirtualParams& params, RunOptions options,
                                 std::ostream& uart)
    : parts_(std::make_unique<Parts>(gpu, firmware, params, std::move(options), uart)) {}

VirtualPlatform::~VirtualPlatform() = default;

void VirtualPlatform::run() { parts_->gpu.run(); }

const Simulation& VirtualPlatform::gpu() const { return parts_->gpu; }
std::uint32_t VirtualPlatform::exit_code() const { return parts_->exit.code().value_or(0); }
std::uint64_t VirtualPlatform::instructions() const { return parts_->cpu.instructions(); }

}  // namespace wharf::vp
