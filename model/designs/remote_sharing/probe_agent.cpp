#include "model/designs/remote_sharing/probe_agent.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/network/flits.h"

namespace wharf {

namespace {

constexpr unsigned kDataPort = 2;   // index in posted(): the reply network; 0 and 1 are the lanes of requests
constexpr unsigned kProbePort = 2;  // index in message(): the request network; 0 and 1 are the lanes of replies

unsigned bits_for(unsigned values) {
  unsigned bits = 0;
  while ((1u << bits) < values) ++bits;
  return bits;
}

}  // namespace

ProbeAgent::ProbeAgent(sc_core::sc_module_name name, const RemoteSharingParams& params, const PacketParams& packets,
                       const ProbeAgentLogic::Environment& core, const Environment& environment)
    : sc_module(name),
      params_(params),
      packets_(packets),
      clock_(environment.clock),
      network_(environment.network),
      one_clock_(&environment.clock == &environment.network),
      pool_(environment.pool),
      directory_(environment.directory),
      l2_(environment.l2),
      self_(static_cast<std::uint16_t>(core.self)),
      bits_per_core_(bits_for(core.sms)),
      l2_flit_bytes_(environment.l2_flit_bytes),
      probe_flit_bytes_(environment.probe_flit_bytes),
      data_flit_bytes_(environment.data_flit_bytes),
      own_peer_network_(environment.own_peer_network),
      nic_group_(environment.registry, "nic.sm", static_cast<int>(core.self)),
      l2_requests_(nic_group_, "requests", "packets to L2", stats::Unit::count),
      l2_replies_(nic_group_, "replies", "data replies of L2 received", stats::Unit::count),
      reply_bytes_(nic_group_, "reply_bytes", "data bytes received", stats::Unit::bytes),
      counters_(environment.registry, core.self),
      logic_(params, core, counters_, *this, environment.bodies),
      block_(clock_.add(*this)),
      upstream_("upstream", *this, 0) {
  if (environment.between_sms) peers_ = std::make_unique<PeerPorts>(*this);
  for (unsigned lane = 0; lane < (own_peer_network_ ? 2 : 1); ++lane) {
    requests_[lane] = std::unique_ptr<MessageSourcePort>(new MessageSourcePort("request" + std::to_string(lane), *this, lane));
    inboxes_[lane] = std::make_unique<Inbox>("reply" + std::to_string(lane), *this, lane, params.reply_latch);
  }
}

ProbeAgent::PeerPorts::PeerPorts(ProbeAgent& owner)
    : lookups("lookups", owner, 0), probes("probes", owner, kProbePort), reply("peer_reply", owner, kDataPort) {}

Transaction& ProbeAgent::acquire(const Access& access) { return pool_.acquire(access).transaction(); }
void ProbeAgent::release(Transaction& transaction) { Payload::of(transaction).release(); }

HolderMask ProbeAgent::holders(const Access& access) const {
  if (directory_ == nullptr) return {};
  return directory_->holders(access.line, access.sectors);
}

// Incoming messages.

Acceptance ProbeAgent::request(unsigned, Payload& payload, Picoseconds) {
  clock_.request_commit(*this);
  if (!logic_.can_accept(payload.access())) {
    waiting_ = &payload;
    waiting_holders_ = holders(payload.access());
    return Acceptance::pending;
  }
  logic_.request(payload.transaction(), holders(payload.access()), clock_.now());
  return Acceptance::accepted;
}

bool ProbeAgent::message(unsigned port, Payload& payload, Picoseconds at) {
  if (port == kProbePort) return probe_arrives(payload, at);
  Inbox& inbox = *inboxes_[port];
  // Ready one cycle before its arrival, so that the L1 gets it in time.
  const Acceptance acceptance = inbox.queue.offer(payload, usable(at), 0, clock_.present_cycle());
  if (acceptance == Acceptance::pending) inbox.arrives = clock_.cycle_at(at);
  wake(acceptance == Acceptance::accepted ? usable(at) : clock_.present_cycle() + 1);
  return acceptance == Acceptance::accepted;
}

bool ProbeAgent::probe_arrives(Payload& payload, Picoseconds at) {
  Transaction& probe = payload.transaction();
  const Cycle from = usable(at);
  if (ProbeAgentLogic::is_own(probe)) {
    wake(from + params_.return_cycles);
    home_.push_back(probe, from + params_.return_cycles);  // the queue entries are reserved: own probes always sink (RS-32)
    return true;
  }
  wake(from);
  const Cycle drop = clock_.cycle_at(network_.edge(network_.cycle_at(at) + params_.drop_after_cycles));
  const bool taken = logic_.supplier().arrive(probe, from, drop, clock_.present_cycle());
  if (!taken) wake(clock_.present_cycle() + 1);
  return taken;
}

bool ProbeAgent::response(unsigned, Payload& payload, Picoseconds at) {
  // The probe was looked up in this SM's L1. It continues when the L1 has finished with it: at the end of the cycle before `at`.
  const Cycle ready = std::max(clock_.cycle_at(at) - 1, clock_.now());
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const bool given = payload.reply().served_by == ServedBy::peer;
  if (payload.reply().found && !given)
    logic_.supplier().withheld(payload.transaction(), ready);
  else
    logic_.supplier().looked_up(payload.transaction(), given, ready);
  clock_.request_commit(*this);
  if (ready > clock_.now()) wake(ready);
  return true;
}

void ProbeAgent::request_accepted(unsigned, Picoseconds at) {
  lookup_.reopen(clock_.cycle_at(at));
  clock_.request_commit(*this);
}

void ProbeAgent::response_accepted(unsigned, Picoseconds at) {
  upstream_out_.reopen(clock_.cycle_at(at));
  clock_.request_commit(*this);
}

void ProbeAgent::posted(unsigned port, Picoseconds at) {
  Outlet& outlet = port == kDataPort ? data_ : request_[port];
  outlet.reopen(std::max(clock_.cycle_at(at), clock_.present_cycle() + 2));
  wake(clock_.present_cycle() + 1);
}

void ProbeAgent::write(const Event& event) {
  if (event.kind != Event::Kind::kernel_start) return;
  kernel_starts_ = true;
  concurrent_ = event.concurrent;
  clock_.request_commit(*this);
}

// End of a cycle.

void ProbeAgent::commit() {
  const Cycle now = clock_.now();
  if (stepped_ == now) return;
  stepped_ = now;
  if (kernel_starts_) logic_.kernel_started(concurrent_);
  kernel_starts_ = false;
  bool changed = receive_replies(now);
  if (Transaction* filled = logic_.finish_miss()) answer(*filled);
  while (home_.next_ready() <= now) logic_.requester().returned(home_.pop_front(), now);
  changed |= admit_blocked(now);
  changed |= look_up(now);
  logic_.requester().check_head(now);
  for (unsigned lane = 0; lane < lanes(); ++lane) changed |= inject(lane, now);
  changed |= send_data(now);
  changed |= accept_waiting(now);
  const Cycle next = next_work(changed, now);
  if (next != kNever) wake(std::max(next, now + 1));
}

/// Returns true if a reply has left its queue.
bool ProbeAgent::receive_replies(Cycle now) {
  bool taken = false;
  while (!answers_.empty() && upstream_out_.is_open(now + 1)) answer(answers_.pop_front());
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    Inbox& inbox = *inboxes_[lane];
    Cycle end;
    if (Payload* accepted = inbox.queue.admit_pending(now, end))
      inbox.port.accept(*accepted, clock_.delay(std::max(end, inbox.arrives) - now));
    while (inbox.queue.ready(now) && upstream_out_.is_open(now + 1)) {
      Transaction& message = inbox.queue.pop(now).transaction();
      taken = true;
      count_reply(message);
      if (Transaction* request = logic_.reply(message, now)) answer(*request);
    }
  }
  return taken;
}

