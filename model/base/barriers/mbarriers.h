#pragma once
// The mbarriers of a CTA: words in its shared memory that count arrivals and bytes, phase by phase (modern_gpus section 4). The SM and the
// functional run use them.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/base/cluster_member.h"
#include "model/base/error.h"
#include "model/base/warp_instruction.h"

namespace wharf {

/// What an instruction does with an mbarrier. It is the BarrierUse::number of a barrier instruction of the cluster, of which 0 is the
/// cluster's own barrier.
enum class MbarrierOp : std::uint8_t {
  none,
  init,    // `value`: arrivals that end each phase, >= 1
  arrive,  // the only one that may name another CTA
  expect,  // `value`: bytes that the present phase waits for in addition
  copy,    // `value`: bytes that a BulkCopy delivers
  wait,    // `value`: parity of the phase whose end the warp waits for, 0 or 1; the first phase has parity 0
};

/// An instruction's use of an mbarrier. The instruction carries it in the lane addresses, which barriers do not use otherwise.
struct MbarrierUse {
  MbarrierOp op = MbarrierOp::none;
  Address at = 0;  // cluster_address
  std::uint32_t value = 0;

  static bool is_by(const BarrierUse& use) { return use.of_cluster && use.number != 0; }
  static MbarrierUse of(const WarpInstruction& instruction) {
    return {static_cast<MbarrierOp>(instruction.barrier.number), instruction.addresses[0],
            static_cast<std::uint32_t>(instruction.addresses[1])};
  }
  void put_into(WarpInstruction& instruction) const {
    instruction.unit = Unit::barrier;
    instruction.barrier = {static_cast<std::uint8_t>(op), 0, op != MbarrierOp::wait, true};
    instruction.addresses[0] = at;
    instruction.addresses[1] = value;
  }
};

class Mbarriers {
 public:
  using Warps = std::uint64_t;  // a mask; the owner numbers the warps
  static constexpr std::uint32_t kBytes = 8;

  /// Starts the first phase. Throws InputError, as all functions do, where the program misuses the mbarrier.
  void init(std::uint32_t offset, std::uint32_t arrivals) {
    if (offset % kBytes != 0) refuse(offset, "is not aligned to 8 bytes", "choose a multiple of 8");
    if (arrivals == 0) refuse(offset, "is initialised for 0 arrivals", "choose at least 1");
    for (const Word& word : words_)
      if (word.offset == offset) refuse(offset, "is initialised twice", "initialise it once, before its first use");
    words_.push_back({offset, arrivals, arrivals, 0, 0, 0});
  }
  /// The last arrival of a phase starts the next one, unless bytes are missing. Returns the warps that waited for that and now continue.
  Warps arrive(std::uint32_t offset) {
    Word& word = find(offset);
    if (word.missing == 0)
      refuse(offset, "has all arrivals of its phase, which lacks " + std::to_string(word.missing_bytes) + " bytes",
             "wait for the end of the phase before the next arrival");
    --word.missing;
    return end_if_complete(word);
  }
  /// The present phase waits for `bytes` more.
  void expect(std::uint32_t offset, std::uint32_t bytes) {
    Word& word = find(offset);
    if (bytes == 0 || bytes % 16 != 0)
      refuse(offset, "expects " + std::to_string(bytes) + " bytes", "choose a multiple of 16, the granule of copies");
    word.missing_bytes += bytes;
    if (word.missing_bytes > kMostBytes)
      refuse(offset, "expects " + std::to_string(word.missing_bytes) + " bytes in a phase", "choose at most 1048575");
  }
  /// Bytes of a copy have been written. They may come before the phase expects them, while it lacks arrivals. Returns as arrive() does.
  Warps deliver(std::uint32_t offset, std::uint32_t bytes) {
    Word& word = find(offset);
    word.missing_bytes -= bytes;
    return end_if_complete(word);
  }
  /// Returns false if the phase of that parity has ended; else the warp waits.
  bool wait(std::uint32_t offset, std::uint32_t parity, unsigned warp) {
    Word& word = find(offset);
    if (parity > 1) refuse(offset, "has no phase of parity " + std::to_string(parity), "wait for 0 or 1");
    if (word.parity != parity) return false;
    word.waiting |= Warps{1} << warp;
    return true;
  }
  Warps waiting() const {
    Warps all = 0;
    for (const Word& word : words_) all |= word.waiting;
    return all;
  }

 private:
  struct Word {
    std::uint32_t offset, arrivals, missing;  // `missing`: arrivals that the present phase still needs
    std::int64_t missing_bytes;               // that it expects and that have not come; negative: they came first
    std::uint32_t parity;                     // of the present phase
    Warps waiting;                            // for its end
  };
  static constexpr std::int64_t kMostBytes = (1 << 20) - 1;  // [P] of the counter in the word

  Warps end_if_complete(Word& word) {
    if (word.missing != 0 || word.missing_bytes > 0) return 0;
    if (word.missing_bytes < 0)
      refuse(word.offset, "has received " + std::to_string(-word.missing_bytes) + " bytes more than its phase expects",
             "expect them before the last arrival of the phase");
    word.missing = word.arrivals;
    word.parity ^= 1;
    return std::exchange(word.waiting, 0);
  }

  Word& find(std::uint32_t offset) {
    for (Word& word : words_)
      if (word.offset == offset) return word;
    refuse(offset, "is not initialised", "initialise it, and let the warps that use it meet at a barrier first");
  }
  [[noreturn]] static void refuse(std::uint32_t offset, const std::string& rule, const char* remedy) {
    throw InputError("the mbarrier at byte " + std::to_string(offset) + " of shared memory " + rule + "; " + remedy);
  }

  std::vector<Word> words_;
};

}  // namespace wharf
