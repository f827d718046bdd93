#pragma once
// A bulk copy: an instruction that reads a piece of global memory once and writes it to the shared memory of CTAs of the cluster, each of
// whose mbarriers counts the bytes (CL-8, CL-9). The stimuli make it; the SM and the functional run perform it.

#include <cstdint>
#include <string>

#include "model/base/barriers/mbarriers.h"
#include "model/base/error.h"

namespace wharf {

struct BulkCopy {
  static constexpr std::uint32_t kGranule = 16, kMostBytes = 256 << 10;

  std::uint32_t mbarrier = 0;  // its offset in the shared memory of each CTA that receives
  std::uint32_t bytes = 0;
  Address from = 0;
  std::uint32_t to = 0;     // offset in the shared memory of each CTA that receives
  std::uint32_t ranks = 0;  // bit r: the CTA of rank r receives

  static BulkCopy of(const WarpInstruction& instruction) {
    const MbarrierUse use = MbarrierUse::of(instruction);
    return {static_cast<std::uint32_t>(use.at), use.value, instruction.addresses[2], static_cast<std::uint32_t>(instruction.addresses[3]),
            static_cast<std::uint32_t>(instruction.addresses[4])};
  }
  /// Makes it an instruction of a CTA in a cluster of `ctas`. Throws InputError where the hardware could not perform it.
  void put_into(WarpInstruction& instruction, unsigned ctas) const {
    if (bytes == 0 || bytes > kMostBytes || bytes % kGranule != 0)
      refuse("has " + std::to_string(bytes) + " bytes", "choose a multiple of 16 from 16 to " + std::to_string(kMostBytes));
    if (from % kGranule != 0) refuse("reads from byte " + std::to_string(from) + " of global memory on", "align it to 16 bytes");
    if (to % kGranule != 0) refuse("writes from byte " + std::to_string(to) + " of shared memory on", "align it to 16 bytes");
    if (ranks == 0) refuse("has no CTA that receives it", "set the bit of at least one rank");
    if (ranks >> ctas != 0)
      refuse("names rank " + std::to_string(31 - __builtin_clz(ranks)) + " in a cluster of " + std::to_string(ctas) + " CTAs",
             "set bits below " + std::to_string(ctas) + " only");
    MbarrierUse{MbarrierOp::copy, mbarrier, bytes}.put_into(instruction);
    instruction.active = 1;
    instruction.addresses[2] = from;
    instruction.addresses[3] = to;
    instruction.addresses[4] = ranks;
  }

 private:
  [[noreturn]] static void refuse(const std::string& rule, const std::string& remedy) {
    throw InputError("a bulk copy " + rule + "; " + remedy);
  }
};

}  // namespace wharf
