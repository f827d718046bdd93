// Reads that join others in a hierarchical crossbar, without SystemC: cycles as sums of their causes (modern_gpus section 3, MG-14).

#include "model/network/hierarchical/coalescer.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "model/base/rng.h"
#include "model/network/hierarchical/hierarchical_logic.h"
#include "tests/unit/counted.h"
#include "tests/unit/network/port_rig.h"
#include "tests/unit/network/two_gpcs.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

constexpr Cycle kToGpc = 2 + 2 + 3, kUp = kToGpc + 5 + 8, kDown = 20, kL2 = 100;
constexpr Cycle kLine = 3 - 1;  // the bytes of a line behind its first on an SM's link: 136 B at 64 B per cycle

HierarchicalParams coalescing(CoalescerAt at = CoalescerAt::gpc) {
  HierarchicalParams p = two_gpcs();
  p.coalescer = at;
  return p;
}

enum class Kind { read, bypassing, store };

/// Both directions, and slices that answer each request after kL2 cycles, with 32 B per sector read.
struct Trips : private CoalescedMessages {
  using Net = testing::PortNet<HierarchicalLogic>;
  struct Message {
    Kind kind;
    unsigned sm, slice;
    std::uint64_t line;
    SectorMask sectors;
  };

  explicit Trips(const HierarchicalParams& p = coalescing(), bool replies_first = false)
      : coalescer(p, Hierarchy(p, kSms).links(p.coalescing_tier()), *this, registry),
        up(p, {true, kSms, kSlices}, kSms, kSlices, &coalescer),
        down(p, {false, kSms, kSlices}, kSlices, kSms, &coalescer),
        replies_first_(replies_first) {}

  std::uint64_t post(Cycle at, unsigned sm, std::uint64_t line, SectorMask sectors = kAllSectors, Kind kind = Kind::read) {
    const auto slice = static_cast<unsigned>(line % kSlices);
    messages.push_back({kind, sm, slice, line, sectors});
    up.post(at, sm, slice, kind == Kind::store ? 40 : 8, messages.size() - 1);
    return messages.size() - 1;
  }
  void run(Cycle to) {
    while (up.now < to) {
      if (replies_first_) down.run(up.now + 1);
      up.run(up.now + 1);
      down.run(up.now);
      for (unsigned slice = 0; slice < kSlices; ++slice)
        for (; served_[slice] < up.arrived[slice].size(); ++served_[slice]) {
          const auto& [handle, cycle] = up.arrived[slice][served_[slice]];
          const Message& message = messages[handle];
          const unsigned data = message.kind == Kind::store ? 0 : 32 * sector_count(message.sectors);
          down.post(cycle + kL2, slice, message.sm, 8 + data, handle);
        }
    }
  }
  /// When the reply has reached its SM; 0 if it has not.
  Cycle answered(std::uint64_t handle) const {
    for (const auto& arrival : down.arrived[messages[handle].sm])
      if (arrival.handle == handle) return arrival.cycle;
    return 0;
  }
  std::size_t at_slices() const {
    std::size_t sum = 0;
    for (const auto& arrived : up.arrived) sum += arrived.size();
    return sum;
  }
  std::uint64_t count(const char* name) const { return test::counted(registry, std::string("coalescer.") + name); }
  void end() {
    for (const stats::Registry* each : {&registry, &up.registry, &down.registry}) CHECK(each->broken_laws() == std::vector<std::string>{});
    CHECK((up.logic.idle() && down.logic.idle() && coalescer.idle()));
  }

  stats::Registry registry;
  std::vector<Message> messages;
  Coalescer coalescer;
  Net up, down;

 private:
  Request request(std::uint64_t handle) const override {
    const Message& message = messages[handle];
    return {message.line, message.sectors, message.kind == Kind::read, message.kind == Kind::store};
  }
  void joined(std::uint64_t) const override {}
  void answer(std::uint64_t, std::uint64_t) const override {}

