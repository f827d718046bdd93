#pragma once
// What is wrong with a trace, all of it at once, and what is in it.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"

namespace wharf::traces {

struct Problem {
  std::string file;
  std::uint64_t line = 0;  // 0: the file as a whole
  std::string text, remedy;
};

struct CheckReport {
  std::vector<Problem> problems;                                // each would stop a run
  std::vector<std::pair<std::string, std::uint64_t>> warnings;  // departures that a run survives, with their counts
};

/// Reads all of `path` (a kernelslist.g, a folder that holds one, or a kernel file). After a mistake in a CTA it goes on with the next
/// CTA, after one in a header with the next kernel; at most kMostProblemsPerFile a file.
CheckReport check(const std::string& path);
inline constexpr unsigned kMostProblemsPerFile = 20;

/// One kernel's contents. Counting: every instruction line is a warp instruction, also one with an empty mask; a thread instruction is an
/// active lane of one, whatever the unit.
struct KernelInfo {
  std::string name, file;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  // per CTA
  std::uint32_t registers_per_thread = 0;
  std::uint64_t file_bytes = 0;    // as stored
  std::uint64_t packed_bytes = 0;  // what all its CTAs would take if they were resident at once
  std::uint64_t warps = 0;         // with at least one instruction
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::array<std::uint64_t, kUnits> by_unit{};  // warp instructions, index = Unit
  std::uint64_t memory_instructions = 0;        // warp instructions to the memory hierarchy with an active lane
  std::uint64_t accesses = 0;                   // distinct 128 B lines, summed over those instructions
  std::uint64_t sectors = 0;                    // distinct 32 B sectors, likewise
};

/// The kernels of `path`, in order. Throws InputError at the first mistake.
std::vector<KernelInfo> info(const std::string& path);

/// The name of a unit in reports: "alu", "fp32" ...
const char* name_of(Unit unit);

}  // namespace wharf::traces
