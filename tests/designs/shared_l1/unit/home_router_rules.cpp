// The path of an access, the flits of a packet, and the conditions of a mode change (shared_l1 sections 4, 5, 7 and 8).

#include <catch2/catch.hpp>

#include "model/designs/shared_l1/home_router_logic.h"
#include "model/l1_sharing/out_queue.h"
#include "policies/routing/node_map.h"
#include "policies/routing/topology.h"
#include "tests/unit/counted.h"

using namespace wharf;
using Path = HomeRouterLogic::Path;

namespace {

constexpr unsigned kCores = 28, kSlices = 8, kSets = 32;

/// The 6 x 6 mesh of Table 4.1.
class Mesh {
 public:
  unsigned hops(unsigned from, unsigned to) const { return topology_.hops(nodes_[from], nodes_[to]); }

 private:
  routing::Topology topology_ = routing::mesh({});
  std::vector<std::uint16_t> nodes_ = routing::endpoint_nodes(kCores, routing::slice_nodes(6, 6, kSlices));
};

SharedL1Params shared_plus_plus() {
  SharedL1Params params;
  params.organisation = "shared";
  return params;
}

class Node {
 public:
  /// `distances`: those of the mesh; without it, those of a crossbar, which has none.
  explicit Node(const SharedL1Params& params, unsigned core = 0, bool distances = true)
      : logic(params, {}, SetIndex(SetIndexKind::linear, kSets), kSets,
              {core,
               kCores,
               {0, kCores},
               {*addresses, kCores, kSlices},
               32,
               32,
               [this, distances](unsigned a, unsigned b) { return distances ? mesh.hops(a, b) : 0; },
               kSlices},
              registry) {}

  Path route(AccessKind kind, std::uint64_t line, SectorMask sectors = 1) {
    transaction = {};
    transaction.access.kind = kind;
    transaction.access.line = {line};
    transaction.access.sectors = sectors;
    return logic.route(transaction, ++now);
  }
  std::uint64_t count(const std::string& metric) const { return test::counted(registry, "shared_l1." + metric); }
  std::uint64_t most(const std::string& histogram) const {
    for (const auto& entry : registry.histograms())
      if (entry.prefix + "." + entry.name == "shared_l1." + histogram) return entry.histogram->max();
    return kNever;
  }

  Mesh mesh;
  std::unique_ptr<AddressMap> addresses = make_address_map("interleave", kSlices, 1);
  stats::Registry registry;
  HomeRouterLogic logic;
  Transaction transaction;
  Cycle now = 0;
};

/// A line with this home and slice.
std::uint64_t line_of(unsigned home, unsigned slice) { return home * kSets + 2 * slice; }

}  // namespace

TEST_CASE("home router: on the 6 x 6 mesh 3.6 % of uniform accesses are local, 39.9 % nearer to home, 12.8 % tie, 43.8 % nearer to L2") {
  const Mesh mesh;
  unsigned local = 0, home = 0, tie = 0, l2 = 0;
  for (unsigned core = 0; core < kCores; ++core)
    for (unsigned owner = 0; owner < kCores; ++owner)
      for (unsigned slice = 0; slice < kSlices; ++slice) {
        const unsigned to_home = mesh.hops(core, owner), to_l2 = mesh.hops(core, kCores + slice);
        ++(owner == core ? local : to_home < to_l2 ? home : to_home == to_l2 ? tie : l2);
      }
  const double all = kCores * kCores * kSlices;
  CHECK(local / all == Approx(0.036).margin(0.0005));
  CHECK(home / all == Approx(0.399).margin(0.0005));
  CHECK(tie / all == Approx(0.128).margin(0.0005));
  CHECK(l2 / all == Approx(0.438).margin(0.0005));
}

// SL-13, SL-14
TEST_CASE("home router: a load goes to L2 where that is strictly nearer, and a tie goes home unless the parameter says otherwise") {
  for (const HopTie tie : {HopTie::home, HopTie::l2}) {
    SharedL1Params params = shared_plus_plus();
    params.hop_tie = tie;
    for (const unsigned core : {0u, 13u, 27u}) {
      Node node(params, core);
      for (unsigned home = 0; home < kCores; ++home)
        for (unsigned slice = 0; slice < kSlices; ++slice) {
          const unsigned to_home = node.mesh.hops(core, home), to_l2 = node.mesh.hops(core, kCores + slice);
          const bool past = to_l2 < to_home || (to_l2 == to_home && tie == HopTie::l2);
          const Path expected = home == core ? Path::local : past ? Path::direct : Path::remote;
          for (const AccessKind kind : {AccessKind::load, AccessKind::store}) REQUIRE(node.route(kind, line_of(home, slice)) == expected);
          if (expected != Path::local) CHECK(node.transaction.message.destination == (expected == Path::direct ? kCores + slice : home));
        }
    }
  }
}

