#include "model/network/hierarchical/multicast.h"

namespace wharf::network {

using stats::Unit;

Multicast::Counters::Counters(stats::Registry& registry, unsigned link)
    : group(registry, "multicast", static_cast<int>(link)),
      replies(group, "replies", "replies to bulk copies that have been copied for other SMs", Unit::count),
      copies(group, "copies", "copies made of them", Unit::count),
      bytes(group, "bytes", "bytes of these copies", Unit::bytes) {}

Multicast::Multicast(unsigned gpcs, const MulticastMessages& messages, stats::Registry& registry) : messages_(messages) {
  for (unsigned link = 0; link < gpcs; ++link) counters_.push_back(std::make_unique<Counters>(registry, link));
}

const std::vector<CopiedReplies::Copy>& Multicast::copies(std::uint64_t reply) const {
  copies_.clear();
  messages_.list_copies(reply, copies_);
  return copies_;
}

void Multicast::copied(std::uint64_t reply, unsigned link, unsigned bytes, Cycle) {
  if (copies(reply).empty()) return;
  Counters& counters = *counters_[link];
  ++counters.replies;
  counters.copies += copies_.size();
  counters.bytes += bytes * copies_.size();
  for (const Copy& copy : copies_) messages_.answer(reply, copy.handle);
  messages_.forget_copies(reply);
}

}  // namespace wharf::network
