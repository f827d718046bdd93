#pragma once
// Kernels in PTX that use shared memory of a block and of its cluster, executed functionally.

#include <functional>
#include <numeric>

#include "stimuli/functional_run.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

namespace wharf::ptx {

struct LaunchShape {
  Dim3 grid = {1, 1, 1}, block = {32, 1, 1}, cluster = {1, 1, 1};
};

/// Runs a kernel with the parameters `in` and `out`.
inline void run_launch(PtxMachine& machine, const std::string& body, const LaunchShape& shape, Address in, Address out) {
  LaunchRequest request{"k", shape.grid, shape.block, 0, ArgumentBytes().add(in).add(out).bytes()};
  request.cluster = shape.cluster;
  PtxStimulus stimulus({{"test.ptx", kernel_of(body, 2)}}, machine.memory, {request});
  run_functionally(stimulus, [](const FunctionalRun&) { return true; });
  machine.warnings = stimulus.warnings();
}

inline std::vector<std::uint32_t> ascending(std::uint32_t count, std::uint32_t first) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// `out` after a kernel whose `in` holds 1000, 1001, ...
inline std::vector<std::uint32_t> output_of(const std::string& body, const LaunchShape& shape = {}, std::uint32_t words = 256) {
  PtxMachine machine;
  const Address in = machine.array(ascending(words, 1000)), out = machine.zeros<std::uint32_t>(words);
  run_launch(machine, body, shape, in, out);
  return machine.read<std::uint32_t>(out, words);
}

inline std::string refusal(const std::string& body, const LaunchShape& shape = {}) {
  try {
    output_of(body, shape);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

/// %r1: the thread; %r2: its offset in words' bytes; %rd1, %rd2: its elements of `in` and `out`; %r3: its word of `tile`; %r4: `bar`.
inline const std::string kSharedPlaces = R"(
    .shared .align 16 .b8 tile[1024]; .shared .align 8 .b64 bar;
    ld.param.u64 %rd10, [p0]; ld.param.u64 %rd11, [p1]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; cvt.u64.u32 %rd3, %r2;
    add.u64 %rd1, %rd10, %rd3; add.u64 %rd2, %rd11, %rd3; mov.u32 %r3, tile; add.u32 %r3, %r3, %r2; mov.u32 %r4, bar;
)";

}  // namespace wharf::ptx
