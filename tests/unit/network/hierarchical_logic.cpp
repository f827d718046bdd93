// The hierarchical crossbar without SystemC: cycles as sums of their causes (modern_gpus section 3).

#include "model/network/hierarchical/hierarchical_logic.h"

#include <array>
#include <catch2/catch.hpp>
#include <map>

#include "model/base/rng.h"
#include "tests/unit/counted.h"
#include "tests/unit/network/hierarchical_plain.h"
#include "tests/unit/network/port_rig.h"
#include "tests/unit/network/two_gpcs.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

constexpr Cycle kSm = 2, kTpc = 2, kCpc = 3, kGpc = 5, kSlice = 8;

struct HierarchicalNet : testing::PortNet<HierarchicalLogic> {
  explicit HierarchicalNet(bool requests, const HierarchicalParams& p = two_gpcs())
      : PortNet(p, {requests, kSms, kSlices}, requests ? kSms : kSlices, requests ? kSlices : kSms) {}

  std::vector<Cycle> cycles(unsigned destination) const {
    std::vector<Cycle> all;
    for (const Arrival& arrival : arrived[destination]) all.push_back(arrival.cycle);
    return all;
  }
  std::vector<std::uint64_t> handles(unsigned destination) const {
    std::vector<std::uint64_t> all;
    for (const Arrival& arrival : arrived[destination]) all.push_back(arrival.handle);
    return all;
  }
  std::uint64_t count(const char* name) const { return test::counted(registry, std::string("net.") + name); }
  void end() {
    CHECK(registry.broken_laws() == std::vector<std::string>{});
    CHECK(logic.idle());
  }
};

using Cycles = std::vector<Cycle>;

}  // namespace

TEST_CASE(
    "hierarchical crossbar: a packet that waits for nothing takes its links' latencies and the bytes behind its first at the narrowest") {
  for (const bool requests : {true, false})
    for (unsigned flits = 1; flits <= 17; ++flits) {
      CAPTURE(requests, flits);
      HierarchicalNet net(requests);
      net.post(10, 7, 19, flits * 8, 1);
      net.run(200);
      const Cycle narrowest = requests ? 32 : 64;
      CHECK(net.cycles(19) == Cycles{10 + kSm + kTpc + kCpc + kGpc + kSlice + (flits * 8 + narrowest - 1) / narrowest - 1});
      net.end();
    }
}

TEST_CASE("hierarchical crossbar: a packet takes one to five times the narrowest link's width wherever that link is") {
  for (const bool requests : {true, false})
    for (unsigned narrow = 0; narrow < kTiers; ++narrow)
      for (unsigned flits = 1; flits <= 5; ++flits) {
        CAPTURE(requests, narrow, flits);
        HierarchicalParams p = two_gpcs();
        for (unsigned t = 0; t < kTiers; ++t) (requests ? p.request : p.reply).tiers[t].rate = {t == narrow ? 8u : 100u, 1};
        HierarchicalNet net(requests, p);
        net.post(10, 0, 0, flits * 8, 1);
        net.run(200);
        CHECK(net.cycles(0) == Cycles{10 + kSm + kTpc + kCpc + kGpc + kSlice + flits - 1});
        net.end();
      }
}

TEST_CASE("hierarchical crossbar: a tier that is absent takes no time") {
  for (const auto& [tpc, cpc, absent] : {std::tuple{0u, 6u, kTpc}, {2u, 0u, kCpc}, {0u, 0u, kTpc + kCpc}})
    for (const bool requests : {true, false}) {
      HierarchicalParams p = two_gpcs();
      p.tpc_sms = tpc;
      p.cpc_sms = cpc;
      HierarchicalNet net(requests, p);
      net.post(10, 19, 3, 8, 1);
      net.run(200);
      CHECK(net.cycles(3) == Cycles{10 + kSm + kTpc + kCpc + kGpc + kSlice - absent});
      net.end();
    }
}

TEST_CASE("hierarchical crossbar: parts of cycles are kept at a rate that is not a whole number of bytes per cycle") {
  HierarchicalParams p = two_gpcs();
  p.request[Tier::sm].rate = {64, 3};
  HierarchicalNet net(true, p);
  for (unsigned i = 0; i < 6; ++i) net.post(10, 0, i, 8, i);
  net.run(200);
  // 8 B take 3/8 of a cycle: the last byte of packet i leaves after 3 (i + 1) / 8 cycles.
  for (unsigned i = 0; i < 6; ++i) CHECK(net.cycles(i) == Cycles{10 + (3 * (i + 1) + 7) / 8 - 1 + 20});
  net.end();
}

