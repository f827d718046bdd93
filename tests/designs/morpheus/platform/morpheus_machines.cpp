// The conventional machines with which Morpheus is compared (morpheus sections 12 and 13).

#include <catch2/catch.hpp>

#include "platforms/designs/morpheus/morpheus_design.h"
#include "platforms/inputs/configuration.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

GpuParams for_workload(const std::string& name, const std::string& workload) { return cli::load_configuration(name, {}, workload).params; }

/// KiB of the whole L2.
double l2_kib(const GpuParams& params) {
  const L2Params& l2 = params.l2;
  return params.slices() * (l2.sets() * l2.ways + l2.extra_way_sets) * kLineBytes / 1024.0;
}

TEST_CASE("BL of Morpheus has 5 MiB and 210 KiB of LLC, IBL-4x-LLC four times as much in four times the banks") {
  const GpuParams bl = machine("morpheus/bl"), four = machine("morpheus/ibl_4x_llc");
  CHECK(l2_kib(machine("gpus/ampere_68sm")) == 5120);
  CHECK(l2_kib(bl) == 5120 + 210);
  CHECK(bl.slices() == 10 * 4);
  CHECK(four.slices() == 10 * 16);
  CHECK(l2_kib(four) == 4 * (5120 + 210));
  CHECK(four.channels == bl.channels);
}

TEST_CASE("IBL of Morpheus has the SMs of Table 3, and all 68 for workloads that the table does not name") {
  const std::pair<const char*, std::uint32_t> table[] = {
      {"kmeans", 24}, {"histo", 53}, {"mri_gridding", 34}, {"parboil_spmv", 42}, {"lbm", 34}};
  for (const auto& [workload, sms] : table)
    for (const char* name : {"morpheus/ibl", "morpheus/ibl_4x_llc", "morpheus/frequency_boost", "morpheus/unified_sm_mem"}) {
      INFO(name << ' ' << workload);
      CHECK(for_workload(name, workload).front_end.eligible_sms == sms);
    }
  for (const char* workload : {"cfd", "lib", "gemm"}) CHECK(for_workload("morpheus/ibl", workload).front_end.eligible_sms >= 68);
}

TEST_CASE("Frequency-Boost speeds up network, L2 and DRAM by 10 to 20 percent with the gated SMs, and nothing where none is") {
  for (const char* workload : {"kmeans", "histo", "mri_gridding", "parboil_spmv", "lbm", "cfd"}) {
    INFO(workload);
    const GpuParams params = for_workload("morpheus/frequency_boost", workload);
    const double gated = 68.0 - std::min(params.front_end.eligible_sms, 68u);
    const double boost = gated == 0 ? 1.0 : 1.1 + 0.1 * (gated - 15) / (44 - 15);
    CHECK(params.clock_mhz.core == 1710);
    CHECK(params.clock_mhz.network == Approx(1710 * boost).margin(0.5));
    CHECK(params.clock_mhz.l2 == params.clock_mhz.network);
    CHECK(params.clock_mhz.dram == Approx(2375 * boost).margin(0.5));
  }
}

TEST_CASE("larger-LLC has the capacity of Morpheus-ALL to half a way, in as many banks, for its SMs") {
  for (const char* workload : {"parboil_bfs", "cfd", "dwt2d", "stencil", "bfs", "backprop", "sgemm", "nw", "pagerank", "kmeans", "histo",
                               "mri_gridding", "parboil_spmv", "lbm"}) {
    INFO(workload);
    const GpuParams params = for_workload("morpheus/larger_llc", workload), all = for_workload("morpheus/all", workload);
    const EllcKernelParams& kernel = all.of<MorpheusParams>().kernel;
    double lines = 0;
    for (std::uint32_t warp = 0; warp < kernel.warps(); ++warp) lines += kernel.blocks(kernel.unit_of(warp));
    CHECK(params.front_end.eligible_sms == all.front_end.eligible_sms);
    CHECK(params.slices() == 40);
    CHECK(params.l2.sets() == 64);
    CHECK(l2_kib(params) == Approx(5120 + lines * kLineBytes / 1024 * all.cache_sms()).margin(40 * 8 / 2.0));
  }
  CHECK(l2_kib(for_workload("morpheus/larger_llc", "lib")) == 5120);
}

}  // namespace
}  // namespace wharf::test
