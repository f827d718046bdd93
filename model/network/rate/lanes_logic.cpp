#include <algorithm>

#include "model/network/rate/lanes.h"

namespace wharf::network {

namespace {

constexpr std::uint32_t kMostBytes = 255 * kPortFlitBytes;  // bytes of the longest message

}  // namespace

std::uint64_t lane_of(LineAddress line, std::uint32_t flit, unsigned lanes) {
  std::uint64_t mixed = line.number;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return ((mixed ^ (mixed >> 31)) % lanes + flit) % lanes;
}

Lanes::Lanes(const Shape& shape, stats::Registry& registry, const std::string& prefix)
    : params_(shape.params),
      rate_(shape.rate),
      lanes_(shape.params.planes * shape.params.cpc_lanes),
      group_(registry, prefix),
      flits_(group_, "flits", "flits of messages between SMs", stats::Unit::flits),
      passed_flits_(group_, "passed", "of these, flits that their lane has passed", stats::Unit::flits),
      wait_(group_, "wait", "cycles that flits waited for their lane, summed", stats::Unit::cycles),
      sent_(shape.cpc_of.size() * shape.classes),
      waiting_(sent_.size()) {
  const unsigned cpcs = shape.cpc_of.empty() ? 0 : *std::max_element(shape.cpc_of.begin(), shape.cpc_of.end()) + 1u;
  all_.resize(std::size_t{cpcs} * lanes_);
  for (std::size_t port = 0; port < shape.cpc_of.size(); ++port) {
    first_lane_.push_back(shape.cpc_of[port] * lanes_);
    for (unsigned c = 0; c < shape.classes; ++c) {
      queue_of_.push_back(static_cast<std::uint16_t>(all_[first_lane_[port]].queues.size()));
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        all_[first_lane_[port] + lane].queues.emplace_back(std::max(params_.lane_queue, kMostBytes / params_.lane_bytes));
        all_[first_lane_[port] + lane].places.push_back(static_cast<std::uint16_t>(port * shape.classes + c));
      }
    }
  }
  group_.law("flits == passed", [this] { return flits_.value() == passed_flits_.value(); });
}

/// A header travels with the first flit of its data.
std::uint32_t Lanes::flits_of(const PortPacket& packet) const { return std::max(1u, packet.flits * kPortFlitBytes / params_.lane_bytes); }

Lanes::Lane& Lanes::lane_at(unsigned place, const PortPacket& packet, std::uint32_t flit) {
  const auto classes = static_cast<unsigned>(waiting_.size() / first_lane_.size());
  return all_[first_lane_[place / classes] + lane_of(packet.line, flit, lanes_)];
}

void Lanes::enter(unsigned place, const PortPacket& packet, std::uint32_t name, std::uint64_t start) {
  Sent& sent = sent_[place];
  const std::uint32_t flits = flits_of(packet);
  sent.messages.push({name, packet.output, flits, 0, false});
  for (std::uint32_t flit = 0; flit < flits; ++flit) {
    const Cycle ready = (start + std::uint64_t{flit} * params_.lane_bytes * rate_.cycles) / rate_.bytes;
    Lane& lane = lane_at(place, packet, flit);
    lane.queues[queue_of_[place]].push({ready, sent.first + sent.messages.size() - 1});
    ++lane.flits;
    next_ = std::min(next_, ready + 1);
  }
  waiting_[place] += flits;
  flits_ += flits;
}

/// Each lane passes a flit of cycle `now` - 1.
void Lanes::grant(Cycle now) {
  granted_.clear();
  next_ = kNever;
  for (Lane& lane : all_) {
    if (lane.flits == 0) continue;
    const std::size_t count = lane.queues.size();
    for (std::size_t tried = 0, q = lane.turn; tried < count; ++tried, q = q + 1 == count ? 0 : q + 1) {
      Ring<Flit>& queue = lane.queues[q];
      if (queue.empty() || queue.front().ready >= now) continue;
      const std::uint16_t place = lane.places[q];
      Message& message = sent_[place].messages[static_cast<std::uint32_t>(queue.front().message - sent_[place].first)];
      const Cycle waited = now - 1 - queue.front().ready;
      message.delay = std::max(message.delay, waited);
      --message.left;
      wait_ += waited;
      ++passed_flits_;
      --waiting_[place];
      --lane.flits;
      queue.pop();
      lane.turn = q + 1 == count ? 0 : q + 1;
      if (std::find(granted_.begin(), granted_.end(), place) == granted_.end()) granted_.push_back(place);
      break;
    }
    for (const Ring<Flit>& queue : lane.queues)
      if (!queue.empty()) next_ = std::min(next_, std::max(queue.front().ready + 1, now + 1));
  }
  std::sort(granted_.begin(), granted_.end());
}

/// Finds the messages of a place that have passed, and behind which no earlier one to the same destination is left.
void Lanes::release(unsigned place) {
  passed_.clear();
  Sent& sent = sent_[place];
  std::vector<std::uint16_t> held;  // destinations
  for (std::uint32_t i = 0; i < sent.messages.size(); ++i) {
    Message& message = sent.messages[i];
    if (message.released) continue;
    if (message.left != 0 || std::find(held.begin(), held.end(), message.output) != held.end()) {
      held.push_back(message.output);
      continue;
    }
    message.released = true;
    passed_.push_back({message.name, message.delay});
  }
  for (; !sent.messages.empty() && sent.messages.front().released; ++sent.first) sent.messages.pop();
}

}  // namespace wharf::network
