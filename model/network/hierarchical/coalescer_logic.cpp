#include <algorithm>

#include "model/network/hierarchical/coalescer.h"

namespace wharf::network {

using stats::Unit;

Coalescer::Counters::Counters(stats::Registry& registry, unsigned link)
    : group(registry, "coalescer", static_cast<int>(link)),
      lookups(group, "lookups", "reads that may join others and reached the link that merges", Unit::count),
      merged(group, "merged", "reads that have joined an earlier one of their line", Unit::count),
      full(group, "full", "reads that passed because the entry that covers them takes no more, or because no entry was free", Unit::count),
      request_bytes(group, "request_bytes", "bytes of the requests that have joined others", Unit::bytes),
      reply_bytes(group, "reply_bytes", "bytes of the copies made of replies", Unit::bytes) {
  group.law("merged + full <= lookups", [this] { return merged.value() + full.value() <= lookups.value(); });
}

Coalescer::Coalescer(const HierarchicalParams& params, unsigned links, const CoalescedMessages& messages, stats::Registry& registry)
    : messages_(messages), limit_(params.coalescer_entries), joins_(params.coalescer_merges), used_(links) {
  for (unsigned link = 0; link < links; ++link) counters_.push_back(std::make_unique<Counters>(registry, link));
}

/// Returns the oldest entry that takes the read, and whether only entries that take no more cover it.
std::pair<Coalescer::Search, std::uint32_t> Coalescer::search(unsigned link, const CoalescedMessages::Request& request, unsigned slice,
                                                              Cycle now) const {
  Search result = Search::none;
  const auto [begin, end] = open_.equal_range(key_of(link, request.line));
  for (auto each = begin; each != end; ++each) {
    const Entry& entry = entries_[each->second];
    if (entry.slice != slice || entry.comes <= now || entry.opened <= closed_until(now)) continue;
    if ((request.sectors & ~entry.sectors) != 0) continue;
    if (entry.joined.size() < joins_) return {Search::found, each->second};
    result = Search::full;
  }
  return {result, kNone};
}

bool Coalescer::can_join(unsigned link, std::uint64_t handle, unsigned slice, Cycle now) const {
  const CoalescedMessages::Request request = messages_.request(handle);
  return request.joins && search(link, request, slice, now).first == Search::found;
}

bool Coalescer::join(unsigned link, std::uint64_t handle, unsigned sm, unsigned slice, unsigned bytes, Cycle now) {
  const CoalescedMessages::Request request = messages_.request(handle);
  if (request.writes) open_.erase(key_of(link, request.line));
  if (!request.joins) return false;
  Counters& counters = *counters_[link];
  ++counters.lookups;
  const auto [result, number] = search(link, request, slice, now);
  if (result == Search::found) {
    entries_[number].joined.push_back({handle, static_cast<std::uint16_t>(sm)});
    ++counters.merged;
    counters.request_bytes += bytes;
    messages_.joined(handle);
    return true;
  }
  freed_.pop_due(now, [this](std::uint16_t given_up) { --used_[given_up]; });
  const bool has_place = used_[link] < limit_;
  if (result == Search::full || !has_place) ++counters.full;
  if (has_place) open(link, handle, request, slice, now);
  return false;
}

void Coalescer::open(unsigned link, std::uint64_t handle, const CoalescedMessages::Request& request, unsigned slice, Cycle now) {
  if (spare_.empty()) {
    spare_.push_back(static_cast<std::uint32_t>(entries_.size()));
    entries_.emplace_back();
  }
  const std::uint32_t number = spare_.back();
  spare_.pop_back();
  Entry& entry = entries_[number];
  entry.line = request.line;
  entry.first = handle;
  entry.opened = now;
  entry.comes = kNever;
  entry.link = static_cast<std::uint16_t>(link);
  entry.slice = static_cast<std::uint16_t>(slice);
  entry.sectors = request.sectors;
  open_.emplace(key_of(link, request.line), number);
  by_first_handle_.emplace(handle, number);
  ++used_[link];
}

void Coalescer::set_reply_cycle(std::uint64_t handle, Cycle at) {
  if (const auto found = by_first_handle_.find(handle); found != by_first_handle_.end()) entries_[found->second].comes = at;
}

const std::vector<CopiedReplies::Copy>& Coalescer::copies(std::uint64_t reply) const {
  static const std::vector<Copy> nobody;
  const auto found = by_first_handle_.find(reply);
  return found == by_first_handle_.end() ? nobody : entries_[found->second].joined;
}

void Coalescer::copied(std::uint64_t reply, unsigned link, unsigned bytes, Cycle now) {
  const auto found = by_first_handle_.find(reply);
  if (found == by_first_handle_.end()) return;
  const Entry& entry = entries_[found->second];
  for (const Copy& each : entry.joined) messages_.answer(reply, each.handle);
  counters_[link]->reply_bytes += bytes * entry.joined.size();
  free_entry(found->second, now);
}

void Coalescer::free_entry(std::uint32_t number, Cycle now) {
  Entry& entry = entries_[number];
  const auto [begin, end] = open_.equal_range(key_of(entry.link, entry.line));
  const auto own = std::find_if(begin, end, [number](const auto& each) { return each.second == number; });
  if (own != end) open_.erase(own);
  by_first_handle_.erase(entry.first);
  entry.joined.clear();
  freed_.add(now + 1, entry.link);
  spare_.push_back(number);
}

void Coalescer::kernel_starts(Cycle present) {
  if (kernel_start_ == present) return;
  kernel_start_before_ = kernel_start_;
  kernel_start_ = present;
}

}  // namespace wharf::network
