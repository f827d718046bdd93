#pragma once
// The instructions of a warp in a few bytes each, for waiting and running CTAs. The constant parts (pc, unit, registers) are stored once in
// a CodeTable; the variable parts (which instruction, mask, addresses) form a byte string, which peek() decodes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/base/cluster_member.h"
#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/stimulus.h"
#include "stimuli/traces/bytes/packed_bytes.h"

namespace wharf::traces {

/// The part of a WarpInstruction that is the same in every execution.
struct StaticInstruction {
  std::uint32_t pc = 0;
  Unit unit = Unit::alu;
  Space space = Space::global;
  CacheOp cache_op = CacheOp::all;
  Eviction eviction = Eviction::unhinted;
  std::uint8_t access_bytes = 4;
  std::uint8_t unit_cycles = 0;
  RegisterId destination = kNoRegister;
  std::array<RegisterId, 4> sources = {kNoRegister, kNoRegister, kNoRegister, kNoRegister};
  BarrierUse barrier;                    // if the unit is `barrier`
  std::uint32_t mbarrier = kNoMbarrier;  // if the unit is of shared memory, and the space `cluster`

  friend bool operator==(const StaticInstruction& a, const StaticInstruction& b) {
    return a.pc == b.pc && a.unit == b.unit && a.space == b.space && a.cache_op == b.cache_op && a.eviction == b.eviction &&
           a.access_bytes == b.access_bytes && a.unit_cycles == b.unit_cycles && a.destination == b.destination && a.sources == b.sources &&
           a.barrier.number == b.barrier.number && a.barrier.warps == b.barrier.warps && a.barrier.arrives_only == b.barrier.arrives_only &&
           a.barrier.of_cluster == b.barrier.of_cluster && a.mbarrier == b.mbarrier;
  }
};

/// The distinct instructions of one kernel. Instructions that follow each other in the program get consecutive numbers when they are first
/// seen, which keeps their packed form short.
class CodeTable {
 public:
  /// The number of `instruction`, which is added if it is new.
  std::uint32_t intern(const StaticInstruction& instruction);
  const StaticInstruction& operator[](std::uint32_t number) const { return entries_[number].instruction; }
  std::size_t size() const { return entries_.size(); }
  /// Adds instructions that another table has got in this order.
  void append(const std::vector<StaticInstruction>& instructions) {
    for (const StaticInstruction& instruction : instructions) entries_.push_back({instruction, kNone});
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Entry {
    StaticInstruction instruction;
    std::uint32_t next_of_same_pc;
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::uint32_t, std::uint32_t> latest_of_pc_;
};

struct PackedWarp {
  std::vector<std::uint8_t> bytes;
  std::uint64_t instructions = 0;
};

/// Writes the byte string of one warp. Each instruction has a variable-length number (the distance of its code-table number from the
/// successor of the previous one, and whether the mask changes), and the mask if it changes. Where active lanes have addresses, the first
/// address follows, as a difference from the previous instruction's, then one stride, or one difference per lane. Operands follow as they are.
class WarpPacker {
 public:
  /// Adds an instruction without addresses, or with no active lane.
  void add(std::uint32_t number, LaneMask active) { begin(number, active); }
  /// Adds addresses first, first + stride, ... for the active lanes in lane order; `active` must not be 0.
  void add_strided(std::uint32_t number, LaneMask active, Address first, std::int64_t stride);
  /// Adds the addresses of the active lanes in lane order; `count` >= 1 is the number of lanes in `active`.
  void add_listed(std::uint32_t number, LaneMask active, const Address* addresses, unsigned count);
  /// Adds an instruction on an mbarrier: its `count` operands are those of MbarrierUse or BulkCopy.
  void add_operands(std::uint32_t number, LaneMask active, const Address* operands, unsigned count);
  std::uint64_t instructions() const { return instructions_; }
  /// Returns the warp so far, in a buffer without slack, and starts anew.
  PackedWarp finish();

 private:
  void begin(std::uint32_t number, LaneMask active);
  void put_first_address(Address first);

  std::vector<std::uint8_t> bytes_;
  std::uint64_t instructions_ = 0;
  std::uint32_t expected_ = 0;
  LaneMask active_ = kAllLanes;
  Address address_ = 0;
};

/// Decodes a PackedWarp. Throws InputError where the bytes are not those of a warp with this code table, as in a damaged file.
class PackedStream final : public WarpStream {
 public:
  /// `ctas`: of the warp's cluster.
  PackedStream(std::shared_ptr<const CodeTable> code, PackedWarp warp, std::uint64_t ctas = kMostClusterCtas)
      : code_(std::move(code)), warp_(std::move(warp)), ctas_(std::min<std::uint64_t>(ctas, kMostClusterCtas)) {}
  PackedStream(const PackedStream&) = delete;
  PackedStream& operator=(const PackedStream&) = delete;
  const WarpInstruction* peek() override {
    if (!decoded_ && !decode()) return nullptr;
    return &current_;
  }
  void advance() override { decoded_ = false; }

 private:
  bool decode();
  void decode_addresses();
  void decode_operands();

  std::shared_ptr<const CodeTable> code_;
  PackedWarp warp_;
  std::uint64_t ctas_;
  PackedBytes bytes_{warp_.bytes.data(), warp_.bytes.size()};
  std::uint32_t expected_ = 0;
  bool decoded_ = false;
  Address address_ = 0;
  WarpInstruction current_;
};

/// The number of lanes in `mask`.
inline unsigned lanes_in(LaneMask mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }

/// True where the lanes of `mask` are consecutive, or there are none.
constexpr bool is_contiguous(LaneMask mask) {
  const LaneMask lowest = mask & (~mask + 1);
  return (mask & (mask + lowest)) == 0;
}

}  // namespace wharf::traces