TEST_CASE("home router: without Min(H,L2) every line of another home goes there, and without distances, too") {
  SharedL1Params without = shared_plus_plus();
  without.nearer_of_home_and_l2 = false;
  SharedL1Params tie_to_l2 = shared_plus_plus();
  tie_to_l2.hop_tie = HopTie::l2;
  Node here(without), on_crossbar(tie_to_l2, 0, false);
  for (Node* node : {&here, &on_crossbar})
    for (unsigned home = 1; home < kCores; ++home) CHECK(node->route(AccessKind::load, line_of(home, 3)) == Path::remote);
}

// SL-8
TEST_CASE("home router: two loads of one remote line are two packets to its home, both counted as on their way") {
  SharedL1Params params = shared_plus_plus();
  params.nearer_of_home_and_l2 = false;
  Node node(params);
  for (int i = 0; i < 2; ++i) CHECK(node.route(AccessKind::load, line_of(5, 0)) == Path::remote);
  CHECK(node.count("remote_reads") == 2);
  CHECK(node.most("remote_reads_in_flight") == 2);
}

// SL-7
TEST_CASE("home router: atomics of other homes go straight to L2, textures stay with the core") {
  SharedL1Params params = shared_plus_plus();
  params.nearer_of_home_and_l2 = false;
  Node node(params);
  CHECK(node.route(AccessKind::atomic, line_of(5, 0)) == Path::direct);
  CHECK(node.transaction.message.kind == MessageKind::atomic_request);
  CHECK(node.route(AccessKind::atomic, line_of(0, 0)) == Path::local);
  CHECK_FALSE(node.logic.may_hold_foreign_lines());
  CHECK(node.route(AccessKind::texture, line_of(5, 0)) == Path::local);
  CHECK(node.logic.may_hold_foreign_lines());
}

// SL-5, SL-6
TEST_CASE("home router: flits of requests, of stores by their sectors, of replies in chunks or whole") {
  for (const bool chunk : {false, true}) {
    SharedL1Params params = shared_plus_plus();
    params.chunk = chunk;
    params.nearer_of_home_and_l2 = false;
    Node node(params);
    for (const auto& [sectors, flits] : {std::pair{1, 2}, std::pair{0b11, 3}, std::pair{0b111, 4}, std::pair{0b1111, 5}}) {
      const auto mask = static_cast<SectorMask>(sectors);
      node.route(AccessKind::load, line_of(5, 0), mask);
      CHECK(node.transaction.message.flits == 1);
      node.logic.head_for_requester(node.transaction);
      CHECK(node.transaction.message.flits == (chunk ? flits : 5));
      node.route(AccessKind::store, line_of(5, 0), mask);
      CHECK(node.transaction.message.flits == flits);
      node.logic.head_for_l2(node.transaction);
      CHECK(node.transaction.message.flits == flits);
      node.logic.head_for_requester(node.transaction);
      CHECK(node.transaction.message.flits == 1);
    }
    CHECK(node.count("useful_bytes.32") == 1);
    CHECK(node.count("useful_bytes.128") == 1);
  }
}

// SL-6
TEST_CASE("home router: with write_forward full_line a store that hit at home takes the whole line to L2") {
  SharedL1Params params = shared_plus_plus();
  params.write_forward = WriteForward::full_line;
  Node node(params);
  node.route(AccessKind::store, line_of(0, 0), 1);
  node.logic.head_for_l2(node.transaction);
  CHECK(node.transaction.message.flits == 2);
  node.transaction.reply.found = true;
  node.logic.head_for_l2(node.transaction);
  CHECK(node.transaction.message.flits == 5);
}

TEST_CASE("home router: while sampling, odd sets go home and even ones do not") {
  SharedL1Params params;
  params.organisation = "dyn_eb";
  params.nearer_of_home_and_l2 = false;
  Node node(params);
  CHECK(node.route(AccessKind::load, line_of(5, 0)) == Path::local);
  CHECK(node.route(AccessKind::load, line_of(5, 0) + 1) == Path::remote);
}

