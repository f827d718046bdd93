// The two ends of memory and message links, and the finite queue behind a target port.

#include <algorithm>
#include <deque>
#include <vector>

#include "model/tlm/request_queue.h"
#include "tests/block/block_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

/// initiator - checker - target on one clock.
struct MemoryLink {
  ClockDomain clock{"clock", 1000, {}};
  PayloadPool pool;
  Initiator initiator{"initiator", clock, pool};
  ProtocolChecker checker{"link", LinkKind::memory};
  Target target{"target", clock};
  Script script{clock};

  MemoryLink() { connect(initiator.port.socket, checker, target.port.socket); }
  void run() {
    run_kernel();
    CHECK(checker.check_end().empty());
    CHECK(pool.alive() == 0);
  }
};

class Source final : public sc_core::sc_module, private MessageSource {
 public:
  explicit Source(sc_core::sc_module_name name) : sc_module(name) {}
  MessageSourcePort port{"port", *this, 0};
  std::vector<Picoseconds> told;

 private:
  void posted(unsigned, Picoseconds at) override { told.push_back(at); }
};

class Sink final : public sc_core::sc_module, private MessageSink {
 public:
  explicit Sink(sc_core::sc_module_name name) : sc_module(name) {}
  MessageSinkPort port{"port", *this, 0};
  std::vector<std::pair<std::uint64_t, Picoseconds>> messages;  // id, time
  bool takes = true;

 private:
  bool message(unsigned, Payload& payload, Picoseconds at) override {
    messages.emplace_back(payload.access().id, at);
    return takes;
  }
};

}  // namespace

TEST_CASE("request queue: it takes as many requests as it has entries and serves them in order") {
  PayloadPool pool;
  RequestQueue queue(2);
  Payload &first = pool.acquire(a_load(1)), &second = pool.acquire(a_load(2)), &third = pool.acquire(a_load(3));
  CHECK(queue.empty());
  CHECK(queue.next_ready() == kNever);
  CHECK(queue.offer(first, 10, 3, 9) == Acceptance::accepted);
  CHECK(queue.offer(second, 11, 3, 10) == Acceptance::accepted);
  CHECK(queue.offer(third, 12, 3, 11) == Acceptance::pending);
  CHECK(queue.size() == 2);
  CHECK(queue.waiting());
  CHECK(queue.pending() == &third);
  CHECK_FALSE(queue.ready(12));
  CHECK(queue.next_ready() == 10 + 3);
  CHECK(queue.ready(13));
  CHECK(&queue.pop(13) == &first);
  CHECK(queue.next_ready() == 11 + 3);
  CHECK(&queue.pop(14) == &second);
}

TEST_CASE("request queue: the order holds round and round, whether it runs empty between or not") {
  PayloadPool pool;
  RequestQueue queue(3);
  std::deque<Payload*> expected;
  for (Cycle now = 1; now < 40; ++now) {
    while (queue.size() < 3 && now % 5 != 0) {
      Payload& payload = pool.acquire(a_load(now));
      CHECK(queue.offer(payload, now + expected.size(), 0, now) == Acceptance::accepted);
      expected.push_back(&payload);
      if (now % 3 == 0) break;
    }
    std::vector<Payload*> seen;
    queue.for_each([&](Payload& payload) { seen.push_back(&payload); });
    CHECK(std::equal(seen.begin(), seen.end(), expected.begin(), expected.end()));
    for (Cycle popped = 0; popped < now % 4 && !queue.empty(); ++popped, expected.pop_front()) CHECK(&queue.pop(now) == expected.front());
    CHECK(queue.size() == expected.size());
    CHECK(queue.empty() == (queue.next_ready() == kNever));
    ++now;  // a taken request leaves room from here on
  }
}

TEST_CASE("request queue: a place that is left in a cycle can be taken in the next one, whoever comes first in the cycle") {
  PayloadPool pool;
  RequestQueue queue(1);
  Payload &first = pool.acquire(a_load(1)), &second = pool.acquire(a_load(2)), &third = pool.acquire(a_load(3));
  queue.offer(first, 5, 0, 4);
  queue.pop(5);
  CHECK(queue.offer(second, 6, 0, 5) == Acceptance::pending);  // as if it had arrived before the pop
  Cycle end = 0;
  CHECK(queue.admit_pending(5, end) == nullptr);
  CHECK(queue.admit_pending(6, end) == &second);
  CHECK(end == 7);
  CHECK_FALSE(queue.waiting());
  queue.pop(6);
  CHECK(queue.offer(third, 8, 0, 7) == Acceptance::accepted);
}

