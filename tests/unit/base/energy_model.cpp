// Energy as a sum of causes, each calculated by hand.

#include "model/base/energy/energy_model.h"

#include <catch2/catch.hpp>
#include <numeric>

namespace wharf::energy {
namespace {

Machine small_machine() {
  Machine machine;
  machine.sms_on = 3;
  machine.sms_gated = 1;
  machine.l1_kib = 64;
  machine.smem_kib = 32;
  machine.l2_lines = 1000;
  machine.networks = {crossbars("net.request", 1, 4, 2, 32, Reach::chip), crossbars("net.reply", 1, 2, 4, 32, Reach::chip)};
  return machine;
}

Activity some_activity() {
  Activity a;
  a.ns = 1e6;
  a.warp_instructions = 1000;
  a.l1_lookups = 300;
  a.l1_bytes = 128 * 200;
  a.smem_bytes = 128 * 10;
  a.l2_reads = 70;
  a.l2_writes = 20;
  a.l2_fills = 40;
  a.l2_tag_only = 40;
  a.l2_data_on_ns = a.l2_tag_on_ns = 1000 * a.ns;
  a.dram_bytes = 5120;
  a.networks = {{150, 0, 4800}, {350, 0, 11200}};
  return a;
}

Breakdown of(const Machine& machine, const Activity& activity, const EnergyParams& params = {}) {
  return breakdown_of(causes_of(params, machine, activity));
}

TEST_CASE("the energy of each structure is the sum of its causes") {
  EnergyParams params;
  params.noc.dyn_scale = 0.5;
  const Breakdown sums = of(small_machine(), some_activity(), params);
  const double ns = 1e6;
  CHECK(sums.of(Structure::core) == Approx(1000 * .280 + 3 * .7 * ns + .07 * ns));
  CHECK(sums.of(Structure::l1) == Approx(300 * .030 + 200 * 1.5 + 4 * .005 * ns));
  CHECK(sums.of(Structure::smem) == Approx(10 * 1.5 + 2 * .005 * ns));
  CHECK(sums.of(Structure::noc_dyn) == Approx(0.5 * 500 * (.006 + .00025 * 6 + 2 * .0064 * 12.3)));
  CHECK(sums.of(Structure::noc_static) == Approx(.7 * ns * (1.929e-4 * 8 + 2.658e-3 * 6 + 1.514e-4 * 6 * 12.3)));
  CHECK(sums.of(Structure::l2_dyn) == Approx(70 * .8 + 20 * .9 + 40 * .9 + 40 * .03));
  CHECK(sums.of(Structure::l2_leak) == Approx(1000 * .146e-3 * 1.03 * ns));
  CHECK(sums.of(Structure::dram) == Approx(5120 * .112));
  CHECK(sums.of(Structure::extras) == 0);
  CHECK(sums.of(Structure::constant) == Approx(25 * ns));
  CHECK(sums.total == Approx(std::accumulate(sums.nj.begin(), sums.nj.end(), 0.0)));
  CHECK(sums.noc() == sums.of(Structure::noc_dyn) + sums.of(Structure::noc_static));
  CHECK(sums.l2() == sums.of(Structure::l2_dyn) + sums.of(Structure::l2_leak));
}

TEST_CASE("energy is linear: the intervals of a run sum to the run") {
  Activity whole = some_activity(), half = whole;
  for (double Activity::*part : {&Activity::ns, &Activity::warp_instructions, &Activity::l1_lookups, &Activity::l1_bytes,
                                 &Activity::smem_bytes, &Activity::l2_reads, &Activity::l2_writes, &Activity::l2_fills,
                                 &Activity::l2_tag_only, &Activity::l2_data_on_ns, &Activity::l2_tag_on_ns, &Activity::dram_bytes})
    half.*part /= 2;
  for (NocTraffic& traffic : half.networks) traffic = {traffic.flits / 2, traffic.flit_hops / 2, traffic.bytes / 2};
  Machine machine = small_machine();
  machine.has_controllers = machine.searches_l1s = true;
  CHECK(of(machine, whole).total == Approx(2 * of(machine, half).total));
}

TEST_CASE("lines that are off do not leak, their tags while on do") {
  Activity off = some_activity();
  off.l2_data_on_ns = 0;
  CHECK(of(small_machine(), off).of(Structure::l2_leak) == Approx(1000 * .146e-3 * .03 * off.ns));
  EnergyParams params;
  params.l2.gated_leakage_share = 0.1;
  CHECK(of(small_machine(), off, params).of(Structure::l2_leak) == Approx(1000 * .146e-3 * .13 * off.ns));
}

TEST_CASE("no gating costs more leakage than none, and none of it is negative") {
  const double all_on = of(small_machine(), some_activity()).of(Structure::l2_leak);
  for (const double on : {0.0, 0.25, 0.5, 1.0}) {
    Activity gated = some_activity();
    gated.l2_data_on_ns *= on;
    const double leak = of(small_machine(), gated).of(Structure::l2_leak);
    CHECK(leak <= all_on);
    CHECK(leak >= 0);
  }
}

TEST_CASE("what designs add stands in extras, and what belongs to the lines of L2 in its scope too") {
  const Activity activity = some_activity();
  Machine machine = small_machine();
  machine.searches_l1s = true;
  CHECK(of(machine, activity).of(Structure::extras) == Approx(4 * 2.022e-3 * activity.ns));
  machine = small_machine();
  machine.has_tag_arrays = true;
  CHECK(of(machine, activity).of(Structure::extras) == Approx(5.55e-3 * activity.ns));
  machine = small_machine();
  machine.has_interference_lists = true;
  CHECK(of(machine, activity).of(Structure::extras) == Approx(79e-3 * activity.ns));
  machine = small_machine();
  machine.has_count_tables = true;
  CHECK(of(machine, activity).of(Structure::extras) == 0);  // LoSCache charges each access to its tables (loscache section 8)
  EnergyParams priced;
  priced.extras.loscache_mw = 8;
  const Breakdown counting = of(machine, activity, priced);
  CHECK(counting.of(Structure::extras) == Approx(8e-3 * activity.ns));
  CHECK(counting.l2() == Approx(of(small_machine(), activity).l2() + 8e-3 * activity.ns));
}

TEST_CASE("Morpheus controllers take 0.93 per cent of everything else") {
  Machine machine = small_machine();
  machine.has_controllers = true;
  CHECK(of(machine, some_activity()).total == Approx(1.0093 * of(small_machine(), some_activity()).total));
}

TEST_CASE("a block of the extended LLC takes 5171 pJ, an operation that moves none half of it") {
  Activity activity = some_activity();
  activity.ellc_bytes = 10 * 128;
  activity.ellc_tag_only_bytes = 4 * 128;
  CHECK(of(small_machine(), activity).of(Structure::extras) == Approx(12 * 5.1712));
}

TEST_CASE("where bytes have a price, switches and links have none, and messages of the extended LLC are in its own") {
  EnergyParams params;
  params.noc.traversal_pj_per_byte = 5;
  params.noc.dyn_scale = 1;
  Activity activity = some_activity();
  CHECK(of(small_machine(), activity, params).of(Structure::noc_dyn) == Approx(.005 * (4800 + 11200)));
  activity.ellc_message_bytes = 1000;
  CHECK(of(small_machine(), activity, params).of(Structure::noc_dyn) == Approx(.005 * (4800 + 11200 - 1000)));
}

TEST_CASE("each lookup of an aggregated tag array compares the tags of its cluster") {
  Machine machine = small_machine();
  machine.tags_a_lookup = 10;
  const double once = of(small_machine(), some_activity()).of(Structure::l1);
  CHECK(of(machine, some_activity()).of(Structure::l1) == Approx(once + 9 * 300 * .030));
}

}  // namespace
}  // namespace wharf::energy
