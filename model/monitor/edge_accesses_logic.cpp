#include "model/monitor/edge_accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/base/barriers/bulk_copy.h"
#include "model/base/bits.h"

namespace wharf {

EdgeAccesses::EdgeAccesses(std::function<void(const std::string&)> on_conflict)
    : on_conflict_(std::move(on_conflict)), parts_(Islands::parts()) {}

void EdgeAccesses::record(const WarpInstruction& instruction) {
  Part& part = parts_[Islands::here()];
  if (part.turn != Islands::turns()) {
    part.turn = Islands::turns();
    part.writes = false;
    part.pieces.clear();
    part.lines.clear();
  }
  const bool wrote = part.writes;
  if (instruction.unit == Unit::barrier) {
    record_copy(part, instruction);
  } else if (instruction.space == Space::global) {
    const bool writes = instruction.unit == Unit::store || instruction.unit == Unit::atomic;
    for (const unsigned lane : set_bits(instruction.active))
      add_range(part, instruction.addresses[lane], instruction.addresses[lane] + instruction.access_bytes, writes);
  }
  if (part.writes && !wrote) Islands::on_mainland([this] { compare(); });
}

void EdgeAccesses::record_copy(Part& part, const WarpInstruction& instruction) {
  if (!MbarrierUse::is_by(instruction.barrier) || MbarrierUse::of(instruction).op != MbarrierOp::copy) return;
  const BulkCopy copy = BulkCopy::of(instruction);
  if (copy.direction == BulkCopy::Direction::between_shared) return;
  const Address first = copy.writes_global() ? copy.to : copy.from;
  for (std::uint32_t row = 0; row < copy.rows; ++row)
    add_range(part, first + row * copy.row_stride, first + row * copy.row_stride + copy.row_bytes, copy.writes_global());
}

/// Neighbouring lanes make one piece of a line.
void EdgeAccesses::add_range(Part& part, Address begin, Address end, bool is_written) {
  part.writes |= is_written;
  while (begin < end) {
    const Address until = std::min(end, begin / kLineBytes * kLineBytes + kLineBytes);
    if (Piece* last = part.pieces.empty() ? nullptr : &part.pieces.back();
        last != nullptr && last->end == begin && begin % kLineBytes != 0 && last->is_written == is_written) {
      last->end = until;
    } else {
      part.pieces.push_back({begin, until, is_written});
      part.lines.add(begin);
    }
    begin = until;
  }
}

void EdgeAccesses::compare() {
  if (std::exchange(compared_, Islands::turns()) == Islands::turns()) return;
  for (const Part& writer : parts_) {
    if (writer.turn != Islands::turns() || !writer.writes) continue;
    for (const Part& other : parts_) {
      if (&other == &writer || other.turn != Islands::turns()) continue;
      for (const Piece& written : writer.pieces) {
        if (!written.is_written || !other.lines.may_have(written.begin)) continue;
        const auto overlaps = [&](const Piece& piece) { return piece.begin < written.end && written.begin < piece.end; };
        const auto found = std::find_if(other.pieces.begin(), other.pieces.end(), overlaps);
        if (found == other.pieces.end()) continue;
        return on_conflict_(fmt::format("two SMs {} the byte at {:#x} in one cycle", found->is_written ? "write" : "read and write",
                                        std::max(found->begin, written.begin)));
      }
    }
  }
}

}  // namespace wharf