void ProbeAgent::count_reply(const Transaction& reply) {
  const MessageKind kind = reply.message.kind;
  if (kind == MessageKind::data_reply) ++l2_replies_;
  if (kind == MessageKind::data_reply || kind == MessageKind::peer_reply)
    reply_bytes_ += static_cast<unsigned>(__builtin_popcount(reply.access.sectors)) * kSectorBytes;
}

/// Sends an answer to the L1, in the next cycle or as soon as the L1 has room.
void ProbeAgent::answer(Transaction& request) {
  if (!upstream_out_.is_open(clock_.now() + 1)) {
    answers_.push_back(request);
    return;
  }
  upstream_out_.send(upstream_out_.opens_at(), [&] { return upstream_.respond(Payload::of(request), clock_.delay(1)); });
}

/// Returns true if the entry in front of the queues is free again.
bool ProbeAgent::admit_blocked(Cycle now) {
  Transaction* blocked = logic_.supplier().blocked();
  if (blocked == nullptr) return false;
  const ProbeSupplierLogic::Blocked outcome = logic_.supplier().admit_blocked(now);
  if (outcome == ProbeSupplierLogic::Blocked::waits) return false;
  peers_->probes.accept(Payload::of(*blocked), clock_.delay(1));
  if (outcome == ProbeSupplierLogic::Blocked::dropped) logic_.requester().end_probe(*blocked);
  return true;
}

