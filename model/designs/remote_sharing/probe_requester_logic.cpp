#include "model/designs/remote_sharing/probe_requester_logic.h"

#include <algorithm>

#include "model/base/error.h"

namespace wharf {

namespace {
constexpr std::uint32_t kSequences = 1u << 27;  // RS-8
}

ProbeRequesterLogic::ProbeRequesterLogic(const RemoteSharingParams& params, unsigned self, unsigned groups, ProbeCounters& counters,
                                         TransactionStock& stock, ProbePool& bodies)
    : params_(params),
      self_(static_cast<std::uint16_t>(self)),
      counters_(counters),
      stock_(stock),
      bodies_(bodies),
      groups_(groups),
      failed_(groups),
      outgoing_(params.queues.outgoing) {
  selective_.reserve(groups);
}

/// A sequence number modulo the number of groups is its group's index.
ProbeRequesterLogic::Group* ProbeRequesterLogic::find(GroupId id) {
  Group& group = groups_[id.sequence % groups_.size()];
  return group.state != State::idle && group.sequence == id.sequence && id.requester == self_ ? &group : nullptr;
}

void ProbeRequesterLogic::search(Transaction& miss, const CoreList& targets, unsigned probes, Cycle now) {
  const auto free = std::find_if(groups_.begin(), groups_.end(), [](const Group& group) { return group.state == State::idle; });
  if (free == groups_.end()) throw SimulationError("more misses are searched for than the L1 has MSHR entries");
  const auto slots = static_cast<std::uint32_t>(groups_.size());
  Group& group = *free;
  group.state = State::first_level;
  group.sequence = uses_++ % (kSequences / slots) * slots + number(group);
  group.under_way = 0;
  group.miss = &miss;
  group.request = nullptr;
  group.candidates.count = 0;
  group.deadline = params_.timeout_cycles == kUnlimited ? kNever : now + params_.timeout_cycles;
  group.decided = 0;
  selective_.push_back(number(group));
  ++tracked_;
  ++counters_.searches;

  // The leader's share comes first, then the scouts' shares. Their sizes differ by at most one (RS-24).
  const bool smaller = params_.leader_share == LeaderShare::smaller;
  unsigned first = 0;
  for (unsigned i = 0; i < probes; ++i) {
    const unsigned left = targets.count - first, sharers = probes - i;
    const unsigned count = i == 0 && smaller ? left / sharers : (left + sharers - 1) / sharers;
    const ProbeRole role = i == 0 || params_.probing == Probing::single ? ProbeRole::leader : ProbeRole::scout;
    send(group, role, targets.cores.data() + first, count, now);
    first += count;
  }
}

void ProbeRequesterLogic::send(Group& group, ProbeRole role, const std::uint8_t* targets, unsigned count, Cycle now) {
  if (outgoing_.full()) throw SimulationError("the queue of outgoing probes is smaller than what it must never refuse");
  Access access = group.miss->access;
  access.hint.probe = true;
  access.hint.tags_only = role == ProbeRole::scout;
  Transaction& probe = stock_.acquire(access);
  probe.stages = group.miss->stages;
  ProbeBody& body = bodies_.acquire();
  body.group = {self_, group.sequence};
  body.role = role;
  body.end = static_cast<std::uint8_t>(count);
  std::copy(targets, targets + count, body.list.begin());
  probe.body = &body;
  probe.message.kind = MessageKind::probe;
  probe.message.destination = static_cast<std::uint16_t>(body.target());
  ++group.under_way;
  outgoing_.push(probe, now);
}

void ProbeRequesterLogic::end_probe(Transaction& probe) {
  bodies_.release(*probe.body);
  probe.body = nullptr;
  stock_.release(probe);
}

void ProbeRequesterLogic::returned(Transaction& probe, Cycle now) {
  ++counters_.returned;
  Group* group = find(probe.body->group);
  if (group == nullptr || group->state == State::to_l2) {
    ++counters_.late_returns;
    end_probe(probe);
    return;
  }
  --group->under_way;
  group->miss->stages = probe.stages;  // the last probe to return is the one that was waited for
  if (probe.body->role == ProbeRole::scout)
    for (unsigned i = 0; i < probe.body->candidates; ++i) group->candidates.add(probe.body->list[i]);
  if (group->under_way == 0 && group->state == State::first_level && group->candidates.count != 0) {
    finish_first_level(*group, probe, now);
    return;
  }
  end_probe(probe);
  if (group->under_way == 0) fail(*group, now);
}

/// When the last probe has returned, sends one probe to the candidates.
void ProbeRequesterLogic::finish_first_level(Group& group, Transaction& probe, Cycle now) {
  end_probe(probe);
  group.state = State::second_level;
  ++counters_.second_level;
  send(group, ProbeRole::second_level, group.candidates.cores.data(), group.candidates.count, now);
}

/// The search has failed: the L2 request leaves the queue from wherever it is and competes as a processed NACK.
void ProbeRequesterLogic::fail(Group& group, Cycle now) {
  ++counters_.failed_searches;
  selective_.erase(std::find(selective_.begin(), selective_.end(), number(group)));
  make_request(group, now);
  failed_.push(*group.request, now);
}

void ProbeRequesterLogic::make_request(Group& group, Cycle now) {
  group.state = State::to_l2;
  group.decided = now + 1;
  group.request = &stock_.acquire(group.miss->access);
  group.request->stages = group.miss->stages;
  group.request->message.kind = MessageKind::read_request;
  group.request->message.tag = kTracked | group.sequence;
}

void ProbeRequesterLogic::cancel_unsent(Group& group) {
  if (group.under_way == 0) return;
  outgoing_.remove_if([&](Transaction& probe) {
    if (!(probe.body->group == GroupId{self_, group.sequence})) return false;
    ++counters_.cancelled;
    --group.under_way;
    end_probe(probe);
    return true;
  });
}

void ProbeRequesterLogic::check_head(Cycle now) {
  if (selective_.empty()) return;
  Group& head = groups_[selective_.front()];
  if (head.state == State::to_l2 || head.deadline > now) return;
  ++counters_.timeouts;
  cancel_unsent(head);
  counters_.unanswered += head.under_way;
  head.miss->stages.claim(Stage::peer, now);
  make_request(head, now);
}

Cycle ProbeRequesterLogic::deadline() const {
  if (selective_.empty() || groups_[selective_.front()].state == State::to_l2) return kNever;
  return groups_[selective_.front()].deadline;
}

void ProbeRequesterLogic::pop_selective() {
  groups_[selective_.front()].request = nullptr;
  selective_.erase(selective_.begin());
}

void ProbeRequesterLogic::pop_processed_nack(Cycle now) {
  const Transaction& request = failed_.pop(now);
  find({self_, request.message.tag & ~kTracked})->request = nullptr;
}

void ProbeRequesterLogic::pop_outgoing(Cycle now) {
  counters_.wait_cycles += now - outgoing_.next_ready();
  outgoing_.pop(now);
  ++counters_.injected;
}

Transaction* ProbeRequesterLogic::supplied(Transaction& reply) {
  ++counters_.peer_replies;
  Group* group = find(reply.body->group);
  Transaction* miss = group == nullptr ? nullptr : fill(*group, reply);
  ++(miss == nullptr ? counters_.redundant : counters_.filled_by_peer);
  end_probe(reply);
  return miss;
}

Transaction* ProbeRequesterLogic::served(Transaction& reply) {
  Group* group = find({self_, reply.message.tag & ~kTracked});
  Transaction* miss = group == nullptr ? nullptr : fill(*group, reply);
  if (miss == nullptr) ++counters_.late_l2_replies;
  stock_.release(reply);
  return miss;
}

/// Ends the group. Its unsent probes are never sent, and its sent ones find no group any more.
Transaction* ProbeRequesterLogic::fill(Group& group, const Transaction& reply) {
  cancel_unsent(group);
  const auto place = std::find(selective_.begin(), selective_.end(), number(group));
  if (place != selective_.end()) selective_.erase(place);
  if (group.request != nullptr) {
    failed_.remove_if([&](Transaction& request) { return &request == group.request; });
    stock_.release(*group.request);
  }
  group.state = State::idle;
  --tracked_;
  group.miss->stages = reply.stages;
  group.miss->versions = reply.versions;
  group.miss->reply.served_by = reply.reply.served_by;
  group.miss->reply.l1_done = group.decided;
  return group.miss;
}

}  // namespace wharf
