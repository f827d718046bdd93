#pragma once
// Lists all mistakes of a trace at once, and summarises its contents.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/traces/opcode_table.h"

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

/// Reads all of `path` (a kernelslist.g, a folder with one, or a kernel file). After a mistake in a CTA it continues with the next CTA, and
/// after one in a header with the next kernel; it reports at most kMostProblemsPerFile per file.
CheckReport check(const std::string& path, UnknownOpcodes unknown = UnknownOpcodes::guessed);
inline constexpr unsigned kMostProblemsPerFile = 20;

/// The contents of one kernel. Every instruction line counts as a warp instruction, even with an empty mask, and a bulk copy or an
/// instruction on mbarriers as InstructionParser makes them; a thread instruction is an active lane of one, whatever the unit.
struct KernelInfo {
  std::string name, file;
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  // per CTA
  std::uint32_t registers_per_thread = 0;
  std::uint64_t file_bytes = 0;    // as stored
  std::uint64_t packed_bytes = 0;  // memory of all its CTAs, if they were resident at once
  std::uint64_t warps = 0;         // with at least one instruction
  std::uint64_t warp_instructions = 0, thread_instructions = 0;
  std::array<std::uint64_t, kUnits> by_unit{};  // warp instructions; the index is a Unit
  std::uint64_t memory_instructions = 0;        // warp instructions to the memory hierarchy, with an active lane
  std::uint64_t accesses = 0;                   // distinct 128 B lines, summed over those instructions
  std::uint64_t sectors = 0;                    // distinct 32 B sectors, likewise
  Dim3 cluster;                                 // CTAs of a cluster
  std::uint64_t bulk_bytes = 0;                 // that bulk operations (TMA) move, of traces that say it (tracer version 6)
  std::uint64_t replay_regions = 0;             // executions of a spin loop that were recorded once
};

struct TraceInfo {
  std::vector<KernelInfo> kernels;                              // in order
  std::vector<std::pair<std::string, std::uint64_t>> warnings;  // as in CheckReport
};

/// Throws InputError at the first mistake.
TraceInfo info(const std::string& path);

}  // namespace wharf::traces
