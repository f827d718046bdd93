// shared_l1 on whole machines: unloaded latencies of every path of a message, random traffic with all checks, the invariants of
// shared_l1 section 15, and modes that must not differ.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "platforms/cli/stimuli.h"
#include "platforms/designs/shared_l1/shared_l1_design.h"
#include "tests/platform/machines/run_checked.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

constexpr Address kBase = 0x10'0000;  // home bits 0, slice bits 0

/// Hops between an SM and a slice on the 6 x 6 mesh (RS-1).
Cycle hops(unsigned from, unsigned to) {
  const auto apart = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  return apart(from % 6, to % 6) + apart(from / 6, to / 6);
}
constexpr std::array<unsigned, 8> kSlices = {3, 7, 10, 12, 23, 25, 28, 32};
unsigned node_of_sm(unsigned sm) {
  unsigned node = 0;
  for (unsigned seen = 0;; ++node) {
    const bool slice = std::find(kSlices.begin(), kSlices.end(), node) != kSlices.end();
    if (!slice && seen++ == sm) return node;
  }
}

/// Core cycles of a packet of `flits` over `h` hops, from an edge of the network on.
Cycle packet(Cycle h, Cycle flits) { return 2 * (1 + 2 * h + flits - 1); }
Cycle to_edge(Cycle cycle) { return cycle % 2; }

/// The cycle at whose end an access of a kernel's first instruction arrives at the router.
Cycle accepted(const Outcome& outcome, std::size_t kernel, const GpuParams& params) {
  return outcome.kernel(kernel, "begin_cycle") + params.front_end.kernel_launch_cycles + 1 + 1;
}

struct Line {
  unsigned home, slice;
  Address address() const { return kBase + Address{home} * 4096 + Address{slice} * 256; }
  Cycle to_home() const { return hops(node_of_sm(0), node_of_sm(home)); }
  Cycle to_l2() const { return hops(node_of_sm(0), kSlices[slice]); }
  Cycle home_to_l2() const { return hops(node_of_sm(home), kSlices[slice]); }
};

// SL-1, SL-10
TEST_CASE(
    "shared_l1: an L1 has 32 MSHR entries that merge without limit, and a home an Out queue and, with the stages of its tags, an In queue of 8 places") {
  for (const char* name : {"shared_l1/baseline", "shared_l1/shared", "shared_l1/dyn_eb"}) {
    CAPTURE(name);
    const GpuParams params = machine(name);
    CHECK(params.l1.mshr_entries == 32);
    CHECK(params.l1.mshr_targets == kUnlimited);
    CHECK(params.of<SharedL1Params>().in_queue + params.l1.tag_cycles == 8);
    CHECK(params.of<SharedL1Params>().out_queue == 8);
  }
}

// SL-34
TEST_CASE("shared_l1: L1 latencies of 8, 16, 40 and 64 cycles beside 28 change the data part alone, in the baseline and under DynEB") {
  for (const std::string name : {"shared_l1/baseline", "shared_l1/dyn_eb"}) {
    CHECK(machine(name).l1.hit_latency() == 28);
    for (const Cycle latency : {8, 16, 40, 64}) {
      CAPTURE(name, latency);
      const GpuParams params = machine("shared_l1/l1_latency:" + name.substr(name.find('/') + 1) + "_" + std::to_string(latency));
      CHECK(params.l1.tag_cycles == 4);
      CHECK(params.l1.data_cycles == latency - 4);
    }
  }
}

TEST_CASE("shared_l1: a load that hits at home takes 30 cycles and the way there and back, a chunk of 32 B or a line") {
  for (const bool chunk : {false, true}) {
    for (const Line line : {Line{1, 0}, Line{13, 5}, Line{27, 7}}) {
      CAPTURE(chunk, line.home);
      const GpuParams params = machine(chunk ? "shared_l1/shared_chunk" : "shared_l1/shared");
      const Outcome outcome = run_checked(params, {one_warp({load(line.address(), 1), load(line.address(), 2, 1)})});
      REQUIRE(outcome.run("sm.served_by.home") == 1);
      const Cycle there = packet(line.to_home(), 1), back = packet(line.to_home(), chunk ? 2 : 5);
      const Cycle router = 1, hit = 4 + 24, at_sm = 1;
      const Cycle aligned = router + there + hit + back + at_sm;
      const Cycle taken = outcome.run("sm.served_by_cycles.home");
      CHECK((taken == aligned || taken == aligned + 1));  // the request may wait for an edge of the network
    }
  }
}