bool ProbeAgent::look_up(Cycle now) {
  Transaction* probe = lookup_.is_open(now + 1) ? logic_.supplier().next_lookup(now) : nullptr;
  if (probe == nullptr) return false;
  logic_.supplier().pop_lookup(now);
  probe->reply = {};
  probe->access.hint.probe = true;
  Payload::of(*probe).set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);  // it was answered before: each lookup is a new transaction
  const auto send = [&] { return peers_->lookups.send(Payload::of(*probe), clock_.delay(1)) != Acceptance::pending; };
  lookup_.send(lookup_.opens_at(), send);
  return true;
}

bool ProbeAgent::inject(unsigned lane, Cycle now) {
  if (!request_[lane].is_open(now + 1)) return false;
  const ProbeAgentLogic::Injection next = logic_.inject(lane == 0, lanes() == 1 || lane == 1, now);
  if (next.transaction == nullptr) return false;
  address(*next.transaction, next.type);
  request_[lane].send(request_[lane].opens_at(), [&] { return requests_[lane]->post(Payload::of(*next.transaction), clock_.delay(1)); });
  return true;
}

void ProbeAgent::address(Transaction& transaction, InjectionClass type) {
  MessageHeader& header = transaction.message;
  const Access& access = transaction.access;
  header.source = self_;
  if (transaction.body != nullptr) {
    const unsigned list_bytes = (transaction.body->bits(bits_per_core_) + 7) / 8;
    header.traffic = Traffic::to_peer;
    header.flits = static_cast<std::uint8_t>(network::flits_of(list_bytes, probe_flit_bytes_));
    return;
  }
  header.traffic = Traffic::to_l2;
  header.destination = l2_.endpoint_of(access.line);
  header.flits = packets_.request_flits(access, l2_flit_bytes_);
  if (header.kind != MessageKind::forward_return)
    header.kind = access.kind == AccessKind::store    ? MessageKind::write_request
                  : access.kind == AccessKind::atomic ? MessageKind::atomic_request
                                                      : MessageKind::read_request;
  if (type == InjectionClass::deflected || type == InjectionClass::forwarded) return;
  ++l2_requests_;
  sent_to_l2.report(access);
}

bool ProbeAgent::send_data(Cycle now) {
  Transaction* reply = data_.is_open(now + 1) ? logic_.supplier().reply(now) : nullptr;
  if (reply == nullptr) return false;
  logic_.supplier().pop_reply(now);
  MessageHeader& header = reply->message;
  header.source = self_;
  header.traffic = Traffic::from_peer;
  header.flits = packets_.flits(header.kind == MessageKind::peer_reply ? reply->access.sectors : 0, data_flit_bytes_);
  data_.send(data_.opens_at(), [&] { return peers_->reply.post(Payload::of(*reply), clock_.delay(1)); });
  return true;
}

