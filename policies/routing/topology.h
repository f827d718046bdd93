#pragma once
// Interface of the routing family: a network as a table. Which router is wired to which, where nodes enter and leave, and through which
// output a packet for a node goes on (deterministic: one path for each pair of nodes).

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"

namespace wharf::routing {

/// What leaves a router through one output.
struct Link {
  enum class Kind : std::uint8_t { none, router, node };
  Kind kind = Kind::none;
  bool dateline = false;     // who crosses it goes on in the upper half of the virtual channels of its class
  std::uint8_t port = 0;     // of the router it leads to: the input
  std::uint16_t target = 0;  // router or node
};

/// Where a node's packets enter.
struct Entry {
  std::uint16_t router = 0;
  std::uint8_t port = 0;
};

/// Of a router in a drawing of the network: column and row.
struct Position {
  std::uint16_t x = 0, y = 0;
};

/// The contract (tests/contract/routing.cpp): from every node each other node (of its ring) is reached, every input is fed by one link or node, and the
/// dependencies between links (before and behind the dateline) have no cycle, so that packets cannot wait for each other in a circle.
struct Topology {
  unsigned nodes = 0, routers = 0;
  unsigned ports = 0;                // inputs and outputs of a router, 1..kMaxRouterPorts; some may lead nowhere
  bool has_dateline = false;         // a class of traffic needs two virtual channels, or any even number
  bool last_link_is_hop = false;     // the link to a node takes as long as one between routers, else one cycle
  std::vector<Link> links;           // [router * ports + output]
  std::vector<Entry> entries;        // [node]
  std::vector<std::uint8_t> routes;  // [router * nodes + node]: the output
  std::vector<Position> positions;   // [router]

  const Link& link(unsigned router, unsigned output) const { return links[router * ports + output]; }
  unsigned route(unsigned router, unsigned node) const { return routes[router * nodes + node]; }
  /// Links that count as hops on the way from one node to another.
  unsigned hops(unsigned from, unsigned to) const;
};

inline constexpr unsigned kMaxRouterPorts = 16;
inline constexpr unsigned kMaxNodes = 256;

/// Sizes of the members; each reads its own.
struct Shape {
  unsigned columns = 6, rows = 6;   // mesh
  unsigned nodes = 36;              // ring: all together
  unsigned rings = 1;               // ring: as many of one size, apart from each other
  bool bidirectional = true;        // ring
  unsigned radix = 6, stages = 2;   // butterfly
};

/// 2D mesh, dimension order: first along the row, then along the column (XY). Node = router = columns * row + column.
Topology mesh(const Shape& shape);
/// One or two directions, the shorter way, upwards where both are equal. The dateline is the link between the last node of a ring and its
/// first. A packet for a node of another ring must not be sent: it would come out where it went in. Each ring is drawn
/// as a loop of two rows.
Topology ring(const Shape& shape);
/// radix-ary stages-fly of radix^stages nodes: stage s replaces the s-th most significant digit of where the packet is by that of its
/// destination (destination-tag routing).
Topology butterfly(const Shape& shape);

/// Names and help texts of the family, for Binder::policy.
std::vector<config::PolicyName> catalogue_names();
/// The member `name`. Throws InputError for an unknown name and for sizes that it cannot have.
Topology make_topology(std::string_view name, const Shape& shape);

}  // namespace wharf::routing
