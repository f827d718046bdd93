// The RTL of the aggregated tag array against its TLM form (ata section 4): hits by sector (ATA-O14).

#include <aggregated_tag_array_counted_sets.h>
#include <aggregated_tag_array_faulty_sets.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "model/base/error.h"
#include "model/rtl/blocks/tag_array_rtl.h"
#include "model/rtl/catalogue.h"
#include "model/rtl/lockstep.h"
#include "tests/rtl/coverage.h"
#include "tests/rtl/start.h"

namespace wharf::rtl {
namespace {

ClusterShape shape(unsigned l1s, const char* set_index, std::uint32_t sets, std::uint32_t ways) {
  return {l1s, ways, make_set_index(set_index, sets)};
}

// L1s that fill, write, evict and are emptied at random, but have at most as many lines in a set as ways.
class Cluster {
 public:
  Cluster(const ClusterShape& shape, ClusterTags& tlm, ClusterTags& rtl) : shape_(shape), tlm_(tlm), rtl_(rtl), held_(shape.l1s) {}

  void cycle(std::mt19937& random) {
    // More lines than fit, in sets that all L1s use; some of them are at the far end of the address space.
    const auto some_line = [&] {
      const std::uint64_t number = random() % (3 * shape_.ways * shape_.set_index.sets());
      return LineAddress{random() % 8 == 0 ? (std::uint64_t{1} << 57) - 1 - number : number};
    };
    for (unsigned l1 = 0; l1 < shape_.l1s; ++l1) {
      for (unsigned looks = random() % 3; looks > 0; --looks) look(l1, some_line());
      for (unsigned changes = random() % 3; changes > 0; --changes) hold(l1, some_line(), static_cast<SectorMask>(random() % 16));
      if (random() % 300 != 0) continue;
      held_[l1].clear();
      tlm_.empty(l1);
      rtl_.empty(l1);
    }
    tlm_.commit();
    rtl_.commit();
  }

  unsigned looked = 0, hit = 0, different = 0;

 private:
  void look(unsigned l1, LineAddress line) {
    const HitVector expected = tlm_.lookup(l1, line);
    ++looked;
    hit += expected != HitVector{};
    different += rtl_.lookup(l1, line) != expected;
  }

  void hold(unsigned l1, LineAddress line, SectorMask valid) {
    std::vector<std::uint64_t>& lines = held_[l1][shape_.set_index(line.number)];
    const auto here = std::find(lines.begin(), lines.end(), line.number);
    if (here == lines.end() && valid != 0) {
      if (lines.size() == shape_.ways) {
        report(l1, LineAddress{lines.front()}, 0);
        lines.erase(lines.begin());
      }
      lines.push_back(line.number);
    } else if (here != lines.end() && valid == 0) {
      lines.erase(here);
    }
    report(l1, line, valid);
  }
  void report(unsigned l1, LineAddress line, SectorMask valid) {
    tlm_.hold(l1, line, valid);
    rtl_.hold(l1, line, valid);
  }

