#include "model/sm/copies/copy_engine.h"

#include <algorithm>
#include <utility>

namespace wharf {

CopyEngine::CopyEngine(const CopyParams& params, stats::Registry& registry, unsigned sm)
    : params_(params),
      group_(registry, "tma", static_cast<int>(sm)),
      copies_started_(group_, "copies", "bulk copies started", stats::Unit::count),
      lines_(group_, "lines", "lines requested, past the L1", stats::Unit::count),
      multicast_lines_(group_, "multicast_lines", "of these, lines for several CTAs", stats::Unit::count),
      bytes_(group_, "bytes", "bytes of the copies started, times the CTAs that receive them", stats::Unit::bytes),
      delivered_bytes_(group_, "delivered_bytes", "bytes that copies of all SMs have written to shared memory here", stats::Unit::bytes) {}

void CopyEngine::start(const BulkCopy& what, std::vector<CtaPlace> places, const Access& like, Cycle now) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(copies_.size()));
    copies_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  ++copies_started_;
  const auto bytes = what.bytes * static_cast<std::uint32_t>(places.size());
  bytes_ += bytes;
  copies_[number] = {what, std::move(places), like, now + params_.start_cycles, 0, bytes};
  copies_[number].like.slot = number;
  order_.push_back(number);
}

std::uint32_t CopyEngine::bytes_in_line(const BulkCopy& copy, std::uint32_t offset) {
  const auto left = kLineBytes - static_cast<std::uint32_t>((copy.from + offset) % kLineBytes);
  return std::min<std::uint32_t>(left, copy.bytes - offset);
}

Cycle CopyEngine::next_request() const {
  if (order_.empty() || in_flight_ == params_.in_flight) return kNever;
  return std::max(copies_[order_.front()].start, pace_);
}

void CopyEngine::request(Access& access, Cycle now) {
  Copy& copy = copies_[order_.front()];
  const std::uint32_t bytes = bytes_in_line(copy.what, copy.requested);
  const Address first = copy.what.from + copy.requested, last = first + bytes - 1;
  const auto sector_of = [](Address address) { return static_cast<unsigned>(address % kLineBytes / kSectorBytes); };
  access.line = LineAddress::of(first);
  access.sectors = static_cast<SectorMask>((2u << sector_of(last)) - (1u << sector_of(first)));
  access.cache_op = CacheOp::bypass_l1;
  ++lines_;
  if (copy.places.size() > 1) ++multicast_lines_;
  ++in_flight_;
  pace_ = now + (bytes + params_.bytes_per_clock - 1) / params_.bytes_per_clock;
  copy.requested += bytes;
  if (copy.requested == copy.what.bytes) order_.erase(order_.begin());
}

void CopyEngine::returned(const Access& line, Cycle at) {
  const Copy& copy = copies_[line.slot];
  const Address start = line.line.byte_address();
  const auto offset = start > copy.what.from ? static_cast<std::uint32_t>(start - copy.what.from) : 0;
  const auto later = std::find_if(arrived_.begin(), arrived_.end(), [at](const Arrived& other) { return other.at > at; });
  arrived_.insert(later, {at, line.slot, offset, bytes_in_line(copy.what, offset), 0});
}

void CopyEngine::deliver(Access& access) {
  Arrived& line = arrived_.front();
  const Copy& copy = copies_[line.copy];
  access.kind = AccessKind::shared;
  access.line = LineAddress::of(shared_address(copy.places[line.written], copy.what.to + line.offset));
  access.sectors = static_cast<SectorMask>((1u << (line.bytes + kSectorBytes - 1) / kSectorBytes) - 1);
  access.pc = copy.what.mbarrier;
  access.written_bytes = line.bytes;
  if (++line.written != copy.places.size()) return;
  arrived_.erase(arrived_.begin());
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