TEST_CASE("request queue: one place beside a pipeline takes one request per cycle, offered a cycle before it arrives") {
  PayloadPool pool;
  RequestQueue queue(1, 3);
  queue.lengthen_pipeline(2);
  REQUIRE(queue.capacity() == 1 + 3 + 2);
  constexpr Cycle kLatency = 3 + 2 - 1;
  for (Cycle now = 10; now < 40; ++now) {
    CHECK(queue.offer(pool.acquire(a_load(1)), now + 1, kLatency, now) == Acceptance::accepted);
    if (queue.ready(now)) queue.pop(now);
  }
  CHECK(queue.size() == kLatency + 1);
  // Nothing is served any more. The place of the queue is taken as well, and the next request waits.
  CHECK(queue.offer(pool.acquire(a_load(1)), 41, kLatency, 40) == Acceptance::accepted);
  CHECK(queue.offer(pool.acquire(a_load(1)), 42, kLatency, 41) == Acceptance::pending);
}

TEST_CASE("request queue: several places left in a cycle stay closed for it, all of them") {
  PayloadPool pool;
  RequestQueue queue(3);
  for (int i = 0; i < 3; ++i) queue.offer(pool.acquire(a_load(1)), 5, 0, 4);
  queue.pop(5);
  queue.pop(5);
  CHECK(queue.offer(pool.acquire(a_load(2)), 6, 0, 5) == Acceptance::pending);
  Cycle end = 0;
  CHECK(queue.admit_pending(6, end) != nullptr);
  CHECK(queue.offer(pool.acquire(a_load(3)), 7, 0, 6) == Acceptance::accepted);
  CHECK(queue.offer(pool.acquire(a_load(4)), 7, 0, 6) == Acceptance::pending);
}

TEST_CASE("request queue: a request that waited is served its latency after its place was free, never before its own arrival") {
  PayloadPool pool;
  RequestQueue queue(1);
  Cycle end = 0;
  for (const auto& [arrival, room] : {std::pair<Cycle, Cycle>{6, 20}, {90, 20}}) {
    queue.offer(pool.acquire(a_load(1)), 5, 0, 4);
    queue.offer(pool.acquire(a_load(2)), arrival, 3, 5);
    queue.pop(room - 1);
    REQUIRE(queue.admit_pending(room, end) != nullptr);
    CHECK(queue.next_ready() == std::max(arrival, room) + 3);
    CHECK(end == std::max(arrival, room + 1));
    queue.pop(100);
  }
}

TEST_CASE("memory link: a request that is taken at once ends on the return path, and the next may follow in the next cycle") {
  MemoryLink link;
  for (Cycle cycle : {10, 11, 12}) link.initiator.send(cycle, a_load(cycle));
  link.run();
  CHECK(link.target.arrivals() == Cycles{10, 11, 12});
  CHECK(link.initiator.accepted_later.empty());
  CHECK(link.initiator.answered(3) == 12 + link.target.latency);
  CHECK(link.checker.completed() == 3);
}

TEST_CASE("memory link: while a request is pending no other is sent, and its acceptance lets the next go") {
  MemoryLink link;
  link.target.takes = [](std::size_t n) { return n != 0; };
  link.initiator.send(10, a_load(1));
  link.initiator.send(11, a_load(2));
  link.script.at(29, [&] { link.target.accept(); });
  link.run();
  CHECK(link.initiator.accepted_later.at(1) == 30);
  CHECK(link.target.arrivals() == Cycles{10, 30 + 1});
  CHECK(link.initiator.answered(1) == 30 + link.target.latency);
}

TEST_CASE("memory link: an answer that is not taken at once stops the next until it is") {
  MemoryLink link;
  link.initiator.takes = [](std::size_t n) { return n != 0; };
  link.initiator.send(10, a_load(1));
  link.initiator.send(11, a_load(2));
  link.script.at(99, [&] { link.initiator.accept_waiting(); });
  link.run();
  REQUIRE(link.initiator.replies.size() == 2);
  CHECK(link.initiator.answered(1) == 100);
  CHECK(link.initiator.answered(2) == 100 + 1);
}

TEST_CASE("memory link: requests and answers carry access, versions and reply hint, and a payload of the pool serves again") {
  MemoryLink link;
  link.target.contents = {4, 5, 6, 7};
  link.initiator.send(10, a_store(8, 0b0110), {0, 70, 71, 0});
  link.initiator.send(200, a_load(9, 0b1000));
  link.run();
  REQUIRE(link.target.requests.size() == 2);
  CHECK(link.target.requests[0].access.kind == AccessKind::store);
  CHECK(link.target.requests[0].access.covered == 0b0110);
  CHECK(link.target.requests[0].versions == SectorVersions{0, 70, 71, 0});
  CHECK(link.target.requests[1].access.line == LineAddress{9});
  CHECK(link.target.requests[1].access.sectors == 0b1000);
  CHECK(link.target.requests[1].versions == SectorVersions{});  // it keeps nothing of the store
  CHECK(link.initiator.reply_to(2).versions == SectorVersions{4, 5, 6, 7});
  CHECK(link.initiator.reply_to(2).hint.served_by == ServedBy::l2);
  CHECK(link.target.requests[0].payload == link.target.requests[1].payload);
}