TEST_CASE("shared_l1: a load that misses at home takes the ways to the home and from there to L2, and installs there alone") {
  for (const Line line : {Line{1, 0}, Line{13, 5}, Line{27, 7}}) {
    CAPTURE(line.home);
    const GpuParams params = machine("shared_l1/shared_chunk");
    // The first kernel loads the line into L2; the second finds the L1s empty.
    const Outcome outcome = run_checked(params, {one_warp({load(line.address(), 1)}), one_warp({load(line.address(), 1)})});
    REQUIRE(outcome.kernel(1, "sm.served_by.l2") == 1);
    const Cycle router = 1, tag = 4, l2 = 120, fill = 1, at_sm = 1;
    const Cycle request = to_edge(accepted(outcome, 1, params) + router) + packet(line.to_home(), 1);
    const Cycle fetch = tag + packet(line.home_to_l2(), 1) + l2 + packet(line.home_to_l2(), 5) + fill;
    const Cycle reply = to_edge(fill) + packet(line.to_home(), 2);
    CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == router + request + fetch + reply + at_sm);
    CHECK(outcome.kernel(1, "shared_l1.remote_reads") == 1);
    CHECK(outcome.kernel(1, "l1.load.misses") == 1);
  }
}

// SL-36: it is not an access of an L1
TEST_CASE("shared_l1: a direct load takes the way to L2 and back, with the chunk asked for") {
  // SM 0 is in a corner: slice 1 is nearer than SM 27 in the opposite corner.
  const Line line{27, 1};
  REQUIRE(line.to_l2() < line.to_home());
  const GpuParams params = machine("shared_l1/shared_plus_plus");
  const Outcome outcome = run_checked(params, {one_warp({load(line.address(), 1)}), one_warp({load(line.address(), 1)})});
  const Cycle router = 1, l2 = 120, at_sm = 1;
  const Cycle request = to_edge(accepted(outcome, 1, params) + router) + packet(line.to_l2(), 1);
  CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == router + request + l2 + packet(line.to_l2(), 2) + at_sm);
  CHECK(outcome.kernel(1, "shared_l1.direct_reads") == 1);
  CHECK(outcome.kernel(1, "l1.load.accesses") == 0);
}

TEST_CASE("shared_l1: a local load is as fast as in the private baseline, hit or miss") {
  const Line line{0, 2};
  for (const char* name : {"shared_l1/baseline", "shared_l1/shared_plus_plus"}) {
    CAPTURE(name);
    const GpuParams params = machine(name);
    const Outcome outcome =
        run_checked(params, {one_warp({load(line.address(), 1)}), one_warp({load(line.address(), 1), load(line.address(), 2, 1)})});
    CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") ==
          to_edge(accepted(outcome, 1, params) + 4) + 137 + 8 * line.to_l2());  // common section 11
    CHECK(outcome.kernel(1, "sm.served_by_cycles.l1") == 28);
  }
}

