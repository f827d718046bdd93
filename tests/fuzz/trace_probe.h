#pragma once
// Reads bytes as a kernel's trace and as a list of kernels, to the end or to the first input error. The fuzzer and the unit test that
// replays its corpus share it.

#include <cstdint>
#include <string_view>
#include <utility>

#include "model/base/error.h"
#include "stimuli/traces/kernel_reader.h"
#include "stimuli/traces/trace_list.h"

namespace wharf::traces {

struct Probe {
  bool whole = false;                       // false: an input error ended it
  std::uint64_t promised = 0, decoded = 0;  // instructions that the reader counted, and that the streams returned
};

inline void drain_into(Probe& probe, const KernelReader& kernel, TracedCta& cta) {
  for (PackedWarp& warp : cta.warps) {
    probe.promised += warp.instructions;
    PackedStream stream(kernel.code(), std::move(warp));
    for (; stream.peek() != nullptr; stream.advance()) ++probe.decoded;
  }
}

/// Any exception except an InputError is a finding and leaves this function.
inline Probe probe_kernel(std::string_view bytes) {
  Probe probe;
  WarningLog warnings;
  try {
    KernelReader kernel(LineSource::from_memory("kernel", bytes), warnings);
    TracedCta cta;
    bool more = true;
    while (more) {
      try {
        more = kernel.next_cta(cta);
        if (more) drain_into(probe, kernel, cta);
      } catch (const InputError&) {
        if (!kernel.skip_to_next_cta()) throw;
      }
    }
    probe.whole = true;
  } catch (const InputError&) {
  }
  return probe;
}

/// Returns false if the bytes are not a list of kernels.
inline bool probe_list(std::string_view bytes) {
  try {
    const auto source = LineSource::from_memory("list", bytes);
    parse_trace_list("list", "", *source);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace wharf::traces