  const ClusterShape& shape_;
  ClusterTags &tlm_, &rtl_;
  std::vector<std::map<std::uint32_t, std::vector<std::uint64_t>>> held_;  // [L1][set] line numbers
};

TEST_CASE("the aggregated tag array as RTL answers as the map does, with all of its ports, sets and ways or some") {
  const ClusterShape shapes[] = {shape(10, "linear", 8, 64), shape(4, "linear", 8, 8), shape(1, "linear", 1, 1), shape(3, "linear", 5, 6),
                                 shape(4, "xor", 8, 4),      shape(7, "fold8", 4, 16), shape(2, "ipoly", 8, 3)};
  std::vector<std::unique_ptr<ClusterTags>> made;
  for (const ClusterShape& each : shapes) made.push_back(make_tag_array_rtl(each));
  start();
  std::mt19937 random(1);
  for (std::size_t s = 0; s < made.size(); ++s) {
    CAPTURE(s);
    const auto tlm = cluster_tags::make("map", shapes[s]);
    Cluster cluster(shapes[s], *tlm, *made[s]);
    for (unsigned cycle = 0; cycle < 2000; ++cycle) cluster.cycle(random);
    CHECK(cluster.different == 0);
    CHECK(cluster.looked > 1000);
    CHECK(cluster.hit > cluster.looked / 10);
  }
}

TEST_CASE("random lookups and changes reach every line of the aggregated tag array as RTL") {
  visit_aggregated_tag_array_counted_sets([](auto set) {
    const ClusterShape whole = shape(3, "linear", 4, 5);
    TagArrayRtl<typename decltype(set)::Model> rtl("rtl", "aggregated_tag_array_counted", set.text, whole);
    const auto tlm = cluster_tags::make("map", whole);
    start();
    Cluster cluster(whole, *tlm, rtl);
    std::mt19937 random(1);
    for (unsigned cycle = 0; cycle < 500; ++cycle) cluster.cycle(random);
    CHECK(cluster.different == 0);
    const test::LineCoverage coverage = test::line_coverage("aggregated_tag_array.sv");  // the model counts the lines reached
    CHECK(coverage.unreached == std::vector<std::string>{});
    CHECK(coverage.reached > 10);
  });
}

TEST_CASE("the aggregated tag array as RTL refuses an L1 that holds more lines of a set than it has ways") {
  const auto rtl = make_tag_array_rtl(shape(2, "linear", 8, 2));
  start();
  rtl->hold(1, LineAddress{3}, 0b0001);
  rtl->hold(1, LineAddress{3 + 8}, 0b0001);
  rtl->hold(1, LineAddress{3}, 0b1111);
  CHECK_THROWS_WITH(rtl->hold(1, LineAddress{3 + 16}, 1), Catch::Contains("L1 1 of the cluster holds more than 2 lines in set 3"));
  rtl->hold(1, LineAddress{3 + 8}, 0);
  CHECK_NOTHROW(rtl->hold(1, LineAddress{3 + 16}, 1));
}

TEST_CASE("the aggregated tag array in lockstep with RTL that empties all L1s for one stops at the first lookup that differs") {
  visit_aggregated_tag_array_faulty_sets([](auto set) {
    using Model = typename decltype(set)::Model;
    const ClusterShape two = shape(2, "linear", 2, 2);
    LockstepClusterTags lockstep(cluster_tags::make("map", two),
                                 std::make_unique<TagArrayRtl<Model>>("rtl", "aggregated_tag_array_faulty", set.text, two));
    start();
    const LineAddress line{5};
    lockstep.hold(0, line, 0b0001);
    lockstep.hold(1, line, 0b0101);
    lockstep.commit();
    CHECK(lockstep.lookup(0, line) == HitVector{0b11, 0, 0b10, 0});
    lockstep.empty(0);
    CHECK(lockstep.lookup(0, line) == HitVector{0b11, 0, 0b10, 0});
    lockstep.commit();
    CHECK_THROWS_WITH(lockstep.lookup(0, line),
                      Catch::Contains("RTL and TLM form differ at 0 ps") && Catch::Contains("inputs: lookup of L1 0, line 0x280") &&
                          Catch::Contains("TLM:    L1s that hold sector 0 0x2, sector 1 0x0, sector 2 0x2, sector 3 0x0") &&
                          Catch::Contains("RTL:    L1s that hold sector 0 0x0, sector 1 0x0, sector 2 0x0, sector 3 0x0"));
  });
}

TEST_CASE("the aggregated tag array as RTL is refused where none was built for the cluster, with those that were") {
  CHECK_THROWS_WITH(make_tag_array_rtl(shape(4, "linear", 16, 4)),
                    Catch::Contains("not built for PORTS=4 or more SETS=16 or more WAYS=4 or more TAG_BITS=53 or more SECTORS=4") &&
                        Catch::Contains("PORTS=10 SETS=8 WAYS=64") && Catch::Contains("WHARF_RTL_AGGREGATED_TAG_ARRAY_SETS"));
}

}  // namespace
}  // namespace wharf::rtl
