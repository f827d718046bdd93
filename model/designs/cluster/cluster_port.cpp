#include "model/designs/cluster/cluster_port.h"

#include <algorithm>
#include <string>
#include <utility>

#include "model/base/archive.h"

namespace wharf {

namespace {

/// Cycles that an access takes of the memory. 128 adjacent bytes lie in different banks. A line is written to one CTA after the other.
std::uint32_t turns_of(Payload& payload) {
  if (payload.access().kind != AccessKind::shared) return payload.access().written_bytes & 0xFF;
  std::uint32_t turns = 1;
  for (const Transaction* line = payload.transaction().copies; line != nullptr; line = line->copies) ++turns;
  return turns;
}

}  // namespace

ClusterPort::ClusterPort(sc_core::sc_module_name name, const ClusterParams& params, unsigned sm, SharedMemoryTurns& turns,
                         const Environment& environment)
    : sc_module(name),
      params_(params),
      sm_(static_cast<std::uint16_t>(sm)),
      latency_(environment.shared_cycles + params.own_extra),
      turns_(turns),
      clock_(environment.clock),
      pool_(environment.pool),
      hierarchy_(environment.hierarchy),
      arrive_(environment.arrive),
      golden_(environment.golden),
      group_(environment.registry, "dsm", static_cast<int>(sm)),
      loads_(group_, "loads", "loads of shared memory through addresses of the cluster, and reads by copies, a row of 128 B each",
             stats::Unit::accesses),
      stores_(group_, "stores", "stores, reductions, arrivals at mbarriers, and lines of copies", stats::Unit::accesses),
      atomics_(group_, "atomics", "atomics that return a value", stats::Unit::accesses),
      answers_(group_, "answers", "answers to them", stats::Unit::accesses),
      bytes_(group_, "bytes", "bytes of the sectors that they access", stats::Unit::bytes),
      own_(group_, "own", "accesses to memory of this SM", stats::Unit::accesses),
      tpc_(group_, "by_distance.tpc", "accesses to another SM of the TPC", stats::Unit::accesses),
      cpc_(group_, "by_distance.cpc", "accesses to another TPC of the CPC", stats::Unit::accesses),
      gpc_(group_, "by_distance.gpc", "accesses to another CPC of the GPC", stats::Unit::accesses),
      served_(group_, "served", "accesses of other SMs that this SM has served", stats::Unit::accesses),
      wait_cycles_(group_, "wait_cycles", "cycles that accesses waited for shared memory, summed", stats::Unit::cycles),
      barriers_opened_(group_, "barriers", "barriers of clusters that have opened, at the SM of rank 0", stats::Unit::count),
      barrier_wait_(group_, "barrier_wait", "arrival of a CTA to the opening of the barrier, summed over CTAs", stats::Unit::cycles),
      block_(clock_.add(*this)),
      upstream_("upstream", *this, 0),
      request_in_("request_in", *this, kRequests),
      reply_in_("reply_in", *this, kReplies),
      requests_("requests", clock_, params.queue, *this),
      replies_("replies", clock_, params.queue, *this),
      from_sm_(params.queue),
      from_others_(params.queue),
      barriers_(environment.slots),
      members_(environment.slots) {
  if (params.tma.multicast_at == MulticastAt::gpc) lines_ = std::make_unique<Lines>(*this, params.queue);
  group_.law("dsm.loads + dsm.stores + dsm.atomics == dsm.answers",
             [this] { return loads_.value() + stores_.value() + atomics_.value() == answers_.value(); });
  group_.law("dsm.loads + dsm.stores + dsm.atomics == dsm.own + sum of dsm.by_distance",
             [this] { return loads_.value() + stores_.value() + atomics_.value() == own_.value() + sent(); });
}

ClusterPort::Lines::Lines(ClusterPort& port, std::uint32_t places)
    : in("line_in", port, kLines),
      queue(places),
      received(port.group_, "lines", "lines of other SMs' bulk copies that came with replies of L2", stats::Unit::count) {}

void ClusterPort::write(const Event& event) {
  if (event.sm != sm_) return;
  if (event.kind == Event::Kind::cta_launch) {
    const CtaWork& work = *event.cta;
    if (golden_ != nullptr)
      golden_->launched({sm_, static_cast<std::uint16_t>(work.slot)}, work.cluster, work.age - work.cluster.rank,
                        {sm_, static_cast<std::uint16_t>(work.first_warp)}, static_cast<unsigned>(work.warps.size()));
    if (work.cluster.places == nullptr) return;
    members_[work.slot] = {true, work.cluster.places->front(), work.age - work.cluster.rank};  // its CTAs are dispatched in a row
    if (work.cluster.rank == 0) {
      barriers_[work.slot] = {};
      barriers_[work.slot].cluster = work.age;
      barriers_[work.slot].ctas = work.cluster.places->size();
    }
  }
  if (event.kind == Event::Kind::cta_finish && members_[event.slot].present) {
    const Cycle next = clock_.now() + 1;
    exits_.push_back({next, members_[event.slot]});
    members_[event.slot] = {};
    clock_.wake(block_, next);
  }
}

Acceptance ClusterPort::request(unsigned, Payload& payload, Picoseconds at) {
  const Cycle arrival = clock_.cycle_at(at), present = clock_.present_cycle();
  const Acceptance acceptance = from_sm_.offer(payload, arrival, 0, present);
  clock_.wake(block_, acceptance == Acceptance::accepted ? std::max(arrival, present + 1) : present + 1);
  return acceptance;
}

bool ClusterPort::message(unsigned port, Payload& payload, Picoseconds at) {
  if (port == kReplies) {
    show(payload, at);
    return true;
  }
  const Cycle arrival = clock_.cycle_at(at), present = clock_.present_cycle();
  if (port == kLines) ++lines_->received;
  const Acceptance acceptance = (port == kLines ? lines_->queue : from_others_).offer(payload, arrival, 0, present);
  clock_.wake(block_, acceptance == Acceptance::accepted ? std::max(arrival, present + 1) : present + 1);
  return acceptance == Acceptance::accepted;
}

void ClusterPort::act(Cycle now) {
  admit_pending(now);
  if (!waiting_.empty() && outlet_.is_open(now)) {
    Transaction& next = waiting_.pop_front();
    show(Payload::of(next), clock_.edge(std::max(next.message.ready, now + 1)));
  }
  send_exits(now);
  send_own(now);
  serve(now);
  yield_memory(now);
  const Cycle next = next_event(now);
  if (next != kNever) clock_.wake(block_, std::max(next, now + 1));
}

void ClusterPort::admit_pending(Cycle now) {
  Cycle end;
  if (Payload* accepted = from_sm_.admit_pending(now, end)) upstream_.accept(*accepted, clock_.delay(end - now));
  if (Payload* accepted = from_others_.admit_pending(now, end)) request_in_.accept(*accepted, clock_.delay(end - now));
  if (lines_ == nullptr) return;
  if (Payload* accepted = lines_->queue.admit_pending(now, end)) lines_->in.accept(*accepted, clock_.delay(end - now));
}

/// Tells the SM of rank 0 of CTAs that have ended.
void ClusterPort::send_exits(Cycle now) {
  while (!exits_.empty() && exits_.front().at <= now) {
    const auto [present, first, cluster] = exits_.front().member;
    if (first.sm != sm_ && !requests_.queue().room()) return;
    exits_.erase(exits_.begin());
    if (first.sm == sm_) {
      leave(first.slot, cluster, now);
      continue;
    }
    Access access;
    access.id = cluster;
    access.kind = AccessKind::barrier;
    access.space = Space::cluster;
    access.line = LineAddress::of(shared_address(first, 0));
    access.sm = sm_;
    Payload& payload = pool_.acquire(access);
    MessageHeader& header = payload.message();
    header = {};
    header.source = sm_;
    header.destination = first.sm;
    header.traffic = Traffic::to_peer;
    header.kind = MessageKind::cluster_exit;
    header.flits = params_.request_flits(access);
    requests_.add(payload.transaction(), now + 1);
  }
}

/// Passes on the SM's next access, if another SM holds its CTA.
void ClusterPort::send_own(Cycle now) {
  if (!from_sm_.ready(now) || is_own(from_sm_.front()) || !requests_.queue().room()) return;
  Payload& payload = from_sm_.pop(now);
  const Access& access = payload.access();
  count_request(access);
  MessageHeader& header = payload.message();
  header = {};
  header.source = sm_;
  header.destination = place_of(access.line).sm;
  header.traffic = Traffic::to_peer;
  header.kind = access.kind == AccessKind::barrier ? MessageKind::cluster_arrive : MessageKind::shared_request;
  header.flits = params_.request_flits(access);
  requests_.add(payload.transaction(), now + 1);
}

void ClusterPort::count_request(const Access& access) {
  if (access.kind == AccessKind::barrier) return;
  ++(access.kind == AccessKind::load ? loads_ : access.kind == AccessKind::atomic ? atomics_ : stores_);
  bytes_ += sector_count(access.sectors) * kSectorBytes;
  const unsigned other = place_of(access.line).sm;
  const auto same = [&](network::Tier tier) {
    const auto& link_of = hierarchy_.link_of(tier);
    return !link_of.empty() && link_of[other] == link_of[sm_];
  };
  ++(other == sm_ ? own_ : same(network::Tier::tpc) ? tpc_ : same(network::Tier::cpc) ? cpc_ : gpc_);
}

/// The queue whose first access is for this SM's memory and has waited longest; null if there is none.
RequestQueue* ClusterPort::oldest(Cycle now) {
  if (serving_ != nullptr) return serving_;
  RequestQueue* oldest = nullptr;
  const auto offer = [&oldest, now](RequestQueue& queue) {
    if (queue.ready(now) && (oldest == nullptr || queue.next_ready() < oldest->next_ready())) oldest = &queue;
  };
  if (from_sm_.ready(now) && is_own(from_sm_.front())) oldest = &from_sm_;
  offer(from_others_);
  if (lines_ != nullptr) offer(lines_->queue);
  return oldest;
}

bool ClusterPort::has_turn(Cycle since, Cycle now) {
  if (turns_.free(now)) return true;
  if (!claimed_ && now - since >= params_.age_limit) {
    turns_.claim(now);
    claimed_ = true;
  }
  return false;
}

void ClusterPort::serve(Cycle now) {
  RequestQueue* const queue = oldest(now);
  if (queue == nullptr) return;
  Payload& payload = queue->front();
  const Access& access = payload.access();
  if (queue == &from_others_ && !replies_.queue().room()) return;
  if (access.kind == AccessKind::barrier) {
    queue->pop(now);
    if (queue == &from_sm_ || payload.message().kind == MessageKind::cluster_arrive) return enter(payload, now);
    leave(place_of(access.line).slot, access.id, now);
    payload.release();
    return;
  }
  if (!has_turn(queue->next_ready(), now)) return;
  if (serving_ == nullptr) {
    serving_ = queue;
    turns_left_ = turns_of(payload);
  }
  if (--turns_left_ != 0) return;
  serving_ = nullptr;
  finish(*queue, now);
}

void ClusterPort::finish(RequestQueue& queue, Cycle now) {
  wait_cycles_ += now + 1 - queue.next_ready() - turns_of(queue.front());
  Payload& payload = queue.pop(now);
  if (lines_ != nullptr && &queue == &lines_->queue) return write_lines(payload, now);
  if (&queue == &from_sm_)
    count_request(payload.access());
  else
    ++served_;
  if (golden_ != nullptr) golden_->turn(payload.access(), now);
  if (payload.access().kind == AccessKind::shared || counted_bytes(payload.access()) != 0) arrive_(payload.access());
  answer(payload, now + latency_);
}

/// Writes the line that has come with a reply, to each of its CTAs.
void ClusterPort::write_lines(Payload& payload, Cycle now) {
  Transaction* next = &payload.transaction();
  while (next != nullptr) {
    Transaction& line = *next;
    next = std::exchange(line.copies, nullptr);
    if (golden_ != nullptr) golden_->turn(line.access, now);
    arrive_(line.access);
    Payload::of(line).release();
  }
}

/// Lets the program's instructions use shared memory again, unless another access has waited too long.
void ClusterPort::yield_memory(Cycle now) {
  const RequestQueue* const next = oldest(now);
  if (!claimed_ || (next != nullptr && now - next->next_ready() >= params_.age_limit)) return;
  turns_.release(now);
  claimed_ = false;
}

/// A CTA arrives at the barrier of its cluster.
void ClusterPort::enter(Payload& arrival, Cycle now) {
  Barrier& barrier = barriers_[place_of(arrival.access().line).slot];
  barrier.arrived.push_back(&arrival);
  barrier.arrivals_sum += now;
  open(barrier, now);
}

/// A CTA of the cluster has ended. If all have, its place may have a new CTA by now.
void ClusterPort::leave(std::uint16_t slot, std::uint64_t cluster, Cycle now) {
  if (barriers_[slot].cluster != cluster) return;
  ++barriers_[slot].ended;
  open(barriers_[slot], now);
}

/// Opens the barrier if all have arrived. Its releases need no free place among the replies, since requests do not wait for them.
void ClusterPort::open(Barrier& barrier, Cycle now) {
  if (barrier.arrived.empty() || barrier.arrived.size() + barrier.ended < barrier.ctas) return;
  ++barriers_opened_;
  const Cycle at = now + params_.barrier_cycles;
  barrier_wait_ += at * barrier.arrived.size() - barrier.arrivals_sum;
  for (Payload* arrival : barrier.arrived) answer(*arrival, at);
  barrier.arrived.clear();
  barrier.arrivals_sum = 0;
}

/// Answers an access whose data are there in cycle `at`.
void ClusterPort::answer(Payload& payload, Cycle at) {
  if (payload.access().sm == sm_) return show(payload, clock_.edge(at));
  MessageHeader& header = payload.message();
  header.destination = header.source;
  header.source = sm_;
  header.traffic = Traffic::from_peer;
  header.kind = payload.access().kind == AccessKind::barrier ? MessageKind::cluster_release : MessageKind::shared_reply;
  header.flits = params_.reply_flits(payload.access());
  replies_.add(payload.transaction(), at + 1);
}

/// Gives an answer to the SM.
void ClusterPort::show(Payload& payload, Picoseconds at) {
  if (payload.access().kind != AccessKind::barrier) ++answers_;
  if (!waiting_.empty() || outlet_.is_pending()) {
    waiting_.push_back(payload.transaction(), clock_.cycle_at(at));
    return;
  }
  outlet_.send(0, [&] { return upstream_.respond(payload, at - present()); });
}

void ClusterPort::response_accepted(unsigned, Picoseconds at) {
  outlet_.reopen(clock_.cycle_at(at));
  clock_.wake(block_, std::max(outlet_.opens_at(), clock_.present_cycle() + 1));
}

/// A place of a sender has become free.
void ClusterPort::after_sending(Cycle now) {
  if (!from_sm_.empty() || !from_others_.empty() || !exits_.empty()) clock_.wake(block_, now + 1);
}

Cycle ClusterPort::next_event(Cycle now) {
  Cycle next = from_sm_.admits_after(now) || from_others_.admits_after(now) ? now + 1 : kNever;
  if (!exits_.empty() && requests_.queue().room()) next = std::min(next, exits_.front().at);
  if (!from_sm_.empty() && (is_own(from_sm_.front()) || requests_.queue().room())) next = std::min(next, from_sm_.next_ready());
  if (!from_others_.empty() && replies_.queue().room()) next = std::min(next, from_others_.next_ready());
  if (!waiting_.empty() && !outlet_.is_pending()) next = std::min(next, outlet_.opens_at());
  if (lines_ == nullptr) return next;
  return std::min(next, lines_->queue.admits_after(now) ? now + 1 : lines_->queue.next_ready());
}

void ClusterPort::inspect(std::vector<Wait>& waits) const {
  const std::string path = "cluster_port[" + std::to_string(sm_) + "]";
  const auto wait = [&](const RequestQueue& queue, const char* from, const std::string& resource) {
    if (queue.empty()) return;
    const Access& access = queue.front().access();
    waits.push_back({path + from, path + resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  wait(from_sm_, ".requests", requests_.queue().room() ? ".shared_memory" : ".network");
  wait(from_others_, ".other_sms", replies_.queue().room() ? ".shared_memory" : ".network");
  if (lines_ != nullptr) wait(lines_->queue, ".lines", ".shared_memory");
  for (const Barrier& barrier : barriers_)
    if (!barrier.arrived.empty()) {
      const Access& access = barrier.arrived.front()->access();
      waits.push_back({path + ".answers", path + ".cluster_barrier", access.id, access.line.byte_address(), access.issue_cycle});
    }
}

void ClusterPort::archive(Archive& file) {
  const bool no_lines = lines_ == nullptr || lines_->queue.empty();
  file.expect_quiet(from_sm_.empty() && from_others_.empty() && exits_.empty() && waiting_.empty() && no_lines, group_.path());
  file(requests_, replies_, outlet_);
}

}  // namespace wharf
