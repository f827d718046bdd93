#include "model/designs/dc_l1/dc_l1_node_logic.h"

namespace wharf {

DcL1NodeCounters::DcL1NodeCounters(stats::Group& g)
    : reads(g, "reads", "reads of SMs looked up in the cache", stats::Unit::accesses),
      writes(g, "writes", "stores of SMs", stats::Unit::accesses),
      atomics(g, "atomics", "atomics of SMs, which bypass the cache", stats::Unit::accesses),
      bypasses(g, "bypasses", "reads of SMs that bypass the cache", stats::Unit::accesses),
      replies(g, "replies", "data replies sent to SMs", stats::Unit::count),
      acks(g, "acks", "acknowledgements sent to SMs", stats::Unit::count),
      reply_bytes(g, "reply_bytes", "data bytes in these replies, including bytes not requested", stats::Unit::bytes),
      q2_full(g, "q2.full", "cycles an answer waited for a place in Q2", stats::Unit::cycles),
      q2_turn(g, "q2.turn", "cycles an answer waited because one answer per cycle enters Q2", stats::Unit::cycles),
      q2(g, "q2.occupancy", "answers in Q2 or about to enter it, sampled at each arrival", stats::Unit::count) {
  g.law("reads + bypasses + atomics == replies", [this] { return reads.value() + bypasses.value() + atomics.value() == replies.value(); });
  g.law("writes == acks", [this] { return writes.value() == acks.value(); });
}

DcL1NodeLogic::DcL1NodeLogic(const DcL1Params& params, const PacketParams& packets, const Place& place, stats::Registry& registry)
    : params_(params), packets_(packets), place_(place), group_(registry, "dc_l1", static_cast<int>(place.node)), counters_(group_) {}

void DcL1NodeLogic::arrives(const Access& access) {
  if (access.kind == AccessKind::store)
    ++counters_.writes;
  else if (access.kind == AccessKind::atomic)
    ++counters_.atomics;
  else
    ++(looked_up(access) ? counters_.reads : counters_.bypasses);
}

void DcL1NodeLogic::head_for_core(Transaction& transaction) {
  const Access& access = transaction.access;
  const bool ack = access.kind == AccessKind::store;
  const bool whole = !params_.sectored_replies && access.kind != AccessKind::atomic && looked_up(access);
  const bool probe = access.kind == AccessKind::metadata;
  const SectorMask sectors = ack || probe ? SectorMask{0} : whole ? kAllSectors : access.sectors;
  MessageHeader& header = transaction.message;
  header.source = static_cast<std::uint16_t>(place_.endpoint);
  header.destination = access.sm;
  header.traffic = place_.answers;
  header.kind = ack ? MessageKind::write_ack : probe ? MessageKind::count_reply : MessageKind::data_reply;
  header.flits = packets_.flits(sectors, place_.flit_bytes);
  ++(ack ? counters_.acks : counters_.replies);
  counters_.reply_bytes += sector_count(sectors) * kSectorBytes;
}

}  // namespace wharf
