// The ends of a network of routers, where packets enter and leave; routed_logic.cpp contains the routers.

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/network/routed/routed_logic.h"

namespace wharf::network {

VcClass RoutedLogic::entry_channels(unsigned cls) const {
  VcClass all = vc_class(cls, classes_, vcs_);
  if (topology_.has_dateline) all.count = static_cast<std::uint8_t>(all.count / 2);
  return all;
}

// ---- network interface

void RoutedLogic::misuse(unsigned node, const RoutedPacket& packet, const std::string& what) const {
  throw SimulationError(counters_.group.path() + ": packet " + std::to_string(packet.handle) + " from node " + std::to_string(node) +
                        " to node " + std::to_string(packet.destination) + ", virtual channel " + std::to_string(packet.vc) + ", " +
                        std::to_string(packet.flits) + " flits: " + what);
}

void RoutedLogic::refuse(unsigned node, const RoutedPacket& packet, Cycle now) const {
  if (node >= nodes() || packet.destination >= nodes() || packet.vc >= vcs_)
    misuse(node, packet,
           "the network has " + std::to_string(nodes()) + " nodes and " + std::to_string(vcs_) +
               " virtual channels; check the platform's wiring");
  if (packet.flits < 1 || packet.flits > kMaxPacketFlits)
    misuse(node, packet, "a packet has 1 to " + std::to_string(kMaxPacketFlits) + " flits; check flit_bytes");
  if (now < next_tick_ || packet.enqueued > now)
    misuse(node, packet,
           "injected at cycle " + std::to_string(now) + ", which must come before that cycle's tick and not before " +
               "the cycle in which it was queued, " + std::to_string(packet.enqueued));
  misuse(node, packet, "the register is taken; ask can_inject first");
}

void RoutedLogic::inject(unsigned node, const RoutedPacket& packet, Cycle now) {
  if (node >= nodes() || packet.destination >= nodes() || packet.vc >= vcs_ || packet.flits < 1 || packet.flits > kMaxPacketFlits ||
      now < next_tick_ || packet.enqueued > now || !can_inject(node, packet.vc, now))
    refuse(node, packet, now);
  if (free_packets_.empty()) {
    free_packets_.push_back(static_cast<std::uint32_t>(packets_.size()));
    packets_.emplace_back();
  }
  const std::uint32_t id = free_packets_.back();
  free_packets_.pop_back();
  const unsigned distance = hops(node, packet.destination);
  packets_[id] = {packet.handle, packet.flits, static_cast<std::uint8_t>(distance), packet.enqueued, now};

  Fifo& fifo = fifos_[entries_[node] + packet.vc];
  fifo.flits = packet.flits;
  fifo.packet = {id, packet.destination, packet.flits};
  fifo.count = 1;
  request_output(fifo);

  ++counters_.packets;
  counters_.flits += packet.flits;
  counters_.bytes += std::uint64_t{packet.flits} * flit_bytes_;
  counters_.hops += distance;
  counters_.flit_hops += std::uint64_t{distance} * packet.flits;
  counters_.hops_of.add(distance);
}

// ---- ejection

void RoutedLogic::arrive(const Ejection& ejection, Cycle now) {
  const Packet& packet = packets_[ejection.packet];
  Sink& sink = sinks_[ejection.place];
  std::uint32_t slot = sink.first + sink.count++;
  if (slot >= ejection_flits_) slot -= ejection_flits_;
  waiting_[std::size_t{ejection.place} * ejection_flits_ + slot] = ejection.packet;
  arrived_.set(ejection.place);

  const Cycle unloaded = hop_cycles_ * packet.hops + (topology_.last_link_is_hop ? 0 : 1) + packet.flits - 1;
  counters_.unloaded_latency_sum += unloaded;
  counters_.packet_latency_sum += now - packet.enqueued;
  counters_.packet_latency.add(now - packet.enqueued);
  counters_.network_latency_sum += now - packet.injected;
  counters_.network_latency.add(now - packet.injected);
}

void RoutedLogic::arrive_until(Cycle now) {
  while (next_ejection_ <= now) {
    const Cycle at = next_ejection_;
    ejections_.pop_events(at, [&](const Ejection& ejection) { arrive(ejection, at); });
    ejection_slots_.clear(at);
    next_ejection_ = ejection_slots_.next(at);
  }
}

std::uint32_t RoutedLogic::pop(unsigned at, Cycle now) {
  if (at >= sinks_.size() || sinks_[at].count == 0)
    throw SimulationError(counters_.group.path() + ": nothing has arrived at node " + std::to_string(at / classes_) + " by cycle " +
                          std::to_string(now) + "; ask ejected first");
  Sink& sink = sinks_[at];
  const std::uint32_t id = waiting_[std::size_t{at} * ejection_flits_ + sink.first];
  const Packet& packet = packets_[id];
  sink.first = sink.first + 1 == ejection_flits_ ? 0 : sink.first + 1;
  if (--sink.count == 0) arrived_.clear(at);
  const bool was_full = sink.reserved >= ejection_flits_;
  sink.reserved -= packet.flits;
  if (was_full && sink.reserved < ejection_flits_) refresh_exit(at);
  ++counters_.ejected_packets;
  counters_.ejected_flits += packet.flits;
  free_packets_.push_back(id);
  return packet.handle;
}

// Opens or closes all channels of the class after the ejection buffer has become full or has room again.
void RoutedLogic::refresh_exit(unsigned at) {
  const VcClass all = vc_class(at % classes_, classes_, vcs_);
  for (unsigned vc = all.first; vc < all.first + all.count; ++vc) {
    Channel& exit = channels_[exits_[at / classes_] + vc];
    exit.open = sinks_[at].reserved < ejection_flits_;
    if (can_cross(exit))
      set_ready(exit);
    else
      clear_ready(exit);
  }
}

void RoutedLogic::archive(Archive& file) {
  file.elements(routers_);
  file.elements(fifos_);
  for (Channel& channel : channels_) {
    stats::Counter* const busy = std::exchange(channel.busy, nullptr);  // the pointer is not archived
    file(channel);
    channel.busy = busy;
  }
  file.elements(register_free_);
  file.elements(sinks_);
  file(packets_, free_packets_, changed_routers_, arrivals_, ends_, freed_, ejections_, events_, ejection_slots_, arrived_, next_tick_,
       next_ejection_);
}

}  // namespace wharf::network