TEST_CASE("memory link: blocking transport is refused with an error, direct memory denied, debug access passed on") {
  MemoryLink link;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Payload& payload = link.pool.acquire(a_load(1));
  unsigned char data[kLineBytes];
  payload.set_data_ptr(data);
  sc_core::sc_time time;
  link.initiator.port.socket->b_transport(payload, time);
  CHECK(payload.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
  tlm::tlm_dmi dmi;
  CHECK_FALSE(link.initiator.port.socket->get_direct_mem_ptr(payload, dmi));
  CHECK(link.initiator.port.debug(payload) == 23);
}

TEST_CASE("payload: the generic attributes say what the access says") {
  PayloadPool pool;
  const Payload& load = pool.acquire(a_load(3));
  CHECK(load.get_address() == 3 * 128);
  CHECK(load.is_read());
  CHECK(load.get_data_length() == 128);
  CHECK(load.get_streaming_width() == 128);
  CHECK(load.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
  CHECK(load.get_extension<AccessExtension>()->carried().access.line == LineAddress{3});
  CHECK(pool.acquire(a_store(3)).is_write());
  CHECK(pool.acquire(an_atomic(3)).is_read());  // it returns data
  CHECK(pool.alive() == 3);
}

TEST_CASE("payload: a copy of one carries the same access, and is no payload of this model") {
  PayloadPool pool;
  Payload& load = pool.acquire(a_load(3));
  CHECK(Payload::behind(load) == &load);
  tlm::tlm_generic_payload copy;
  CHECK(Payload::behind(copy) == nullptr);
  copy.deep_copy_from(load);
  CHECK(copy.get_extension<AccessExtension>()->carried().access.line == LineAddress{3});
  CHECK(Payload::behind(copy) == nullptr);
  copy.deep_copy_from(pool.acquire(a_load(4)));
  CHECK(copy.get_extension<AccessExtension>()->carried().access.line == LineAddress{4});
  CHECK(load.access().line == LineAddress{3});
  load.versions() = {1, 2, 3, 4};
  load.deep_copy_from(copy);
  CHECK(load.access().line == LineAddress{4});
  CHECK(load.versions() == SectorVersions{});
  tlm::tlm_generic_payload borrower;
  borrower.set_extension(load.get_extension<AccessExtension>());
  CHECK(Payload::behind(borrower) == nullptr);
  borrower.clear_extension(load.get_extension<AccessExtension>());
}

TEST_CASE("payload pool: it is idle before a time only when the last payload came back earlier") {
  ClockDomain clock("clock", 1000, {});
  PayloadPool pool;
  Script script(clock);
  Payload* payload = nullptr;
  script.at(5, [&] { payload = &pool.acquire(a_load(1)); });
  script.at(6, [&] { CHECK_FALSE(pool.idle_before(clock.edge(6))); });
  script.at(7, [&] {
    payload->release();
    CHECK_FALSE(pool.idle_before(clock.edge(7)));  // the result does not depend on who asks first in this cycle
  });
  script.at(8, [&] { CHECK(pool.idle_before(clock.edge(8))); });
  run_kernel();
  CHECK(pool.alive() == 0);
}

TEST_CASE("message link: a message that is taken at once is complete, one that is not is taken later and tells its source") {
  Source source("source");
  ProtocolChecker checker("link", LinkKind::message);
  Sink sink("sink");
  PayloadPool pool;
  connect(source.port.socket, checker, sink.port.socket);
  sc_core::sc_start(sc_core::sc_time::from_value(1000));
  Access access = a_load(4);
  access.id = 1;
  CHECK(source.port.post(pool.acquire(access), 700));
  CHECK(sink.messages == std::vector<std::pair<std::uint64_t, Picoseconds>>{{1, 1700}});
  CHECK(source.told.empty());
  sink.takes = false;
  access.id = 2;
  Payload& waiting = pool.acquire(access);
  CHECK_FALSE(source.port.post(waiting, 700));
  CHECK(checker.check_end().size() == 1);
  sc_core::sc_start(sc_core::sc_time::from_value(2000));
  CHECK(source.told.empty());
  sink.port.accept(waiting, 50);
  CHECK(source.told == std::vector<Picoseconds>{1000 + 2000 + 50});
  CHECK(checker.check_end().empty());
  CHECK(checker.completed() == 2);
}
