// Loops that compilers unroll: they issue the loads of several iterations before the first use (workloads section 0.10).

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/catalogue.h"
#include "stimuli_sample.h"
#include "stimuli_walk.h"

using namespace wharf;
using namespace wharf::test;

TEST_CASE("a batch issues the loads of its iterations before the first use, each into a register of its own", "[stimuli][spmd]") {
  const auto kinds = [](int batch) {
    Run run([&](Warp& w, const Arrays& a) {
      Lanes<float> sum = 0.0f;
      const auto load = [&](int i, Lanes<float>& x) { x = w.load(a.in, i); };
      const auto use = [&](int i, const Lanes<float>& x) { w.update(sum, 1, sum + float(i) * x); };
      w.batched_trips<Lanes<float>>(10, batch, load, use);
      w.store(a.out, w.thread_x(), sum);
    });
    const auto list = run.instructions();
    for (unsigned l = 0; l < kLanes; ++l) CHECK(run.arrays.out[l] == 285.0f);  // the squares of 0 to 9
    std::string text;
    for (const auto& i : list) text += i.unit == Unit::load ? 'l' : i.unit == Unit::store ? 's' : 'u';
    std::set<RegisterId> filled;
    for (std::size_t i = 0; i < std::size_t(batch); ++i) {  // of the first batch
      filled.insert(list[i].destination);
      CHECK(list[std::size_t(batch) + i].sources[i == 0 ? 0 : 1] == list[i].destination);  // a use waits for its own load
    }
    CHECK(filled.size() == std::size_t(batch));
    return text;
  };
  CHECK(kinds(1) == "lulululululululululus");
  CHECK(kinds(2) == "lluulluulluulluulluus");
  CHECK(kinds(4) == "lllluuuulllluuuululus");  // the rest of the trip count, one iteration at a time
}

TEST_CASE("lanes with too few iterations for a batch leave the unrolled loop and go on in the one behind it", "[stimuli][spmd]") {
  std::map<int, std::vector<LaneMask>> masks;  // of the loads, by batch
  for (const int batch : {1, 4}) {
    Run run([&](Warp& w, const Arrays& a) {
      struct Pair {
        Lanes<int> index;
        Lanes<float> x;
      };
      Lanes<float> sum = 0.0f;
      const auto load = [&](const Lanes<int>& i, Pair& p) { p.index = w.load(a.index, i); };
      const auto gather = [&](const Lanes<int>& i, Pair& p) { p.x = w.load(a.in, i + p.index); };
      const auto use = [&](const Lanes<int>&, const Pair& p) { w.update(sum, 1, sum + p.x); };
      w.batched_lanes<Pair>(0, w.thread_x(), batch, load, gather, use);
      w.store(a.out, w.thread_x(), sum);
    });
    for (const auto& i : run.instructions()) {
      if (i.unit == Unit::load && i.addresses[31] >= run.arrays.index.base) masks[batch].push_back(i.active);
    }
    for (int l = 0; l < int(kLanes); ++l) CHECK(run.arrays.out[std::size_t(l)] == float(l * (l - 1) / 2));
  }
  REQUIRE(masks[1].size() == 31);
  for (unsigned trip = 0; trip < 31; ++trip) CHECK(masks[1][trip] == kAllLanes << (trip + 1));
  REQUIRE(masks[4].size() == 4 * 7 + 3);
  for (unsigned trip = 0; trip < 28; ++trip) CHECK(masks[4][trip] == kAllLanes << (trip / 4 * 4 + 4));
  for (unsigned left = 0; left < 3; ++left) {  // lane l runs l % 4 iterations
    LaneMask expected = 0;
    for (unsigned l = 0; l < kLanes; ++l) expected |= LaneMask{l % 4 > left} << l;
    CHECK(masks[4][28 + left] == expected);
  }
}

TEST_CASE("a kernel has as many instructions of each kind in either order of its loads", "[stimuli]") {
  for (const char* kernel : {"2dconv@tiny", "3dconv@tiny", "gemm@tiny"}) {
    const auto counts = [](const std::string& spec) {
      std::map<Unit, std::uint64_t> by_unit;
      walk(*make_stimulus(spec, 1),
           [&](const KernelLaunch&, const WarpInstruction& i, std::uint64_t, unsigned) { by_unit[i.unit] += i.repeat; });
      return by_unit;
    };
    INFO(kernel);
    CHECK(counts(kernel) == counts(in_program_order(kernel)));
  }
}

TEST_CASE("program order is batch=1, and a workload that has it already or has no batch stays as it is", "[stimuli]") {
  CHECK(in_program_order("kmeans@std") == "kmeans@std:batch=1");
  CHECK(in_program_order("3dconv@wide") == "3dconv@wide:batch=1");
  CHECK(in_program_order("spmv@std:rows=1024,launches=60") == "spmv@std:rows=1024,launches=60,batch=1");
  CHECK(in_program_order("2dconv:n=64") == "2dconv:n=64,batch=1");
  for (const char* same : {"kmeans@ciao", "kmeans@std:batch=2", "bfs@std", "scalar_prod@std"}) CHECK(in_program_order(same) == same);
  CHECK_THROWS_WITH(make_stimulus("2dconv@tiny:batch=3", 1), Catch::Contains("batch is 1 or 9, the number of loads"));
}

TEST_CASE("kernels have as many loads on their way at once as their files say", "[stimuli]") {
  const auto most = [](const std::string& spec, const std::string& kernel) {
    std::map<std::pair<std::uint64_t, unsigned>, std::set<RegisterId>> on_their_way;  // by warp: loads from memory that are not used yet
    std::size_t most = 0;
    walk(*make_stimulus(spec, 1), [&](const KernelLaunch& launch, const WarpInstruction& i, std::uint64_t cta, unsigned warp) {
      auto& loads = on_their_way[{cta, warp}];
      for (const RegisterId source : i.sources) {
        if (loads.count(source) != 0) loads.clear();
      }
      if (i.unit == Unit::exit) loads.clear();
      if (launch.name != kernel || i.unit != Unit::load) return;
      loads.insert(i.destination);
      most = std::max(most, loads.size());
    });
    return most;
  };
  CHECK(most("stencil:nx=128,ny=12,nz=6", "stencil") == 3);  // the plane above, and the halo at the side and below or above
  CHECK(most("histo@tiny", "histo_prescan") == 1);
  CHECK(most("histo:width=512,height=2048,bins=30000", "histo_prescan") == 4);
  CHECK(most("histo@tiny", "histo_final") == 15);  // the overflow's and those of 14 CTAs
  CHECK(most("dwt2d:width=960,height=16,components=1,levels=1", "dwt2d_fdwt97_1") == 8);
  CHECK(most("mri_gridding@tiny", "mri_gridding") == 2);
  CHECK(most("parboil_spmv@tiny", "spmv_jds") == 10);  // x of one element, the next element's column, four values and columns
  CHECK(most("lbm@tiny", "lbm") == 20);
  CHECK(most("sgemm@tiny", "sgemm") == 8);
  CHECK(most("2dconv@tiny", "2dconv") == 9);
  CHECK(most("2dconv@tiny:batch=1", "2dconv") == 1);
  CHECK(most("3dconv@tiny", "3dconv") == 11);
  CHECK(most("3dconv@tiny:batch=1", "3dconv") == 1);
  CHECK(most("gemm@tiny", "gemm") == 2);
  CHECK(most("gemm@tiny:batch=1", "gemm") == 1);
  CHECK(most("nw:n=32", "nw_upper_left") == 1);
  CHECK(most("nw:n=32,hoisted=1", "nw_upper_left") == 16);
}