TEST_CASE("shared_l1: a remote store is acknowledged by L2 over the home") {
  // The kernel ends when the acknowledgement arrives, so the difference to a local store is the difference of the paths.
  const Line local{0, 2}, remote{13, 5};
  const GpuParams params = machine("shared_l1/shared_chunk");
  const auto end_of = [&](const Line& line) {
    const Outcome outcome = run_checked(params, {one_warp({load(line.address(), 1)}), one_warp({store(line.address())})});
    CHECK(outcome.kernel(1, "l2.hits") == 1);
    const Cycle begun = accepted(outcome, 1, params);
    return std::pair{begun, outcome.kernel(1, "end_cycle") - begun};
  };
  const auto l2 = [](Cycle h) { return packet(h, 2) + 120 + packet(h, 1); };
  const auto [local_begun, local_taken] = end_of(local);
  const auto [remote_begun, remote_taken] = end_of(remote);
  const Cycle own = 4 + to_edge(local_begun + 4) + l2(local.to_l2()) + 1;
  const Cycle home = 1 + to_edge(remote_begun + 1) + packet(remote.to_home(), 2) + 4 + l2(remote.home_to_l2()) + 1 + to_edge(1) +
                     packet(remote.to_home(), 1) + 1;
  CHECK(remote_taken - local_taken == home - own);
}

TEST_CASE("shared_l1: with an ideal network between SMs a remote hit costs two cycles more than a local one") {
  const Line line{27, 7};
  const Outcome outcome = run_checked(machine("shared_l1/hypothetical"), {one_warp({load(line.address(), 1), load(line.address(), 2, 1)})});
  CHECK(outcome.run("sm.served_by_cycles.home") == 1 + 28 + 1);
}

/// Four SMs and two slices. The caches are so small that lines are replaced often.
const Settings kSmallCrossbarGpu = {
    "sms=4", "channels=2", "sm.warps=8", "sm.ctas=2", "l1.capacity_kib=1", "l1.ways=2", "l2.slice_kib=2", "watchdog.interval_cycles=20000"};
/// On a 3 x 2 mesh.
const Settings kSmallGpu = kSmallCrossbarGpu + Settings{"network.mesh.columns=3"};
/// One place in every queue that may have only one.
const Settings kSmallestNodes = {"l1.input_queue=1",   "l1.fill_queue=1",      "l1.mshr_entries=1",           "l1.miss_queue=1",
                                 "l1.tag_cycles=1",    "l1.data_cycles=1",     "network.interface_packets=1", "l2.input_queue=1",
                                 "l2.access_cycles=1", "l2.mshr_entries=1",    "l2.mshr_targets=1",           "l2.miss_queue=2",
                                 "l2.reply_queue=1",   "dram.queue_entries=1", "dram.return_entries=1",       "dram_link_queue=1",
                                 "sm.lsu_queue=1",     "shared_l1.in_queue=1", "shared_l1.out_queue=1",       "shared_l1.request_queue=2"};
const Settings kSmallest = kSmallestNodes + Settings{"network.mesh.virtual_channels=2", "network.mesh.buffer_flits=1"};
const Settings kQuickPhases = {"shared_l1.dynamic.sample_accesses=8", "shared_l1.dynamic.execute_accesses=40"};

const char* const kStatic[] = {"shared_l1/shared", "shared_l1/shared_chunk", "shared_l1/shared_plus_plus"};
const char* const kDynamic[] = {"shared_l1/dyn_eb", "shared_l1/dyn_eb_plain", "shared_l1/dyn_amat", "shared_l1/dyn_amat_plain"};

void soak(const std::string& configuration, const Settings& settings, const std::vector<std::uint64_t>& seeds) {
  for (const std::uint64_t seed : seeds) test::soak(configuration, settings, seed, {});
}

TEST_CASE("shared_l1: random traffic through the static organisations, in any order of the blocks") {
  for (const char* name : kStatic) soak(name, kSmallGpu, {1, 2});
  soak("shared_l1/hypothetical", kSmallGpu, {3});
}

