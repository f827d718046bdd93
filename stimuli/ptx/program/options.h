#pragma once
// How kernels in PTX are prepared and run, where a configuration may choose.

#include <cstdint>

namespace wharf::ptx {

/// How PTX instructions take issue slots (CU-54): as the machine instructions that an assembler makes of them, or one each.
enum class Timing : std::uint8_t { sass, ptx };

/// The order of the instructions of a basic block: that of the text, or with loads as early as data and registers allow.
enum class Schedule : std::uint8_t { program, hoisted };

struct Options {
  Timing timing = Timing::sass;
  Schedule schedule = Schedule::program;
  std::uint32_t yield_after = 512;     // warp instructions of one split while others wait, before it is watched (CU-50)
  std::uint32_t try_wait_ns = 10'000;  // longest wait of an mbarrier.try_wait without a limit of its own; no source has a figure
};

}  // namespace wharf::ptx
