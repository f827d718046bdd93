#pragma once
// The GPU's side of the host bus: registers, a ring of commands in host RAM that it reads over the bus, launches by name, fences, one
// interrupt. Registers, commands and errors stand in firmware/machine.h; docs/virtual.md explains them.
//
// Commands run one after the other. Every access to a register first waits until the kernel's time is the initiator's: the GPU is timed
// by its cycles, and what a host reads here must not depend on how far it has run ahead. Not modelled: several rings, preemption.

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <functional>
#include <systemc>

#include "platforms/simulation.h"
#include "platforms/virtual/firmware/machine.h"
#include "platforms/virtual/register_device.h"
#include "stimuli/kernels/device_kernel.h"

namespace wharf::vp {

class CommandProcessor final : public RegisterDevice {
 public:
  SC_HAS_PROCESS(CommandProcessor);
  /// What it tells the rest of the host.
  struct Host {
    std::function<void(bool level)> interrupt;                      // the line's level, when it may have changed
    std::function<void()> ended;                                    // a command has, or the command processor has stopped
    std::function<void(Address base, std::uint64_t bytes)> shares;  // an array of a launch whose doorbell has rung
  };
  /// `image`: the memory in which arrays lie.
  CommandProcessor(sc_core::sc_module_name name, Simulation& gpu, spmd::DeviceWorkload& workload, spmd::Memory& image, Host host);

  /// Where it reads commands.
  tlm_utils::simple_initiator_socket<CommandProcessor> memory{"memory"};

  bool busy() const { return error_ == WHARF_GPU_ERROR_NONE && head_ != tail_; }

 private:
  /// What stops the command processor.
  struct Failure {
    wharf_gpu_error error;
    std::uint32_t argument = 0;
  };
  bool peek(std::uint64_t offset, std::uint32_t& value) override;
  bool read(std::uint64_t offset, std::uint32_t& value, sc_core::sc_time& delay) override;
  bool write(std::uint64_t offset, std::uint32_t value, sc_core::sc_time& delay) override;
  bool set_ring(std::uint64_t offset, std::uint32_t value);
  void ring_doorbell(std::uint32_t tail);
  /// Tells the host which arrays a command that waits will need.
  void share_arrays(std::uint32_t number);
  /// Of a command, counted as the tail is.
  Address place_of(std::uint32_t number) const { return ring_ + number % size_ * sizeof(wharf_gpu_command); }
  void reset();
  void fail(const Failure& failure);
  void update_interrupt() { host_.interrupt(interrupt_ != 0); }

  void serve();
  wharf_gpu_command fetch();
  void execute(const wharf_gpu_command& command);
  void launch(const wharf_gpu_command& command);
  void fence(const wharf_gpu_command& command);
  spmd::DeviceArgument argument(const wharf_gpu_argument& given, const spmd::DeviceParameter& parameter, std::uint32_t index) const;
  void note_counts();
  /// Throws Failure where the bus refuses.
  void transport(tlm::tlm_command command, Address address, void* data, unsigned bytes);

  Simulation& gpu_;
  spmd::DeviceWorkload& workload_;
  spmd::Memory& image_;
  const Host host_;
  sc_core::sc_event work_, drained_;
  Address ring_ = 0;
  std::uint32_t size_ = 0, tail_ = 0, head_ = 0, kernels_ = 0, interrupt_ = 0;
  std::uint32_t error_ = WHARF_GPU_ERROR_NONE, error_argument_ = 0, error_command_ = 0;
  std::array<std::uint64_t, WHARF_GPU_COUNTS> last_{};
};

}  // namespace wharf::vp
