#pragma once
// The reference model of the routed networks, flit by flit and cycle by cycle, as simple as possible. RoutedLogic's bursts must agree with
// it.

#include <deque>
#include <functional>
#include <vector>

#include "policies/arbitration/small_islip.h"
#include "tests/unit/network/routed/routed_harness.h"

namespace wharf::network::testing {

class FlitByFlit {
 public:
  FlitByFlit(const routing::Topology& topology, const RouterParams& p, unsigned classes)
      : t_(topology),
        p_(p),
        classes_(classes),
        fifos_(t_.routers * t_.ports * p.virtual_channels),
        channels_(fifos_.size()),
        held_(t_.routers * t_.ports, kNone),
        next_vc_(held_.size()),
        islip_(t_.routers),
        queues_(t_.nodes * p.virtual_channels),
        arrived_(t_.nodes * classes),
        reserved_(arrived_.size()) {
    for (Channel& channel : channels_) channel.credits = p.buffer_flits;
  }

  void offer(Cycle cycle, unsigned from, unsigned to, unsigned flits, unsigned vc) {
    const auto id = static_cast<unsigned>(packets_.size());
    packets_.push_back({to, flits});
    queues_[from * p_.virtual_channels + vc].emplace_back(cycle, id);
  }

  void run(Cycle end) {
    for (Cycle now = 0; now < end && deliveries.size() < packets_.size(); ++now) cycle(now);
  }

  std::vector<Ejected> deliveries;
  std::function<bool(unsigned place, Cycle)> takes;

 private:
  static constexpr unsigned kNone = ~0u;
  struct Packet {
    unsigned to, flits;
  };
  struct Flit {
    unsigned packet;
    bool head, tail;
  };
  struct Channel {
    unsigned credits = 0, owner = kNone;  // fifo
  };
  struct OnLink {
    Cycle at;
    unsigned fifo;
    Flit flit;
  };

  unsigned fifo(unsigned router, unsigned port, unsigned vc) const { return (router * t_.ports + port) * p_.virtual_channels + vc; }
  unsigned class_of(unsigned vc) const {
    unsigned c = 0;
    while (vc >= vc_class(c, classes_, p_.virtual_channels).first + vc_class(c, classes_, p_.virtual_channels).count) ++c;
    return c;
  }
  unsigned out_vc(const routing::Link& link, unsigned vc) const {
    return link.dateline ? vc + vc_class(class_of(vc), classes_, p_.virtual_channels).count / 2u : vc;
  }
  unsigned output_of(unsigned router, const Flit& flit) const { return t_.route(router, packets_[flit.packet].to); }

  bool can_send(unsigned router, unsigned port, unsigned vc) const {
    const auto& flits = fifos_[fifo(router, port, vc)];
    if (flits.empty()) return false;
    const unsigned output = output_of(router, flits.front());
    const routing::Link& link = t_.link(router, output);
    const Channel& channel = channels_[fifo(router, output, out_vc(link, vc))];
    if (flits.front().head ? channel.owner != kNone : channel.owner != fifo(router, port, vc)) return false;
    if (link.kind == routing::Link::Kind::router) return channel.credits != 0;
    return !flits.front().head || reserved_[link.target * classes_ + class_of(vc)] < p_.ejection_flits;
  }

  void send(unsigned router, unsigned port, unsigned vc, Cycle now) {
    const unsigned from = fifo(router, port, vc);
    const Flit flit = fifos_[from].front();
    fifos_[from].pop_front();
    const unsigned output = output_of(router, flit);
    const routing::Link& link = t_.link(router, output);
    const unsigned behind = fifo(router, output, out_vc(link, vc));
    channels_[behind].owner = flit.tail ? kNone : from;
    if (link.kind == routing::Link::Kind::router) {
      --channels_[behind].credits;
      on_links_.push_back({now + p_.hop_cycles, fifo(link.target, link.port, out_vc(link, vc)), flit});
    } else {
      const unsigned place = link.target * classes_ + class_of(vc);
      if (flit.head) reserved_[place] += packets_[flit.packet].flits;
      if (flit.tail) ejecting_.push_back({now + (t_.last_link_is_hop ? p_.hop_cycles : 1), place, flit});
    }
    for (unsigned r = 0; r < t_.routers; ++r)  // the router that feeds this FIFO
      for (unsigned o = 0; o < t_.ports; ++o) {
        const routing::Link& feed = t_.link(r, o);
        if (feed.kind == routing::Link::Kind::router && feed.target == router && feed.port == port) freed_.push_back(fifo(r, o, vc));
      }
    held_[router * t_.ports + port] = flit.tail ? kNone : vc;
  }

