#pragma once
// A bulk copy: an instruction that moves a piece of memory between global memory and the shared memory of CTAs of the cluster (CL-8, CL-9).
// Where it writes shared memory, an mbarrier of each CTA that receives counts the bytes; where it writes global memory, its warp may wait
// for it. The piece may be rows of a tensor in global memory. The stimuli make it; the SM and the functional run perform it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "model/base/barriers/mbarriers.h"
#include "model/base/error.h"

namespace wharf {

struct BulkCopy {
  static constexpr std::uint32_t kGranule = 16, kMostBytes = 256 << 10;

  static constexpr unsigned kOperands = 9;

  enum class Direction : std::uint8_t {
    to_shared,         // from global memory to the shared memory of CTAs
    between_shared,    // from the own CTA's shared memory to that of CTAs, or combined with what is there
    to_global,         // from the own CTA's shared memory to global memory
    reduce_in_global,  // as that, combined with what is there
    prefetch           // from global memory to L2
  };
  static constexpr unsigned kDirections = 5;

  // Places in shared memory are offsets. Those that the copy writes are in each CTA that receives, and those that it reads in the own CTA.
  std::uint32_t mbarrier = 0;
  std::uint32_t row_bytes = 0;  // of each row
  Address from = 0;
  Address to = 0;
  std::uint32_t ranks = 0;  // bit r: the CTA of rank r receives
  std::uint32_t rows = 1;   // in global memory; they follow each other in shared memory
  Address row_stride = 0;
  std::uint32_t filled = 0;  // bytes that are written without being read, because they lie outside the tensor
  Direction direction = Direction::to_shared;

  bool reads_shared() const { return direction != Direction::to_shared && direction != Direction::prefetch; }
  bool writes_shared() const { return direction == Direction::to_shared || direction == Direction::between_shared; }
  bool writes_global() const { return direction == Direction::to_global || direction == Direction::reduce_in_global; }
  std::uint32_t read() const { return rows * row_bytes; }
  std::uint32_t bytes() const { return read() + filled; }

  static bool is_copy(const std::array<Address, kLanes>& operands) { return operands[2] < kDirections; }
  static BulkCopy of(const WarpInstruction& instruction) {
    const auto& operands = instruction.addresses;
    const auto narrow = [&](unsigned i) { return static_cast<std::uint32_t>(operands[i]); };
    return {
        narrow(0), narrow(1), operands[3], operands[4], narrow(5), narrow(6), operands[7], narrow(8), static_cast<Direction>(operands[2])};
  }
  void put_operands(Address* operands) const {
    const Address all[kOperands] = {mbarrier, row_bytes, static_cast<Address>(direction), from, to, ranks, rows, row_stride, filled};
    std::copy(all, all + kOperands, operands);
  }
  /// Makes a copy of one row an instruction of a CTA in a cluster of `ctas`. Throws InputError where the hardware could not perform it.
  void put_into(WarpInstruction& instruction, unsigned ctas) const {
    const std::uint32_t bytes = row_bytes;
    if (bytes == 0 || bytes > kMostBytes || bytes % kGranule != 0)
      refuse("has " + std::to_string(bytes) + " bytes", "choose a multiple of 16 from 16 to " + std::to_string(kMostBytes));
    const auto require_aligned = [](const char* verb, Address first, bool is_shared) {
      if (first % kGranule == 0) return;
      refuse(verb + (" from byte " + std::to_string(first)) + " of " + (is_shared ? "shared" : "global") + " memory on",
             "align it to 16 bytes");
    };
    require_aligned("reads", from, reads_shared());
    require_aligned("writes", to, writes_shared());
    if (writes_shared() && ranks == 0) refuse("has no CTA that receives it", "set the bit of at least one rank");
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