TEST_CASE("hierarchical crossbar: two SMs of a TPC take turns on its link, one packet each") {
  HierarchicalParams p = two_gpcs();
  p.request[Tier::sm].rate = {64, 1};
  p.request[Tier::tpc].rate = {8, 1};
  p.queue = 64;
  HierarchicalNet net(true, p);
  for (unsigned i = 0; i < 8; ++i) net.post(10, i % 2, 0, 8, i % 2 * 100 + i / 2);
  net.run(200);
  CHECK(net.handles(0) == std::vector<std::uint64_t>{0, 100, 1, 101, 2, 102, 3, 103});
  CHECK(net.cycles(0) == Cycles{30, 31, 32, 33, 34, 35, 36, 37});
  CHECK(net.count("refused.arbitration") == 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7);
  CHECK(net.count("tpc.wait") == net.count("refused.arbitration"));
  net.end();
}

TEST_CASE("hierarchical crossbar: the GPCs take turns at a slice") {
  HierarchicalParams p = two_gpcs();
  p.request[Tier::slice].rate = {8, 1};
  HierarchicalNet net(true, p);
  for (unsigned i = 0; i < 4; ++i) {
    net.post(10, 0, 5, 8, i);
    net.post(10, 12, 5, 8, 100 + i);
  }
  net.run(200);
  CHECK(net.handles(5) == std::vector<std::uint64_t>{0, 100, 1, 101, 2, 102, 3, 103});
  CHECK(net.cycles(5) == Cycles{30, 31, 32, 33, 34, 35, 36, 37});
  net.end();
}

TEST_CASE("hierarchical crossbar: a GPC's packets to a busy slice hold up those behind them to the same eight slices, and no others") {
  HierarchicalParams p = two_gpcs();
  p.request[Tier::slice].rate = {8, 10};
  HierarchicalNet net(true, p);
  net.post(10, 0, 0, 8, 1);
  net.post(10, 0, 0, 8, 2);
  net.post(10, 0, 7, 8, 3);
  net.post(10, 0, 8, 8, 4);
  net.run(300);
  const Cycle through = 10 - 1;  // a packet's bytes on the link of a slice
  CHECK(net.cycles(0) == Cycles{30 + through, 30 + 10 + through});
  CHECK(net.cycles(7) == Cycles{30 + 10 + through});
  CHECK(net.cycles(8) == Cycles{30 + through});
  net.end();
}

TEST_CASE("hierarchical crossbar: a CPC's link limits its SMs to its rate, and a GPC's those of the GPC") {
  for (const bool requests : {true, false}) {
    HierarchicalParams p = two_gpcs();
    auto& links = requests ? p.request : p.reply;
    for (TierParams& tier : links.tiers) tier.rate = {1000, 1};
    p.queue = 1000;
    for (const auto& [narrow, sms] : {std::pair{Tier::cpc, 6u}, {Tier::gpc, 12u}}) {
      CAPTURE(requests, sms);
      HierarchicalParams q = p;
      (requests ? q.request : q.reply)[narrow].rate = {48, 1};
      HierarchicalNet net(requests, q);
      for (unsigned i = 0; i < 240; ++i) {
        const unsigned sm = i % sms, slice = i % kSlices;
        net.post(10, requests ? sm : slice, requests ? slice : sm, 40, i);
      }
      net.run(2000);
      Cycle last = 0;
      for (unsigned d = 0; d < 20; ++d)
        for (const Cycle cycle : net.cycles(d)) last = std::max(last, cycle);
      CHECK(last == 10 + 20 + 240 * 40 / 48 - 1);
      net.end();
    }
  }
}

TEST_CASE("hierarchical crossbar: a link stops while the queue at its end is full, beside the packets under way") {
  HierarchicalParams p = two_gpcs();
  p.request[Tier::sm].rate = {8, 1};
  p.request[Tier::tpc].rate = {8, 100};
  p.queue = 2;
  HierarchicalNet net(true, p);
  for (unsigned i = 0; i < 10; ++i) net.post(10, 0, 0, 8, i);
  net.run(60);
  // The first packet is on the TPC's link. The second of the others arrives in cycle 10 + 2 + kSm, when the SM's link has sent another.
  CHECK(net.sent.size() == 1 + 2 + (kSm - 1));
  net.run(2000);
  CHECK(net.cycles(0).size() == 10);
  CHECK(net.cycles(0)[9] - net.cycles(0)[8] == 100);
  net.end();
}