  std::array<std::size_t, kSlices> served_{};
  const bool replies_first_;
};

}  // namespace

TEST_CASE("coalescer: of two SMs of a TPC that read a line one is sent, and the other's copy of its reply follows it on their TPC's link") {
  for (const CoalescerAt at : {CoalescerAt::tpc, CoalescerAt::cpc, CoalescerAt::gpc}) {
    Trips trips(coalescing(at));
    const std::uint64_t first = trips.post(10, 0, 5), second = trips.post(10, 1, 5);
    trips.run(300);
    CHECK(trips.at_slices() == 1);
    CHECK(trips.answered(first) == 10 + kUp + kL2 + kDown + kLine);
    // 136 B take a TPC's link of 128 B per cycle into a second cycle. Replies copied behind that link do not wait for it.
    CHECK(trips.answered(second) == 10 + kUp + kL2 + kDown + kLine + (at == CoalescerAt::tpc ? 0 : 1));
    CHECK(trips.count("lookups") == 2);
    CHECK(trips.count("merged") == 1);
    CHECK(trips.count("request_bytes") == 8);
    CHECK(trips.count("reply_bytes") == 136);
    trips.end();
  }
}

TEST_CASE("coalescer: copies cost the links below it and not those above") {
  const auto bytes = [](const Trips& trips, const char* link) {
    return std::pair{test::counted(trips.up.registry, std::string("net.") + link + ".bytes"),
                     test::counted(trips.down.registry, std::string("net.") + link + ".bytes")};
  };
  using Bytes = std::pair<std::uint64_t, std::uint64_t>;
  const Bytes all{4 * 8, 4 * 136}, half{2 * 8, 2 * 136}, one{8, 136};
  for (const CoalescerAt at : {CoalescerAt::tpc, CoalescerAt::cpc, CoalescerAt::gpc}) {
    Trips trips(coalescing(at));
    for (const unsigned sm : {0u, 1u, 6u, 7u}) trips.post(10, sm, 5);  // two TPCs in two CPCs of a GPC
    trips.run(300);
    CHECK(bytes(trips, "sm") == all);
    CHECK(bytes(trips, "tpc") == Bytes{at == CoalescerAt::tpc ? half.first : all.first, at == CoalescerAt::tpc ? half.second : all.second});
    CHECK(bytes(trips, "cpc") == (at == CoalescerAt::gpc ? all : half));
    CHECK(bytes(trips, "gpc") == (at == CoalescerAt::gpc ? one : half));
    CHECK(bytes(trips, "slice") == (at == CoalescerAt::gpc ? one : half));
    trips.end();
  }
}

TEST_CASE("coalescer: SMs of two GPCs do not join each other, and copies to two CPCs arrive together") {
  Trips trips;
  const std::uint64_t first = trips.post(10, 0, 5), other_cpc = trips.post(10, 6, 5), other_gpc = trips.post(10, 12, 5);
  trips.run(300);
  CHECK(trips.at_slices() == 2);
  CHECK(trips.answered(other_cpc) == trips.answered(first));
  CHECK(trips.answered(other_gpc) == 10 + kUp + kL2 + kDown + kLine + 2);  // 136 B of the reply before it at 64 B per cycle of the slice
  trips.end();
}

TEST_CASE("coalescer: a read joins if the sectors of an earlier one cover its own, and passes otherwise") {
  for (const auto& [first, second, joins] :
       {std::tuple{0b1111, 0b0001, true}, {0b0110, 0b0110, true}, {0b0111, 0b1000, false}, {0b0001, 0b0011, false}}) {
    Trips trips;
    trips.post(10, 0, 5, static_cast<SectorMask>(first));
    trips.post(11, 1, 5, static_cast<SectorMask>(second));
    trips.run(300);
    CHECK(trips.at_slices() == (joins ? 1 : 2));
    trips.end();
  }
}

