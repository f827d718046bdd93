// Unloaded latencies of the extended LLC in ns (morpheus section 9.4), and the order of accesses to a line on every path through it
// (morpheus section 14). The set of an address is known, so a test chooses which lines share a set.

#include <catch2/catch.hpp>
#include <cmath>

#include "model/designs/morpheus/controller/address_separator_logic.h"
#include "model/designs/morpheus/ellc_geometry.h"
#include "model/network/rate/rate_params.h"
#include "platforms/designs/morpheus/morpheus_design.h"
#include "tests/platform/machines/run_checked.h"
#include "tests/platform/soak/random_traffic.h"

namespace wharf::test {
namespace {

using Settings = std::vector<std::string>;

/// Kernels so far apart that all work of one is complete when the next begins.
const Settings kApart = {"front_end.kernel_launch_cycles=3000"};

/// The first `count` lines that map to one set of `unit`.
std::vector<Address> lines_of_a_set(const GpuParams& params, EllcUnit unit, std::size_t count) {
  const EllcGeometry geometry(params.of<MorpheusParams>().kernel, params.cache_sms(), partitions(params));
  const auto addresses = params.addresses();
  const unsigned banks = params.of<MorpheusParams>().banks_per_partition;
  std::vector<AddressSeparator> separators;
  for (unsigned partition = 0; partition < partitions(params); ++partition)
    separators.emplace_back(geometry.rows(partition), banks * (params.built_l2().slice_kib * 1024 / kLineBytes));
  std::vector<Address> lines;
  unsigned set = 0;
  for (Address address = 0x10'0000; lines.size() < count; address += kLineBytes) {
    const AddressMap::Target target = addresses->locate(address);
    const unsigned partition = target.slice / banks;
    const AddressSeparator::Home home = separators[partition].of(target.local_line * banks + target.slice % banks);
    if (!home.extended || geometry.rows(partition)[home.row].unit != unit) continue;
    const unsigned here = partition * EllcGeometry::kMostRows + home.row;
    if (lines.empty()) set = here;
    if (here == set) lines.push_back(address);
  }
  return lines;
}

std::size_t ways_of_register_file_sets(const GpuParams& params) {
  return EllcGeometry(params.of<MorpheusParams>().kernel, params.cache_sms(), partitions(params)).rows(0)[0].blocks;
}

GpuParams basic(const Settings& settings = {}) { return machine("morpheus/small_queues", layered(kApart, settings)); }

/// From the time when the request leaves the L1 to the arrival of its answer there: the definition of morpheus section 9.4.
double ns_of(const Outcome& outcome, std::size_t kernel, const std::string& server, const GpuParams& params) {
  REQUIRE(outcome.kernel(kernel, "sm.served_by." + server) == 1);
  const Cycle own = params.l1.tag_cycles + params.l1.fill_cycles;
  return static_cast<double>(outcome.kernel(kernel, "sm.served_by_cycles." + server) - own) * 1000.0 / params.clock_mhz.core;
}

double hit_ns(EllcUnit unit, const Settings& settings = {}) {
  const GpuParams params = basic(settings);
  const Address line = lines_of_a_set(params, unit, 1)[0];
  return ns_of(run_checked(params, {one_warp({load(line, 1)}), one_warp({load(line, 1)})}), 1, "ellc", params);
}

double miss_ns(EllcUnit unit, const Settings& settings = {}) {
  const GpuParams params = basic(settings);
  const Address line = lines_of_a_set(params, unit, 1)[0];
  return ns_of(run_checked(params, {one_warp({load(line, 1)})}), 0, "dram", params);
}

TEST_CASE("unloaded, an extended LLC hit takes 336 ns, 329 with the instruction and 359 from an L1, and a predicted miss 608 ns") {
  CHECK(std::abs(hit_ns(EllcUnit::register_file) - 336) <= 1);
  CHECK(std::abs(hit_ns(EllcUnit::register_file, {"morpheus.kernel.indirect_mov=isa"}) - 329) <= 1);
  CHECK(std::abs(hit_ns(EllcUnit::l1) - 359) <= 1);
  for (const EllcUnit unit : {EllcUnit::register_file, EllcUnit::l1}) CHECK(std::abs(miss_ns(unit) - 608) <= 1);
}

TEST_CASE("unloaded, a false positive takes 773 ns, one round trip and a lookup more than a miss, and 797 where an L1 fetches") {
  CHECK(std::abs(miss_ns(EllcUnit::register_file, {"morpheus.hit_predictor=none"}) - 773) <= 1);
  CHECK(std::abs(miss_ns(EllcUnit::l1, {"morpheus.hit_predictor=none"}) - 797) <= 1);
}

TEST_CASE("with the kernel as a rate server a hit takes 185 ns from controller to controller plus 160 ns, whichever memory has the line") {
  const GpuParams params = machine("morpheus/basic", kApart);
  const Cycle network = params.network.of<network::RateParams>().latency, in_sm = 162;  // 185 ns less two networks of 45
  for (const EllcUnit unit : {EllcUnit::register_file, EllcUnit::l1}) {
    const Address line = lines_of_a_set(params, unit, 1)[0];
    const Outcome outcome = run_checked(params, {one_warp({load(line, 1)}), one_warp({load(line, 1)})});
    CHECK(outcome.kernel(1, "morpheus.c2c_sum") == 1 + network + in_sm + network);
    CHECK(std::abs(ns_of(outcome, 1, "ellc", params) - (160 + 185)) <= 1);
  }
}

TEST_CASE(
    "where the kernel is a server of a rate, a store of whole sectors fetches nothing, and a load of the line the other three sectors") {
  const GpuParams params = machine("morpheus/basic", kApart);
  const Address line = lines_of_a_set(params, EllcUnit::register_file, 1)[0];
  const Outcome outcome =
      run_checked(params, {one_warp({store(line, kNoRegister, 0xFF)}), one_warp({load(line, 1)}), one_warp({load(line, 1)})});
  CHECK(outcome.kernel(0, "morpheus.dram_reads") == 0);
  CHECK(outcome.kernel(0, "dram.reads") == 0);
  CHECK(outcome.kernel(1, "morpheus.dram_reads") == 1);
  CHECK(outcome.kernel(1, "dram.reads") == 3);  // bursts of 32 B
  CHECK(outcome.kernel(2, "sm.served_by.ellc") == 1);
}

TEST_CASE("a hit takes longer in a kernel that spins, by as long as it waits for the warp's next load of its row, at most 160 ns") {
  for (const EllcUnit unit : {EllcUnit::register_file, EllcUnit::l1}) {
    const GpuParams parked = basic(), spin = basic({"morpheus.kernel.delivery=spin"});
    const Address line = lines_of_a_set(parked, unit, 1)[0];
    const std::vector<ScriptedKernel> kernels = {one_warp({load(line, 1)}), one_warp({load(line, 1)})};
    const Outcome without = run_checked(parked, kernels), with = run_checked(spin, kernels);
    const std::uint64_t waited = with.kernel(1, "morpheus.poll_wait_cycles");
    CHECK(waited > 0);
    CHECK(waited <= 274);
    CHECK(with.kernel(1, "sm.served_by_cycles.ellc") == without.kernel(1, "sm.served_by_cycles.ellc") + waited);
    CHECK(with.kernel(0, "sm.served_by_cycles.dram") == without.kernel(0, "sm.served_by_cycles.dram"));  // waits for no warp
  }
}

TEST_CASE("a kernel that spins loads each row every 160 ns, for 8 bytes there and 16 back, and three instructions of an SM's energy") {
  const GpuParams parked = basic({"sms=20", "front_end.eligible_sms=18"});
  const GpuParams spin = basic({"sms=20", "front_end.eligible_sms=18", "morpheus.kernel.delivery=spin"});
  const std::vector<ScriptedKernel> idle = {one_warp({compute(Unit::alu, 1)})};
  const Outcome without = run_checked(parked, idle), with = run_checked(spin, idle);
  const double warps = 2 * 48, loads = warps * with.ratio("run.core_cycles") / 274, empty = with.ratio("ellc.polls.empty");
  REQUIRE(with.run("run.core_cycles") == without.run("run.core_cycles"));
  CHECK(with.run("ellc.requests") == 0);
  CHECK(empty <= loads);
  CHECK(empty >= loads - 2 * warps);  // the first are sent in the course of 160 ns; the last are in flight
  CHECK(with.run("ellc.polls.instructions") == 3 * with.run("ellc.polls.empty"));
  CHECK(without.run("net.request.bytes") + without.run("net.reply.bytes") == 0);
  CHECK(with.ratio("net.request.bytes") >= 8 * empty);
  CHECK(with.ratio("net.request.bytes") <= 8 * (empty + warps));
  CHECK(with.ratio("net.reply.bytes") >= 16 * empty);
  CHECK(with.ratio("net.reply.bytes") <= 16 * (empty + warps));
  const double core = 3 * empty * spin.energy.core.warp_instruction_pj / 1000;
  CHECK(with.ratio("energy.core") - without.ratio("energy.core") == Approx(core));
  const double traffic = (with.ratio("net.request.bytes") + with.ratio("net.reply.bytes")) * spin.energy.noc.traversal_pj_per_byte / 1000;
  CHECK(with.ratio("energy.noc_dyn") == Approx(traffic * spin.energy.noc.dyn_scale));
}

TEST_CASE("from controller to controller an insertion takes 182 ns, and 213 where it displaces a dirty block") {
  const GpuParams params = basic({"morpheus.kernel.register_file_kib=64"});
  const std::size_t ways = ways_of_register_file_sets(params);
  REQUIRE(ways == 3);  // 13 registers: 9 are auxiliary and one has the tags
  const std::vector<Address> lines = lines_of_a_set(params, EllcUnit::register_file, ways + 1);
  std::vector<ScriptedKernel> kernels;
  for (const Address line : lines) kernels.push_back(one_warp({store(line, kNoRegister, 0xFFFF'FFFF)}));
  const Outcome outcome = run_checked(params, kernels);
  const double network = 2.0 * static_cast<double>(params.network.of<network::RateParams>().latency);
  const auto c2c = [&](std::size_t kernel) {
    REQUIRE(outcome.kernel(kernel, "ellc.inserts") == 1);
    return (network + static_cast<double>(outcome.kernel(kernel, "ellc.busy_warp_cycles"))) * 1000.0 / params.clock_mhz.core;
  };
  for (std::size_t kernel = 0; kernel < ways; ++kernel) CHECK(std::abs(c2c(kernel) - 182) <= 1);
  CHECK(outcome.kernel(ways, "ellc.dirty_victims") == 1);
  CHECK(std::abs(c2c(ways) - 213) <= 1);
}

TEST_CASE("a read sees an earlier write to a line in its set, after a wrong prediction, in flight from DRAM, and as a victim in flight") {
  const Settings few = {"morpheus.kernel.rf_warps=2", "morpheus.kernel.l1_warps=0", "morpheus.kernel.register_file_kib=4"};
  const auto run = [&](const Settings& settings, const std::vector<std::vector<Instructions>>& kernels) {
    const GpuParams params = basic(layered(few, settings));
    std::vector<ScriptedKernel> scripted;
    for (const auto& warps : kernels) {
      ScriptedKernel kernel;
      for (const Instructions& warp : warps) kernel.ctas.push_back({warp});
      scripted.push_back(kernel);
    }
    return run_checked(params, scripted);
  };
  const std::vector<Address> a = lines_of_a_set(basic(few), EllcUnit::register_file, 2 * ways_of_register_file_sets(basic(few)));
  const LaneMask all = 0xFFFF'FFFF, part = 0xFF;

  const Outcome hit = run({}, {{{store(a[0], kNoRegister, all)}}, {{load(a[0], 1)}}});
  CHECK(hit.kernel(1, "sm.served_by.ellc") == 1);

  const Outcome false_positive = run({"morpheus.hit_predictor=none"}, {{{store(a[0], kNoRegister, part)}}, {{load(a[0], 1)}}});
  CHECK(false_positive.kernel(0, "morpheus.false_positives") == 1);
  CHECK(false_positive.kernel(0, "morpheus.row_fetches") == 1);
  CHECK(false_positive.kernel(1, "sm.served_by.ellc") == 1);

  // A part of a line is written, and another SM reads it before DRAM has sent it.
  const Outcome merged = run({}, {{{store(a[0], kNoRegister, part)}, {load(a[0], 1)}, {atomic(a[0], 1)}}});
  CHECK(merged.kernel(0, "morpheus.merged") >= 1);
  CHECK(merged.kernel(0, "morpheus.dram_reads") == 1);

  // Blocks are written and evicted, and others read them again meanwhile.
  std::vector<Instructions> writers, readers;
  for (const Address line : a) writers.push_back({store(line, kNoRegister, all), load(line, 1), load(line, 2, 1), load(line, 3, 2)});
  for (const Address line : a) readers.push_back({load(line, 1)});
  std::vector<Instructions> both = writers;
  both.insert(both.end(), readers.begin(), readers.end());
  const Outcome evicted = run({"l1.capacity_kib=1", "l1.ways=4", "sm.unified_kib=0"}, {both, both, readers});
  CHECK(evicted.run("ellc.dirty_victims") > 3);
  CHECK(evicted.run("ellc.dirty_victims") == evicted.run("morpheus.writebacks"));
}

TEST_CASE("atomics of all SMs on one line are performed one after the other, whatever memory holds it") {
  for (const EllcUnit unit : {EllcUnit::register_file, EllcUnit::l1}) {
    const GpuParams params = basic();
    const Address line = lines_of_a_set(params, unit, 1)[0];
    ScriptedKernel kernel;
    const unsigned sms = params.front_end.eligible_sms, each = 4;
    for (unsigned i = 0; i < sms; ++i) kernel.ctas.push_back({Instructions(each, atomic(line, 1))});
    const Outcome outcome = run_checked(params, {kernel, one_warp({load(line, 1)})});
    CHECK(outcome.run("morpheus.atomics") == sms * each);
    CHECK(outcome.run("ellc.atomics") == sms * each);
    CHECK(outcome.kernel(1, "sm.served_by.ellc") == 1);
  }
}

TEST_CASE("the extended LLC's share of the lines that SMs read is its share of the capacity, within one hundredth") {
  const GpuParams params = basic();
  ScriptedKernel kernel;
  const unsigned ctas = 300, loads = 4;
  constexpr Address kFar = 977 * 32 * kLineBytes;  // 32 consecutive lines at each of several places in 5 GiB
  for (unsigned i = 0; i < ctas; ++i) {
    Instructions warp;
    for (unsigned n = 0; n < loads; ++n) warp.push_back(load((i * loads + n) * kFar, 1, kNoRegister, 0xFFFF'FFFF, kLineBytes));
    kernel.ctas.push_back({warp});
  }
  const Outcome outcome = run_checked(params, {kernel});
  const double lines = ctas * loads * 32, extended = static_cast<double>(outcome.run("morpheus.requests"));
  REQUIRE(extended + static_cast<double>(outcome.run("morpheus.conventional")) == lines);
  const EllcKernelParams& k = params.of<MorpheusParams>().kernel;
  const double capacity = params.cache_sms() * double{kLineBytes} * (k.rf_warps * 50 + k.l1_warps * 64);
  const double conventional = params.slices() * params.l2.slice_kib * 1024.0;
  CHECK(extended / lines == Approx(capacity / (capacity + conventional)).margin(0.01));
}

}  // namespace
}  // namespace wharf::test
