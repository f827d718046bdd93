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
  arrive,  // `value` arrivals, and bytes that the present phase waits for in addition; may name another CTA, as arrive_drop may
  copy,    // a BulkCopy
  wait,    // `value`: parity of the phase whose end the warp waits for, 0 or 1; the first phase has parity 0
  invalidate,
  expect_arrivals,  // the present phase waits for `value` more
  // Of the warp's asynchronous loads:
  arrive_later,  // `value` arrivals of its CTA, when all so far have finished
  commit_loads,  // those since the last commit are a group; uses no mbarrier, nor does the next
  wait_loads,    // the warp waits until all groups but the latest `value` have finished
  // Of the warp's bulk copies to global memory; the groups are as those of loads:
  commit_copies,
  wait_copies,
  wait_reads,   // as that, until shared memory has been read
  arrive_drop,  // as `arrive`; the phases that follow need `value` arrivals less
};
inline constexpr unsigned kMbarrierOps = 14;
/// Operations on asynchronous loads, and on bulk copies to global memory.
constexpr bool is_on_loads(MbarrierOp op) { return op >= MbarrierOp::arrive_later && op <= MbarrierOp::wait_loads; }
constexpr bool is_on_copies(MbarrierOp op) { return op >= MbarrierOp::commit_copies && op <= MbarrierOp::wait_reads; }

/// An instruction's use of an mbarrier. The instruction carries it in the lane addresses, which barriers do not use otherwise.
struct MbarrierUse {
  MbarrierOp op = MbarrierOp::none;
  Address at = 0;  // cluster_address
  std::uint32_t value = 0;
  std::int32_t bytes = 0;      // negative: that have been written
  std::uint32_t lanes = 1;     // of an arrival: the lanes that arrive, one after the other
  std::uint32_t limit_ns = 0;  // of a wait: after that time the warp goes on, and WarpStream::time_out() is called; 0: never

  static bool is_by(const BarrierUse& use) { return use.of_cluster && use.number != 0; }
  static MbarrierUse of(const WarpInstruction& instruction) {
    const auto narrow = [&](unsigned i) { return static_cast<std::uint32_t>(instruction.addresses[i]); };
    return {static_cast<MbarrierOp>(instruction.barrier.number),
            instruction.addresses[0],
            narrow(1),
            static_cast<std::int32_t>(narrow(2)),
            narrow(3),
            narrow(4)};
  }
  static BarrierUse barrier_of(MbarrierOp op) {
    const bool waits =
        op == MbarrierOp::wait || op == MbarrierOp::wait_loads || op == MbarrierOp::wait_copies || op == MbarrierOp::wait_reads;
    return {static_cast<std::uint8_t>(op), 0, !waits, true};
  }
  static constexpr unsigned kOperands = 5;
  void put_operands(Address* operands) const {
    operands[0] = at;
    operands[1] = value;
    operands[2] = static_cast<std::uint32_t>(bytes);
    operands[3] = lanes;
    operands[4] = limit_ns;
  }
  void put_into(WarpInstruction& instruction) const {
    instruction.unit = Unit::barrier;
    instruction.barrier = barrier_of(op);
    put_operands(instruction.addresses.data());
  }
};

