#pragma once
// The parts of a packed kernel file, a header and CTAs, each as bytes. Numbers are those of packed_bytes.h; texts and byte strings have
// their length in front.

#include <cstdint>
#include <string>
#include <vector>

#include "stimuli/traces/bytes/packed_bytes.h"
#include "stimuli/traces/ctas/kernel_source.h"

namespace wharf::traces {

/// Says which trace file was packed, and what its header says.
struct PackedHead {
  std::uint64_t source_bytes = 0;
  std::uint64_t source_time = 0;   // of the last change, ns since 1970
  std::string source_fingerprint;  // FileHash
  KernelLaunch launch;
};

void append_head(std::vector<std::uint8_t>& bytes, const PackedHead& head);
/// `more`: false for the step at the end of the file, which has no CTA.
void append_step(std::vector<std::uint8_t>& bytes, const CtaStep& step, bool more);

/// They throw InputError for bytes that were not put by append_head() and append_step().
PackedHead read_head(PackedBytes& bytes);
/// Returns false for the step at the end of the file. A CTA must be one of `launch`, with as many warps as that says, or none. `path`: where
/// the trace file is now, for the places of warnings.
bool read_step(PackedBytes& bytes, const KernelLaunch& launch, const std::string& path, CtaStep& step);

}  // namespace wharf::traces
