#pragma once
// A host with a GPU: CPU, bus, RAM, UART, timer, interrupt controller and the GPU's command processor before any GPU platform. Wiring only.
// One a process, as Simulation, which it contains.

#include <memory>
#include <ostream>

#include "platforms/simulation.h"
#include "platforms/virtual/host_cpu.h"

namespace wharf::vp {

struct VirtualParams {
  HostCpuParams cpu;
  std::uint64_t ram_bytes = 64u << 20;
};

class VirtualPlatform {
 public:
  /// What the firmware transmits goes to `uart`. Throws InputError where the firmware does not fit RAM or the GPU's parameters are impossible.
  VirtualPlatform(const GpuParams& gpu, const Elf& firmware, const VirtualParams& params, RunOptions options, std::ostream& uart);
  ~VirtualPlatform();

  /// Runs until the firmware has ended and the GPU has drained, or to a limit of the GPU's. Throws SimulationError as Simulation::run() does,
  /// and for a firmware that cannot go on, that waits for nothing, or that reaches a limit of the CPU's.
  void run();

  const Simulation& gpu() const;
  /// Of the firmware, once run() has returned; no meaning where the GPU's run is partial.
  std::uint32_t exit_code() const;
  /// That the host has executed.
  std::uint64_t instructions() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace wharf::vp
