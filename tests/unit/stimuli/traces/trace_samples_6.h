#pragma once
// Instruction lines of tracer version 6 for the tests.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "model/base/barriers/mbarriers.h"
#include "tests/support/trace_container.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

namespace wharf::traces {

inline constexpr std::uint64_t kFirstLine = 16 + 10;

/// One CTA, alone in its cluster, of one warp with these lines; the first stands in line kFirstLine.
inline std::string kernel_of(const std::vector<std::string>& lines) {
  return text_of(header_6("(1,1,1)", "(32,1,1)"), {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, {lines}}});
}

inline WarpInstruction instruction_of(const std::string& line) { return read_warp(kernel_of({line})).instructions.at(0); }

/// The addresses of all active lanes, in order.
inline std::vector<Address> addresses_of(const std::vector<WarpInstruction>& instructions) {
  std::vector<Address> addresses;
  for (const WarpInstruction& instruction : instructions)
    for (unsigned lane = 0; lane < lanes_in(instruction.active); ++lane) addresses.push_back(instruction.addresses[lane]);
  return addresses;
}

inline std::vector<Address> every(Address step, unsigned count, Address begin) {
  std::vector<Address> addresses(count, begin);
  for (unsigned i = 0; i < count; ++i) addresses[i] += step * i;
  return addresses;
}

/// Two CTAs of one cluster, first that of rank 1, each with this line. That of rank 1 stands in line kFirstLine + 1.
inline std::string cluster_with(const std::string& line) {
  return text_of(header_6("(2,1,1)", "(32,1,1)", "-cluster dim = (2,1,1)\n"),
                 {{{1, 0, 0}, {0, 0, 0}, {1, 0, 0}, 1, {{line}}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, {{line}}}});
}

/// The line of the CTA of rank 1 there, and whether it needs a machine with clusters.
struct OfRank1 {
  std::vector<WarpInstruction> instructions;
  bool needs_cluster = false;
};
inline OfRank1 of_rank_1(const std::string& line) {
  WarningLog log;
  KernelReader kernel(LineSource::from_memory("kernel-1.traceg", cluster_with(line)), log);
  TracedCta cta;
  kernel.next_cta(cta);
  PackedStream stream(kernel.code(), std::move(cta.warps.at(0)));
  CHECK((cta.cluster_line == 0 || cta.cluster_line == kFirstLine + 1));
  return {drain(stream), cta.cluster_line != 0};
}

inline MbarrierUse mbarrier_of(const WarpInstruction& instruction) {
  REQUIRE(instruction.unit == Unit::barrier);
  REQUIRE(MbarrierUse::is_by(instruction.barrier));
  return MbarrierUse::of(instruction);
}

inline std::string warnings_of(const std::string& text) {
  WarningLog log;
  KernelReader kernel(LineSource::from_memory("kernel-1.traceg", text), log);
  std::string warnings;
  for (TracedCta cta; kernel.next_cta(cta);) {
  }
  for (const auto& [warning, count] : log.list()) warnings += warning + " x" + std::to_string(count) + "\n";
  return warnings;
}

}  // namespace wharf::traces
