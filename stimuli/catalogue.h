#pragma once
// The table of SPMD workloads (docs/rules/workloads.md; names and sizes: common section 15).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "stimuli/stimulus.h"

namespace wharf {

namespace spmd {
struct Entry;
}

/// A workload from `name[@size][:key=value,...]`, e.g. "gemm", "atax@tiny", "gemm:n=256,unroll=4". `seed` feeds its random inputs unless
/// the spec gives one. Throws InputError for anything unknown or out of range, naming the nearest and what is possible.
std::unique_ptr<Stimulus> make_stimulus(std::string_view spec, std::uint64_t seed);

/// Throws the same errors for the text of the spec alone, without making anything.
void check_stimulus(std::string_view spec);

/// Its argument limit_warp_instructions; kNever where it has none. The stimulus itself goes on: whoever runs it ends the run.
std::uint64_t limit_warp_instructions(std::string_view spec);
/// The same workload, ended when so many warp instructions have been issued: its argument limit_warp_instructions, and @std where the text
/// names neither a size nor arguments. Throws InputError where it has that argument already.
std::string with_limit(const std::string& spec, std::uint64_t warp_instructions);
/// The same workload without that argument.
std::string without_limit(const std::string& spec);
/// The same workload with each load directly before its use: its argument batch is 1. The text itself where that is so already, or where
/// the workload has no such argument.
std::string in_program_order(const std::string& spec);

/// Before the first stimulus is asked for. `entry` has the arguments of its own. Throws InputError where the name is taken.
void add_stimulus(spmd::Entry entry);

/// All workloads, in the order of the catalogue, with the arguments that every one of them has.
std::vector<WorkloadInfo> list_stimuli();

}  // namespace wharf
