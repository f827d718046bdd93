// A cluster port between a scripted SM and scripted networks: cycles as sums of their causes (modern_gpus section 4).

#include "model/designs/cluster/cluster_port.h"

#include "tests/block/network/message_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

constexpr std::uint32_t kSharedCycles = 24, kOwnExtra = 4;
constexpr Cycle kLatency = kSharedCycles + kOwnExtra;  // from its turn at the memory to an access's data
constexpr Cycle kLeaves = 1;                           // from a port's decision to the network
constexpr std::uint16_t kOwn = 0, kPeer = 1;           // two SMs of a TPC

ClusterParams port_params() {
  ClusterParams p;
  p.own_extra = kOwnExtra;
  p.age_limit = 4;
  p.tma.multicast_at = MulticastAt::gpc;
  return p;
}

network::HierarchicalParams one_gpc() {
  network::HierarchicalParams p;
  p.gpcs = {6};
  return p;
}

/// An access to the memory of a CTA on SM `sm`.
Access to(std::uint16_t sm, AccessKind kind, SectorMask sectors = 1, std::uint32_t turns = 1) {
  Access access = an_access(kind, LineAddress::of(shared_address({sm, 2}, 1024)).number, sectors);
  access.space = Space::cluster;
  access.written_bytes = turns;
  return access;
}
Access line_of_copy(std::uint16_t sm) { return to(sm, AccessKind::shared, kAllSectors, kLineBytes); }

struct PortBlock {
  explicit PortBlock(const ClusterParams& p = port_params())
      : port("port", p, kOwn, turns,
             {clock, pool, registry, hierarchy, kSharedCycles, 4, [this](const Access&) { arrivals.push_back(clock.now()); }}) {
    add(LinkKind::memory, sm.port.socket, port.upstream());
    add(LinkKind::message, requests_in.port.socket, port.arriving_request());
    add(LinkKind::message, replies_in.port.socket, port.arriving_reply());
    if (p.tma.multicast_at == MulticastAt::gpc) add(LinkKind::message, lines_in.port.socket, port.arriving_line());
    add(LinkKind::message, port.request(), requests_out.port.socket);
    add(LinkKind::message, port.reply(), replies_out.port.socket);
    replies_out.then = [](Payload& payload) { payload.release(); };
  }

  /// Another SM's access, which arrives in cycle `cycle`.
  void from_peer(Cycle cycle, Access access) {
    access.sm = kPeer;
    access.id = ++last_id_;
    Payload& payload = pool.acquire(access);
    payload.message() = {};
    payload.message().source = kPeer;
    payload.message().traffic = Traffic::to_peer;
    payload.message().kind = MessageKind::shared_request;
    requests_in.post(cycle, payload);
  }
  /// A line of a copy that arrives with a reply of L2, for `ctas` CTAs.
  void with_reply(Cycle cycle, unsigned ctas = 1) {
    Access access = line_of_copy(kOwn);
    access.cache_op = CacheOp::bypass_l1;
    access.id = ++last_id_;
    Payload& payload = pool.acquire(access);
    payload.message() = {};
    payload.message().kind = MessageKind::data_reply;
    for (Transaction* last = &payload.transaction(); ctas > 1; --ctas) last = last->copies = &pool.acquire(access).transaction();
    lines_in.post(cycle, payload);
  }
  /// The program's instructions use shared memory in as many cycles as they may, from `first` to `last`; counts them.
  void keep_busy(Cycle first, Cycle last) {
    for (Cycle cycle = first - 1; cycle < last; ++cycle)
      script.at(cycle, [this, cycle] {
        if (!turns.may_start(cycle)) return;
        turns.start(cycle, 1);
        ++instructions;
      });
  }
  std::uint64_t count(const char* metric) const { return counted(registry, std::string("dsm.") + metric); }
  void run() {
    run_kernel();
    for (const auto& checker : checkers_) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(registry.broken_laws() == std::vector<std::string>{});
  }