TEST_CASE("shared_l1: a texture load of a line with another home may miss the SM's own store, and no other load may") {
  const auto stale = [](const Line& line, Unit unit, CacheOp cache_op) {
    WarpInstruction read = load(line.address(), 1);
    read.unit = unit;
    read.cache_op = cache_op;
    // The first kernel loads the line into L2, which then answers at once.
    const Outcome outcome =
        run_checked(machine("shared_l1/shared"), {one_warp({load(line.address(), 1)}), one_warp({store(line.address()), read})});
    CHECK(outcome.run("stale_own.atomic") + outcome.run("stale_own.peer") + outcome.run("stale_own.mode_change") == 0);
    return outcome.run("stale_own.texture");
  };
  const Line own{0, 2}, other{27, 1};                     // the slice is nearer than the home
  CHECK(stale(other, Unit::texture, CacheOp::all) == 1);  // the read reaches L2 before the store, which goes through SM 27
  CHECK(stale(other, Unit::load, CacheOp::all) == 0);
  CHECK(stale(other, Unit::load, CacheOp::bypass_l1) == 0);
  CHECK(stale(own, Unit::texture, CacheOp::all) == 0);
}

TEST_CASE("shared_l1: random textures read older values than the SM's own stores, random loads of other kinds do not") {
  std::uint64_t stale = 0;
  TrafficShape without;
  without.textures = false;
  for (const std::uint64_t seed : {1, 2, 3}) {
    stale += test::soak("shared_l1/shared", kSmallGpu, seed).run("stale_own.texture");
    CHECK(test::soak("shared_l1/shared", kSmallGpu, seed, without).run("stale_own.texture") == 0);
  }
  CHECK(stale > 0);
}

TEST_CASE("shared_l1: random traffic over crossbars, by way of the slices or a butterfly, in any order of the blocks") {
  const Settings fly = {"network.butterfly.radix=2", "network.butterfly.stages=3"};
  soak("shared_l1/via_slices", kSmallCrossbarGpu, {1, 2});
  soak("shared_l1/butterfly_shared_chunk", kSmallCrossbarGpu + fly, {1, 2});
  soak("shared_l1/butterfly_dyn_eb", kSmallCrossbarGpu + fly + kQuickPhases, {3});
  const Settings smallest = kSmallestNodes + Settings{"network.crossbar.buffer_flits=1", "network.crossbar.ejection_flits=1"};
  soak("shared_l1/via_slices", kSmallCrossbarGpu + smallest + Settings{"network.crossbar.virtual_channels=3"}, {4});
  soak("shared_l1/butterfly_shared_chunk",
       kSmallCrossbarGpu + fly + smallest +
           Settings{"network.crossbar.virtual_channels=1", "network.butterfly.virtual_channels=2", "network.butterfly.buffer_flits=1"},
       {5});
}

TEST_CASE("shared_l1: random traffic through the dynamic organisations, in any order of the blocks") {
  for (const char* name : kDynamic) soak(name, kSmallGpu + kQuickPhases, {1, 2});
  soak("shared_l1/dyn_eb", kSmallGpu + kQuickPhases + Settings{"shared_l1.dynamic.wait_for_own_stores=true"}, {4});
  soak("shared_l1/dyn_amat", kSmallGpu + kQuickPhases + Settings{"shared_l1.dynamic.amat_latency=measured"}, {5});
  const Settings leftovers = kQuickPhases + Settings{"shared_l1.leftover_victim_first=true", "shared_l1.dynamic.tie=shared"};
  soak("shared_l1/dyn_eb_plain", kSmallGpu + leftovers, {1, 6});
  soak("shared_l1/dyn_amat_plain", kSmallGpu + kSmallest + leftovers + Settings{"shared_l1.dynamic.persist_phases=false"}, {7});
  soak("shared_l1/dyn_eb", kSmallGpu + kQuickPhases + Settings{"shared_l1.dynamic.persist_phases=false"}, {2, 8});
}

// SL-26
TEST_CASE("shared_l1: evicting leftovers first, and sampling again in each kernel, change a run") {
  const std::vector<ScriptedKernel> traffic = random_traffic(1);
  // Random victims: with LRU, the oldest line is a leftover anyway, which no access looks up.
  const Settings often = kSmallGpu + kQuickPhases + Settings{"shared_l1.dynamic.tie=shared", "l1.replacement=random"};
  const Outcome usual = run_checked(machine("shared_l1/dyn_eb_plain", often), traffic);
  for (const char* setting : {"shared_l1.leftover_victim_first=true", "shared_l1.dynamic.persist_phases=false"}) {
    const Outcome other = run_checked(machine("shared_l1/dyn_eb_plain", often + Settings{setting}), traffic);
    INFO(setting);
    const bool same = other.csv == usual.csv;
    CHECK_FALSE(same);
  }
}

