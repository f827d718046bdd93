// How an L1 handles events of the sideband: kernel boundaries, stale lines, and the drain at the end.

#include <algorithm>

#include "model/l1/l1_companion.h"

namespace wharf {

void L1Cache::write(const Event& event) {
  // An event that is due in this cycle is handled first, whichever block acts first.
  if (events_from_ <= clock_.now()) obey_events(clock_.now());
  Cycle next = clock_.now() + 1;
  switch (event.kind) {
    case Event::Kind::line_written:
      // After the older accesses of the SM, which are in the pipeline now.
      next += timing_.lookup_latency();
      old_.emplace_back(next, event.line);
      break;
    case Event::Kind::drain:
      drain_from_ = next;
      break;
    case Event::Kind::sm_empty:
      if (event.sm != static_cast<unsigned>(group_.instance())) return;
      invalidate_at_ = next;
      break;
    case Event::Kind::fence:
      fence_at_ = next;
      break;
    case Event::Kind::kernel_start:
      apply_kernel_start(event, next);
      break;
    case Event::Kind::cta_launch:
    case Event::Kind::cta_finish:
    case Event::Kind::kernel_end:
      return;  // does not concern an L1
  }
  events_from_ = std::min(events_from_, next);
  clock_.wake(block_, next);
}

void L1Cache::apply_kernel_start(const Event& event, Cycle from) {
  const std::uint32_t ways = ways_after_;
  if (unified_bytes_ != 0) {
    const std::uint64_t left = unified_bytes_ - std::min(unified_bytes_, event.shared_bytes) + event.register_bytes;
    ways_after_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(params_.ways * left / unified_bytes_));
  }
  keeps_dirty_ = event.concurrent && params_.local_stores == LocalStores::write_back;
  if (!event.keep_lines || ways_after_ != ways) invalidate_at_ = from;
  for (const auto& companion : companions_) companion->kernel_starts(event);
}

void L1Cache::obey_events(Cycle now) {
  if (side_store_ != nullptr) side_store_->before_events(now);
  for (Port& port : ports_)
    for (Bank& bank : port.banks) bank.stuck = false;
  if (invalidate_at_ <= now) {
    keeps_clean_   ? logic_.invalidate_written_by_others()
    : keeps_dirty_ ? logic_.invalidate_all_clean()
                   : logic_.invalidate_all(ways_after_);
    for (const auto& companion : companions_) companion->kernel_started();
    invalidate_at_ = kNever;
  }
  if (fence_at_ <= now) {
    logic_.invalidate_all_clean();
    std::fill(port_wake_.begin(), port_wake_.end(), now);  // an access that waits for a fill may now be refused for another cause
    fence_at_ = kNever;
  }
  if (!old_.empty()) {
    std::size_t due = 0;
    for (; due < old_.size() && old_[due].first <= now; ++due) logic_.invalidate(old_[due].second);
    if (due != 0) port_wake_[0] = now;  // an access that waits for the fill of such a line may now be refused for another cause
    old_.erase(old_.begin(), old_.begin() + static_cast<std::ptrdiff_t>(due));
  }
  if (drain_from_ <= now) drain(now);
  events_from_ = std::min({invalidate_at_, fence_at_, drain_from_, old_.empty() ? kNever : old_.front().first});
}

/// Sends a dirty line below as a store of this cache's own.
void L1Cache::write_back(Port& port, const Access& line, const SectorVersions& versions) {
  Payload& store = pool_.acquire(line);
  store.transaction().access.slot = kOwnStore;
  store.versions() = versions;
  queue_miss(port, store);
}

void L1Cache::drain(Cycle now) {
  for (unsigned i = 0; i < ports_.size(); ++i) {
    Port& port = ports_[i];
    Access access;
    SectorVersions versions{};
    while (room(port) != 0 && logic_.drain(access, versions)) {
      access.sm = static_cast<std::uint16_t>(group_.instance());
      write_back(port, access, versions);
      port_wake_[i] = now;
    }
    if (room(port) == 0) {
      clock_.wake(block_, now + 1);
      return;
    }
  }
  drain_from_ = kNever;
}

}  // namespace wharf