/// Accepts the L1's request that had to wait because another one was on its way to L2.
bool ProbeAgent::accept_waiting(Cycle now) {
  if (waiting_ == nullptr || !logic_.can_accept(waiting_->access())) return false;
  Payload& payload = *waiting_;
  waiting_ = nullptr;
  logic_.request(payload.transaction(), waiting_holders_, now);
  upstream_.accept(payload, clock_.delay(1));
  return true;
}

/// Returns when this agent has work again on its own; incoming messages wake it in any case. `changed`: in this cycle an entry has become
/// free or a request has arrived.
Cycle ProbeAgent::next_work(bool changed, Cycle now) const {
  const ProbeSupplierLogic& supplier = logic_.supplier();
  Cycle next = logic_.requester().deadline();
  next = std::min(next, home_.next_ready());
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    const RequestQueue& queue = inboxes_[lane]->queue;
    if (queue.waiting() && changed) next = now + 1;
    if (!upstream_out_.is_pending()) next = std::min(next, queue.next_ready());
  }
  if (!answers_.empty() && !upstream_out_.is_pending()) next = now + 1;
  if (supplier.blocked() != nullptr && (changed || supplier.drop_at() > now)) next = std::min(next, changed ? now + 1 : supplier.drop_at());
  if (!lookup_.is_pending()) next = std::min(next, supplier.next_lookup_at(now));
  const bool lane_open = !request_[0].is_pending() || (lanes() == 2 && !request_[1].is_pending());
  if (changed || (lane_open && logic_.injectable())) next = std::min(next, now + 1);
  const bool request_waits = supplier.deflected(now) != nullptr || supplier.forwarded(now) != nullptr;
  if ((lane_open && request_waits) || (!data_.is_pending() && supplier.reply(now) != nullptr)) next = now + 1;
  return std::min(next, supplier.next_ready(now));
}

void ProbeAgent::inspect(std::vector<Wait>& waits) const {
  const std::string path = "agent[" + std::to_string(self_) + "]", l1 = "l1[" + std::to_string(self_) + "]";
  const auto add = [&](const std::string& place, const std::string& resource, const Access& access) {
    waits.push_back({place, resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  const auto send_place = [&](unsigned lane) { return lane == 0 ? "net.request" : "net.peer_request"; };
  if (waiting_ != nullptr)
    add("nic.sm[" + std::to_string(self_) + "].request", logic_.requester().has_room() ? send_place(0) : path + ".probes",
        waiting_->access());
  logic_.requester().for_each([&](const Access& access, bool to_l2) {
    add("nic.sm[" + std::to_string(self_) + "].reply", to_l2 ? path + ".l2_reply" : path + ".probes", access);
  });
  logic_.supplier().for_each_head([&](const char* place, const char* next, const Access& access) {
    add(path + "." + place,
        std::string(next) == "lookup"     ? l1 + ".remote"
        : std::string(next) == "incoming" ? path + ".incoming"
                                          : send_place(lanes() - 1),
        access);
  });
}

void ProbeAgent::archive(Archive& file) {
  bool quiet = waiting_ == nullptr && home_.empty() && answers_.empty() && !kernel_starts_;
  for (unsigned lane = 0; lane < lanes(); ++lane) quiet = quiet && inboxes_[lane]->queue.empty() && !inboxes_[lane]->queue.waiting();
  for (Outlet* outlet : {&request_[0], &request_[1], &data_, &lookup_, &upstream_out_}) {
    quiet = quiet && !outlet->is_pending();
    file(*outlet);
  }
  file.expect_quiet(quiet, "agent[" + std::to_string(self_) + "]");
  file(stepped_, logic_);
}

}  // namespace wharf
