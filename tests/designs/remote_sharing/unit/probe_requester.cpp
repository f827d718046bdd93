// The requesting side replays remote_sharing sections 7, 10 and 12.
#include <catch2/catch.hpp>

#include "tests/designs/remote_sharing/unit/probe_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

std::vector<unsigned> targets(const Transaction& probe) {
  return {probe.body->list.begin() + probe.body->next, probe.body->list.begin() + probe.body->end};
}

RemoteSharingParams plain() {
  RemoteSharingParams params;
  params.probing = Probing::single;
  return params;
}

}  // namespace

TEST_CASE("fifteen targets are dealt to two probes as 8 and 7, disjoint and in the order drawn") {
  Requester requester;
  requester.logic.search(requester.stock.miss(5), first_cores(15), 2, 0);
  const auto probes = requester.sent();
  REQUIRE(probes.size() == 2);
  CHECK(targets(*probes[0]) == std::vector<unsigned>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(targets(*probes[1]) == std::vector<unsigned>{9, 10, 11, 12, 13, 14, 15});
  CHECK(probes[0]->body->role == ProbeRole::leader);
  CHECK(probes[1]->body->role == ProbeRole::scout);
  CHECK(probes[0]->message.destination == 1);
  CHECK(probes[1]->message.destination == 9);
}

// RS-24
TEST_CASE("shares of one miss differ by at most one, the larger first, and the leader can have the smaller") {
  for (const LeaderShare share : {LeaderShare::larger, LeaderShare::smaller}) {
    RemoteSharingParams params;
    params.leader_share = share;
    params.queues.outgoing = 512;
    for (unsigned count = 1; count <= 27; ++count) {
      for (unsigned probes = 1; probes <= std::min(count, 5u); ++probes) {
        Requester requester(params);
        requester.logic.search(requester.stock.miss(5), first_cores(count), probes, 0);
        const auto sent = requester.sent();
        REQUIRE(sent.size() == probes);
        std::size_t least = 99, most = 0, sum = 0;
        for (const Transaction* probe : sent) {
          least = std::min(least, targets(*probe).size());
          most = std::max(most, targets(*probe).size());
          sum += targets(*probe).size();
        }
        CHECK(sum == count);
        CHECK(least >= 1);
        CHECK(most - least <= 1);
        CHECK(targets(*sent[0]).size() == (share == LeaderShare::larger ? most : least));
      }
    }
  }
}

TEST_CASE("twenty-seven targets and two smaller-leader probes are 13 and 14, as in the source's picture") {
  RemoteSharingParams params;
  params.leader_share = LeaderShare::smaller;
  Requester requester(params);
  requester.logic.search(requester.stock.miss(5), first_cores(27), 2, 0);
  const auto probes = requester.sent();
  CHECK(targets(*probes[0]).size() == 13);
  CHECK(targets(*probes[1]).size() == 14);
}

TEST_CASE("data of the leader fill the miss and the scout's candidates are ignored") {
  Requester requester;
  Transaction& miss = requester.stock.miss(5);
  requester.logic.search(miss, first_cores(27), 2, 0);
  const auto probes = requester.sent();
  CHECK(requester.data(*probes[0]) == &miss);
  CHECK(miss.reply.served_by == ServedBy::peer);
  requester.home(*probes[1], {14, 17});
  CHECK(requester.logic.outgoing() == nullptr);
  CHECK(requester.logic.processed_nack() == nullptr);
  CHECK(requester.logic.tracked() == 0);
  CHECK(requester.logic.waiting_for_cores() == 0);
  CHECK(requester.counters.late_returns.value() == 1);
  CHECK(requester.stock.out == 1);
}

// RS-25
TEST_CASE("a leader in vain and a scout with two candidates make one probe of the second level, in the order found") {
  Requester requester;
  Transaction& miss = requester.stock.miss(5);
  requester.logic.search(miss, first_cores(27), 2, 0);
  const auto probes = requester.sent();
  requester.home(*probes[0]);
  CHECK(requester.logic.outgoing() == nullptr);  // the scout is in flight (RS-25)
  requester.home(*probes[1], {26, 17});
  const auto second = requester.sent();
  REQUIRE(second.size() == 1);
  CHECK(second[0]->body->role == ProbeRole::second_level);
  CHECK(targets(*second[0]) == std::vector<unsigned>{17, 26});
  CHECK(requester.data(*second[0]) == &miss);
  CHECK(requester.counters.injected.value() == 3);
  CHECK(requester.stock.out == 1);
}

TEST_CASE("a second level in vain releases the L2 request as a processed NACK") {
  Requester requester;
  Transaction& miss = requester.stock.miss(5);
  requester.logic.search(miss, first_cores(4), 2, 0);
  auto probes = requester.sent();
  requester.home(*probes[1], {3});
  requester.home(*probes[0]);
  probes = requester.sent();
  REQUIRE(probes.size() == 1);
  requester.home(*probes[0]);
  Transaction* request = requester.logic.processed_nack();
  REQUIRE(request != nullptr);
  CHECK(requester.counters.failed_searches.value() == 1);
  requester.logic.pop_processed_nack(0);
  request->reply.served_by = ServedBy::l2;
  CHECK(requester.logic.served(*request) == &miss);
  CHECK(miss.reply.served_by == ServedBy::l2);
  CHECK(requester.logic.tracked() == 0);
  CHECK(requester.stock.out == 1);
}

TEST_CASE("a search without candidates fails when its last probe is home") {
  Requester requester;
  requester.logic.search(requester.stock.miss(5), first_cores(6), 3, 0);
  const auto probes = requester.sent();
  requester.home(*probes[2]);
  requester.home(*probes[0]);
  CHECK(requester.logic.processed_nack() == nullptr);
  requester.home(*probes[1]);
  CHECK(requester.logic.processed_nack() != nullptr);
  CHECK(requester.logic.waiting_for_cores() == 0);
}

TEST_CASE("of two plain probes the first data fill the miss, the later are redundant") {
  Requester requester(plain());
  Transaction& miss = requester.stock.miss(5);
  requester.logic.search(miss, first_cores(8), 2, 0);
  const auto probes = requester.sent();
  CHECK(probes[1]->body->role == ProbeRole::leader);
  CHECK(requester.data(*probes[1]) == &miss);
  CHECK(requester.data(*probes[0]) == nullptr);
  CHECK(requester.counters.redundant.value() == 1);
  CHECK(requester.stock.out == 1);
}

TEST_CASE("data in time take back the probes that have not left") {
  Requester requester(plain());
  requester.logic.search(requester.stock.miss(5), first_cores(8), 2, 0);
  Transaction* first = requester.logic.outgoing();
  requester.logic.pop_outgoing(0);
  REQUIRE(requester.data(*first) != nullptr);
  CHECK(requester.logic.outgoing() == nullptr);
  CHECK(requester.counters.cancelled.value() == 1);
}

// RS-34, RS-35
TEST_CASE("after 2048 cycles the head goes to L2, its unsent probes are taken back, and what comes home later is dropped") {
  Requester requester;
  Transaction& miss = requester.stock.miss(5);
  requester.logic.search(miss, first_cores(4), 2, 100);
  CHECK(requester.logic.deadline() == 100 + 2048);
  Transaction* leader = requester.logic.outgoing();
  requester.logic.pop_outgoing(100);
  requester.logic.check_head(2147);
  CHECK(requester.logic.selective() == nullptr);
  requester.logic.check_head(2148);
  Transaction* request = requester.logic.selective();
  REQUIRE(request != nullptr);
  CHECK(requester.logic.outgoing() == nullptr);
  CHECK(requester.counters.cancelled.value() == 1);
  CHECK(requester.counters.unanswered.value() == 1);
  requester.logic.pop_selective();
  requester.home(*leader);
  CHECK(requester.counters.late_returns.value() == 1);
  CHECK(requester.logic.processed_nack() == nullptr);
  CHECK(requester.logic.served(*request) == &miss);
  CHECK(requester.stock.out == 1);
}

TEST_CASE("late data withdraw an L2 request that has not left, and make the reply of one that has left worthless") {
  for (const bool left : {false, true}) {
    Requester requester;
    Transaction& miss = requester.stock.miss(5);
    requester.logic.search(miss, first_cores(4), 1, 0);
    const auto probes = requester.sent();
    requester.logic.check_head(2048);
    Transaction* request = requester.logic.selective();
    REQUIRE(request != nullptr);
    if (left) requester.logic.pop_selective();
    CHECK(requester.data(*probes[0]) == &miss);
    CHECK(requester.logic.selective() == nullptr);
    CHECK(requester.logic.waiting_for_cores() == 0);
    if (left) CHECK(requester.logic.served(*request) == nullptr);
    CHECK(requester.counters.late_l2_replies.value() == (left ? 1 : 0));
    CHECK(requester.stock.out == 1);
  }
}

// RS-34
TEST_CASE("a failed search in the middle leaves the queue, deadlines behind it stay in order") {
  Requester requester;
  Cycle now = 0;
  std::vector<std::vector<Transaction*>> probes;
  for (std::uint64_t line : {1, 2, 3}) {
    requester.logic.search(requester.stock.miss(line), first_cores(2), 1, now += 10);
    probes.push_back(requester.sent());
  }
  CHECK(requester.logic.waiting_for_cores() == 3);
  requester.home(*probes[1][0]);
  CHECK(requester.logic.waiting_for_cores() == 2);
  CHECK(requester.logic.tracked() == 3);
  CHECK(requester.logic.deadline() == 10 + 2048);
  requester.data(*probes[0][0]);
  CHECK(requester.logic.deadline() == 30 + 2048);
}

// RS-8
TEST_CASE("a group that is used again does not take the probes of the one before for its own") {
  Requester requester({}, 1);
  requester.logic.search(requester.stock.miss(1), first_cores(2), 2, 0);
  const auto old = requester.sent();
  REQUIRE(requester.data(*old[0]) != nullptr);
  requester.logic.search(requester.stock.miss(2), first_cores(2), 1, 0);
  requester.home(*old[1], {2});
  CHECK(requester.counters.late_returns.value() == 1);
  CHECK(requester.logic.outgoing() != nullptr);
  CHECK(requester.logic.tracked() == 1);
}

// RS-6, RS-7
TEST_CASE("a probe of 27 targets and its list of candidates fit one flit of 32 B") {
  ProbeBody body;
  body.end = 27;
  CHECK(8 + (body.bits(5) + 7) / 8 <= 32);
  body.end = 15;
  CHECK(body.bits(5) == 109);
}
