// Replies that a hierarchical crossbar copies for several SMs, without SystemC: cycles as sums of their causes (modern_gpus section 4, MG-15).

#include "model/network/hierarchical/multicast.h"

#include <catch2/catch.hpp>
#include <map>

#include "model/network/hierarchical/hierarchical_logic.h"
#include "tests/unit/counted.h"
#include "tests/unit/network/port_rig.h"
#include "tests/unit/network/two_gpcs.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

constexpr unsigned kReplyBytes = 136;
constexpr Cycle kWay = 20, kTail = 3 - 1;  // the bytes of a line behind its first on an SM's link: 136 B at 64 B per cycle

/// The direction of replies.
struct Copies : private MulticastMessages {
  explicit Copies(const HierarchicalParams& p = two_gpcs())
      : multicast(Hierarchy(p, kSms).links(Tier::gpc), *this, registry),
        down(p, {false, kSms, kSlices}, kSlices, kSms, static_cast<Coalescer*>(nullptr), static_cast<CopiedReplies*>(&multicast)) {}

  /// A reply to SM `sm` in cycle `at`, and copies for others. The handle of each copy is that of the reply plus 100 times its SM.
  void post(Cycle at, std::uint64_t reply, unsigned sm, const std::vector<unsigned>& others) {
    for (const unsigned other : others) copies[reply].push_back({reply + 100 * other, static_cast<std::uint16_t>(other)});
    down.post(at, 5, sm, kReplyBytes, reply);
  }
  /// When the reply, or a copy of it, has reached an SM; 0 if it has not.
  Cycle arrived(unsigned sm, std::uint64_t handle) const {
    for (const auto& arrival : down.arrived[sm])
      if (arrival.handle == handle) return arrival.cycle;
    return 0;
  }
  std::uint64_t bytes(const char* tier) const { return test::counted(down.registry, std::string("net.") + tier + ".bytes"); }
  std::uint64_t count(const char* name) const { return test::counted(registry, std::string("multicast.") + name); }
  void end() {
    CHECK(down.registry.broken_laws() == std::vector<std::string>{});
    CHECK(down.logic.idle());
    CHECK(copies.empty());
  }

  stats::Registry registry;
  Multicast multicast;
  testing::PortNet<HierarchicalLogic> down;
  mutable std::map<std::uint64_t, std::vector<CopiedReplies::Copy>> copies;
  mutable std::vector<std::uint64_t> answered;

 private:
  void list_copies(std::uint64_t reply, std::vector<CopiedReplies::Copy>& to) const override {
    if (const auto found = copies.find(reply); found != copies.end()) to = found->second;
  }
  void answer(std::uint64_t, std::uint64_t copy) const override { answered.push_back(copy); }
  void forget_copies(std::uint64_t reply) const override { copies.erase(reply); }
};

}  // namespace

TEST_CASE(
    "multicast: a reply and its copies arrive together, later where they share a TPC's link, and only the links behind the GPC's pass both") {
  Copies net;
  net.post(10, 1, 0, {1, 2, 7});  // in the TPC of SM 0, in the next one, and in the next CPC
  net.down.run(100);
  CHECK(net.arrived(0, 1) == 10 + kWay + kTail);
  CHECK(net.arrived(1, 101) == 10 + kWay + kTail + 1);  // 136 B take a TPC's link of 128 B per cycle into a second cycle
  CHECK(net.arrived(2, 201) == 10 + kWay + kTail);
  CHECK(net.arrived(7, 701) == 10 + kWay + kTail);
  CHECK(net.answered == std::vector<std::uint64_t>{101, 201, 701});
  CHECK(net.bytes("slice") == kReplyBytes);
  CHECK(net.bytes("gpc") == kReplyBytes);
  CHECK(net.bytes("cpc") == 4 * kReplyBytes);
  CHECK(net.bytes("sm") == 4 * kReplyBytes);
  CHECK(net.count("replies") == 1);
  CHECK(net.count("copies") == 3);
  CHECK(net.count("bytes") == 3 * kReplyBytes);
  net.end();
}

TEST_CASE("multicast: replies without copies pass as ever") {
  Copies net;
  net.post(10, 1, 0, {});
  net.down.run(100);
  CHECK(net.arrived(0, 1) == 10 + kWay + kTail);
  CHECK(net.count("replies") == 0);
  net.end();
}

TEST_CASE("multicast: a reply leaves the GPC's link only when there is room for all its copies, and nothing is lost") {
  HierarchicalParams p = two_gpcs();
  p.queue = 1;
  Copies net(p);
  net.down.refusing[7] = true;
  for (std::uint64_t reply = 1; reply <= 12; ++reply) net.post(10, reply, 0, {7});
  net.down.run(300);
  const std::size_t before = net.down.arrived[0].size();
  CHECK(before < 12);  // SM 7 has taken nothing, so the link of the GPC has stopped
  CHECK(before > 1);
  net.down.refusing[7] = false;
  net.down.run(600);
  CHECK(net.down.arrived[0].size() == 12);
  CHECK(net.down.arrived[7].size() == 12);
  net.end();
}
