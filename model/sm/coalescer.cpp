#include "model/sm/coalescer.h"

#include <algorithm>

#include "model/base/bits.h"

namespace wharf {

namespace {

/// Returns the index of the part for `line`; appends a new part if there is none. `newest` is the part used last.
unsigned part_of(CoalescedLines& lines, LineAddress line, unsigned newest) {
  if (lines.count != 0 && lines.parts[newest].line == line) return newest;
  for (unsigned i = 0; i < lines.count; ++i)
    if (lines.parts[i].line == line) return i;
  lines.parts[lines.count] = {line, 0, 0, {}};
  return lines.count++;
}

/// True if all 32 lanes access consecutive elements, the common case.
bool is_contiguous(const WarpInstruction& instruction) {
  const Address first = instruction.addresses[0], last = instruction.addresses[kLanes - 1];
  if (last - first != (kLanes - 1) * Address{instruction.access_bytes}) return false;
  Address difference = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) difference |= instruction.addresses[lane] ^ (first + lane * instruction.access_bytes);
  return difference == 0;
}

/// True if the loads of all 32 lanes lie in one line, as in a broadcast; no access crosses the end of a sector.
bool is_one_line(const WarpInstruction& instruction) {
  const Address first = instruction.addresses[0];
  Address difference = 0, low = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    difference |= instruction.addresses[lane] ^ first;
    low |= instruction.addresses[lane];
  }
  return difference < kLineBytes && low % instruction.access_bytes == 0;
}

void cover_one_line(const WarpInstruction& instruction, CoalescedLines& lines) {
  SectorMask sectors = 0;
  for (const Address address : instruction.addresses) sectors |= static_cast<SectorMask>(1u << address % kLineBytes / kSectorBytes);
  lines.parts[0] = {LineAddress::of(instruction.addresses[0]), sectors, 0, {}};
  lines.count = 1;
}

/// Adds the lines of the bytes [first, first + bytes).
void cover_range(Address first, Address bytes, bool is_store, CoalescedLines& lines) {
  const Address end = first + bytes;
  lines.count = 0;
  for (Address line = first / kLineBytes; line * kLineBytes < end; ++line) {
    const Address from = std::max(first, line * kLineBytes) % kLineBytes;
    const Address to = std::min(end - line * kLineBytes, Address{kLineBytes});  // one past the last byte
    const auto sectors_up_to = [](Address sectors) { return static_cast<SectorMask>((1u << sectors) - 1); };
    CoalescedLines::Part& part = lines.parts[lines.count++];
    part.line = {line};
    part.sectors = sectors_up_to((to + kSectorBytes - 1) / kSectorBytes) & ~sectors_up_to(from / kSectorBytes);
    part.covered = is_store ? sectors_up_to(to / kSectorBytes) & ~sectors_up_to((from + kSectorBytes - 1) / kSectorBytes) : 0;
    part.written = {};
    if (is_store) part.written.add(static_cast<unsigned>(from), static_cast<unsigned>(to - from));
  }
}

/// Collects the bytes that lanes access, line by line.
class LineCollector {
 public:
  LineCollector(CoalescedLines& lines, bool is_store) : lines_(lines), is_store_(is_store) { lines.count = 0; }

  void add(Address first, unsigned bytes) {
    while (bytes != 0) {
      const LineAddress line = LineAddress::of(first);
      const auto offset = static_cast<unsigned>(first % kLineBytes);
      const unsigned here = std::min(bytes, kLineBytes - offset);
      if (lines_.count != 0 && highest_ < line) {  // ascending addresses need no search
        newest_ = lines_.count++;
        lines_.parts[newest_] = {line, 0, 0, {}};
      } else {
        newest_ = part_of(lines_, line, newest_);
      }
      if (lines_.count == 1 || highest_ < line) highest_ = line;
      const unsigned from = offset / kSectorBytes, to = (offset + here - 1) / kSectorBytes;
      lines_.parts[newest_].sectors |= static_cast<SectorMask>(((2u << to) - 1) & ~((1u << from) - 1));
      if (is_store_) lines_.parts[newest_].written.add(offset, here);
      first += here;
      bytes -= here;
    }
  }
  /// Called after the last byte.
  void finish() {
    for (unsigned i = 0; is_store_ && i < lines_.count; ++i) lines_.parts[i].covered = lines_.parts[i].written.full_sectors();
  }