TEST_CASE("coalescer: a copy has the bytes of the reply, whatever its own read asked for") {
  Trips trips;
  trips.post(10, 0, 5);
  trips.post(10, 6, 5, 0b0001);
  trips.run(300);
  CHECK(trips.count("reply_bytes") == 136);
  trips.end();
}

TEST_CASE("coalescer: a store to the line closes its entry, and one to another line does not") {
  for (const auto& [line, requests] : {std::pair{5u, 3u}, {25u, 2u}}) {
    Trips trips;
    trips.post(10, 0, 5);
    trips.post(20, 2, line, 0b0001, Kind::store);
    trips.post(30, 1, 5);
    trips.run(300);
    CHECK(trips.at_slices() == requests);
    trips.end();
  }
}

TEST_CASE("coalescer: a read that bypasses the L1 is not looked up: it neither joins nor is joined") {
  Trips trips;
  trips.post(10, 0, 5, kAllSectors, Kind::bypassing);
  trips.post(12, 1, 5);
  trips.post(14, 2, 5, kAllSectors, Kind::bypassing);
  trips.run(300);
  CHECK(trips.at_slices() == 3);
  CHECK(trips.count("lookups") == 1);
  trips.end();
}

TEST_CASE("coalescer: a read joins until the cycle before the first byte of the reply is in front of the GPC's link") {
  const Cycle reply = 10 + kUp + kL2 + 8;  // over the slice's link
  for (const auto& [served, requests] : {std::pair{reply - 1, 1u}, {reply, 2u}}) {
    Trips trips;
    trips.post(10, 0, 5);
    const std::uint64_t late = trips.post(served - kToGpc, 6, 5);
    trips.run(500);
    CHECK(trips.at_slices() == requests);
    CHECK(trips.answered(late) == (requests == 1 ? reply + 5 + 3 + 2 + 2 : served + 5 + 8 + kL2 + kDown) + kLine);
    trips.end();
  }
}

TEST_CASE("coalescer: reads of a kernel that starts later join none that was sent before its start") {
  const Cycle start = 40;
  for (const auto& [served, requests] : {std::pair{start, 1u}, {start + 1, 2u}}) {
    Trips trips;
    trips.post(10, 0, 5);
    trips.post(served - kToGpc, 1, 5);
    trips.run(start);
    trips.coalescer.kernel_starts(start);
    trips.run(300);
    CHECK(trips.at_slices() == requests);
    trips.end();
  }
  Trips trips;  // an earlier start stays known in the cycle of the next one
  trips.post(10, 0, 5);
  trips.post(41 - kToGpc, 1, 5);
  trips.run(30);
  trips.coalescer.kernel_starts(30);
  trips.run(41);
  trips.coalescer.kernel_starts(41);
  trips.run(300);
  CHECK(trips.at_slices() == 2);
  trips.end();
}

TEST_CASE("coalescer: where all entries are in use a read passes, and others do not join it") {
  HierarchicalParams p = coalescing();
  p.coalescer_entries = 1;
  Trips trips(p);
  trips.post(10, 0, 5);
  trips.post(11, 1, 6);
  trips.post(12, 2, 6);
  trips.post(13, 3, 5);
  // The link copies the reply, or would, in the cycle in which it comes. The entry is free from the next one on.
  const Cycle free = 10 + kUp + kL2 + 8 + 1;
  trips.post(free - 1 - kToGpc, 0, 27);
  trips.post(free - kToGpc, 1, 28);
  trips.post(free + 1 - kToGpc, 2, 28);
  trips.run(600);
  CHECK(trips.at_slices() == 3 + 1 + 1);
  CHECK(trips.count("merged") == 2);
  CHECK(trips.count("full") == 2 + 1);
  trips.end();
}

TEST_CASE("coalescer: as many reads join one as coalescer_merges says, the next one is sent, and others join that one") {
  HierarchicalParams p = coalescing();
  p.coalescer_merges = 2;
  Trips trips(p);
  for (unsigned sm = 0; sm < 6; ++sm) trips.post(10 + sm, sm, 5);
  trips.run(400);
  CHECK(trips.at_slices() == 2);
  CHECK(trips.count("merged") == 2 + 2);
  CHECK(trips.count("full") == 1);
  trips.end();
}

