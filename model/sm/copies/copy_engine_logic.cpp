#include "model/sm/copies/copy_engine.h"

#include <algorithm>
#include <utility>

namespace wharf {

namespace {

/// A place of `table` that is not in use.
template <class Entry>
std::uint32_t place_in(std::vector<Entry>& table, std::vector<std::uint32_t>& unused) {
  if (unused.empty()) {
    unused.push_back(static_cast<std::uint32_t>(table.size()));
    table.emplace_back();
  }
  const std::uint32_t place = unused.back();
  unused.pop_back();
  return place;
}

/// The sectors of `bytes` that are read or written in one turn.
SectorMask sectors_of(std::uint32_t bytes) {
  return static_cast<SectorMask>((1u << std::min(kSectorsPerLine, (bytes + kSectorBytes - 1) / kSectorBytes)) - 1);
}

}  // namespace

CopyEngine::CopyEngine(const CopyParams& params, stats::Registry& registry, unsigned sm)
    : params_(params),
      group_(registry, "tma", static_cast<int>(sm)),
      copies_started_(group_, "copies", "bulk copies started", stats::Unit::count),
      lines_requested_(group_, "lines", "lines requested, past the L1", stats::Unit::count),
      multicast_lines_(group_, "multicast_lines", "of these, lines for several CTAs", stats::Unit::count),
      bytes_(group_, "bytes", "bytes that the copies started write, times the CTAs that receive them", stats::Unit::bytes),
      delivered_bytes_(group_, "delivered_bytes",
                       "bytes that copies of all SMs have written to shared memory here, and this SM's to global memory",
                       stats::Unit::bytes) {}

void CopyEngine::start(const BulkCopy& what, CtaPlace own, std::vector<CtaPlace> places, const Access& like, Names names, Cycle now,
                       std::uint32_t cluster) {
  const std::uint32_t number = place_in(copies_, free_);
  ++copies_started_;
  const auto all = static_cast<std::uint32_t>(places.size());
  std::uint32_t receivers = all;
  if (params_.multicast_at == MulticastAt::gpc && what.direction == BulkCopy::Direction::to_shared) {
    const auto others = std::stable_partition(places.begin(), places.end(), [own](CtaPlace place) { return place.sm == own.sm; });
    receivers = static_cast<std::uint32_t>(others - places.begin());
  }
  bytes_ += what.bytes() * (what.writes_global() ? 1 : all);
  const std::uint32_t unwritten = what.writes_global() ? what.bytes() : what.read() * receivers + what.filled * all;
  const Cycle start = now + params_.start_cycles;
  copies_[number] = {what, own, std::move(places), like, names, cluster, receivers, start, 0, what.read(), unwritten, 0, 0};
  copies_[number].like.slot = number;
  if (what.read() != 0) order_.push_back(number);
  if (what.filled != 0) add_arrived(shared, add_line({number, what.read(), what.filled, all, 0, 0}), start);
}

std::uint32_t CopyEngine::add_line(const Line& line) {
  const std::uint32_t place = place_in(lines_, free_lines_);
  lines_[place] = line;
  ++in_flight_;
  return place;
}

void CopyEngine::add_arrived(Memory to, std::uint32_t line, Cycle at) {
  std::vector<Arrived>& arrived = arrived_[to];
  const auto later = std::find_if(arrived.begin(), arrived.end(), [at](const Arrived& other) { return other.at > at; });
  arrived.insert(later, {at, line});
}

/// The first of them makes room for others.
void CopyEngine::remove_arrived(Memory to) {
  free_lines_.push_back(arrived_[to].front().line);
  arrived_[to].erase(arrived_[to].begin());
  --in_flight_;
}

Cycle CopyEngine::next_read(Memory memory) const {
  if (order_.empty() || in_flight_ >= params_.in_flight) return kNever;
  const Copy& next = copies_[order_.front()];
  return next.what.reads_shared() == (memory == shared) ? std::max(next.start, pace_) : kNever;
}

/// Copies divide into lines of the global memory that they read or write, or else of the shared memory that they read.
void CopyEngine::read(Access& access, Cycle now) {
  const std::uint32_t number = order_.front();
  Copy& copy = copies_[number];
  const BulkCopy& what = copy.what;
  const bool from_shared = what.reads_shared();
  const bool between_shared = from_shared && !what.writes_global();
  const Address in_lines = between_shared ? what.from + copy.requested : place_in_global(what, copy.requested);
  const auto left_in_line = kLineBytes - static_cast<std::uint32_t>(in_lines % kLineBytes);
  const std::uint32_t bytes = std::min(left_in_line, what.row_bytes - copy.requested % what.row_bytes);
  const Address first = from_shared ? shared_address(copy.own, what.from + copy.requested) : in_lines;
  const auto sector_of = [](Address address) { return static_cast<unsigned>(address % kLineBytes / kSectorBytes); };
  access.line = LineAddress::of(first);
  access.sectors =
      from_shared ? sectors_of(bytes) : static_cast<SectorMask>((2u << sector_of(first + bytes - 1)) - (1u << sector_of(first)));
  access.cache_op = CacheOp::bypass_l1;
  if (from_shared) access.written_bytes = 1;  // turn: adjacent bytes lie in different banks
  access.slot = add_line({number, copy.requested, bytes, copy.receivers, 0, 0});
  if (!from_shared) ++lines_requested_;
  if (copy.places.size() > 1) ++multicast_lines_;
  pace_ = now + (bytes + params_.bytes_per_clock - 1) / params_.bytes_per_clock;
  copy.requested += bytes;
  if (copy.requested == what.read()) order_.erase(order_.begin());
}

CopyEngine::Completed CopyEngine::returned(const Access& access, Cycle at) {
  const Line& line = lines_[access.slot];
  Copy& copy = copies_[line.copy];
  copy.unread -= line.bytes;
  add_arrived(copy.what.writes_global() ? global : line.receivers != 0 ? shared : nowhere, access.slot, at);
  Completed done = completed(line.copy, at);
  done.reads = copy.unread == 0 && copy.what.writes_global();
  return done;
}

/// An answer for copy `number` has arrived.
CopyEngine::Completed CopyEngine::completed(std::uint32_t number, Cycle at) {
  Copy& copy = copies_[number];
  copy.last = std::max(copy.last, at);
  if (copy.is_complete()) free_.push_back(number);
  return {false, copy.is_complete(), copy.what.writes_global(), copy.names, copy.last};
}

void CopyEngine::deliver(Access& access) {
  Line& line = lines_[arrived_[shared].front().line];
  Copy& copy = copies_[line.copy];
  fill_write(access, line, copy.places[line.written]);
  copy.unwritten -= line.bytes;
  ++copy.unacknowledged;
  if (++line.written == line.receivers) remove_arrived(shared);
}

/// Makes an access the write of a line to the shared memory of the CTA at `place`.
void CopyEngine::fill_write(Access& access, const Line& line, CtaPlace place) const {
  const BulkCopy& what = copies_[line.copy].what;
  access.kind = AccessKind::shared;
  access.line = LineAddress::of(shared_address(place, what.to + line.offset));
  access.sectors = sectors_of(line.bytes);
  access.pc = what.mbarrier;
  access.written_bytes = line.bytes;
}

CoalescedLines::Part CopyEngine::part_to_store() const {
  const Line& line = lines_[arrived_[global].front().line];
  const Address first = place_in_global(copies_[line.copy].what, line.offset);
  CoalescedLines::Part part{LineAddress::of(first), 0, 0, {}};
  part.written.add(static_cast<unsigned>(first % kLineBytes), line.bytes);
  for (unsigned s = 0; s < kSectorsPerLine; ++s) part.sectors |= static_cast<SectorMask>((part.written.of_sector(s) != 0) << s);
  part.sectors &= ~line.stored;
  if (kind_of_store() == AccessKind::store) part.covered = part.written.full_sectors();
  return part;
}

AccessKind CopyEngine::kind_of_store() const {
  const BulkCopy& what = copies_[lines_[arrived_[global].front().line].copy].what;
  return what.direction == BulkCopy::Direction::to_global ? AccessKind::store : AccessKind::atomic;
}

void CopyEngine::stored(SectorMask sectors) {
  Line& line = lines_[arrived_[global].front().line];
  Copy& copy = copies_[line.copy];
  ++copy.unacknowledged;
  if (part_to_store().sectors != sectors) {
    line.stored |= sectors;
    return;
  }
  copy.unwritten -= line.bytes;
  delivered_bytes_ += line.bytes;
  remove_arrived(global);
}

CopyEngine::Completed CopyEngine::acknowledged(const Access& access, Cycle at) {
  --copies_[access.slot].unacknowledged;
  return completed(access.slot, at);
}

}  // namespace wharf