TEST_CASE("shared_l1: the smallest queues of every kind come to an end") {
  for (const char* name : kStatic) soak(name, kSmallGpu + kSmallest, {1, 2});
  soak("shared_l1/hypothetical", kSmallGpu + kSmallest, {6});
  soak("shared_l1/dyn_eb_plain", kSmallGpu + kSmallest + kQuickPhases, {3, 4});
}

TEST_CASE("shared_l1: an acknowledgement for another core waits until the L1 has accepted the answer before it") {
  const Settings full = {"sms=8", "network.mesh.columns=2", "l1.mshr_entries=4", "l1.fill_queue=1", "shared_l1.out_queue=1"};
  soak("shared_l1/shared_chunk", kSmallGpu + full, {5});
  for (const char* name : kStatic) soak(name, kSmallGpu + full + Settings{"l1.fill_shares_port=false"}, {1, 2});
  soak("shared_l1/dyn_eb_plain", kSmallGpu + kQuickPhases + full, {3, 4});
}

TEST_CASE(
    "shared_l1: a load for another core waits for the response port until a fill place is free, and L2's next answer waits behind it") {
  const Settings full = {"l1.response_port=true", "l1.mshr_targets=1", "l1.fill_queue=1"};
  for (const char* name : kStatic) soak(name, kSmallGpu + full, {1, 2});
}

TEST_CASE("shared_l1: the cause for which an access waits is that of every cycle, also where a store makes a pending fill useless") {
  const Settings few = {"l1.mshr_targets=1", "l1.mshr_entries=4"};
  for (const char* name : kStatic) soak(name, kSmallGpu + few, {1, 2, 3});
  soak("shared_l1/butterfly_shared_chunk", kSmallCrossbarGpu + few + Settings{"network.butterfly.radix=2", "network.butterfly.stages=3"},
       {1, 2});
  for (const std::uint64_t seed : {4, 5}) soak("shared_l1/dyn_eb_plain", kSmallGpu + kQuickPhases + few, {seed});
}

// SL-37: a single copy counts as one
TEST_CASE("shared_l1: in a shared organisation no line has two copies, and no miss could be served by another L1") {
  for (const char* name : kStatic) {
    CAPTURE(name);
    const Outcome outcome = run_apart(
        machine(name), [] { return cli::open_named_stimulus("gemm@tiny", 1); }, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.run("l1.load.misses_held_elsewhere") == 0);
    CHECK(outcome.run("directory.copies_sampled") == outcome.run("directory.lines_sampled"));
    // One request to L2 per entry; the homes fetched exactly the lines that missed there.
    CHECK(outcome.run("l1.fills") == outcome.run("l1.load.misses"));
    CHECK(outcome.run("shared_l1.remote_reads") == outcome.run("shared_l1.served_reads"));
    CHECK(outcome.run("shared_l1.remote_writes") == outcome.run("shared_l1.served_writes"));
    CHECK(outcome.run("l1.remote.accesses") == outcome.run("shared_l1.served_reads") + outcome.run("shared_l1.served_writes"));
  }
}

TEST_CASE("shared_l1: a dynamic organisation with one mode forced is that mode, byte by byte") {
  const std::vector<ScriptedKernel> traffic = random_traffic(9);
  const std::pair<const char*, Settings> modes[] = {{"shared", {"shared_l1.organisation=shared"}},
                                                    {"private", {"shared_l1.organisation=private"}}};
  for (const auto& [mode, settings] : modes) {
    for (const char* name : {"shared_l1/dyn_eb", "shared_l1/dyn_amat"}) {
      CAPTURE(mode, name);
      const Outcome forced = run_checked(machine(name, kSmallGpu + Settings{std::string("shared_l1.dynamic.force=") + mode}), traffic);
      const Outcome fixed = run_checked(machine("shared_l1/shared_plus_plus", kSmallGpu + settings), traffic);
      CHECK(forced.result["run"].dump() == fixed.result["run"].dump());
      CHECK(forced.csv == fixed.csv);
    }
  }
}

