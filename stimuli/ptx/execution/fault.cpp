// Messages about threads that fail.
#include "stimuli/ptx/execution/fault.h"

#include <fmt/format.h>

#include <algorithm>

#include "stimuli/ptx/program/special_registers.h"

namespace wharf::ptx {

Dim3 thread_of(const FaultPlace& place, const Dim3& block) {
  const std::uint32_t thread = place.warp * kLanes + place.lane;
  return {thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
}

void fail_thread(const CtaState& cta, const FaultPlace& place, const std::string& text, FaultKind kind) {
  const LaunchState& launch = cta.launch;
  const Dim3 thread = thread_of(place, launch.request.block);
  throw ThreadFault(fmt::format("{}: kernel {}, block ({},{},{}) thread ({},{},{}): {}", launch.program.place_of(place.pc),
                                launch.kernel.readable_name, cta.index.x, cta.index.y, cta.index.z, thread.x, thread.y, thread.z, text),
                    kind);
}

/// Ends a message about an address that belongs to no device memory.
constexpr std::string_view kHostPointer =
    "; host pointers are no device memory, and registered memory has the address that cudaHostGetDevicePointer returns";

std::string describe_global_fault(const DeviceMemory& memory, Address address, unsigned bytes, std::string_view access) {
  const std::string what = fmt::format("global {} of {} bytes at {:#x}", access, bytes, address);
  constexpr Address kNullPage = 4096;
  if (address < kNullPage) return what + ": a null pointer, or an offset from one";
  const DeviceMemory::Allocation* const below = memory.nearest_below(address);
  if (below == nullptr) return fmt::format("{}: below all allocations{}", what, kHostPointer);
  if (address < below->base + below->reach()) {
    if (below->is_freed) return fmt::format("{}: in allocation {} ({}), which is freed", what, below->number, below->name);
    if (below->is_constant && access != "load")
      return fmt::format("{}: in allocation {} ({}), which is constant memory", what, below->number, below->name);
    return fmt::format("{}: {} bytes reach beyond allocation {} ({})", what, address + bytes - below->base - below->reach(), below->number,
                       below->name);
  }
  if (!memory.contains(address, 1)) return fmt::format("{}: outside the device memory{}", what, kHostPointer);
  return fmt::format("{}: {} bytes beyond allocation {} ({})", what, address - below->base - below->bytes, below->number, below->name);
}

std::string describe_trap(const LaunchState& launch, std::uint32_t pc) {
  const Program& program = launch.program;
  const FunctionCode& function = program.function_at(pc);
  const auto reads_workspace = [](const Operation& operation) {
    const Operand high = *special_row("%envreg1"), low = *special_row("%envreg2");
    return std::any_of(operation.operands.begin(), operation.operands.end(), [&](Operand one) { return one == high || one == low; });
  };
  const bool asks_for_grid = std::any_of(program.code().begin() + function.begin, program.code().begin() + function.end, reads_workspace);
  if (launch.request.grid_workspace != 0 || !asks_for_grid) return "trap: the program ends itself";
  return fmt::format(
      "trap: this_grid() cannot synchronise, because the launch is not cooperative, so that its blocks need not run at a time; launch {} "
      "with cudaLaunchCooperativeKernel",
      launch.kernel.readable_name);
}

}  // namespace wharf::ptx