TEST_CASE(
    "hierarchical crossbar: a destination that takes nothing stops its packets up to the sources, and they follow at its link's rate") {
  HierarchicalParams p = two_gpcs();
  p.queue = 2;
  HierarchicalNet net(true, p);
  net.refusing[3] = true;
  for (unsigned i = 0; i < 400; ++i) net.post(10, 0, 3, 32, i);
  for (unsigned i = 0; i < 20; ++i) net.post(10, 13, 12, 32, 1000 + i);
  net.run(500);
  CHECK(net.arrived[3].size() == 1);
  CHECK(net.arrived[12].size() == 20);
  CHECK(net.sent.size() < 60);
  net.refusing[3] = false;
  net.run(2000);
  REQUIRE(net.arrived[3].size() == 400);
  for (unsigned i = 1; i < 400; ++i) CHECK(net.arrived[3][i].cycle > net.arrived[3][i - 1].cycle);
  CHECK(net.arrived[3][1].cycle == 501);
  CHECK(net.count("refused.ejection") > 0);
  net.end();
}

TEST_CASE("hierarchical crossbar: a destination that takes packets more slowly than they come has no more of them waiting than its queue") {
  HierarchicalParams p = two_gpcs();
  p.queue = 2;
  HierarchicalNet net(true, p);
  for (unsigned i = 0; i < 400; ++i) net.post(10, 0, 3, 32, i);
  for (unsigned taken = 0; taken < 100; ++taken) {
    net.refusing[3] = true;
    net.run(200 + 20 * taken);
    net.refusing[3] = false;
    net.run(net.now + 1);
  }
  CHECK(net.arrived[3].size() >= 100);
  // Two wait in each of the queues in front of the links of TPC, CPC, GPC and slice and at the slice, the others are under way.
  CHECK(net.sent.size() - net.arrived[3].size() < 60);
  net.run(5000);
  CHECK(net.arrived[3].size() == 400);
  net.end();
}

TEST_CASE("hierarchical crossbar: an SM stops at 195 sectors of one slice, and goes on in the cycle in which replies arrive") {
  HierarchicalParams p = two_gpcs();
  p.sm_slice_credits = 195;
  p.queue = 1000;
  HierarchicalNet net(true, p);
  for (unsigned i = 0; i < 60; ++i) net.post(10, 0, 0, 8, i, 4);
  net.post(10, 1, 0, 8, 100, 4);
  net.run(400);
  CHECK(net.sent.size() == 195 / 4 + 1);   // the other SM has credits of its own
  net.logic.return_credits(0, 0, 1, 400);  // 48 * 4 - 1 + 4 = 195
  net.run(401);
  REQUIRE(net.sent.size() == 50);
  CHECK(net.sent.back().cycle == 400);
  net.logic.return_credits(0, 0, 3, 405);
  net.run(450);
  CHECK(net.sent.size() == 50);
  net.logic.return_credits(0, 0, 1, 450);
  net.run(460);
  CHECK(net.sent.size() == 51);
  for (unsigned i = 0; i < 10; ++i) {
    net.logic.return_credits(0, 0, 4, net.now);
    net.run(net.now + 50);
  }
  CHECK(net.arrived[0].size() == 61);
  net.run(net.now + 10);
  net.logic.return_credits(0, 0, 195, net.now);
  net.logic.return_credits(1, 0, 4, net.now);
  net.run(net.now + 10);
  net.end();
  CHECK(net.count("refused.credit") > 0);
}

TEST_CASE("hierarchical crossbar: packets of a source and a destination stay in order under random load, and all laws hold") {
  for (const bool requests : {true, false})
    for (const unsigned queue : {1u, 16u})
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        CAPTURE(requests, queue, seed);
        HierarchicalParams p = two_gpcs();
        p.queue = queue;
        HierarchicalNet net(requests, p);
        Rng rng(seed);
        std::vector<Cycle> at(20, 10);
        std::map<std::uint64_t, unsigned> from;
        for (unsigned i = 0; i < 5000; ++i) {
          const auto source = static_cast<unsigned>(rng.below(20));
          at[source] += rng.below(3);
          from[i] = source;
          net.post(at[source], source, static_cast<unsigned>(rng.below(20)), 8 * static_cast<unsigned>(1 + rng.below(17)), i);
        }
        for (unsigned step = 0; step < 40; ++step) {
          for (unsigned d = 0; d < 20; ++d) net.refusing[d] = step < 30 && rng.below(4) == 0;
          net.run(net.now + 100);
        }
        net.run(net.now + 20000);
        std::size_t total = 0;
        for (unsigned d = 0; d < 20; ++d) {
          std::map<unsigned, std::uint64_t> latest;
          for (const std::uint64_t handle : net.handles(d)) {
            const auto [place, first] = latest.try_emplace(from[handle], handle);
            CHECK((first || place->second < handle));
            place->second = handle;
          }
          total += net.arrived[d].size();
        }
        CHECK(total == 5000);
        net.end();
      }
}

