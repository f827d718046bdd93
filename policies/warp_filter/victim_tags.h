#pragma once
// Lines that warps have lost (the victim tag array of ciao sections 3.3 and 4.1, after CCWS): a few sets of tags per warp, each a FIFO,
// with the warp whose line replaced each.
//
// CIAO-O8: a tag stays when it is hit; a line that is already present gets the new evictor and keeps its age; a store removes the line from
// all.

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/types.h"
#include "policies/warp_scheduler/age_order.h"

namespace wharf {

class VictimTags {
 public:
  struct Tag {
    std::uint64_t line = 0;
    std::uint8_t evictor = 0;
    bool from_shared = false;  // lost from the shared-memory cache
    bool valid = false;
  };

  /// `sets` a power of two; both >= 1.
  VictimTags(std::uint32_t sets, std::uint32_t ways) : sets_(sets), ways_(ways), tags_(kMaxWarps * sets * ways), oldest_(kMaxWarps * sets) {}

  /// A line of `evictor` has replaced the line that `warp` had brought in.
  void insert(unsigned warp, LineAddress line, unsigned evictor, bool from_shared) {
    const std::size_t set = set_of(warp, line);
    Tag* tag = find(set, line);
    if (tag == nullptr) {
      tag = &tags_[set * ways_ + oldest_[set]];
      oldest_[set] = static_cast<std::uint8_t>((oldest_[set] + 1) % ways_);
      drop(*tag);
      ++lines_[bucket(line)];
    }
    *tag = {line.number, static_cast<std::uint8_t>(evictor), from_shared, true};
  }

  /// Null if `warp` has not lost the line recently.
  const Tag* probe(unsigned warp, LineAddress line) const { return find(set_of(warp, line), line); }

  void invalidate(LineAddress line) {
    if (lines_[bucket(line)] == 0) return;  // true for most stores: no warp has lost the line
    for (unsigned warp = 0; warp < kMaxWarps; ++warp)
      if (Tag* tag = find(set_of(warp, line), line); tag != nullptr) drop(*tag);
  }

  /// A new warp occupies the slot.
  void clear(unsigned warp) {
    const std::size_t first = std::size_t{warp} * sets_ * ways_;
    for (std::size_t i = first; i < first + std::size_t{sets_} * ways_; ++i) drop(tags_[i]);
  }
  template <class File>
  void archive(File& file) {
    file.elements(tags_);
    file.elements(oldest_);
    file(lines_);
  }

 private:
  static std::size_t bucket(LineAddress line) { return line.number % kBuckets; }
  std::size_t set_of(unsigned warp, LineAddress line) const { return std::size_t{warp} * sets_ + (line.number & (sets_ - 1)); }
  const Tag* find(std::size_t set, LineAddress line) const {
    for (std::size_t i = set * ways_; i < (set + 1) * ways_; ++i)
      if (tags_[i].valid && tags_[i].line == line.number) return &tags_[i];
    return nullptr;
  }
  Tag* find(std::size_t set, LineAddress line) { return const_cast<Tag*>(static_cast<const VictimTags*>(this)->find(set, line)); }
  void drop(Tag& tag) {
    if (!tag.valid) return;
    tag.valid = false;
    --lines_[bucket({tag.line})];
  }

  static constexpr std::size_t kBuckets = 1024;
  std::uint32_t sets_, ways_;
  std::vector<Tag> tags_;             // [warp][set][way]
  std::vector<std::uint8_t> oldest_;  // [warp][set]: the way to be overwritten next
  std::array<std::uint16_t, kBuckets> lines_{};  // number of valid tags by bucket of lines
};

}  // namespace wharf