TEST_CASE("coalescer: a read joins although the queue behind the link is full") {
  HierarchicalParams p = coalescing();
  p.queue = 1;
  Trips trips(p);
  trips.up.refusing[5] = true;
  for (unsigned i = 0; i < 40; ++i) trips.post(10, 0, 5 + 20 * i);  // other lines of the slice
  trips.post(10, 6, 5);
  trips.run(90);
  CHECK(trips.count("merged") == 1);
  trips.up.refusing[5] = false;
  trips.run(3000);
  CHECK(trips.at_slices() == 40);
  trips.end();
}

TEST_CASE("coalescer: a reply is copied when each queue that takes a copy has room, and both SMs get it") {
  HierarchicalParams p = coalescing();
  p.queue = 1;
  Trips trips(p);
  trips.down.refusing[6] = true;
  for (unsigned i = 1; i < 20; ++i) trips.post(10, 6, 5 + 20 * i);  // their replies fill the queues to SM 6
  const std::uint64_t first = trips.post(200, 0, 5), second = trips.post(200, 6, 5);
  trips.run(1000);
  CHECK(trips.answered(first) == 0);
  trips.down.refusing[6] = false;
  trips.run(2000);
  CHECK(trips.answered(first) > 1000);
  CHECK(trips.answered(second) > 1000);
  trips.end();
}

TEST_CASE("coalescer: random reads and stores are each answered once, in either order of the directions in a cycle, and all laws hold") {
  for (const CoalescerAt at : {CoalescerAt::tpc, CoalescerAt::cpc, CoalescerAt::gpc})
    for (const unsigned queue : {1u, 16u})
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        CAPTURE(static_cast<int>(at), queue, seed);
        HierarchicalParams p = coalescing(at);
        p.queue = queue;
        p.coalescer_entries = 16;
        p.coalescer_merges = 3;
        std::vector<std::vector<Cycle>> results;
        for (const bool replies_first : {false, true}) {
          Trips trips(p, replies_first);
          Rng rng(seed);
          std::vector<Cycle> cycle(kSms, 10);
          for (unsigned i = 0; i < 4000; ++i) {
            const auto sm = static_cast<unsigned>(rng.below(kSms));
            cycle[sm] += rng.below(4);
            const Kind kind = rng.below(8) == 0 ? Kind::store : rng.below(8) == 0 ? Kind::bypassing : Kind::read;
            const auto sectors = static_cast<SectorMask>(rng.below(3) == 0 ? 1 + rng.below(kAllSectors) : kAllSectors);
            trips.post(cycle[sm], sm, rng.below(20), sectors, kind);
          }
          for (unsigned step = 0; step < 60; ++step) {
            for (unsigned d = 0; d < kSms; ++d) trips.down.refusing[d] = step < 40 && rng.below(4) == 0;
            for (unsigned d = 0; d < kSlices; ++d) trips.up.refusing[d] = step < 40 && rng.below(4) == 0;
            trips.run(trips.up.now + 100);
          }
          trips.run(trips.up.now + 20000);
          std::set<std::uint64_t> answered;
          std::size_t arrivals = 0;
          for (unsigned sm = 0; sm < kSms; ++sm)
            for (const auto& arrival : trips.down.arrived[sm]) {
              CHECK(trips.messages[arrival.handle].sm == sm);
              answered.insert(arrival.handle);
              ++arrivals;
            }
          CHECK((answered.size() == 4000 && arrivals == 4000));
          CHECK(trips.count("merged") == 4000 - trips.at_slices());
          CHECK(trips.count("merged") > 100);
          CHECK(trips.count("full") > 10);
          trips.end();
          results.emplace_back();
          for (unsigned handle = 0; handle < 4000; ++handle) results.back().push_back(trips.answered(handle));
        }
        CHECK(results[0] == results[1]);
      }
}
