#pragma once
// For each byte of a memory, the last accesses to it: finds accesses to one byte that nothing orders (CU-59).

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/base/types.h"

namespace wharf::ptx {

/// An access by an agent: a warp for shared memory, a CTA for global memory.
struct Access {
  std::uint32_t agent = 0;
  std::uint32_t stamp = 0;  // the agent's time, which AccessOrder compares
  std::uint32_t pc = 0;
  std::uint16_t thread = 0;  // in its CTA
  bool present = false;
  bool is_strong = false;  // an atomic, volatile, or with a memory order: two such accesses do not race
};

/// Says what barriers and atomics order.
class AccessOrder {
 public:
  virtual ~AccessOrder() = default;
  /// True where `earlier` has happened before what `agent` does now.
  virtual bool precedes(const Access& earlier, std::uint32_t agent) const = 0;
};

class AccessShadow {
 public:
  enum class Kind : std::uint8_t { read, write, modify };
  struct Conflict {
    Access earlier;         // `present` where there is one
    bool is_write = false;  // of `earlier`
  };

  /// Enters an access of `bytes` bytes, at most 16. Bit i of `changed`: it changes the value of byte i. Writes of the value that another
  /// write has left do not conflict with that write, because their order decides nothing. Returns the first conflict.
  Conflict add(Address address, unsigned bytes, const Access& access, Kind kind, std::uint32_t changed, const AccessOrder& order);

 private:
  struct Cell {
    Access write, read, other_read;  // the reads are of different agents
  };
  /// Cells of words, or of bytes once an access covers a part of a word.
  struct Page {
    unsigned cell_bytes = 4;
    std::vector<Cell> cells;
  };
  static constexpr unsigned kPageBytes = 1024, kWord = 4;

  Page& page_of(Address number);
  static void split(Page& page);
  static Conflict conflict_of(const Cell& cell, const Access& access, Kind kind, bool changes, const AccessOrder& order);
  static void enter(Cell& cell, const Access& access, Kind kind, const AccessOrder& order);

  std::unordered_map<Address, std::unique_ptr<Page>> pages_;
  Address last_number_ = ~Address{0};
  Page* last_ = nullptr;
};

}  // namespace wharf::ptx