  ClockDomain clock{"clock", 1400, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  SharedMemoryTurns turns;
  const network::Hierarchy hierarchy{one_gpc(), 6};
  Cycles arrivals;  // at mbarriers
  unsigned instructions = 0;
  ClusterPort port;
  Initiator sm{"sm", clock, pool};
  MessageOut requests_in{"requests_in", clock}, replies_in{"replies_in", clock}, lines_in{"lines_in", clock};
  MessageIn requests_out{"requests_out", clock}, replies_out{"replies_out", clock};

 private:
  void add(LinkKind kind, tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to) {
    checkers_.push_back(std::make_unique<ProtocolChecker>(("link" + std::to_string(checkers_.size())).c_str(), kind));
    connect(from, *checkers_.back(), to);
  }
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
  std::uint64_t last_id_ = 1000;
};

}  // namespace

// CL-2
TEST_CASE("cluster port: an access to the own memory takes its turn as it arrives, and shared_cycles and own_extra after it") {
  PortBlock block;
  const auto load = block.sm.send(10, to(kOwn, AccessKind::load)), store = block.sm.send(20, to(kOwn, AccessKind::store));
  block.run();
  CHECK(block.sm.answered(load) == 10 + kLatency);
  CHECK(block.sm.answered(store) == 20 + kLatency);
  CHECK(block.count("own") == 2);
  CHECK(block.count("wait_cycles") == 0);
}

// CL-3
TEST_CASE("cluster port: an access to another SM leaves a cycle later in its bytes, and its answer reaches the SM as it arrives") {
  PortBlock block;
  block.requests_out.then = [&block](Payload& payload) { block.replies_in.post(payload.access().issue_cycle + 100, payload); };
  const std::vector<std::pair<Access, unsigned>> requests = {{to(kPeer, AccessKind::load, kAllSectors), 32},
                                                             {to(kPeer, AccessKind::store, 0b0011), 16 + 2 * 32},
                                                             {to(kPeer, AccessKind::atomic), 16 + 32},
                                                             {line_of_copy(kPeer), 128}};  // a part of a long message
  std::vector<std::uint64_t> ids;
  for (std::size_t i = 0; i < requests.size(); ++i) ids.push_back(block.sm.send(10 + 10 * i, requests[i].first));
  block.run();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const MessageIn::Message& message = block.requests_out.messages.at(i);
    CHECK(message.cycle == 10 + 10 * i + kLeaves);
    CHECK(message.header.destination == kPeer);
    CHECK(message.header.flits * 8u == requests[i].second);
    CHECK(block.sm.answered(ids[i]) == 10 + 10 * i + 100);
  }
  CHECK(block.count("by_distance.tpc") == requests.size());
}

// CL-2, CL-3
TEST_CASE("cluster port: another SM's load, store and atomic are answered after the path to the own memory, in the bytes of their data") {
  PortBlock block;
  const Cycle turns = 3;  // of lanes that change the same word
  block.from_peer(10, to(kOwn, AccessKind::load));
  block.from_peer(20, to(kOwn, AccessKind::store));
  block.from_peer(30, to(kOwn, AccessKind::atomic, 1, turns));
  block.run();
  CHECK(block.replies_out.cycles() == Cycles{10 + kLatency + kLeaves, 20 + kLatency + kLeaves, 30 + (turns - 1) + kLatency + kLeaves});
  const std::vector<unsigned> bytes = {8 + 32, 8, 8 + 32};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    CHECK(block.replies_out.messages.at(i).header.destination == kPeer);
    CHECK(block.replies_out.messages.at(i).header.flits * 8u == bytes[i]);
  }
  CHECK(block.count("served") == bytes.size());
  CHECK(block.arrivals.empty());
}