TEST_CASE("hierarchical crossbar: the logic and a model that looks at every link in every cycle agree on every arrival of random packets") {
  for (const bool requests : {true, false})
    for (const bool one_input : {true, false})  // packets of one GPC or slice to any output, or of all to one output of eight each
      for (const bool refusals : {true, false})
        for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
          CAPTURE(requests, one_input, refusals, seed);
          Rng rng(seed);
          HierarchicalParams p = two_gpcs();
          p.tpc_sms = rng.below(4) == 0 ? 0 : 2;
          p.cpc_sms = rng.below(4) == 0 ? 0 : 6;
          p.queue = static_cast<std::uint32_t>(1 + rng.below(4));
          p.sm_slice_credits = rng.below(2) == 0 ? 12 : kUnlimited;
          for (unsigned t = 0; t < kTiers; ++t) {
            TierParams& links = (requests ? p.request : p.reply).tiers[t];
            links = {{static_cast<std::uint32_t>(8 + rng.below(120)), static_cast<std::uint32_t>(1 + rng.below(3))},
                     static_cast<std::uint32_t>(1 + rng.below(9))};
          }
          HierarchicalNet net(requests, p);
          testing::HierarchicalPlain plain(p, requests, kSms, kSlices);
          std::vector<Cycle> at(20, 10);
          std::map<std::uint64_t, std::array<unsigned, 3>> sent;  // [handle]: source, destination, sectors
          for (unsigned i = 0; i < 1500; ++i) {
            unsigned sm = static_cast<unsigned>(rng.below(one_input && requests ? 12 : kSms)),
                     slice = static_cast<unsigned>(rng.below(kSlices));
            const unsigned gpc = sm < 12 ? 0 : 1;
            if (one_input && !requests) slice = 3;
            if (!one_input && requests) slice = std::min(slice / 8 * 8 + 3 * gpc, kSlices - 1);
            if (!one_input && !requests) slice = slice / 2 * 2 + gpc;
            const unsigned from = requests ? sm : slice, to = requests ? slice : sm, sectors = static_cast<unsigned>(rng.below(5));
            at[from] += rng.below(one_input ? 4 : 12);
            const auto bytes = 8 * static_cast<unsigned>(1 + rng.below(17));
            net.post(at[from], from, to, bytes, i, sectors);
            plain.post(at[from], from, to, bytes, i, sectors);
            sent[i] = {from, to, sectors};
          }
          std::vector<std::size_t> seen(20);
          std::multimap<Cycle, std::uint64_t> replies;
          for (; net.now < 60000;) {
            const Cycle now = net.now;
            for (unsigned d = 0; d < 20; ++d) net.refusing[d] = plain.refusing[d] = refusals && now < 20000 && rng.below(3) == 0;
            for (; requests && !replies.empty() && replies.begin()->first <= now; replies.erase(replies.begin())) {
              const auto [from, to, sectors] = sent[replies.begin()->second];
              net.logic.return_credits(from, to, sectors, now);
              plain.return_credits(from, to, sectors);
            }
            net.run(now + 1);
            plain.cycle(now);
            for (unsigned d = 0; d < 20; ++d)
              for (; seen[d] < plain.arrived[d].size(); ++seen[d])
                replies.emplace(now + 1 + rng.below(60), plain.arrived[d][seen[d]].handle);
          }
          std::size_t total = 0;
          for (unsigned d = 0; d < 20; ++d) {
            REQUIRE(net.arrived[d].size() == plain.arrived[d].size());
            for (std::size_t i = 0; i < net.arrived[d].size(); ++i) {
              REQUIRE(net.arrived[d][i].handle == plain.arrived[d][i].handle);
              REQUIRE(net.arrived[d][i].cycle == plain.arrived[d][i].cycle);
            }
            total += net.arrived[d].size();
          }
          CHECK(total == 1500);
          net.end();
        }
}

TEST_CASE("hierarchical crossbar: the last TPC and CPC of a GPC may have fewer SMs") {
  HierarchicalParams p;
  p.gpcs = {16, 5, 18};
  const Hierarchy hierarchy(p, 39);
  CHECK(hierarchy.links(Tier::gpc) == 3);
  CHECK(hierarchy.links(Tier::cpc) == 3 + 1 + 3);  // 6 + 6 + 4, 5, 6 + 6 + 6
  CHECK(hierarchy.links(Tier::tpc) == 8 + 3 + 9);
  CHECK(hierarchy.link_of(Tier::cpc)[15] == 2);
  CHECK(hierarchy.link_of(Tier::tpc)[20] == 10);
  CHECK(hierarchy.link_of(Tier::gpc)[21] == 2);
}

TEST_CASE("hierarchical crossbar: GPCs that have another number of SMs than the network are refused with both numbers") {
  CHECK_THROWS_WITH(Hierarchy(two_gpcs(), 21), Catch::Contains("the GPCs have 20 SMs, but the network connects 21"));
}
