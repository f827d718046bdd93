// The contract of every topology: all nodes reach each other, nothing is wired twice, and no cycle of waiting packets is possible.

#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "model/base/error.h"
#include "policies/routing/topology.h"

using namespace wharf;
using namespace wharf::routing;

namespace {

using Make = Topology (*)(const Shape& shape);

struct Case {
  Make make;
  Shape shape;
};

/// Several sizes of every topology.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](Make make, auto set) {
    Shape shape;
    set(shape);
    all.push_back({make, shape});
  };
  for (const unsigned side : {2u, 3u, 6u, 8u, 10u}) add(mesh, [&](Shape& s) { s.columns = s.rows = side; });
  add(mesh, [](Shape& s) { s.columns = 7, s.rows = 2; });
  add(mesh, [](Shape& s) { s.columns = 1, s.rows = 5; });
  for (const bool both : {true, false})
    for (const unsigned nodes : {2u, 3u, 8u, 28u, 36u}) add(ring, [&](Shape& s) { s.nodes = nodes, s.bidirectional = both; });
  for (const bool both : {true, false})
    for (const auto& [nodes, rings] : {std::pair{30u, 3u}, {8u, 4u}})
      add(ring, [&, nodes = nodes, rings = rings](Shape& s) { s.nodes = nodes, s.rings = rings, s.bidirectional = both; });
  for (const auto& [radix, stages] : {std::pair{6u, 2u}, {4u, 3u}, {2u, 5u}, {16u, 1u}, {3u, 3u}})
    add(butterfly, [radix = radix, stages = stages](Shape& s) { s.radix = radix, s.stages = stages; });
  return all;
}

/// True if packets from one node to the other are allowed.
bool meets(const Case& c, const Topology& t, unsigned from, unsigned to) {
  const unsigned size = t.nodes / c.shape.rings;
  return from / size == to / size;
}

/// Visits the links between routers on the path. Also passes whether the dateline has been crossed once the packet has crossed the link.
template <class Visit>
unsigned walk(const Topology& t, unsigned from, unsigned to, Visit&& visit) {
  unsigned router = t.entries[from].router;
  bool behind = false;
  for (unsigned steps = 0; steps <= t.routers; ++steps) {
    const unsigned output = t.route(router, to);
    const Link& link = t.link(router, output);
    if (link.kind == Link::Kind::none) return kMaxNodes;
    if (link.kind == Link::Kind::node) return link.target;
    behind = behind || link.dateline;
    visit(router * t.ports + output, behind);
    router = link.target;
  }
  return kMaxNodes;
}

}  // namespace

TEST_CASE("routing: every node reaches every node of its network, and crosses the dateline at most once") {
  for (const Case& c : cases()) {
    const Topology t = c.make(c.shape);
    CAPTURE(t.nodes, t.routers);
    unsigned wrong = 0;
    for (unsigned from = 0; from < t.nodes; ++from)
      for (unsigned to = 0; to < t.nodes; ++to) {
        if (!meets(c, t, from, to)) continue;
        unsigned datelines = 0, links = 0;
        const unsigned reached = walk(t, from, to, [&](unsigned link, bool) {
          datelines += t.links[link].dateline;
          ++links;
        });
        if (reached != to || datelines > 1 || t.hops(from, to) != links + t.last_link_is_hop) ++wrong;
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("routing: every input is fed once, and every node is left through one output") {
  for (const Case& c : cases()) {
    const Topology t = c.make(c.shape);
    CAPTURE(t.nodes, t.routers);
    REQUIRE(t.ports <= kMaxRouterPorts);
    std::set<unsigned> fed;
    std::vector<unsigned> exits(t.nodes);
    unsigned twice = 0;
    for (const Link& link : t.links) {
      if (link.kind == Link::Kind::router) twice += !fed.insert(link.target * t.ports + link.port).second;
      if (link.kind == Link::Kind::node) ++exits[link.target];
    }
    for (const routing::Entry& entry : t.entries) twice += !fed.insert(entry.router * t.ports + entry.port).second;
    CHECK(twice == 0);
    CHECK(exits == std::vector<unsigned>(t.nodes, 1));
  }
}

TEST_CASE("routing: what packets wait for has no circle, so that no set of buffers can deadlock") {
  for (const Case& c : cases()) {
    const Topology t = c.make(c.shape);
    CAPTURE(t.nodes, t.routers);
    // A vertex is a link before or after the dateline. An edge leads to the link that a packet in its buffer requests next.
    const unsigned vertices = t.routers * t.ports * 2;
    std::vector<std::set<unsigned>> next(vertices);
    for (unsigned from = 0; from < t.nodes; ++from)
      for (unsigned to = 0; to < t.nodes; ++to) {
        unsigned last = vertices;
        walk(t, from, to, [&](unsigned link, bool behind) {
          const unsigned vertex = link * 2 + behind;
          if (last != vertices) next[last].insert(vertex);
          last = vertex;
        });
      }
    std::vector<unsigned> indegree(vertices), free;
    for (const auto& targets : next)
      for (const unsigned v : targets) ++indegree[v];
    for (unsigned v = 0; v < vertices; ++v)
      if (indegree[v] == 0) free.push_back(v);
    unsigned sorted = 0;
    while (!free.empty()) {
      const unsigned v = free.back();
      free.pop_back();
      ++sorted;
      for (const unsigned w : next[v])
        if (--indegree[w] == 0) free.push_back(w);
    }
    CHECK(sorted == vertices);
  }
}

TEST_CASE("routing: in a drawing no two routers stand in one place") {
  for (const Case& c : cases()) {
    const Topology t = c.make(c.shape);
    std::set<std::pair<unsigned, unsigned>> places;
    for (const Position& p : t.positions) places.insert({p.x, p.y});
    CHECK(places.size() == t.routers);
  }
}

TEST_CASE("routing: sizes that a member cannot have are refused") {
  const auto refused = [](Make make, auto set) {
    Shape shape;
    set(shape);
    CHECK_THROWS_AS(make(shape), InputError);
  };
  refused(mesh, [](Shape& s) { s.columns = 1, s.rows = 1; });
  for (const unsigned rings : {0u, 7u, 18u}) refused(ring, [&](Shape& s) { s.nodes = 18, s.rings = rings; });
  refused(mesh, [](Shape& s) { s.columns = 20, s.rows = 20; });
  refused(ring, [](Shape& s) { s.nodes = 1; });
  refused(butterfly, [](Shape& s) { s.radix = 17; });
  refused(butterfly, [](Shape& s) { s.radix = 1; });
  refused(butterfly, [](Shape& s) { s.radix = 16, s.stages = 30; });
}
