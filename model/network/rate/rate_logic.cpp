#include "model/network/rate/rate_logic.h"

#include <array>

#include "model/base/error.h"

namespace wharf::network {

namespace {

Cycle shortest(const std::vector<std::uint16_t>& latencies, Cycle otherwise) {
  Cycle shortest = kNever;
  for (const std::uint16_t latency : latencies)
    if (latency != 0) shortest = std::min<Cycle>(shortest, latency);
  return shortest == kNever ? otherwise : shortest;
}

}  // namespace

RateLogic::RateLogic(const RateParams& params, const Shape& shape, stats::Registry& registry, const std::string& prefix)
    : classes_(shape.classes),
      latency_(shortest(shape.latencies, params.latency)),
      queue_(params.queue),
      source_rate_(shape.sources),
      destination_rate_(shape.destinations),
      latencies_(shape.latencies),
      heads_(std::size_t{shape.inputs} * shape.classes),
      sources_(shape.inputs),
      destinations_(std::size_t{shape.outputs} * shape.classes),
      output_ports_(shape.outputs),
      counters_(registry, prefix, shape.inputs, shape.outputs, latency_) {
  if (heads_.size() > NodeMask::kPlaces || destinations_.size() > NodeMask::kPlaces)
    throw InputError("network: more than " + std::to_string(NodeMask::kPlaces / classes_) + " SMs or L2 slices; choose fewer");
  if (shape.cpc_of.empty()) return;
  lanes_ = std::make_unique<Lanes>(Lanes::Shape{shape.lanes, shape.cpc_of, classes_, source_rate_}, registry, prefix + ".lanes");
  last_arrival_.resize(heads_.size() * output_ports_.size());
}

bool RateLogic::offer(unsigned place, const PortPacket& packet, Cycle now) {
  heads_[place].packet = packet;
  const unsigned port = place / classes_;
  if (is_free(port, now)) return send_or_wait(place, now);
  heads_[place].waits = Head::Waits::for_port;
  await_port(port);
  return false;
}

/// Returns the place of the port whose packet has waited longest at the interface; -1 if none waits for the port.
int RateLogic::oldest_for_port(unsigned port) const {
  int oldest = -1;
  for (unsigned place = port * classes_; place < (port + 1) * classes_; ++place) {
    const Head& head = heads_[place];
    if (head.waits != Head::Waits::for_port) continue;
    if (oldest < 0 || head.packet.enqueued < heads_[static_cast<unsigned>(oldest)].packet.enqueued) oldest = static_cast<int>(place);
  }
  return oldest;
}

bool RateLogic::send_or_wait(unsigned place, Cycle now) {
  Head& head = heads_[place];
  Destination& to = destinations_[head.packet.output];
  if (!has_lanes(place)) return false;
  if (!to.waiting.any() && has_room(to, now)) {
    send(place, now);
    return true;
  }
  head.waits = Head::Waits::for_room;
  to.waiting.set(place);
  await_room(head.packet.output, now);
  return false;
}

void RateLogic::await_port(unsigned port) {
  if (oldest_for_port(port) < 0) return;
  const Cycle free = sources_[port].free / source_rate_.bytes;
  if (sources_[port].wake_at <= free) return;
  sources_[port].wake_at = free;
  wakes_.add(free, {static_cast<std::uint16_t>(port), true});
}

/// Schedules the next check for room at a destination; one that refuses is checked again when it has taken its packet.
void RateLogic::await_room(unsigned place, Cycle now) {
  Destination& to = destinations_[place];
  if (to.blocked || !to.waiting.any()) return;
  const Cycle at = has_room(to, now) ? now : to.at(to.count - queue_).due - latency_;
  if (to.room_at <= at) return;
  to.room_at = at;
  wakes_.add(at, {static_cast<std::uint16_t>(place), false});
}

/// Sends the packet of an input place. A packet that waited for room leaves as soon as there is room, behind a packet of another class that
/// has just taken its port.
void RateLogic::send(unsigned place, Cycle now) {
  Head& head = heads_[place];
  head.waits = Head::Waits::no;
  const PortPacket& packet = head.packet;
  const std::uint64_t bytes = std::uint64_t{packet.flits} * kPortFlitBytes;
  const unsigned in = place / classes_, out = packet.output / classes_;

  const std::uint64_t start = std::max(sources_[in].free, now * source_rate_.bytes), taking = bytes * source_rate_.cycles;
  sources_[in].free = start + taking;
  const Cycle sent = start / source_rate_.bytes;

  const Sent leaving{packet.handle, sent_++, packet.enqueued, sent, 0, 0, packet.flits, latency(in, out)};
  if (lanes_ == nullptr) {
    put(leaving, packet.output, now);
  } else {
    if (free_names_.empty()) {
      free_names_.push_back(static_cast<std::uint32_t>(in_lanes_.size()));
      in_lanes_.emplace_back();
    }
    in_lanes_[free_names_.back()] = {leaving, packet.output};
    lanes_->enter(place, packet, free_names_.back(), start);
    free_names_.pop_back();
  }

  ++counters_.packets;
  counters_.flits += packet.flits;
  counters_.bytes += bytes;
  counters_.refused_source += sent - packet.enqueued;
  counters_.input(in).occupy(taking, source_rate_.bytes, packet.flits);
  counters_.output(out).occupy(bytes * destination_rate_.cycles, destination_rate_.bytes, packet.flits);
}

/// A packet is on its way to output place `output`.
void RateLogic::put(const Sent& packet, unsigned output, Cycle now) {
  OutputPort& port = output_ports_[output / classes_];
  const std::uint64_t passes = std::max((packet.sent + packet.latency) * destination_rate_.bytes, port.planned);
  port.planned = passes + std::uint64_t{packet.flits} * kPortFlitBytes * destination_rate_.cycles;

  Destination& to = destinations_[output];
  if (to.count == to.ring.size()) {
    std::rotate(to.ring.begin(), to.ring.begin() + static_cast<std::ptrdiff_t>(to.first), to.ring.end());
    to.first = 0;
    to.ring.resize(2 * to.count);
  }
  Sent& last = to.at(to.count++) = packet;
  last.due = passes / destination_rate_.bytes;
  last.through = port.planned;
  if (!latencies_.empty()) put_in_order(output, now);
  expect(output);
}

/// If the lanes have no room for the packet of a place, it waits.
bool RateLogic::has_lanes(unsigned place) {
  if (lanes_ == nullptr || lanes_->has_room(place, heads_[place].packet)) return true;
  heads_[place].waits = Head::Waits::for_lanes;
  return false;
}

/// The flits of a packet have passed their lanes in the cycle before. It arrives after those that its source has sent to that port before.
void RateLogic::leave_lanes(unsigned place, const Lanes::Passed& passed, Cycle now) {
  auto& [packet, output] = in_lanes_[passed.name];
  free_names_.push_back(passed.name);
  Cycle& last = last_arrival_[place * output_ports_.size() + output / classes_];
  last = std::max({packet.sent + packet.latency + passed.delay, last, now + 1});
  packet.latency = static_cast<std::uint16_t>(last - packet.sent);
  put(packet, output, now);
}

std::uint16_t RateLogic::latency_in_table(unsigned in, unsigned out) const {
  const std::uint16_t latency = latencies_[in * output_ports_.size() + out];
  if (latency == 0) throw SimulationError("network: there is no way from port " + std::to_string(in) + " to port " + std::to_string(out));
  return latency;
}

/// The packet that the place got last takes its position among those that arrive later.
void RateLogic::put_in_order(unsigned place, Cycle now) {
  Destination& to = destinations_[place];
  std::size_t last = to.count - 1;
  for (; last != 0 && is_before(to.at(last), to.at(last - 1)); --last) std::swap(to.at(last), to.at(last - 1));
  const unsigned port = place / classes_;
  bool later = last != to.count - 1;  // a packet of another class may arrive later, too
  for (unsigned other = port * classes_; other < (port + 1) * classes_; ++other)
    later |= other != place && destinations_[other].count != 0 &&
             is_before(to.at(last), destinations_[other].at(destinations_[other].count - 1));
  if (later) replan(port, now + 1, now);  // packets that a refusal has held up arrive in the next cycle at the earliest
}

/// Makes deliver() visit the place when its first packet is due.
void RateLogic::expect(unsigned place) {
  Destination& to = destinations_[place];
  if (to.blocked || to.count == 0 || to.due_at <= to.at(0).due) return;
  to.due_at = to.at(0).due;
  arrivals_.add(to.due_at, static_cast<std::uint16_t>(place));
}

void RateLogic::eject(unsigned place, Cycle now) {
  Destination& to = destinations_[place];
  const Sent& packet = to.at(0);
  OutputPort& port = output_ports_[place / classes_];
  port.passed = std::max(port.passed, packet.through);
  ++counters_.ejected_packets;
  counters_.ejected_flits += packet.flits;
  counters_.packet_latency_sum += now - packet.enqueued;
  counters_.packet_latency.add(now - packet.enqueued);
  counters_.network_latency_sum += now - packet.sent;
  counters_.network_latency.add(now - packet.sent);
  counters_.beyond_latency += packet.latency - latency_;
  counters_.refused_destination += now - (packet.sent + packet.latency);
  to.first = (to.first + 1) & (to.ring.size() - 1);
  --to.count;
}

void RateLogic::block(unsigned place, Cycle now) {
  Destination& to = destinations_[place];
  to.blocked = true;
  OutputPort& port = output_ports_[place / classes_];
  port.passed = std::max(port.passed, to.at(0).through);
  if (classes_ > 1) replan(place / classes_, now, now);
}

void RateLogic::accept_refused(unsigned place, Cycle now) {
  eject(place, now);
  destinations_[place].blocked = false;
  replan(place / classes_, now + 1, now);
}

/// Recomputes when the packets in flight to a port pass it, from cycle `from` on, in the order in which they were sent, skipping blocked
/// classes. `now` is the next cycle of step().
void RateLogic::replan(unsigned port, Cycle from, Cycle now) {
  const unsigned first = port * classes_, end = first + classes_;
  std::array<std::size_t, kMaxRateClasses> next{};
  OutputPort& output = output_ports_[port];
  output.planned = std::max(output.passed, from * destination_rate_.bytes);
  while (true) {
    Sent* packet = nullptr;
    unsigned of = 0;
    for (unsigned place = first; place < end; ++place) {
      Destination& to = destinations_[place];
      if (to.blocked || next[place - first] == to.count) continue;
      Sent& candidate = to.at(next[place - first]);
      if (packet == nullptr || is_before(candidate, *packet)) {
        packet = &candidate;
        of = place - first;
      }
    }
    if (packet == nullptr) break;
    ++next[of];
    const std::uint64_t passes = std::max((packet->sent + packet->latency) * destination_rate_.bytes, output.planned);
    output.planned = packet->through = passes + std::uint64_t{packet->flits} * kPortFlitBytes * destination_rate_.cycles;
    packet->due = passes / destination_rate_.bytes;
  }
  for (unsigned place = first; place < end; ++place) {
    expect(place);
    await_room(place, now);
  }
}

}  // namespace wharf::network
