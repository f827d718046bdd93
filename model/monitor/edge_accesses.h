#pragma once
// The accesses to global memory in an edge that several threads process. The memory of a kernel changes when its instructions issue, so a run does
// not depend on the order of the SMs unless two of them access a byte in one edge and one of them writes it.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/base/host/islands.h"
#include "model/base/warp_instruction.h"

namespace wharf {

class EdgeAccesses {
 public:
  /// `on_conflict` is called, when all islands have acted, with what SMs of two islands have accessed.
  explicit EdgeAccesses(std::function<void(const std::string&)> on_conflict);

  /// An SM issues `instruction`.
  void add(const WarpInstruction& instruction) {
    if (Islands::here() != Islands::kMainland && (is_global_memory(instruction.unit) || instruction.unit == Unit::barrier))
      record(instruction);
  }

 private:
  /// Bytes [begin, end) of one line.
  struct Piece {
    Address begin = 0, end = 0;
    bool is_written = false;
  };
  /// A Bloom filter of the lines that have pieces.
  class LineFilter {
   public:
    void add(Address address) { words_[word(address)] |= bit(address); }
    bool may_have(Address address) const { return (words_[word(address)] & bit(address)) != 0; }
    void clear() { words_ = {}; }

   private:
    static constexpr unsigned kWords = 32;
    static std::uint64_t hash(Address address) { return address / kLineBytes * 0x9E3779B97F4A7C15; }
    static std::size_t word(Address address) { return hash(address) >> 59; }
    static std::uint64_t bit(Address address) { return std::uint64_t{1} << (hash(address) >> 53 & 63); }
    std::array<std::uint64_t, kWords> words_{};
  };
  /// What the SMs of an island have accessed in turn `turn` of the islands.
  struct alignas(64) Part {
    std::uint64_t turn = 0;
    bool writes = false;
    std::vector<Piece> pieces;
    LineFilter lines;
  };

  void record(const WarpInstruction& instruction);
  void record_copy(Part& part, const WarpInstruction& instruction);
  void add_range(Part& part, Address begin, Address end, bool is_written);
  void compare();

  std::function<void(const std::string&)> on_conflict_;
  std::vector<Part> parts_;  // [island]
  std::uint64_t compared_ = 0;
};

}  // namespace wharf
