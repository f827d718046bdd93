#pragma once
// A machine whose L2 may have two partitions, and lines of each.

#include "tests/platform/machines/run_checked.h"

namespace wharf::test {

inline constexpr const char* kMachine = "gpus/ampere_68sm";  // its networks have a single latency

/// The first line of a chunk of the partition.
inline Address line_of(const GpuParams& params, unsigned partition) {
  const auto addresses = params.addresses();
  Address address = 0x10'0000;
  while (addresses->locate(address).slice / (params.slices() / 2) != partition) address += params.l2.partition.chunk_kib * 1024;
  return address;
}

}  // namespace wharf::test