class Mbarriers {
 public:
  using Warps = std::uint64_t;  // a mask; the owner numbers the warps
  static constexpr std::uint32_t kBytes = 8;
  /// Failed tests and waits that timed out, of a warp in a row, from which on its instructions count as no progress [we choose].
  static constexpr std::uint32_t kMostVainTests = 256;
  /// Failed tests as which a wait counts that has timed out: one for each 10 us, so that long limits do not delay the report of a deadlock
  /// [we choose].
  static constexpr std::uint32_t vain_tests_of(std::uint32_t limit_ns) { return limit_ns / 10'000 + 1; }

  struct Word {
    std::uint32_t offset, arrivals, missing;  // `missing`: arrivals that the present phase still needs
    std::int64_t missing_bytes;               // that it expects and that have not come; negative: they came first
    std::uint32_t parity;                     // of the present phase
    Warps waiting;                            // for its end
  };

  /// Starts the first phase. Throws InputError, as all functions do, where the program misuses the mbarrier.
  void init(std::uint32_t offset, std::uint32_t arrivals) {
    if (offset % kBytes != 0) refuse(offset, "is not aligned to 8 bytes", "choose a multiple of 8");
    if (arrivals == 0) refuse(offset, "is initialised for 0 arrivals", "choose at least 1");
    for (const Word& word : words_)
      if (word.offset == offset) refuse(offset, "is initialised twice", "initialise it once, before its first use");
    words_.push_back({offset, arrivals, arrivals, 0, 0, 0});
  }
  /// The memory may then be used otherwise, or initialised again.
  void invalidate(std::uint32_t offset) {
    const Word& word = find(offset);
    if (word.waiting != 0) refuse(offset, "is made invalid while warps wait for it", "let them go on first");
    words_.erase(words_.begin() + (&word - words_.data()));
  }
  /// The present phase needs `arrivals` more.
  void expect_arrivals(std::uint32_t offset, std::uint32_t arrivals) { find(offset).missing += arrivals; }
  /// The phases behind the present one need `arrivals` less.
  void drop(std::uint32_t offset, std::uint32_t arrivals) {
    Word& word = find(offset);
    if (arrivals > word.arrivals)
      refuse(offset, "loses " + std::to_string(arrivals) + " arrivals of each phase, which needs " + std::to_string(word.arrivals),
             "drop at most as many as arrive");
    word.arrivals -= arrivals;
  }
  /// `arrivals` take place, and the present phase waits for `bytes` more. Where `bytes` is negative, so many have been written, which may
  /// be before the phase expects them, while it lacks arrivals. The last arrival and byte of a phase start the next one. Returns the warps
  /// that waited for that and now continue.
  Warps arrive(std::uint32_t offset, std::uint32_t arrivals, std::int32_t bytes = 0) {
    Word& word = find(offset);
    if (word.missing < arrivals && word.missing_bytes > 0)
      refuse(offset, "has all arrivals of its phase, which lacks " + std::to_string(word.missing_bytes) + " bytes",
             "wait for the end of the phase before the next arrival");
    if (word.missing < arrivals)
      refuse(offset, "gets " + std::to_string(arrivals) + " arrivals, and its phase lacks " + std::to_string(word.missing),
             "initialise it for as many as arrive");
    word.missing -= arrivals;
    word.missing_bytes += bytes;
    if (word.missing_bytes > kMostBytes)
      refuse(offset, "expects " + std::to_string(word.missing_bytes) + " bytes in a phase", "choose at most 1048575");
    return end_if_complete(word);
  }
  /// An arrival as `use` says, arrive or arrive_drop. Where several lanes arrive, those that the present phase does not need count for the
  /// next one.
  Warps arrive(const MbarrierUse& use) {
    const auto offset = static_cast<std::uint32_t>(use.at);
    const auto take = [&](std::uint32_t arrivals) {
      if (use.op == MbarrierOp::arrive_drop) drop(offset, arrivals);
      return arrive(offset, arrivals, use.bytes);
    };
    std::uint32_t left = use.value;
    Warps released = 0;
    const Word& word = find(offset);
    const bool may_pass_on = use.lanes > 1 && use.bytes == 0;
    while (may_pass_on && word.missing_bytes == 0 && word.missing != 0 && left > word.missing) {
      left -= word.missing;
      released |= take(word.missing);
    }
    return released | take(left);
  }
  /// Returns false if the phase of that parity has ended; else the warp waits.
  bool wait(std::uint32_t offset, std::uint32_t parity, unsigned warp) {
    Word& word = find(offset);
    if (parity > 1) refuse(offset, "has no phase of parity " + std::to_string(parity), "wait for 0 or 1");
    if (word.parity != parity) return false;
    word.waiting |= Warps{1} << warp;
    return true;
  }
  /// The wait of `warp` has reached its limit.
  void stop_waiting(unsigned warp) {
    for (Word& word : words_) word.waiting &= ~(Warps{1} << warp);
  }
  const std::vector<Word>& words() const { return words_; }

 private:
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
