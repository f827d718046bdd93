#include "model/sm/coalescer.h"

#include <algorithm>

namespace wharf {

namespace {

struct ByteMask {
  std::uint64_t low = 0, high = 0;

  void add(unsigned first, unsigned bytes) {
    const std::uint64_t ones = bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
    if (first < 64) {
      low |= ones << first;
      if (first + bytes > 64) high |= ones >> (64 - first);
    } else {
      high |= ones << (first - 64);
    }
  }

  SectorMask full_sectors() const {
    constexpr std::uint64_t kSector = 0xFFFFFFFFull;
    SectorMask mask = 0;
    if ((low & kSector) == kSector) mask |= 1;
    if (low >> 32 == kSector) mask |= 2;
    if ((high & kSector) == kSector) mask |= 4;
    if (high >> 32 == kSector) mask |= 8;
    return mask;
  }
};

/// Index of the part for `line`; appends a new part where there is none. `newest` is the part used last.
unsigned part_of(CoalescedLines& lines, LineAddress line, unsigned newest) {
  if (lines.count != 0 && lines.parts[newest].line == line) return newest;
  for (unsigned i = 0; i < lines.count; ++i)
    if (lines.parts[i].line == line) return i;
  lines.parts[lines.count] = {line, 0, 0};
  return lines.count++;
}

/// True where all 32 lanes access consecutive elements, the common case.
bool is_contiguous(const WarpInstruction& instruction) {
  const Address first = instruction.addresses[0];
  Address difference = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) difference |= instruction.addresses[lane] ^ (first + lane * instruction.access_bytes);
  return difference == 0;
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
  }
}

}  // namespace

void coalesce(const WarpInstruction& instruction, CoalescedLines& lines) {
  const bool is_store = instruction.unit == Unit::store;
  const unsigned bytes = instruction.access_bytes;
  if (instruction.active == kAllLanes && is_contiguous(instruction)) {
    cover_range(instruction.addresses[0], Address{kLanes} * bytes, is_store, lines);
    return;
  }
  std::array<ByteMask, CoalescedLines::kMost> written;
  lines.count = 0;
  unsigned newest = 0;
  LineAddress highest{};
  for (LaneMask lanes = instruction.active; lanes != 0; lanes &= lanes - 1) {
    Address first = instruction.addresses[static_cast<unsigned>(__builtin_ctz(lanes))];
    for (unsigned left = bytes; left != 0;) {
      const LineAddress line = LineAddress::of(first);
      const unsigned offset = static_cast<unsigned>(first % kLineBytes);
      const unsigned here = std::min(left, kLineBytes - offset);
      if (lines.count != 0 && highest < line) {  // ascending addresses need no search
        newest = lines.count++;
        lines.parts[newest] = {line, 0, 0};
      } else {
        newest = part_of(lines, line, newest);
      }
      if (lines.count == 1 || highest < line) highest = line;
      const unsigned from = offset / kSectorBytes, to = (offset + here - 1) / kSectorBytes;
      lines.parts[newest].sectors |= static_cast<SectorMask>(((2u << to) - 1) & ~((1u << from) - 1));
      if (is_store) written[newest].add(offset, here);
      first += here;
      left -= here;
    }
  }
  if (is_store)
    for (unsigned i = 0; i < lines.count; ++i) lines.parts[i].covered = written[i].full_sectors();
}

unsigned shared_memory_cycles(const WarpInstruction& instruction, unsigned banks) {
  std::array<std::array<std::uint32_t, kLanes>, kLanes> words;
  std::array<std::uint8_t, kLanes> count{};
  unsigned most = 1;
  for (LaneMask lanes = instruction.active; lanes != 0; lanes &= lanes - 1) {
    const auto word = static_cast<std::uint32_t>(instruction.addresses[static_cast<unsigned>(__builtin_ctz(lanes))] / 4);
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