// SL-18
TEST_CASE("home router: while sampling, odd sets take the nearer of home and L2, and the home where there are no distances") {
  SharedL1Params params;
  params.organisation = "dyn_eb";
  Node node(params), on_crossbar(params, 0, false);
  // SM 0 is in a corner: slice 1 is nearer than SM 27 in the opposite corner.
  REQUIRE(node.mesh.hops(0, kCores + 1) < node.mesh.hops(0, 27));
  CHECK(node.route(AccessKind::load, line_of(27, 1)) == Path::local);
  CHECK(node.route(AccessKind::load, line_of(27, 1) + 1) == Path::direct);
  CHECK(node.route(AccessKind::load, line_of(1, 1) + 1) == Path::remote);
  CHECK(on_crossbar.route(AccessKind::load, line_of(27, 1) + 1) == Path::remote);
}

// SL-26, SL-27
TEST_CASE("home router: leftovers are lines of other homes in sets that are shared now") {
  SharedL1Params params;
  params.organisation = "dyn_eb";
  params.dynamic.phase_counts = PhaseCounts::own;
  params.dynamic.sample_accesses = 1;
  params.dynamic.miss_rate_check = false;
  params.dynamic.tie = MetricTie::shared_mode;
  Node node(params);
  const LineAddress own{line_of(0, 0)}, even{line_of(5, 0)}, odd{line_of(5, 0) + 1};
  CHECK_FALSE(node.logic.leftover(own, 5));
  CHECK_FALSE(node.logic.leftover(even, 5));  // sampling: even sets are private
  CHECK(node.logic.leftover(odd, 5));
  node.logic.looked_up({0}, 0, false, false, 0, 10);
  node.logic.looked_up({1}, 0, false, false, 0, 10);
  CHECK_FALSE(node.logic.leftover(even, 10));
  CHECK(node.logic.leftover(even, 11));  // executes shared
  CHECK_FALSE(node.logic.leftover(own, 11));
}

// SL-16
TEST_CASE("home router: with persist_phases off the cycle after a kernel's start samples again") {
  for (const bool persist : {true, false}) {
    SharedL1Params params;
    params.organisation = "dyn_eb";
    params.dynamic.phase_counts = PhaseCounts::own;
    params.dynamic.sample_accesses = 1;
    params.dynamic.persist_phases = persist;
    Node node(params);
    node.logic.looked_up({0}, 0, false, false, 0, 10);
    node.logic.looked_up({1}, 0, false, false, 0, 10);
    node.logic.kernel_starts(20);
    node.logic.looked_up({2}, 0, false, false, 0, 21);
    CHECK(node.count("mode_changes") == (persist ? 1 : 2));
  }
}

TEST_CASE("home router: a mode change that waits for stores waits until the end of the cycle of the last acknowledgement") {
  SharedL1Params params;
  params.organisation = "dyn_eb";
  params.nearer_of_home_and_l2 = false;
  params.dynamic.phase_counts = PhaseCounts::own;
  params.dynamic.sample_accesses = 1;
  params.dynamic.miss_rate_check = false;
  params.dynamic.wait_for_own_stores = true;
  Node node(params);
  node.route(AccessKind::store, line_of(5, 0) + 1);
  const Access store = node.transaction.access;
  node.logic.looked_up({0}, 0, false, false, 0, 10);
  node.logic.looked_up({1}, 0, false, false, 0, 10);
  node.logic.looked_up({0}, 0, false, false, 0, 20);
  CHECK(node.count("mode_changes") == 0);
  node.logic.store_done(store, 30);
  node.logic.looked_up({0}, 0, false, false, 0, 30);
  CHECK(node.count("mode_changes") == 0);
  node.logic.looked_up({0}, 0, false, false, 0, 31);
  CHECK(node.count("mode_changes") == 1);
}

// SL-10
TEST_CASE("out queue: answers leave in the order in which they are ready, first come first among equals") {
  OutQueue queue(4);
  Transaction hit, fill, ack, late;
  queue.add(hit, 30);
  queue.add(fill, 7);
  queue.add(ack, 7);
  queue.add(late, 40);
  CHECK_FALSE(queue.room());
  CHECK(queue.next_ready() == 7);
  CHECK(&queue.pop() == &fill);
  CHECK(&queue.pop() == &ack);
  CHECK(queue.room());
  CHECK(&queue.pop() == &hit);
  CHECK(&queue.pop() == &late);
  CHECK(queue.empty());
  CHECK(queue.next_ready() == kNever);
}