// CL-4
TEST_CASE("cluster port: an access of another SM waits for the last bank-conflict cycle of a program's instruction") {
  PortBlock block;
  const Cycle conflict = 7;
  block.script.at(9, [&] { block.turns.start(9, conflict); });  // occupies cycles 10 to 16
  block.from_peer(10, to(kOwn, AccessKind::load));
  block.run();
  CHECK(block.replies_out.cycles() == Cycles{10 + conflict + kLatency + kLeaves});
  CHECK(block.count("wait_cycles") == conflict);
}

// CL-4
TEST_CASE("cluster port: an access that has waited for age_limit cycles goes before the program's instructions, which go on behind it") {
  PortBlock block;
  const Cycle age_limit = 4, last_instruction = 1;  // that starts as the port claims the memory
  block.keep_busy(10, 40);
  block.from_peer(10, to(kOwn, AccessKind::load));
  block.run();
  CHECK(block.replies_out.cycles() == Cycles{10 + age_limit + last_instruction + 1 + kLatency + kLeaves});
  CHECK(block.instructions == (40 - 10 + 1) - 2);  // none in the cycle of the access, nor in the next: the memory is given back then
}

// CL-4
TEST_CASE("cluster port: accesses of the own SM and of another take turns in order of arrival, one cycle each") {
  PortBlock block;
  const auto first = block.sm.send(10, to(kOwn, AccessKind::load));
  block.from_peer(10, to(kOwn, AccessKind::load));
  const auto third = block.sm.send(11, to(kOwn, AccessKind::load));
  block.run();
  CHECK(block.sm.answered(first) == 10 + kLatency);
  CHECK(block.replies_out.cycles() == Cycles{11 + kLatency + kLeaves});
  CHECK(block.sm.answered(third) == 12 + kLatency);
  CHECK(block.count("wait_cycles") == 1 + 1);
}

// CL-8, CL-9
TEST_CASE("cluster port: a line of a copy is written and counted in one turn, and its writer is told unless it came with a reply of L2") {
  PortBlock block;
  const auto own = block.sm.send(10, line_of_copy(kOwn));
  block.from_peer(20, line_of_copy(kOwn));
  block.with_reply(30);
  block.run();
  CHECK(block.arrivals == Cycles{10, 20, 30});
  CHECK(block.sm.answered(own) == 10 + kLatency);
  CHECK(block.replies_out.cycles() == Cycles{20 + kLatency + kLeaves});
  CHECK(block.replies_out.messages[0].header.flits * 8u == 8);
  CHECK(block.count("lines") == 1);
  CHECK(block.count("served") == 1);
}

// CL-9
TEST_CASE("cluster port: a line with a reply takes a turn for each CTA of the SM that gets it") {
  PortBlock block;
  block.with_reply(10, 3);
  block.from_peer(11, to(kOwn, AccessKind::load));
  block.run();
  CHECK(block.arrivals == Cycles{12, 12, 12});
  CHECK(block.replies_out.cycles() == Cycles{10 + 3 + kLatency + kLeaves});
}

// CL-9
TEST_CASE("cluster port: lines with replies that find no room wait in the network until one has been written") {
  ClusterParams p = port_params();
  p.queue = 1;
  PortBlock block(p);
  const Cycle busy = 3;
  block.script.at(9, [&] { block.turns.start(9, busy); });
  for (const Cycle cycle : {10, 11, 12}) block.with_reply(cycle);
  block.run();
  const Cycle first = 10 + busy, has_room = first + 1, network_knows = has_room + 1;
  CHECK(block.arrivals == Cycles{first, has_room, network_knows + 1});  // the last one has not left the network before
  CHECK(block.lines_in.taken_later.size() == 1);
}

// CL-9
TEST_CASE("cluster port: lines with replies go first after age_limit too") {
  PortBlock block;
  block.keep_busy(10, 40);
  block.with_reply(10);
  block.run();
  CHECK(block.arrivals == Cycles{10 + 4 + 1 + 1});
}
