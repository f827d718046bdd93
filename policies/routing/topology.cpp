#include "policies/routing/topology.h"

#include <string>

#include "model/base/error.h"

namespace wharf::routing {
namespace {

void check_nodes(unsigned nodes, const char* what) {
  if (nodes < 2 || nodes > kMaxNodes)
    throw InputError(std::string(what) + " of " + std::to_string(nodes) + " nodes: choose 2 to " + std::to_string(kMaxNodes));
}

Topology sized(unsigned nodes, unsigned routers, unsigned ports) {
  Topology t;
  t.nodes = nodes;
  t.routers = routers;
  t.ports = ports;
  t.links.resize(std::size_t{routers} * ports);
  t.entries.resize(nodes);
  t.routes.resize(std::size_t{routers} * nodes);
  t.positions.resize(routers);
  return t;
}

void connect(Topology& t, unsigned router, unsigned output, unsigned to, unsigned input, bool dateline = false) {
  t.links[router * t.ports + output] = {Link::Kind::router, dateline, static_cast<std::uint8_t>(input), static_cast<std::uint16_t>(to)};
}

void attach(Topology& t, unsigned node, unsigned router, unsigned input, unsigned last_router, unsigned output) {
  t.entries[node] = {static_cast<std::uint16_t>(router), static_cast<std::uint8_t>(input)};
  t.links[last_router * t.ports + output] = {Link::Kind::node, false, 0, static_cast<std::uint16_t>(node)};
}

}  // namespace

unsigned Topology::hops(unsigned from, unsigned to) const {
  unsigned router = entries[from].router, count = 0;
  while (true) {
    const Link& next = link(router, route(router, to));
    if (next.kind == Link::Kind::node) return count + (last_link_is_hop ? 1 : 0);
    router = next.target;
    ++count;
  }
}

Topology mesh(const Shape& shape) {
  enum : unsigned { kEast, kWest, kSouth, kNorth, kLocal, kPorts };
  const unsigned columns = shape.columns, nodes = columns * shape.rows;
  check_nodes(nodes, "a mesh");
  Topology t = sized(nodes, nodes, kPorts);
  for (unsigned n = 0; n < nodes; ++n) {
    const unsigned x = n % columns, y = n / columns;
    t.positions[n] = {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y)};
    if (x + 1 < columns) connect(t, n, kEast, n + 1, kWest);
    if (x > 0) connect(t, n, kWest, n - 1, kEast);
    if (y + 1 < shape.rows) connect(t, n, kSouth, n + columns, kNorth);
    if (y > 0) connect(t, n, kNorth, n - columns, kSouth);
    attach(t, n, n, kLocal, n, kLocal);
    for (unsigned to = 0; to < nodes; ++to) {
      const unsigned to_x = to % columns, to_y = to / columns;
      const unsigned output = to_x > x ? kEast : to_x < x ? kWest : to_y > y ? kSouth : to_y < y ? kNorth : kLocal;
      t.routes[n * nodes + to] = static_cast<std::uint8_t>(output);
    }
  }
  return t;
}

Topology ring(const Shape& shape) {
  enum : unsigned { kUp, kDown, kLocal, kPorts };
  const unsigned nodes = shape.nodes;
  check_nodes(nodes, "a ring");
  if (shape.rings == 0 || nodes % shape.rings != 0 || nodes / shape.rings < 2)
    throw InputError(std::to_string(shape.rings) + " rings of together " + std::to_string(nodes) +
                     " nodes: choose a number that divides the nodes and leaves each ring 2");
  const unsigned size = nodes / shape.rings;
  Topology t = sized(nodes, nodes, kPorts);
  t.has_dateline = true;
  const unsigned upper_row = (size + 1) / 2;
  for (unsigned n = 0; n < nodes; ++n) {
    const unsigned first = n / size * size, place = n - first;
    const unsigned row = 2 * (first / size);
    t.positions[n] = {static_cast<std::uint16_t>(place < upper_row ? place : size - 1 - place),
                      static_cast<std::uint16_t>(place < upper_row ? row : row + 1)};
    connect(t, n, kUp, first + (place + 1) % size, kDown, place + 1 == size);
    if (shape.bidirectional) connect(t, n, kDown, first + (place + size - 1) % size, kUp, place == 0);
    attach(t, n, n, kLocal, n, kLocal);
    for (unsigned to = 0; to < nodes; ++to) {
      const unsigned upwards = (to % size + size - place) % size;
      const bool up = !shape.bidirectional || upwards <= size - upwards;
      const bool here = upwards == 0 || to / size != n / size;
      t.routes[n * nodes + to] = static_cast<std::uint8_t>(here ? kLocal : up ? kUp : kDown);
    }
  }
  return t;
}

Topology butterfly(const Shape& shape) {
  const unsigned radix = shape.radix, stages = shape.stages;
  if (radix < 2 || radix > kMaxRouterPorts)
    throw InputError("a butterfly of radix " + std::to_string(radix) + ": choose 2 to " + std::to_string(kMaxRouterPorts));
  unsigned nodes = 1;
  for (unsigned s = 0; s < stages; ++s) nodes = nodes <= kMaxNodes ? nodes * radix : nodes;
  check_nodes(nodes, "a butterfly");
  const unsigned switches = nodes / radix;  // per stage
  Topology t = sized(nodes, stages * switches, radix);
  t.last_link_is_hop = true;
  // A row is the number of a node on the path; a switch of stage s connects the rows that differ only in the digit that it replaces.
  unsigned weight = switches;
  const auto switch_of = [&](unsigned stage, unsigned row, unsigned digit_weight) {
    return stage * switches + row / (digit_weight * radix) * digit_weight + row % digit_weight;
  };
  for (unsigned stage = 0; stage < stages; ++stage, weight /= radix) {
    for (unsigned row = 0; row < nodes; ++row) {
      const unsigned router = switch_of(stage, row, weight), digit = row / weight % radix;
      t.positions[router] = {static_cast<std::uint16_t>(stage), static_cast<std::uint16_t>(router % switches)};
      if (stage == 0) t.entries[row] = {static_cast<std::uint16_t>(router), static_cast<std::uint8_t>(digit)};
      if (stage + 1 == stages)
        t.links[router * radix + digit] = {Link::Kind::node, false, 0, static_cast<std::uint16_t>(row)};
      else
        connect(t, router, digit, switch_of(stage + 1, row, weight / radix), row / (weight / radix) % radix);
      for (unsigned to = 0; to < nodes; ++to) t.routes[router * nodes + to] = static_cast<std::uint8_t>(to / weight % radix);
    }
  }
  return t;
}

}  // namespace wharf::routing
