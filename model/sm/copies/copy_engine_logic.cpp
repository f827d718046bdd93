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

}  // namespace

CopyEngine::CopyEngine(const CopyParams& params, stats::Registry& registry, unsigned sm)
    : params_(params),
      group_(registry, "tma", static_cast<int>(sm)),
      copies_started_(group_, "copies", "bulk copies started", stats::Unit::count),
      lines_requested_(group_, "lines", "lines requested, past the L1", stats::Unit::count),
      multicast_lines_(group_, "multicast_lines", "of these, lines for several CTAs", stats::Unit::count),
      bytes_(group_, "bytes", "bytes of the copies started, times the CTAs that receive them", stats::Unit::bytes),
      delivered_bytes_(group_, "delivered_bytes", "bytes that copies of all SMs have written to shared memory here", stats::Unit::bytes) {}

void CopyEngine::start(const BulkCopy& what, std::vector<CtaPlace> places, const Access& like, Cycle now) {
  const std::uint32_t number = place_in(copies_, free_);
  ++copies_started_;
  const auto bytes = what.bytes() * static_cast<std::uint32_t>(places.size());
  bytes_ += bytes;
  const Cycle start = now + params_.start_cycles;
  copies_[number] = {what, std::move(places), like, start, 0, bytes};
  copies_[number].like.slot = number;
  if (what.read() != 0) order_.push_back(number);
  if (what.filled != 0) add_arrived(add_line({number, what.read(), what.filled, 0}), start);
}

std::uint32_t CopyEngine::add_line(const Line& line) {
  const std::uint32_t place = place_in(lines_, free_lines_);
  lines_[place] = line;
  ++in_flight_;
  return place;
}

void CopyEngine::add_arrived(std::uint32_t line, Cycle at) {
  const auto later = std::find_if(arrived_.begin(), arrived_.end(), [at](const Arrived& other) { return other.at > at; });
  arrived_.insert(later, {at, line});
}

Cycle CopyEngine::next_request() const {
  if (order_.empty() || in_flight_ >= params_.in_flight) return kNever;
  return std::max(copies_[order_.front()].start, pace_);
}

void CopyEngine::request(Access& access, Cycle now) {
  const std::uint32_t number = order_.front();
  Copy& copy = copies_[number];
  const BulkCopy& what = copy.what;
  const std::uint32_t in_row = copy.requested % what.row_bytes;
  const Address first = what.from + copy.requested / what.row_bytes * what.row_stride + in_row;
  const auto left_in_line = kLineBytes - static_cast<std::uint32_t>(first % kLineBytes);
  const std::uint32_t bytes = std::min(left_in_line, what.row_bytes - in_row);
  const auto sector_of = [](Address address) { return static_cast<unsigned>(address % kLineBytes / kSectorBytes); };
  access.line = LineAddress::of(first);
  access.sectors = static_cast<SectorMask>((2u << sector_of(first + bytes - 1)) - (1u << sector_of(first)));
  access.cache_op = CacheOp::bypass_l1;
  access.slot = add_line({number, copy.requested, bytes, 0});
  ++lines_requested_;
  if (copy.places.size() > 1) ++multicast_lines_;
  pace_ = now + (bytes + params_.bytes_per_clock - 1) / params_.bytes_per_clock;
  copy.requested += bytes;
  if (copy.requested == what.read()) order_.erase(order_.begin());
}

void CopyEngine::returned(const Access& line, Cycle at) { add_arrived(line.slot, at); }

void CopyEngine::deliver(Access& access) {
  const std::uint32_t place = arrived_.front().line;
  Line& line = lines_[place];
  const Copy& copy = copies_[line.copy];
  access.kind = AccessKind::shared;
  access.line = LineAddress::of(shared_address(copy.places[line.written], copy.what.to + line.offset));
  access.sectors = static_cast<SectorMask>((1u << std::min(kSectorsPerLine, (line.bytes + kSectorBytes - 1) / kSectorBytes)) - 1);
  access.pc = copy.what.mbarrier;
  access.written_bytes = line.bytes;
  if (++line.written != copy.places.size()) return;
  arrived_.erase(arrived_.begin());
  free_lines_.push_back(place);
  --in_flight_;
}

bool CopyEngine::acknowledged(const Access& access) {
  Copy& copy = copies_[access.slot];
  copy.unacknowledged -= access.written_bytes;
  if (copy.unacknowledged != 0) return false;
  free_.push_back(access.slot);
  return true;
}

}  // namespace wharf
