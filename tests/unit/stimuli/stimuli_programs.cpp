// The instructions of every workload: pcs, registers, arrays. Includes the networks' first layers, which @tiny leaves out.

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/catalogue.h"
#include "stimuli/self_checking.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "stimuli_walk.h"
#include "tests/support/catalogue_workload.h"

using namespace wharf;
using wharf::spmd::SpmdStimulus;
using wharf::test::region;
using wharf::test::spmd_of;
using wharf::test::walk;

namespace {

/// Every workload at @tiny, and the networks' first layers, which it leaves out.
std::vector<std::string> tiny_runs() {
  std::vector<std::string> runs = {"alexnet:conv1=1,conv1_rows=1,conv2=0,conv3=0,fc6=0",
                                   "resnet:conv1=1,conv1_patch_rows=1,conv1_rows=1,block=0", "squeezenet:conv1=1,fire=0"};
  for (const WorkloadInfo& info : list_stimuli()) runs.push_back(info.name + "@tiny");
  return runs;
}

}  // namespace

TEST_CASE("a wrong element of a network's first layer is found", "[stimuli]") {
  for (const std::string spec :
       {"alexnet:conv1=1,conv1_rows=1,conv2=0,conv3=0,fc6=0", "resnet:conv1=1,conv1_patch_rows=1,block=0", "squeezenet:conv1=1,fire=0"}) {
    CAPTURE(spec);
    const auto stimulus = make_stimulus(spec, 1);
    walk(*stimulus);
    std::string why;
    auto& checking = dynamic_cast<SelfChecking&>(*stimulus);
    REQUIRE(checking.check_results(why));
    *spmd_of(*stimulus).memory().find(region(*stimulus, "conv1").base + 8 * 33 + 2) ^= std::byte{0x10};
    CHECK_FALSE(checking.check_results(why));
    CHECK(why.find("conv1[") != std::string::npos);
  }
}

TEST_CASE("each pc is one instruction, and if it accesses memory then one array", "[stimuli]") {
  struct Place {
    Unit unit;
    bool has_destination;
    std::size_t array;  // of global memory
    bool operator==(const Place& other) const {
      return unit == other.unit && has_destination == other.has_destination && array == other.array;
    }
  };
  for (const std::string& run : tiny_runs()) {
    CAPTURE(run);
    const auto stimulus = make_stimulus(run, 1);
    auto& regions = spmd_of(*stimulus).memory().regions();
    std::map<std::pair<std::string, std::uint32_t>, Place> seen;
    std::set<std::uint32_t> ambiguous;
    walk(*stimulus, [&](const KernelLaunch& launch, const WarpInstruction& i, std::uint64_t, unsigned) {
      Place place{i.unit, i.destination != kNoRegister, regions.size()};
      if (is_global_memory(i.unit)) {
        const Address address = i.addresses[unsigned(__builtin_ctz(i.active))];
        for (place.array = 0; address - regions[place.array].base >= regions[place.array].bytes;) ++place.array;
      }
      const auto found = seen.emplace(std::make_pair(launch.name, i.pc), place).first;
      if (!(found->second == place)) ambiguous.insert(i.pc);
    });
    CHECK(seen.size() >= 3);
    CHECK(ambiguous == std::set<std::uint32_t>{});
  }
}

TEST_CASE("no warp waits for a register that nothing wrote, and no load is in vain", "[stimuli]") {
  struct Registers {
    std::set<RegisterId> written, unread_loads;
  };
  for (const std::string& run : tiny_runs()) {
    CAPTURE(run);
    const auto stimulus = make_stimulus(run, 1);
    std::map<std::pair<std::uint64_t, unsigned>, Registers> warps;
    std::uint64_t undefined = 0, wasted = 0;
    walk(*stimulus, [&](const KernelLaunch&, const WarpInstruction& i, std::uint64_t cta, unsigned warp) {
      Registers& r = warps[{cta, warp}];
      for (const RegisterId source : i.sources) {
        if (source == kNoRegister) continue;
        undefined += r.written.count(source) == 0;
        r.unread_loads.erase(source);
      }
      if (i.destination != kNoRegister) {
        wasted += r.unread_loads.count(i.destination);
        r.written.insert(i.destination);
        r.unread_loads.erase(i.destination);
        if (has_addresses(i.unit)) r.unread_loads.insert(i.destination);
      }
      if (i.unit != Unit::exit) return;
      wasted += r.unread_loads.size();
      warps.erase({cta, warp});
    });
    CHECK(undefined == 0);
    // The stencil keeps the cells below for each of a lane's two cells. They are not used after the last plane (62 warps), and never in the
    // two border rows (2 warps, once before the loop and 8 times in it).
    // With a context of few pages, the last warp of both CTAs of a decode has its query (two registers) and no page.
    CHECK(wasted == (run == "stencil@tiny" ? 2 * (62 + 2 * (1 + 8)) : run == "llm_layer@tiny" ? 2 * 2 : 0));
  }
}
