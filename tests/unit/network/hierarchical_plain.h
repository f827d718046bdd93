#pragma once
// The reference model of one direction of a hierarchical crossbar (modern_gpus section 3): in every cycle it looks at every link, those near
// the destinations first, and at every queue in front of it. HierarchicalLogic, which looks at a link only when something may happen there,
// must agree with it.
//
// Two links behind the crossbar may want the same queue's next packet in one cycle. The rule does not say which link is served first, so
// the traffic must not depend on it: either no queue in front of the crossbar has packets for two links, or only one of them has any.

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "model/network/hierarchical/hierarchical_params.h"

namespace wharf::network::testing {

class HierarchicalPlain {
 public:
  struct Arrival {
    std::uint64_t handle;
    Cycle cycle;
  };

  HierarchicalPlain(const HierarchicalParams& params, bool requests, unsigned sms, unsigned slices)
      : refusing(requests ? slices : sms), arrived(refusing.size()), params_(params), requests_(requests), ends_(refusing.size()) {
    for (unsigned t = 0; t < kTiers; ++t)
      if (params.has(static_cast<Tier>(t))) tiers_.push_back(static_cast<Tier>(t));
    if (!requests) std::reverse(tiers_.begin(), tiers_.end());
    queues_.resize(tiers_.size());
    links_.resize(tiers_.size());
    groups_of_sms();
  }

  void post(Cycle at, unsigned from, unsigned to, unsigned bytes, std::uint64_t handle, unsigned sectors) {
    queues_[0][{from, 0}].push_back({handle, requests_ ? from : to, requests_ ? to : from, bytes, sectors, at, at});
  }
  void return_credits(unsigned sm, unsigned slice, unsigned sectors) { credits_[{sm, slice}] -= sectors; }
  /// Sends in cycle `now`, and delivers in the next one.
  void cycle(Cycle now) {
    for (unsigned to = 0; to < ends_.size(); ++to)
      if (ends_[to].blocked && !refusing[to]) take_refused(to, now);
    for (std::size_t tier = tiers_.size(); tier-- > 0;) {
      bool sent = true;  // a packet that leaves makes room for one behind it that another link may take
      while (sent) {
        sent = false;
        for (unsigned link = 0; link < kMostLinks; ++link) sent = serve(tier, link, now) || sent;
      }
    }
    for (unsigned to = 0; to < ends_.size(); ++to) deliver(to, now + 1);
  }

  std::vector<bool> refusing;                 // [destination]
  std::vector<std::vector<Arrival>> arrived;  // [destination]

 private:
  static constexpr unsigned kMostLinks = 64, kGroup = 8;
  struct Packet {
    std::uint64_t handle;
    unsigned sm, slice, bytes, sectors;
    Cycle first, last;  // its first and last byte are in front of the next link
  };
  struct Link {
    std::uint64_t free = 0;  // in parts of a cycle
    unsigned turn = 0;       // the feeder that is asked first
  };
  struct End {
    std::deque<Packet> packets;
    std::uint64_t through = 0;  // when the packets before have passed after a refusal, in parts of a cycle
    bool blocked = false;
  };
  using Queues = std::map<std::pair<unsigned, unsigned>, std::deque<Packet>>;  // [feeder][group of links]: in front of a tier

  void groups_of_sms() {
    std::array<unsigned, kTiers> next{};
    for (const unsigned sms : params_.gpcs) {
      for (unsigned sm = 0; sm < sms; ++sm)
        groups_.push_back({next[0] + sm, params_.tpc_sms == 0 ? 0 : next[1] + sm / params_.tpc_sms,
                           params_.cpc_sms == 0 ? 0 : next[2] + sm / params_.cpc_sms, next[3]});
      next[0] += sms;
      for (const auto& [tier, size] : {std::pair{1u, params_.tpc_sms}, {2u, params_.cpc_sms}})
        if (size != 0) next[tier] += (sms + size - 1) / size;
      ++next[3];
    }
  }

  const TierParams& keys(std::size_t tier) const { return (requests_ ? params_.request : params_.reply)[tiers_[tier]]; }
  unsigned link_of(std::size_t tier, const Packet& packet) const {
    return tiers_[tier] == Tier::slice ? packet.slice : groups_[packet.sm][static_cast<unsigned>(tiers_[tier])];
  }
  /// The queue in front of a tier, not the first, into which a packet comes.
  std::deque<Packet>& queue_of(std::size_t tier, const Packet& packet) {
    const unsigned feeder = link_of(tier - 1, packet), link = link_of(tier, packet);
    if (tiers_[tier] == (requests_ ? Tier::slice : Tier::gpc)) return queues_[tier][{feeder, link / kGroup}];
    return requests_ ? queues_[tier][{feeder, 0}] : queues_[tier][{0, link}];
  }
  bool is_full(const std::deque<Packet>& queue, Cycle now, Cycle Packet::*there = &Packet::first) const {
    const auto waits = [now, there](const Packet& packet) { return packet.*there <= now; };
    return std::count_if(queue.begin(), queue.end(), waits) >= static_cast<std::ptrdiff_t>(params_.queue);
  }
  unsigned end_of(const Packet& packet) const { return requests_ ? packet.slice : packet.sm; }