 private:
  CoalescedLines& lines_;
  bool is_store_;
  unsigned newest_ = 0;
  LineAddress highest_{};
};

}  // namespace

AccessKind kind_of(Unit unit) {
  switch (unit) {
    case Unit::store:
      return AccessKind::store;
    case Unit::atomic:
      return AccessKind::atomic;
    case Unit::texture:
      return AccessKind::texture;
    default:
      return AccessKind::load;
  }
}

void coalesce(const WarpInstruction& instruction, CoalescedLines& lines) {
  const bool is_store = instruction.unit == Unit::store;
  const unsigned bytes = instruction.access_bytes;
  if (instruction.active == kAllLanes && is_contiguous(instruction)) {
    cover_range(instruction.addresses[0], Address{kLanes} * bytes, is_store, lines);
    return;
  }
  if (instruction.active == kAllLanes && !is_store && is_one_line(instruction)) {
    cover_one_line(instruction, lines);
    return;
  }
  LineCollector collector(lines, is_store);
  for (const unsigned lane : set_bits(instruction.active)) collector.add(instruction.addresses[lane], bytes);
  collector.finish();
}

void coalesce_local(const WarpInstruction& instruction, const LocalLayout& layout, unsigned warp, CoalescedLines& lines) {
  constexpr unsigned kWord = LocalLayout::kWordBytes;
  LineCollector collector(lines, instruction.unit == Unit::store);
  std::array<Address, kLanes> offsets;
  for (const unsigned lane : set_bits(instruction.active))
    offsets[lane] = layout.offset(instruction.addresses[lane], instruction.access_bytes);
  // Proceeds word by word, because the lanes of a warp fill a line with each word.
  for (unsigned piece = 0; piece < instruction.access_bytes; piece += kWord) {
    for (const unsigned lane : set_bits(instruction.active)) {
      collector.add(layout.address(warp, lane, offsets[lane] + piece), std::min<unsigned>(instruction.access_bytes, kWord));
    }
  }
  collector.finish();
}

namespace {

/// True if each bank is asked for one word. False where `banks` is no power of two: this is the short cut of the usual case.
bool is_free_of_conflicts(const WarpInstruction& instruction, unsigned banks) {
  if ((banks & (banks - 1)) != 0) return false;
  std::array<std::uint32_t, kLanes> word_of;
  std::uint32_t used = 0;
  for (const unsigned lane : set_bits(instruction.active)) {
    const auto word = static_cast<std::uint32_t>(instruction.addresses[lane] / 4);
    const unsigned bank = word & (banks - 1);
    if ((used >> bank & 1) != 0 && word_of[bank] != word) return false;
    used |= 1u << bank;
    word_of[bank] = word;
  }
  return true;
}

}  // namespace

unsigned shared_memory_cycles(const WarpInstruction& instruction, unsigned banks) {
  if (is_free_of_conflicts(instruction, banks)) return 1;
  std::array<std::array<std::uint32_t, kLanes>, kLanes> words;
  std::array<std::uint8_t, kLanes> count{};
  unsigned most = 1;
  for (const unsigned lane : set_bits(instruction.active)) {
    const auto word = static_cast<std::uint32_t>(instruction.addresses[lane] / 4);
    const unsigned bank = word % banks;
    unsigned i = 0;
    while (i < count[bank] && words[bank][i] != word) ++i;
    if (i < count[bank]) continue;
    words[bank][count[bank]++] = word;
    most = std::max<unsigned>(most, count[bank]);
  }
  return most;
}

}  // namespace wharf
