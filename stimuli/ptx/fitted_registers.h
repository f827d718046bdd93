#pragma once
// Registers of a thread where the estimate from PTX is too high for the blocks that a program launches.

#include <algorithm>
#include <cstdint>

namespace wharf::ptx {

/// A block of `threads` threads runs on GPUs with 65,536 registers per SM, so the assembler gave its threads no more than fit.
inline std::uint32_t fitted_registers(std::uint32_t estimate, std::uint64_t threads) {
  constexpr std::uint64_t kRegistersPerSm = 65536, kLanes = 32, kGranule = 8;
  const std::uint64_t whole_warps = (std::max<std::uint64_t>(threads, 1) + kLanes - 1) / kLanes * kLanes;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(estimate, kRegistersPerSm / whole_warps / kGranule * kGranule));
}

}  // namespace wharf::ptx