  void cycle(Cycle now) {
    for (const OnLink& e : ejecting_)
      if (e.at == now) arrived_[e.fifo].push_back(e.flit.packet);
    for (unsigned place = 0; place < arrived_.size(); ++place) {
      if (arrived_[place].empty() || !takes(place, now)) continue;
      const unsigned packet = arrived_[place].front();
      arrived_[place].pop_front();
      reserved_[place] -= packets_[packet].flits;
      deliveries.push_back({packet, place, now});
    }
    for (unsigned q = 0; q < queues_.size(); ++q) inject(q, now);
    for (const OnLink& e : on_links_)
      if (e.at == now) fifos_[e.fifo].push_back(e.flit);
    const auto gone = [now](const OnLink& e) { return e.at <= now; };
    on_links_.erase(std::remove_if(on_links_.begin(), on_links_.end(), gone), on_links_.end());
    ejecting_.erase(std::remove_if(ejecting_.begin(), ejecting_.end(), gone), ejecting_.end());
    for (unsigned r = 0; r < t_.routers; ++r) switch_flits(r, now);
    for (const unsigned channel : freed_) ++channels_[channel].credits;
    freed_.clear();
  }

  void inject(unsigned q, Cycle now) {
    const unsigned node = q / p_.virtual_channels, vc = q % p_.virtual_channels;
    auto& queue = queues_[q];
    auto& entry = fifos_[fifo(t_.entries[node].router, t_.entries[node].port, vc)];
    if (queue.empty() || queue.front().first > now || !entry.empty()) return;
    const unsigned packet = queue.front().second, flits = packets_[packet].flits;
    queue.pop_front();
    for (unsigned f = 0; f < flits; ++f) entry.push_back({packet, f == 0, f + 1 == flits});
  }

  void switch_flits(unsigned router, Cycle now) {
    unsigned used_inputs = 0, used_outputs = 0;
    for (unsigned port = 0; port < t_.ports; ++port) {
      unsigned& vc = held_[router * t_.ports + port];
      if (vc == kNone) continue;
      if (!can_send(router, port, vc)) {
        vc = kNone;
        continue;
      }
      used_inputs |= 1u << port;
      used_outputs |= 1u << output_of(router, fifos_[fifo(router, port, vc)].front());
      send(router, port, vc, now);
    }
    arbitration::SmallIslip::Ports by_output[arbitration::SmallIslip::kPorts] = {};
    unsigned asked = 0;
    for (unsigned port = 0; port < t_.ports; ++port)
      for (unsigned vc = 0; vc < p_.virtual_channels; ++vc) {
        if ((used_inputs >> port & 1) != 0 || !can_send(router, port, vc)) continue;
        const unsigned output = output_of(router, fifos_[fifo(router, port, vc)].front());
        if ((used_outputs >> output & 1) != 0) continue;
        by_output[output] = static_cast<arbitration::SmallIslip::Ports>(by_output[output] | 1u << port);
        asked |= 1u << output;
      }
    std::vector<std::pair<unsigned, unsigned>> granted;
    islip_[router].allocate(by_output, static_cast<arbitration::SmallIslip::Ports>(asked), t_.ports, p_.iterations,
                            [&](unsigned input, unsigned output) { granted.emplace_back(input, output); });
    for (const auto& [port, output] : granted) {
      unsigned& next = next_vc_[router * t_.ports + port];
      unsigned vc = next;
      while (!can_send(router, port, vc) || output_of(router, fifos_[fifo(router, port, vc)].front()) != output)
        vc = (vc + 1) % p_.virtual_channels;
      next = (vc + 1) % p_.virtual_channels;
      send(router, port, vc, now);
    }
  }

  const routing::Topology t_;
  const RouterParams p_;
  unsigned classes_;
  std::vector<Packet> packets_;
  std::vector<std::deque<Flit>> fifos_;
  std::vector<Channel> channels_;
  std::vector<unsigned> held_, next_vc_;  // [router][input]
  std::vector<arbitration::SmallIslip> islip_;
  std::vector<std::deque<std::pair<Cycle, unsigned>>> queues_;
  std::vector<std::deque<unsigned>> arrived_;
  std::vector<unsigned> reserved_;
  std::vector<OnLink> on_links_, ejecting_;  // in ejecting_, `fifo` is the place
  std::vector<unsigned> freed_;
};

}  // namespace wharf::network::testing
