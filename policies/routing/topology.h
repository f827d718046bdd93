#pragma once
// Interface of the routing family: a network as a table of the links between routers, the routers at which nodes enter and leave, and the
// output of each router towards each node (deterministic: one path per pair of nodes).

#include <cstdint>
#include <vector>

namespace wharf::routing {

/// The link at one output of a router.
struct Link {
  enum class Kind : std::uint8_t { none, router, node };
  Kind kind = Kind::none;
  bool dateline = false;     // a packet that crosses it continues in the upper half of its class's virtual channels
  std::uint8_t port = 0;     // input of the router that it leads to
  std::uint16_t target = 0;  // router or node
};

/// The router input at which a node's packets enter.
struct Entry {
  std::uint16_t router = 0;
  std::uint8_t port = 0;
};

/// Column and row of a router in a drawing of the network.
struct Position {
  std::uint16_t x = 0, y = 0;
};

/// The contract (tests/contract/routing.cpp): every node reaches every other node of its ring; every input is fed by one link or node; and
/// the dependencies between links (before and behind the dateline) have no cycle, so that packets cannot deadlock.
struct Topology {
  unsigned nodes = 0, routers = 0;
  unsigned ports = 0;                // inputs and outputs per router, 1..kMaxRouterPorts; some may lead nowhere
  bool has_dateline = false;         // a class of traffic needs an even number of virtual channels
  bool last_link_is_hop = false;     // the link to a node takes as long as one between routers; else it takes one cycle
  std::vector<Link> links;           // [router * ports + output]
  std::vector<Entry> entries;        // [node]
  std::vector<std::uint8_t> routes;  // [router * nodes + node]: the output
  std::vector<Position> positions;   // [router]

  const Link& link(unsigned router, unsigned output) const { return links[router * ports + output]; }
  unsigned route(unsigned router, unsigned node) const { return routes[router * nodes + node]; }
  /// Links that count as hops from one node to another.
  unsigned hops(unsigned from, unsigned to) const;
};

inline constexpr unsigned kMaxRouterPorts = 16;
inline constexpr unsigned kMaxNodes = 256;

/// Sizes of the topologies; each reads its own, and throws InputError for those that it cannot have.
struct Shape {
  unsigned columns = 6, rows = 6;   // mesh
  unsigned nodes = 36;              // ring: in total
  unsigned rings = 1;               // ring: number of separate rings of equal size
  bool bidirectional = true;        // ring
  unsigned radix = 6, stages = 2;   // butterfly
};

/// 2D mesh, dimension order: first along the row, then along the column (XY). Node = router = columns * row + column.
Topology mesh(const Shape& shape);
/// Links in one or two directions; a packet takes the shorter way, and goes upwards where both are equal. The dateline is the link between
/// the last node of a ring and its first. A packet must not be sent to a node of another ring, because it would leave where it entered.
/// Each ring is drawn as a loop of two rows.
Topology ring(const Shape& shape);
/// A radix-ary stages-fly of radix^stages nodes: stage s replaces the s-th most significant digit of the packet's position by that of its
/// destination (destination-tag routing).
Topology butterfly(const Shape& shape);

}  // namespace wharf::routing
