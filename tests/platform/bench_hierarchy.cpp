// The speed figure "hierarchy alone" is measured on the machine and with the mix that it names.

#include "platforms/cli/bench/bench_hierarchy.h"

#include <catch2/catch.hpp>

#include "model/base/stats/stats.h"
#include "tests/platform/machines/apart.h"

namespace wharf::test {
namespace {

TEST_CASE("The bench of the hierarchy alone answers every load, half of them from the L1s, a fifth from DRAM") {
  const GpuParams params = machine("private");
  CHECK((params.sms == 80 && params.slices() == 32 && params.channels == 16));
  cli::LineMix mix;
  CHECK((mix.l1_percent == 50 && mix.l2_percent == 30 && mix.outstanding == 32));
  mix.transactions = 4000;
  cli::HierarchyBench bench(params, mix);
  bench.run();
  CHECK(bench.transactions() == 80 * 4000);

  const stats::Snapshot end = bench.statistics().snapshot();
  const stats::View counted(bench.statistics(), stats::Snapshot(end.size()), end);
  CHECK(counted.sum("l1.load.accesses") == 80 * 4000);
  CHECK(counted.ratio("l1.load.hits", "l1.load.accesses") == Approx(0.50).margin(0.02));
  CHECK(counted.ratio("l2.hits", "l1.load.accesses") == Approx(0.30).margin(0.02));
  CHECK(counted.ratio("dram.reads", "l1.load.accesses") == Approx(0.20 * 2).margin(0.04));
}

TEST_CASE("The bench of the hierarchy alone refuses an L1 whose answers come later than its drivers keep them") {
  GpuParams params = machine("private");
  params.l1.data_cycles = 31;
  CHECK_THROWS_WITH(cli::HierarchyBench(params, {}), "the bench of the hierarchy: l1.data_cycles and l1.fill_cycles must be less than 31");
}

}  // namespace
}  // namespace wharf::test
