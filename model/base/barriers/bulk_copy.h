#pragma once
// A bulk copy: an instruction that reads a piece of global memory once and writes it to the shared memory of CTAs of the cluster, each of
// whose mbarriers counts the bytes (CL-8, CL-9). The piece may be rows of a tensor. The stimuli make it; the SM and the functional run
// perform it.

#include <algorithm>
#include <cstdint>
#include <string>

#include "model/base/barriers/mbarriers.h"
#include "model/base/error.h"

namespace wharf {

struct BulkCopy {
  static constexpr std::uint32_t kGranule = 16, kMostBytes = 256 << 10;

  static constexpr unsigned kOperands = 9;

  std::uint32_t mbarrier = 0;   // its offset in the shared memory of each CTA that receives
  std::uint32_t row_bytes = 0;  // of each row
  Address from = 0;
  std::uint32_t to = 0;     // offset in the shared memory of each CTA that receives, where the rows follow each other
  std::uint32_t ranks = 0;  // bit r: the CTA of rank r receives
  std::uint32_t rows = 1;
  Address row_stride = 0;
  std::uint32_t filled = 0;  // bytes that are written without being read, because they lie outside the tensor

  std::uint32_t read() const { return rows * row_bytes; }
  std::uint32_t bytes() const { return read() + filled; }

  static BulkCopy of(const WarpInstruction& instruction) {
    const auto& operands = instruction.addresses;
    const auto narrow = [&](unsigned i) { return static_cast<std::uint32_t>(operands[i]); };
    return {narrow(0), narrow(1), operands[3], narrow(4), narrow(5), narrow(6), operands[7], narrow(8)};
  }
  void put_operands(Address* operands) const {
    const Address all[kOperands] = {mbarrier, row_bytes, 0, from, to, ranks, rows, row_stride, filled};
    std::copy(all, all + kOperands, operands);
  }
  /// Makes a copy of one row an instruction of a CTA in a cluster of `ctas`. Throws InputError where the hardware could not perform it.
  void put_into(WarpInstruction& instruction, unsigned ctas) const {
    const std::uint32_t bytes = row_bytes;
    if (bytes == 0 || bytes > kMostBytes || bytes % kGranule != 0)
      refuse("has " + std::to_string(bytes) + " bytes", "choose a multiple of 16 from 16 to " + std::to_string(kMostBytes));
    if (from % kGranule != 0) refuse("reads from byte " + std::to_string(from) + " of global memory on", "align it to 16 bytes");
    if (to % kGranule != 0) refuse("writes from byte " + std::to_string(to) + " of shared memory on", "align it to 16 bytes");
    if (ranks == 0) refuse("has no CTA that receives it", "set the bit of at least one rank");
    if (ranks >> ctas != 0)
      refuse("names rank " + std::to_string(31 - __builtin_clz(ranks)) + " in a cluster of " + std::to_string(ctas) + " CTAs",
             "set bits below " + std::to_string(ctas) + " only");
    instruction.unit = Unit::barrier;
    instruction.barrier = MbarrierUse::barrier_of(MbarrierOp::copy);
    instruction.active = 1;
    put_operands(instruction.addresses.data());
  }

 private:
  [[noreturn]] static void refuse(const std::string& rule, const std::string& remedy) {
    throw InputError("a bulk copy " + rule + "; " + remedy);
  }
};

}  // namespace wharf
