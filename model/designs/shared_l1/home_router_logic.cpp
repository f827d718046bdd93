#include "model/designs/shared_l1/home_router_logic.h"

#include "model/base/archive.h"

namespace wharf {

namespace {

bool writes(AccessKind kind) { return kind == AccessKind::store || kind == AccessKind::atomic; }

MessageKind request_kind(AccessKind kind) {
  return kind == AccessKind::store    ? MessageKind::write_request
         : kind == AccessKind::atomic ? MessageKind::atomic_request
                                      : MessageKind::read_request;
}

}  // namespace

HomeRouterCounters::HomeRouterCounters(stats::Group& g, stats::Group& sm)
    : local(g, "local", "accesses of the SM to its own L1", stats::Unit::accesses),
      remote_reads(g, "remote_reads", "loads sent to their homes", stats::Unit::accesses),
      remote_writes(g, "remote_writes", "stores sent to their homes", stats::Unit::accesses),
      direct_reads(g, "direct_reads", "loads sent straight to L2, which is nearer than the home", stats::Unit::accesses),
      direct_writes(g, "direct_writes", "stores sent straight to L2, which is nearer than the home", stats::Unit::accesses),
      direct_atomics(g, "direct_atomics", "atomics sent straight to L2, past the home", stats::Unit::accesses),
      home_replies(g, "home_replies", "data received from homes", stats::Unit::count),
      home_acks(g, "home_acks", "write acknowledgements received from homes", stats::Unit::count),
      direct_replies(g, "direct_replies", "data received for direct accesses", stats::Unit::count),
      direct_acks(g, "direct_acks", "write acknowledgements received for direct stores", stats::Unit::count),
      served_reads(g, "served_reads", "loads of other SMs that arrived at this home", stats::Unit::accesses),
      served_writes(g, "served_writes", "stores of other SMs that arrived at this home", stats::Unit::accesses),
      replies_sent(g, "replies_sent", "data sent to other SMs", stats::Unit::count),
      acks_sent(g, "acks_sent", "write acknowledgements forwarded to other SMs", stats::Unit::count),
      l2_writes(g, "l2_writes", "stores sent to L2, of any SM", stats::Unit::count),
      l2_acks(g, "l2_acks", "write acknowledgements received from L2", stats::Unit::count),
      useful_bytes{{g, "useful_bytes.32", "remote reads that use 32 of the line's bytes", stats::Unit::accesses},
                   {g, "useful_bytes.64", "remote reads that use 64", stats::Unit::accesses},
                   {g, "useful_bytes.96", "remote reads that use 96", stats::Unit::accesses},
                   {g, "useful_bytes.128", "remote reads that use all 128", stats::Unit::accesses}},
      mode_changes(g, "mode_changes", "phases begun, not counting the first", stats::Unit::count),
      remote_reads_in_flight(g, "remote_reads_in_flight",
                             "remote reads of the SM in flight, sampled at each that is sent, which counts itself (SL-8)",
                             stats::Unit::count),
      home_round_trip(g, "home_round_trip", "issue to data of loads that a home answered", stats::Unit::cycles),
      requests(sm, "requests", "packets to L2", stats::Unit::count),
      replies(sm, "replies", "data replies received", stats::Unit::count),
      reply_bytes(sm, "reply_bytes", "data bytes received", stats::Unit::bytes) {
  // Every access that the SM sent was answered, and it answered every access that it received (shared_l1 section 15).
  g.law("remote_reads == home_replies", [this] { return remote_reads.value() == home_replies.value(); });
  g.law("remote_writes == home_acks", [this] { return remote_writes.value() == home_acks.value(); });
  g.law("served_reads == replies_sent", [this] { return served_reads.value() == replies_sent.value(); });
  g.law("served_writes == acks_sent", [this] { return served_writes.value() == acks_sent.value(); });
  g.law("direct_reads + direct_atomics == direct_replies",
        [this] { return direct_reads.value() + direct_atomics.value() == direct_replies.value(); });
  g.law("direct_writes == direct_acks", [this] { return direct_writes.value() == direct_acks.value(); });
  g.law("l2_writes == l2_acks", [this] { return l2_writes.value() == l2_acks.value(); });
}

HomeRouterLogic::HomeRouterLogic(const SharedL1Params& params, const PacketParams& packets, SetIndex index, std::uint32_t l1_sets,
                                 const Place& place, stats::Registry& registry)
    : params_(params),
      packets_(packets),
      place_(place),
      index_(index),
      homes_(make_home_map(params.home_map, {place.group.size, l1_sets, params.home_fold})),
      organisation_(make_cache_organisation(params.organisation, params.dynamic)),
      direct_(std::size_t{place.cores} * place.slices),
      foreign_(organisation_->dynamic()),
      sharing_group_(registry, "shared_l1", static_cast<int>(place.core)),
      sm_group_(registry, "nic.sm", static_cast<int>(place.core)),
      counters_(sharing_group_, sm_group_) {
  if (!params.nearer_of_home_and_l2) return;
  for (unsigned home = 0; home < place.cores; ++home) {
    for (unsigned slice = 0; slice < place.slices; ++slice) {
      const unsigned to_home = place.hops(place.core, home), to_l2 = place.hops(place.core, place.cores + slice);
      // A network without distances has no hop counts to compare.
      const bool tie = to_home == to_l2 && to_home != 0 && params.hop_tie == HopTie::l2;
      direct_[home * place.slices + slice] = to_l2 < to_home || tie;
    }
  }
}

bool HomeRouterLogic::leftover(LineAddress line, Cycle now) {
  advance(now);
  return organisation_->shared(odd(line)) && home_in_group(line) != place_.core;
}

HomeRouterLogic::Path HomeRouterLogic::route(Transaction& transaction, Cycle now) {
  const Access& access = transaction.access;
  advance(now);
  if (writes(access.kind)) stores_.change(1, now);
  const bool sharable = access.kind == AccessKind::load || writes(access.kind);
  if (sharable) report_lookup_event(Kind::own_access, access.line, now);
  Path path = Path::local;
  unsigned home = place_.core;
  if (!sharable) {
    foreign_ |= access.kind == AccessKind::texture;  // its line has no home and is kept in this L1 (CM-26)
  } else if (organisation_->shared(organisation_->dynamic() && odd(access.line))) {
    home = home_in_group(access.line);
    if (home != place_.core) {
      const bool past = access.kind == AccessKind::atomic || nearer_to_l2(home, place_.l2.endpoint_of(access.line));
      path = past ? Path::direct : Path::remote;
    }
  }
  count_path(access, path, now);
  if (path == Path::local) return path;
  MessageHeader& header = transaction.message;
  header.source = static_cast<std::uint16_t>(place_.core);
  header.destination = path == Path::direct ? place_.l2.endpoint_of(access.line) : static_cast<std::uint16_t>(home);
  header.traffic = path == Path::direct ? Traffic::to_l2 : Traffic::to_peer;
  header.kind = request_kind(access.kind);
  header.flits = packets_.request_flits(access, path == Path::direct ? place_.flit_bytes : place_.peer_flit_bytes);
  header.direct = path == Path::direct;
  if (path == Path::remote && organisation_->dynamic()) report_lookup_event(Kind::own_remote, access.line, now);
  return path;
}

void HomeRouterLogic::count_path(const Access& access, Path path, Cycle now) {
  const bool store = access.kind == AccessKind::store;
  switch (path) {
    case Path::local:
      ++counters_.local;
      break;
    case Path::remote:
      ++(store ? counters_.remote_writes : counters_.remote_reads);
      if (store) break;
      counters_.remote_reads_in_flight.add(remote_reads_.before(now) + 1);
      remote_reads_.change(1, now);
      ++counters_.useful_bytes[sector_count(access.sectors) - 1];
      break;
    case Path::direct:
      ++counters_.requests;
      ++(access.kind == AccessKind::atomic ? counters_.direct_atomics : store ? counters_.direct_writes : counters_.direct_reads);
      if (store) ++counters_.l2_writes;
      break;
  }
}

void HomeRouterLogic::head_for_l2(Transaction& transaction) {
  const Access& access = transaction.access;
  const bool store = access.kind == AccessKind::store;
  MessageHeader& header = transaction.message;
  header.source = static_cast<std::uint16_t>(place_.core);
  header.destination = place_.l2.endpoint_of(access.line);
  header.traffic = Traffic::to_l2;
  header.kind = request_kind(access.kind);
  header.direct = false;
  const bool whole = store && params_.write_forward == WriteForward::full_line && transaction.reply.found;
  header.flits = packets_.request_flits(access, place_.flit_bytes, whole);
  ++counters_.requests;
  if (store) ++counters_.l2_writes;
}

void HomeRouterLogic::head_for_requester(Transaction& transaction) {
  const Access& access = transaction.access;
  const bool ack = access.kind == AccessKind::store;
  MessageHeader& header = transaction.message;
  header.source = static_cast<std::uint16_t>(place_.core);
  header.destination = access.sm;
  header.traffic = Traffic::from_peer;
  header.kind = ack ? MessageKind::write_ack : MessageKind::data_reply;
  header.flits = packets_.flits(ack ? SectorMask{0} : params_.chunk ? access.sectors : kAllSectors, place_.peer_flit_bytes);
  ++(ack ? counters_.acks_sent : counters_.replies_sent);
}

void HomeRouterLogic::l2_answers_l1(const Transaction& transaction, Cycle now, Cycle arrival) {
  const Access& access = transaction.access;
  if (access.kind == AccessKind::store) ++counters_.l2_acks;
  if (transaction.message.kind == MessageKind::data_reply) {
    ++counters_.replies;
    counters_.reply_bytes += sector_count(access.sectors) * kSectorBytes;
  }
  if (!organisation_->dynamic() || (access.kind != AccessKind::load && access.kind != AccessKind::store)) return;
  const bool own = access.sm == place_.core;
  report_lookup_event(own ? Kind::own_l2_reply : Kind::incoming_l2_reply, access.line, now,
                      own && access.kind == AccessKind::load ? static_cast<std::uint32_t>(arrival - access.issue_cycle) : 0);
}

void HomeRouterLogic::l2_answers_core(const Transaction& transaction, Cycle now) {
  const Access& access = transaction.access;
  if (access.kind == AccessKind::store) {
    ++counters_.direct_acks;
    ++counters_.l2_acks;
  } else {
    ++counters_.direct_replies;
    ++counters_.replies;
    counters_.reply_bytes += sector_count(access.sectors) * kSectorBytes;
  }
  if (access.kind != AccessKind::atomic) report_lookup_event(Kind::direct_reply, access.line, now);
  store_done(access, now);
}

void HomeRouterLogic::home_answers(const Transaction& transaction, Cycle now, Cycle arrival) {
  const Access& access = transaction.access;
  const auto latency = static_cast<std::uint32_t>(arrival + 1 - access.issue_cycle);
  if (access.kind == AccessKind::store) {
    ++counters_.home_acks;
  } else {
    ++counters_.home_replies;
    remote_reads_.change(-1, now);
    counters_.home_round_trip.add(latency);
  }
  // The latency of a home is that of its hits. A miss adds the latency of L2, which AMAT adds separately.
  report_lookup_event(Kind::home_reply, access.line, now, transaction.reply.served_by == ServedBy::home ? latency : 0);
  store_done(access, now);
}

void HomeRouterLogic::arrives_at_home(const Access& access) {
  ++(access.kind == AccessKind::store ? counters_.served_writes : counters_.served_reads);
}

void HomeRouterLogic::looked_up(LineAddress line, unsigned core, bool hit, bool merged, std::uint32_t latency, Cycle now) {
  if (!organisation_->dynamic()) return;
  advance(now);
  organisation_->observe({core == place_.core ? Kind::own_lookup : Kind::incoming_lookup, odd(line), hit, merged, latency}, now);
}

void HomeRouterLogic::store_done(const Access& access, Cycle now) {
  if (!writes(access.kind)) return;
  advance(now);
  stores_.change(-1, now);
}

void HomeRouterLogic::report_lookup_event(Kind kind, LineAddress line, Cycle now, std::uint32_t latency) {
  if (!organisation_->dynamic()) return;
  advance(now);
  organisation_->observe({kind, odd(line), false, false, latency}, now);
}

void HomeRouterLogic::advance(Cycle now) {
  if (!organisation_->due(now)) return;
  organisation_->advance(now, stores_.before(now));
  counters_.mode_changes += organisation_->phases().size() - phases_seen_;
  phases_seen_ = organisation_->phases().size();
}

void HomeRouterLogic::archive(Archive& file) { file(*organisation_, foreign_, remote_reads_, stores_, phases_seen_); }

}  // namespace wharf