TEST_CASE("shared_l1: in its private form it serves every access as the private platform does") {
  const std::vector<ScriptedKernel> traffic = random_traffic(10);
  const Outcome here = run_checked(machine("shared_l1/shared", kSmallGpu + Settings{"shared_l1.organisation=private"}), traffic);
  const Outcome there = run_checked(machine("shared_l1/baseline", kSmallGpu), traffic);
  for (const char* metric : {"l1.load.accesses", "l1.store.accesses", "l1.atomics", "l2.stores", "l2.atomics", "thread_instructions"})
    CHECK(here.run(metric) == there.run(metric));
  CHECK(here.run("shared_l1.remote_reads") == 0);
}

TEST_CASE("shared_l1: every core goes through its phases, each decision after its samples") {
  const Outcome outcome = run_apart(
      machine("shared_l1/dyn_eb"), [] { return cli::open_named_stimulus("gemm@tiny", 1); }, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  unsigned sampled = 0;
  std::uint64_t last_sm = ~std::uint64_t{0}, last_begin = 0;
  std::string last_phase;
  for (const cli::Json& row : outcome.result["tables"]["execution_phases"]["rows"]) {
    const std::uint64_t sm = row[0], begin = row[2];
    const std::string phase = row[1];
    CAPTURE(sm, begin);
    if (sm != last_sm) {
      CHECK(phase == "S");
      CHECK(begin == 0);
      ++sampled;
    } else {
      CHECK((phase == "S") != (last_phase == "S"));  // sampling and execution alternate
      CHECK(begin > last_begin);
    }
    last_sm = sm;
    last_begin = begin;
    last_phase = phase;
  }
  CHECK(sampled == 28);
}

TEST_CASE("shared_l1: what cannot be shared is refused with the reason") {
  using Catch::Matchers::Contains;
  CHECK_THROWS_WITH(machine("shared_l1/shared", {"network.topology=crossbar"}), Contains("no way from one SM to another"));
  CHECK_THROWS_WITH(machine("shared_l1/shared", {"l1.single=true"}), Contains("single has no neighbours to share with"));
  CHECK_THROWS_WITH(machine("shared_l1/shared", {"l1.banks=2"}), Contains("a home looks up one access per cycle"));
  CHECK_THROWS_WITH(machine("shared_l1/shared", {"l1.local_stores=write_back"}), Contains("stores in an L1 that others read"));
  CHECK_THROWS_WITH(machine("shared_l1/baseline", {"shared_l1.chunk=true"}), Contains("platform is not shared_l1"));
  CHECK_THROWS_WITH(machine("shared_l1/shared", {"shared_l1.dynamic.force=private"}), Contains("is not dynamic"));
  CHECK_THROWS_WITH(machine("shared_l1/shared", {"shared_l1.leftover_victim_first=true"}), Contains("is not dynamic"));
  CHECK_THROWS_WITH(machine("shared_l1/dyn_eb", {"shared_l1.dynamic.force=private", "shared_l1.dynamic.tie=shared"}),
                    Contains("leaves nothing to decide"));
}

TEST_CASE("shared_l1: an atomic past the home leaves an old copy there, which is counted and allowed") {
  const Line line{13, 5};
  // The load fills the line at its home, the atomic bypasses the home, and the second load finds the old copy.
  WarpInstruction past = atomic(line.address(), 2);
  past.sources[0] = 1;
  const Outcome outcome =
      run_checked(machine("shared_l1/shared_chunk"), {one_warp({load(line.address(), 1), past, load(line.address(), 3, 2)})});
  CHECK(outcome.run("stale_own.atomic") == 1);
  CHECK(outcome.run("shared_l1.direct_atomics") == 1);
}

}  // namespace
}  // namespace wharf::test
