#pragma once
// Runs kernels of PTX text without a machine: warps in turn, each up to its next barrier.

#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/ptx/ptx_stimulus.h"

namespace wharf::ptx {

/// Arguments of a kernel, each at its natural alignment.
class ArgumentBytes {
 public:
  template <class T>
  ArgumentBytes& add(T value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

struct PtxMachine {
  DeviceMemory memory{std::uint64_t{64} << 20};
  std::vector<std::pair<std::string, std::uint64_t>> warnings;
  std::string printed;
  Options options;
  std::uint64_t issued = 0;  // warp instructions with their repeats

  /// Makes an array with these values.
  template <class T>
  Address array(const std::vector<T>& values) {
    const Address base = memory.allocate(values.size() * sizeof(T), "array");
    std::memcpy(memory.at(base), values.data(), values.size() * sizeof(T));
    return base;
  }
  template <class T>
  Address zeros(std::size_t count) {
    return memory.allocate(count * sizeof(T), "array");
  }
  template <class T>
  std::vector<T> read(Address base, std::size_t count) const {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory.at(base), count * sizeof(T));
    return values;
  }

  void run(const std::string& text, const std::string& kernel, Dim3 grid, Dim3 block, const ArgumentBytes& arguments,
           std::uint32_t dynamic_shared = 0, ExecutionOptions execution = {}) {
    PtxStimulus stimulus({{"test.ptx", text}}, memory, {{kernel, grid, block, dynamic_shared, arguments.bytes()}}, options,
                         [this](const std::string& output) { printed += output; });
    stimulus.use(execution);
    while (const KernelLaunch* launch = stimulus.next_kernel())
      for (std::uint64_t cta = 0; cta < launch->grid.count(); ++cta) run_cta(stimulus.open_cta(cta));
    warnings = stimulus.warnings();
  }

  void run_cta(const std::vector<std::unique_ptr<WarpStream>>& warps) {
    for (bool any = true; any;) {
      any = false;
      for (const auto& warp : warps) any |= run_to_barrier(*warp);
    }
  }
  /// Returns false if the warp has ended.
  bool run_to_barrier(WarpStream& warp) {
    while (const WarpInstruction* next = warp.peek()) {
      issued += next->repeat;
      const bool barrier = next->unit == Unit::barrier;
      warp.advance();
      if (barrier) return true;
    }
    return false;
  }
};

/// The module around `body`: declares registers %p, %h, %r, %rd, %f, %fd, and a kernel `k` with the 64-bit parameters p0, p1, ...
inline std::string kernel_of(const std::string& body, unsigned parameters = 4, const std::string& declarations = "") {
  std::string text = ".version 7.8\n.target sm_90\n.address_size 64\n" + declarations + ".visible .entry k(";
  for (unsigned i = 0; i < parameters; ++i) text += (i == 0 ? "" : ", ") + std::string(".param .u64 p") + std::to_string(i);
  return text + ")\n{\n.reg .pred %p<20>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<20>; .reg .f64 %fd<20>;\n" +
         body + "\n}\n";
}

}  // namespace wharf::ptx