  bool can_leave(std::size_t tier, const Packet& packet, Cycle now) {
    if (tier == 0 && requests_ && params_.sm_slice_credits != kUnlimited &&
        credits_[{packet.sm, packet.slice}] + packet.sectors > params_.sm_slice_credits)
      return false;
    if (tier + 1 < tiers_.size()) return !is_full(queue_of(tier + 1, packet), now);
    return !is_full(ends_[end_of(packet)].packets, now, &Packet::last);
  }

  /// Sends packets as long as the link becomes free within the cycle, from the queues in turn. Returns true if it has sent any.
  bool serve(std::size_t tier, unsigned number, Cycle now) {
    bool sent = false;
    Link& link = links_[tier][number];
    const PortRate rate = keys(tier).rate;
    while (link.free < (now + 1) * rate.bytes) {
      std::deque<Packet>* chosen = nullptr;
      unsigned feeder = 0;
      for (auto& [key, queue] : queues_[tier]) {
        if (queue.empty() || link_of(tier, queue.front()) != number) continue;
        if (queue.front().first > now || !can_leave(tier, queue.front(), now)) continue;
        if (chosen != nullptr && (feeder >= link.turn || key.first < link.turn)) continue;
        chosen = &queue;
        feeder = key.first;
      }
      if (chosen == nullptr) break;
      link.turn = feeder + 1;
      Packet packet = chosen->front();
      chosen->pop_front();
      send(tier, link, packet, now);
      sent = true;
    }
    return sent;
  }

  void send(std::size_t tier, Link& link, Packet packet, Cycle now) {
    const PortRate rate = keys(tier).rate;
    link.free = std::max(link.free, now * rate.bytes) + std::uint64_t{packet.bytes} * rate.cycles;
    const Cycle passed = (link.free - 1) / rate.bytes;
    packet.first = now + keys(tier).latency;
    packet.last = std::max(passed, packet.last) + keys(tier).latency;
    if (tier == 0) credits_[{packet.sm, packet.slice}] += packet.sectors;
    if (tier + 1 < tiers_.size()) {
      queue_of(tier + 1, packet).push_back(packet);
    } else {
      End& end = ends_[end_of(packet)];
      if (!end.packets.empty()) packet.last = std::max(packet.last, end.packets.back().last);
      follow(end, packet, false);
      end.packets.push_back(packet);
    }
  }

  /// The packets behind a refused one, waiting or under way, follow at the rate of the last link.
  void take_refused(unsigned to, Cycle now) {
    End& end = ends_[to];
    arrived[to].push_back({end.packets.front().handle, now});
    end.packets.pop_front();
    end.blocked = false;
    end.through = (now + 1) * keys(tiers_.size() - 1).rate.bytes;
    for (Packet& packet : end.packets) follow(end, packet, true);
  }
  void follow(End& end, Packet& packet, bool always) const {
    const PortRate rate = keys(tiers_.size() - 1).rate;
    packet.first = std::max(packet.last, end.through / rate.bytes);
    if (always || end.through > packet.last * rate.bytes)
      end.through = std::max(end.through, packet.last * rate.bytes) + std::uint64_t{packet.bytes} * rate.cycles;
  }

  void deliver(unsigned to, Cycle cycle) {
    End& end = ends_[to];
    while (!end.blocked && !end.packets.empty() && end.packets.front().first <= cycle) {
      end.blocked = refusing[to];
      if (end.blocked) return;
      arrived[to].push_back({end.packets.front().handle, cycle});
      end.packets.pop_front();
    }
  }

  const HierarchicalParams params_;
  const bool requests_;
  std::vector<Tier> tiers_;                                         // in the order of a packet's way
  std::vector<std::array<unsigned, 4>> groups_;                     // [SM]: itself, its TPC, CPC and GPC
  std::vector<Queues> queues_;                                      // [tier]; those of the first are the sources
  std::vector<std::map<unsigned, Link>> links_;                     // [tier][number]
  std::vector<End> ends_;                                           // [destination]
  std::map<std::pair<unsigned, unsigned>, std::uint64_t> credits_;  // [SM, slice]: sectors whose replies are outstanding
};

}  // namespace wharf::network::testing
