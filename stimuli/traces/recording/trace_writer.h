#pragma once
// Writes kernels in the trace format: tracer version 5, binary version 70, a kernelslist.g beside kernel-N.traceg[.xz|.zst] or kernel-N.tracez.
//
// Details that the format cannot express are lost: stores are not marked as bypassing the L1, and atomics always are; access size, space
// and cache operator of an instruction without addresses; the origin of a repeat count (each repeat becomes a line). Registers are
// numbered anew (register_allocation.h).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/stimulus.h"
#include "stimuli/traces/packed_warp.h"
#include "stimuli/traces/recording/kernel_file.h"

namespace wharf::traces {

class TraceWriter {
 public:
  /// The first CTA creates the folder if it is missing, and a new list. Throws InputError for a file-system error, here and below.
  TraceWriter(const std::string& folder, TraceForm form);

  /// Starts kernel-N, whose file its first CTA creates; the CTAs of the previous kernel must be complete.
  void begin_kernel(const KernelLaunch& launch);
  /// Writes the next CTA of the kernel: all its warps, in warp order. CTAs must come in linear order, x fastest.
  void write_cta(const std::shared_ptr<const CodeTable>& code, const std::vector<PackedWarp>& warps);
  /// Ends the current kernel, if any, and adds it to the list. Throws SimulationError where CTAs are missing.
  void end_kernel();
  std::uint64_t ctas_written() const { return ctas_written_; }

 private:
  void begin_list();
  void begin_file();
  std::string header() const;
  void write_warp(const std::shared_ptr<const CodeTable>& code, unsigned warp, const PackedWarp& packed);
  void write_instruction(const WarpInstruction& instruction);
  void write_addresses(const WarpInstruction& instruction);

  std::string folder_;
  TraceForm form_;
  KernelLaunch launch_;
  unsigned kernels_ = 0;
  bool in_kernel_ = false;
  std::uint64_t ctas_written_ = 0;
  std::string file_name_;
  std::unique_ptr<KernelFile> file_;
  std::string text_;  // of the present instruction
};

/// The opcode that reads back with the unit, access size, space and cache operator of `instruction`. Throws InputError for an access size
/// other than 1, 2, 4, 8 or 16.
std::string opcode_for(const WarpInstruction& instruction);

}  // namespace wharf::traces
