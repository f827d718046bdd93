// Requests that take longer to slices farther away in a hierarchical crossbar, without SystemC (modern_gpus section 3, MG-13).

#include "model/network/hierarchical/floorplan.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <numeric>

#include "model/base/rng.h"
#include "model/network/hierarchical/hierarchical_logic.h"
#include "tests/unit/counted.h"
#include "tests/unit/network/port_rig.h"
#include "tests/unit/network/two_gpcs.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

constexpr Cycle kLevels = 2 + 2 + 3 + 9 + 8;
/// [GPC][group of eight slices]: round(16 (distance - 0.29)). GPCs of 12 and 8 SMs lie at 1/4 and 3/4, groups of 8, 8 and 4 slices at 1/6,
/// 1/2 and 5/6. The distances 1/12, 1/4 and 7/12 have a mean of (12 (8/12 + 8/4 + 4 * 7/12) + 8 (8 * 7/12 + 8/4 + 4/12)) / (20 * 20) = 0.29,
/// and a spread of 8 cycles over 7/12 - 1/12 makes 16 cycles per unit.
constexpr int kOfGpc[2][3] = {{-3, -1, 5}, {5, -1, -3}};
constexpr int kOfTpc[10] = {0, -1, 1, 0, -1, 1, 0, 1, -1, 0};

HierarchicalParams with_floorplan() {
  HierarchicalParams p = two_gpcs();
  p.request[Tier::gpc].latency = 9;
  p.offsets = Offsets::floorplan;
  p.offset_spread = 8;
  return p;
}

struct FloorplanNet : testing::PortNet<HierarchicalLogic> {
  explicit FloorplanNet(const HierarchicalParams& p = with_floorplan(), bool requests = true)
      : PortNet(p, {requests, kSms, kSlices}, kSms, kSlices) {}
  void end() {
    CHECK(registry.broken_laws() == std::vector<std::string>{});
    CHECK(logic.idle());
  }
};

unsigned gpc_of(unsigned sm) { return sm < 12 ? 0 : 1; }

}  // namespace

TEST_CASE("floorplan: a request takes the sum of its levels, the offset of its GPC and group of slices, and that of its TPC") {
  for (unsigned sm = 0; sm < kSms; ++sm) {
    FloorplanNet net;
    for (unsigned slice = 0; slice < kSlices; ++slice) net.post(10 + 100 * slice, sm, slice, 8, slice);
    net.run(3000);
    for (unsigned slice = 0; slice < kSlices; ++slice) {
      CAPTURE(sm, slice);
      const int offset = kOfGpc[gpc_of(sm)][slice / 8] + kOfTpc[sm / 2];
      REQUIRE(net.arrived[slice].size() == 1);
      CHECK(net.arrived[slice][0].cycle == 10 + 100 * slice + kLevels + static_cast<Cycle>(offset));
    }
    net.end();
  }
}

TEST_CASE("floorplan: without TPCs all SMs of a GPC have the same offset, and replies have none") {
  HierarchicalParams p = with_floorplan();
  p.tpc_sms = 0;
  FloorplanNet net(p), reply(with_floorplan(), false);
  for (unsigned sm = 0; sm < 12; ++sm) net.post(10 + 100 * sm, sm, 0, 8, sm);
  reply.post(10, 0, 3, 8, 0);
  net.run(2000);
  reply.run(100);
  for (unsigned sm = 0; sm < 12; ++sm) CHECK(net.arrived[0][sm].cycle == 10 + 100 * sm + kLevels - 2 - 3);
  CHECK(reply.arrived[3][0].cycle == 10 + 20);
  net.end();
  reply.end();
}

TEST_CASE(
    "floorplan: SMs and slices of each half of the chip lie in a row of their own, and offsets have a mean of less than a quarter cycle") {
  HierarchicalParams p = with_floorplan();
  p.gpcs = {18, 16, 16, 16, 18, 16, 16, 16};
  for (const std::uint32_t spread : {0u, 1u, 4u, 7u}) {
    p.offset_spread = spread;
    const Hierarchy hierarchy(p, 132);
    const Floorplan plan(p, hierarchy, {132, 80, 66});
    int sum = 0, least = 100, most = -100;
    for (unsigned sm = 0; sm < 132; ++sm)
      for (unsigned group = 0; group < 10; ++group) {
        const unsigned gpc = hierarchy.link_of(Tier::gpc)[sm];
        const int offset = plan.of_gpc(gpc, group);
        const bool near = (gpc < 4) == (group < 5);
        if (!near) CHECK(offset == 0);
        if (!near) continue;
        CHECK(offset == plan.of_gpc((gpc + 4) % 8, (group + 5) % 10));
        sum += offset + plan.of_tpc(hierarchy.link_of(Tier::tpc)[sm]);
        least = std::min(least, offset);
        most = std::max(most, offset);
      }
    CHECK(std::abs(sum) < 132 * 5 / 4);
    CHECK(std::abs(most - least - static_cast<int>(spread)) <= 1);
  }
}

TEST_CASE("floorplan: offsets of one GPC and one group of slices are all 0") {
  HierarchicalParams p = with_floorplan();
  p.gpcs = {};
  p.tpc_sms = 0;
  const Floorplan plan(p, Hierarchy(p, 4), {4, 8});
  CHECK(plan.of_gpc(0, 0) == 0);
}

TEST_CASE("floorplan: packets of a source and a destination stay in order under random load, and all laws hold") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    HierarchicalParams p = with_floorplan();
    p.queue = static_cast<std::uint32_t>(seed);
    FloorplanNet net(p);
    Rng rng(seed);
    std::vector<Cycle> at(kSms, 10);
    std::map<std::uint64_t, unsigned> from;
    for (unsigned i = 0; i < 4000; ++i) {
      const auto source = static_cast<unsigned>(rng.below(kSms));
      at[source] += rng.below(3);
      from[i] = source;
      net.post(at[source], source, static_cast<unsigned>(rng.below(kSlices)), 8 * static_cast<unsigned>(1 + rng.below(5)), i);
    }
    net.run(30000);
    std::size_t total = 0;
    for (const auto& arrivals : net.arrived) {
      std::map<unsigned, std::uint64_t> latest;
      for (const auto& arrival : arrivals) {
        const auto [place, first] = latest.try_emplace(from[arrival.handle], arrival.handle);
        CHECK((first || place->second < arrival.handle));
        place->second = arrival.handle;
      }
      total += arrivals.size();
    }
    CHECK(total == 4000);
    CHECK(test::counted(net.registry, "net.distance") > 0);
    net.end();
  }
}

TEST_CASE("floorplan: a link whose latency is less than the nearest packets save is refused with the number that suffices") {
  HierarchicalParams p = with_floorplan();
  p.request[Tier::gpc].latency = 3;
  CHECK_THROWS_WITH(FloorplanNet(p),
                    Catch::Contains("network.hierarchical_crossbar.request.gpc.latency: 3, of which offsets: floorplan saves the "
                                    "nearest packets 3; choose 4 or more"));
  p.request[Tier::gpc].latency = 4;
  p.request[Tier::tpc].latency = 1;
  CHECK_THROWS_WITH(FloorplanNet(p), Catch::Contains("request.tpc.latency: 1"));
}
