#pragma once
// A workload of one kernel over three arrays, for tests of the kernels' interface.

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "stimuli/spmd/spmd_stimulus.h"
#include "stimuli_walk.h"

namespace wharf::test {

using namespace wharf::spmd;

struct Arrays {
  Array<float> in, out;  // 4096 elements, in[i] = i
  Array<std::int32_t> index;
};

inline constexpr std::uint32_t kElements = 4096;

/// One kernel over three arrays.
class Sample final : public Workload {
 public:
  Sample(Memory& memory, Dim3 grid, Dim3 block, std::function<void(Warp&, const Arrays&)> program, Arrays& arrays,
         std::uint32_t shared_bytes, std::uint32_t local_elements) {
    arrays = {memory.array<float>("in", kElements), memory.array<float>("out", kElements), memory.array<std::int32_t>("index", kElements)};
    for (std::uint32_t i = 0; i < kElements; ++i) arrays.in[i] = float(i);
    add_launch(
        "sample", grid, block, 16, [program = std::move(program), arrays](Warp& w) { program(w, arrays); }, shared_bytes, 2);
    if (local_elements != 0) launches.back().launch.frame = frame_of(LocalArray<float>{arrays.in, local_elements});
  }
  bool check(std::string&) const override { return true; }
};

struct Run {
  Arrays arrays;
  SpmdStimulus stimulus;
  /// `local_elements`: the kernel uses `in` as a local array of this many elements per thread.
  explicit Run(std::function<void(Warp&, const Arrays&)> program, Dim3 block = {32}, Dim3 grid = {}, Translation translation = {},
               std::uint32_t shared_bytes = 0, std::uint32_t local_elements = 0)
      : stimulus(translation, [&](Memory& m) {
          return std::make_unique<Sample>(m, grid, block, std::move(program), arrays, shared_bytes, local_elements);
        }) {}

  /// All instructions that the only kernel's warps issue, without their exits.
  std::vector<WarpInstruction> instructions() {
    std::vector<WarpInstruction> list;
    walk(stimulus, [&](const KernelLaunch&, const WarpInstruction& i, std::uint64_t, unsigned) {
      if (i.unit != Unit::exit) list.push_back(i);
    });
    return list;
  }
};

}  // namespace wharf::test
