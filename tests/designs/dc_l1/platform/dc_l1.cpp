// dc_l1 on whole machines: unloaded latencies of every path, the invariants of dc_l1 section 12, designs that must not differ, and refused
// configurations. configurations.cpp runs the configurations themselves with all checks.

#include <catch2/catch.hpp>
#include <set>

#include "platforms/cli/stimuli.h"
#include "platforms/designs/dc_l1/dc_l1_design.h"
#include "tests/platform/machines/run_checked.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {
namespace {

/// A time in core cycles. It advances by cycles of the core's clock, or of a clock of half its frequency from that clock's next edge on.
class Clockwork {
 public:
  explicit Clockwork(Cycle begin) : begin_(begin), now_(begin) {}
  Clockwork& core(Cycle cycles) {
    now_ += cycles;
    return *this;
  }
  Clockwork& half(Cycle cycles) {
    now_ += now_ % 2 + 2 * cycles;
    return *this;
  }
  Clockwork& noc1(Cycle cycles, bool boost) { return boost ? core(cycles) : half(cycles); }
  Cycle taken() const { return now_ - begin_; }

 private:
  Cycle begin_, now_;
};

/// The core cycle in which the load/store unit's first access of a kernel is accepted.
Cycle accepted(const Outcome& outcome, std::size_t kernel, const GpuParams& params) {
  return outcome.kernel(kernel, "begin_cycle") + params.front_end.kernel_launch_cycles + 1 + 1;
}

/// Kernels start with empty caches.
const std::vector<std::string> kFlushed = {"l1.kernel_boundary=flush"};

struct Design {
  const char* name;
  Cycle hit;       // of a DC-L1
  Cycle crossing;  // NoC#1 cycles of one flit
  bool boost = false;
};
constexpr Design kDesigns[] = {{"dc_l1/pr80", 28, 1},     {"dc_l1/pr40", 30, 2},     {"dc_l1/pr20", 32, 2},
                               {"dc_l1/pr10", 34, 2},     {"dc_l1/sh40", 30, 2},     {"dc_l1/sh40_c5", 30, 2},
                               {"dc_l1/sh40_c10", 30, 2}, {"dc_l1/sh40_c20", 30, 2}, {"dc_l1/sh40_c10_boost", 30, 2, true}};

// DC-9, DC-10, DC-17, DC-19: the latencies of nodes, the clocks, the crossings, and NoC#1 as fast as NoC#2 except under Boost
TEST_CASE("dc_l1: a load that hits takes NoC#1, the DC-L1's latency and NoC#1 with the pieces asked for") {
  for (const Design& d : kDesigns) {
    for (const unsigned sectors : {1u, 4u}) {
      CAPTURE(d.name, sectors);
      const LaneMask lanes = sectors == 1 ? 1 : kAllLanes;
      // The second load hits, an even or an odd number of cycles after the first.
      const GpuParams params = machine(d.name);
      const Outcome outcome = run_checked(params, {one_warp({load(kLine, 1, kNoRegister, lanes), load(kLine, 2, 1, lanes)})});
      REQUIRE(outcome.run("sm.served_by.home") == 1);
      std::set<Cycle> possible;
      for (const Cycle begin : {0, 1})
        possible.insert(Clockwork(begin).noc1(d.crossing, d.boost).core(d.hit).noc1(d.crossing + sectors, d.boost).taken());
      CAPTURE(possible, outcome.run("sm.served_by_cycles.home"));
      CHECK(possible.count(outcome.run("sm.served_by_cycles.home")) == 1);
      CHECK(outcome.run("l1.load.hits") == 1);
    }
  }
}

TEST_CASE("dc_l1: a load served by L2 takes both NoCs there and back, the tags, the slice and the fill") {
  for (const Design& d : kDesigns) {
    CAPTURE(d.name);
    const GpuParams params = machine(d.name, kFlushed);
    const Outcome outcome = run_checked(params, {one_warp({load(kLine, 1)}), one_warp({load(kLine, 1)})});
    REQUIRE(outcome.kernel(1, "sm.served_by.l2") == 1);
    const Cycle tag = 4, l2 = 120, fill = 1;
    Clockwork path(accepted(outcome, 1, params));
    path.noc1(d.crossing, d.boost).core(tag).half(2).core(l2).half(2 + 4).core(fill).noc1(d.crossing + 1, d.boost);
    CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == path.taken());
  }
}

// DC-22
TEST_CASE("dc_l1: a load over a CDXBar takes both stages there and back, each packet whole") {
  for (const auto& [name, boost] : {std::pair{"dc_l1/cdxbar", false}, {"dc_l1/cdxbar_rr", false}, {"dc_l1/cdxbar_2x_noc1", true}}) {
    CAPTURE(name);
    const GpuParams params = machine(name, kFlushed);
    const Outcome outcome = run_checked(params, {one_warp({load(kLine, 1)}), one_warp({load(kLine, 1)})});
    const Cycle tag = 4, l2 = 120, fill = 1;
    Clockwork path(accepted(outcome, 1, params));
    path.core(tag).noc1(2, boost).half(2).core(l2).half(2 + 4).noc1(2 + 4, boost).core(fill);
    CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == path.taken());
  }
}

TEST_CASE("dc_l1: without sectoring a reply to a core carries the line") {
  const auto cycles = [](const char* name) {
    return run_checked(machine(name), {one_warp({load(kLine, 1), load(kLine, 2, 1)})}).run("sm.served_by_cycles.home");
  };
  CHECK(cycles("dc_l1/resources:sh40_c10_boost_full_lines") == cycles("dc_l1/sh40_c10_boost") + 3);  // five flits for two
}

TEST_CASE("dc_l1: the decoupled design of ata hits after 40 cycles and is served by L2 after 228") {
  const GpuParams params = machine("ata/decoupled");
  const Cycle crossbar = 4, hit = 32, tag = 4, noc = 8, l2 = 172, fill = 28;
  const Outcome outcome = run_checked(params, {one_warp({load(kLine, 1)}), one_warp({load(kLine, 1), load(kLine, 2, 1)})});
  CHECK(outcome.kernel(1, "sm.served_by_cycles.l2") == crossbar + tag + noc + l2 + noc + fill + crossbar);
  CHECK(outcome.kernel(1, "sm.served_by_cycles.home") == crossbar + hit + crossbar);
}

// DC-12, DC-28
TEST_CASE("dc_l1: a store evicts the line that it hits, takes what it writes to L2 and is acknowledged over both NoCs") {
  for (const char* forward : {"payload", "full_line"}) {
    CAPTURE(forward);
    const GpuParams params = machine("dc_l1/sh40_c10", {std::string("dc_l1.write_forward=") + forward});
    WarpInstruction after = store(kLine, 1);
    const Outcome outcome = run_checked(
        params, {one_warp({load(kLine, 1), after}), one_warp({load(kLine, 1), store(kLine, 1), atomic(kLine, 2), load(kLine, 3, 2)})});
    CHECK(outcome.kernel(0, "l1.store.hits") == 1);
    CHECK(outcome.kernel(0, "dc_l1.acks") == 1);
    // A read of one flit; a store of one sector in two, or of the line in five.
    CHECK(outcome.kernel(0, "net.request.flits") == 1 + (std::string(forward) == "payload" ? 2 : 5));
    CHECK(outcome.kernel(0, "net.noc1_request.flits") == 1 + 2);
    // The line is absent after the store and after the atomic, so the last load fetches it again.
    CHECK(outcome.kernel(1, "l1.load.misses") == 2);
    CHECK(outcome.kernel(1, "l1.atomics") == 1);
    CHECK(outcome.ratio("l1.miss_rate") == 1.0);  // of three loads; the stores and the atomic do not count
  }
}

TEST_CASE("dc_l1: atomics and textures pass the cache by without a lookup, unless textures are to use it") {
  WarpInstruction texture = load(kLine, 2, 1);
  texture.unit = Unit::texture;
  const std::vector<ScriptedKernel> kernels = {one_warp({texture, texture, atomic(kLine + 4096, 3)})};
  const Outcome past = run_checked(machine("dc_l1/sh40_c10"), kernels);
  CHECK(past.run("l1.texture.bypasses") == 2);
  CHECK(past.run("l1.sectors.accesses") == 0);
  CHECK(past.run("l1.fills") == 0);
  CHECK(past.run("dc_l1.bypasses") == 2);
  CHECK(past.run("dc_l1.atomics") == 1);
  const Outcome cached = run_checked(machine("dc_l1/sh40_c10", {"dc_l1.textures=cached"}), kernels);
  CHECK(cached.run("l1.texture.misses") + cached.run("l1.texture.merged") + cached.run("l1.texture.hits") == 2);
  CHECK(cached.run("l1.fills") == 1);
}

// DC-21
TEST_CASE("dc_l1: a perfect cache fetches nothing, and writes and atomics go on") {
  for (const char* name : {"dc_l1/perfect_l1", "dc_l1/perfect:pr40"}) {
    CAPTURE(name);
    const Outcome outcome = run_apart(
        machine(name), [] { return cli::open_named_stimulus("gemm@tiny", 1); }, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    CHECK(outcome.run("l1.load.hits") == outcome.run("l1.load.accesses"));
    CHECK(outcome.run("l1.fills") == 0);
    CHECK(outcome.run("l2.accesses") == outcome.run("l1.store.accesses"));
  }
}

/// Eight SMs, four nodes, four slices. The caches are so small that lines are replaced often.
const Settings kSmallGpu = {"sms=8",
                            "channels=2",
                            "sm.warps=8",
                            "sm.ctas=2",
                            "l1.capacity_kib=1",
                            "l1.ways=2",
                            "l1.mshr_entries=4",
                            "l2.slice_kib=2",
                            "watchdog.interval_cycles=20000"};
Settings small(unsigned nodes, unsigned clusters) {
  return kSmallGpu + Settings{"dc_l1.nodes=" + std::to_string(nodes), "dc_l1.clusters=" + std::to_string(clusters)};
}
/// One place in every queue that may have only one.
const Settings kSmallest = {"l1.tag_cycles=1",
                            "l1.data_cycles=1",
                            "network.interface_packets=1",
                            "network.crossbar.buffer_flits=1",
                            "network.crossbar.ejection_flits=1",
                            "network.crossbar.virtual_channels=1",
                            "dc_l1.noc1.interface_packets=1",
                            "dc_l1.noc1.crossbar.buffer_flits=1",
                            "dc_l1.noc1.crossbar.ejection_flits=1",
                            "dc_l1.noc1.crossbar.virtual_channels=1",
                            "l2.input_queue=1",
                            "l2.access_cycles=1",
                            "l2.mshr_entries=1",
                            "l2.mshr_targets=1",
                            "l2.miss_queue=2",
                            "l2.reply_queue=1",
                            "dram.queue_entries=1",
                            "dram.return_entries=1",
                            "dram_link_queue=1",
                            "sm.lsu_queue=1"};
const Settings kSmallestNodes = {"dc_l1.queues.q1=1", "dc_l1.queues.q2=1", "dc_l1.queues.q3=1", "dc_l1.queues.q4=1"};

Outcome soak_fills(const std::string& configuration, const Settings& settings, std::uint64_t seed) {
  return test::soak(configuration, settings, seed, {}, [](const Outcome& outcome) {
    CHECK(outcome.run("l1.fills") == outcome.run("l1.load.misses") + outcome.run("l1.load.sector_misses") +
                                         outcome.run("l1.texture.misses") + outcome.run("l1.texture.sector_misses"));
  });
}

TEST_CASE("dc_l1: random traffic through every family, in any order of the blocks") {
  soak_fills("dc_l1/pr80", small(8, 8), 1);
  soak_fills("dc_l1/pr40", small(4, 4), 2);
  soak_fills("dc_l1/sh40", small(4, 1), 3);
  for (const std::uint64_t seed : {4, 5}) soak_fills("dc_l1/sh40_c10", small(4, 2), seed);
  soak_fills("dc_l1/sh40_c10_boost", small(4, 2) + Settings{"dc_l1.textures=cached"}, 6);
  soak_fills("dc_l1/resources:sh40_c10_boost_full_lines", small(8, 2) + Settings{"dc_l1.write_forward=full_line"}, 7);
  soak_fills("dc_l1/perfect:pr40", small(4, 4), 8);
  soak_fills("ata/decoupled", small(4, 2) + Settings{"l1.mshr_targets=2"}, 9);
}

TEST_CASE("dc_l1: a line that a store has made in a node is read by others before L2 has the store, which is counted and allowed") {
  std::uint64_t early = 0;
  for (const std::uint64_t seed : {2, 3, 4})
    early += test::soak_fills("dc_l1/sh40_c10_boost",
                              small(4, 2) + Settings{"l1.store_miss=allocate", "l1.mshr_entries=32", "l2.slice_kib=128"}, seed)
                 .run("early.peer");
  CHECK(early > 0);
}

TEST_CASE("dc_l1: random traffic over a CDXBar, in any order of the blocks") {
  for (const char* name : {"dc_l1/cdxbar", "dc_l1/cdxbar_rr", "dc_l1/cdxbar_2x_noc"}) soak_fills(name, small(4, 2), 1);
  soak_fills("dc_l1/cdxbar_2x_noc1", small(4, 2) + kSmallest + Settings{"dc_l1.stage_queue=1"}, 2);
}

TEST_CASE("dc_l1: the smallest queues of every kind come to an end") {
  for (const std::uint64_t seed : {1, 2}) {
    soak_fills("dc_l1/sh40_c10", small(4, 2) + kSmallest + kSmallestNodes, seed);
    soak_fills("dc_l1/sh40", small(4, 1) + kSmallest + kSmallestNodes, seed);
  }
  soak_fills("dc_l1/pr40", small(4, 4) + kSmallest + kSmallestNodes, 3);
  soak_fills("dc_l1/sh40_c10_boost", small(8, 2) + kSmallest + kSmallestNodes, 4);
}

Outcome gemm(const char* name, const Settings& settings = {}) {
  Outcome outcome = run_apart(
      machine(name, settings), [] { return cli::open_named_stimulus("gemm@tiny", 1); }, checked());
  INFO(outcome.failure);
  REQUIRE(outcome.end == End::done);
  return outcome;
}

TEST_CASE("dc_l1: with one node a cluster it is PrY, whatever the home map says") {
  const Outcome pr40 = gemm("dc_l1/pr40");
  for (const char* map : {"chunk_mod", "chunk_bits", "line_mod"}) {
    CAPTURE(map);
    const bool same = gemm("dc_l1/pr40", {std::string("dc_l1.home_map=") + map}).bytes() == pr40.bytes();
    CHECK(same);
  }
  const bool clustered = gemm("dc_l1/sh40_c10", {"dc_l1.clusters=40"}).bytes() == pr40.bytes();
  CHECK(clustered);
}

TEST_CASE("dc_l1: with one cluster it is ShY, and the home map decides over nothing but which node") {
  const Settings one_cluster = {"dc_l1.nodes=16", "dc_l1.clusters=1", "sms=80"};
  const Outcome chunks = gemm("dc_l1/sh40", one_cluster), slices = gemm("dc_l1/sh40_c10", one_cluster);
  for (const char* metric : {"l1.load.accesses", "net.noc1_request.packets", "net.noc1_reply.flits", "l1.load.misses_held_elsewhere"})
    CHECK(chunks.run(metric) == slices.run(metric));
  for (const Outcome* outcome : {&chunks, &slices})
    CHECK(outcome->result["tables"]["crossbars"]["rows"][1].dump() == R"(["noc2",1,16,32,700,"possible"])");
}

TEST_CASE("dc_l1: Pr80 sends L2 the packets of the private baseline") {
  const Outcome pr80 = gemm("dc_l1/pr80"), base = gemm("dc_l1/private");
  for (const char* metric : {"l1.load.accesses", "l1.store.accesses", "l1.atomics", "l2.stores", "thread_instructions"})
    CHECK(pr80.run(metric) == base.run(metric));
}

TEST_CASE("dc_l1: no line has more copies than there are clusters, and in ShY no miss could be served elsewhere") {
  const auto most = [](const Outcome& outcome) {
    const std::uint64_t lines = outcome.run("directory.lines_sampled");
    return lines == 0 ? 0.0 : static_cast<double>(outcome.run("directory.copies_sampled")) / static_cast<double>(lines);
  };
  const auto bfs = [](const char* name) {
    Outcome outcome = run_apart(
        machine(name), [] { return cli::open_named_stimulus("bfs@tiny", 1); }, checked());
    INFO(outcome.failure);
    REQUIRE(outcome.end == End::done);
    return outcome;
  };
  const Outcome shared = bfs("dc_l1/sh40"), five = bfs("dc_l1/sh40_c5"), own = bfs("dc_l1/pr40");
  CHECK(shared.run("directory.lines_sampled") > 0);
  CHECK(most(shared) == 1.0);
  CHECK(shared.run("l1.load.misses_held_elsewhere") == 0);
  CHECK(most(five) <= 5.0);
  CHECK(most(own) <= 40.0);
  CHECK(five.run("l1.load.misses") < own.run("l1.load.misses"));
  CHECK(shared.run("l1.load.misses") < five.run("l1.load.misses"));
}

TEST_CASE("dc_l1: loads of many cores to one line merge at its home, and their answers enter Q2 one a cycle") {
  // Eight cores of one cluster load one line; one fetch serves them.
  ScriptedKernel kernel;
  for (unsigned i = 0; i < 8; ++i) kernel.ctas.push_back({{load(kLine, 1), exit_warp()}});
  const Outcome outcome = run_checked(machine("dc_l1/sh40_c10"), {kernel});
  CHECK(outcome.run("l1.load.misses") == 1);
  CHECK(outcome.run("l1.load.merged") == 7);
  CHECK(outcome.run("l1.fills") == 1);
  CHECK(outcome.run("dc_l1.replies") == 8);
  CHECK(outcome.run("dc_l1.q2.turn") > 0);
}

// DC-11
TEST_CASE("dc_l1: a lite core sends every load on its way, and two of one line merge at the node") {
  const Outcome outcome = run_checked(machine("dc_l1/sh40_c10"), {one_warp({load(kLine, 1), load(kLine, 2)})});
  CHECK(outcome.run("net.noc1_request.packets") == 2);
  CHECK(outcome.run("net.request.packets") == 1);
  CHECK(outcome.run("l1.load.misses") == 1);
  CHECK(outcome.run("l1.load.merged") == 1);
}

// DC-25
TEST_CASE("dc_l1: a clock above 700 MHz is called hypothetical for crossbars larger than 10 x 8") {
  const auto crossbars = [](const char* name, const Settings& settings = {}) {
    const Outcome outcome = run_checked(machine(name, settings), {one_warp({load(kLine, 1)})});
    return outcome.result["tables"]["crossbars"]["rows"].dump();
  };
  CHECK(crossbars("dc_l1/sh40_c10_boost") == R"([["noc1",10,8,4,1400,"possible"],["noc2",4,10,8,700,"possible"]])");
  CHECK(crossbars("dc_l1/cdxbar_2x_noc") == R"([["noc1",10,8,4,1400,"possible"],["noc2",4,10,8,1400,"possible"]])");
  CHECK(crossbars("dc_l1/cdxbar_rr") == R"([["noc1",10,8,4,700,"possible"],["noc2",1,40,32,700,"possible"]])");
  CHECK(crossbars("dc_l1/sh40", {"dc_l1.noc1.clock_mhz=1400"}) ==
        R"([["noc1",1,80,40,1400,"hypothetical"],["noc2",1,40,32,700,"possible"]])");
}

TEST_CASE("dc_l1: metrics of ATA and of chapter 5 cover NoC#1 and the nodes") {
  const GpuParams params = machine("ata/decoupled");
  const Outcome outcome = run_checked(params, {one_warp({load(kLine, 1)}), one_warp({load(kLine, 1), load(kLine, 2, 1)})});
  // A load that hits at its home is complete with its data. A miss is decided after the tags; L2's time is not counted (ATA-O31).
  const auto sum = [&](const char* metric) { return outcome.result["kernels"][1][metric].get<double>(); };
  const double crossbar = 4, hit = 32;
  CHECK(sum("l1.latency") == ((crossbar + hit) + (crossbar + hit + crossbar)) / 2);
  CHECK(sum("l1.latency_full") == (228 + 40) / 2.0);
  CHECK(sum("l1.contention") == 0.0);
  // Three loads cross NoC#1, and two of them also NoC#2. Requests, and replies of one sector, take one flit each.
  CHECK(outcome.run("net.flits") == 3 * 2 + 2 * 2);
  CHECK(sum("l1.data_port_utilisation_max") == 2.0 / static_cast<double>(outcome.kernel(1, "cycles")));
}

TEST_CASE("dc_l1: the stages of a load's time are its round trip, with NoC#1 in the network and the node as the peer") {
  const Outcome outcome = run_checked(machine("ata/decoupled"), {one_warp({load(kLine, 1), load(kLine, 2, 1)})});
  for (const cli::Json& row : outcome.result["tables"]["latency_stack"]["rows"]) {
    if (row[0] != "home") continue;
    CHECK(row[1] == 1);
    CHECK(row[5] == 4.0 + 4.0);  // network
    CHECK(row[6] == 32.0);       // peer
    return;
  }
  FAIL("no row of loads that a home served");
}

TEST_CASE("dc_l1: what cannot be built is refused with the reason and the remedy") {
  using Catch::Matchers::Contains;
  const auto nodes = [](const char* name, const char* y, const char* z) {
    return machine(name, {std::string("dc_l1.nodes=") + y, std::string("dc_l1.clusters=") + z});
  };
  CHECK_THROWS_WITH(nodes("dc_l1/sh40_c10", "40", "7"), Contains("clusters are not equal; choose clusters that divide"));
  CHECK_THROWS_WITH(nodes("dc_l1/sh40_c10", "10", "20"), Contains("clusters are not equal"));
  CHECK_THROWS_WITH(nodes("dc_l1/sh40_c10", "30", "10"), Contains("do not divide the 32 L2 slices"));
  CHECK_THROWS_WITH(nodes("dc_l1/sh40_c10", "100", "10"), Contains("more nodes than SMs"));
  CHECK_THROWS_WITH(nodes("dc_l1/sh40", "7", "1"), Contains("do not share the capacity"));
  CHECK_THROWS_WITH(machine("dc_l1/sh40", {"l1.mshr_entries=3", "dc_l1.nodes=32"}), Contains("MSHR entries of the SMs' L1s evenly"));
  CHECK_THROWS_WITH(machine("dc_l1/sh40", {"l1.banks=2"}), Contains("one access per cycle (DC-8)"));
  CHECK_THROWS_WITH(machine("dc_l1/sh40", {"l1.single=true"}), Contains("single has no network before it"));
  CHECK_THROWS_WITH(machine("dc_l1/sh40", {"l1.local_stores=write_back"}), Contains("stores in an L1 that others read"));
  CHECK_THROWS_WITH(machine("dc_l1/sh40", {"l1.miss_queue=16"}), Contains("are dc_l1.queues"));
  CHECK_THROWS_WITH(machine("dc_l1/sh40", {"l1.spare_miss_place=true", "dc_l1.queues.q3=1"}),
                    Contains("no load misses with a single entry"));
  CHECK_THROWS_WITH(machine("dc_l1/sh40", {"network.topology=mesh"}), Contains("NoC#2 is made of crossbars"));
  CHECK_THROWS_WITH(machine("dc_l1/sh40", {"dc_l1.cdx_route=rr"}), Contains("the home of a line decides"));
  CHECK_THROWS_WITH(machine("dc_l1/cdxbar", {"dc_l1.textures=cached"}), Contains("there are no DC-L1 nodes"));
  CHECK_THROWS_WITH(machine("dc_l1/cdxbar", {"dc_l1.home_map=chunk_mod"}), Contains("that of the second stage's slices"));
  CHECK_THROWS_WITH(machine("dc_l1/private", {"dc_l1.nodes=10"}), Contains("platform is not dc_l1"));
}

// DC-1, DC-2, DC-7, DC-23
TEST_CASE("dc_l1: the machine has 32 slices of 128 KB, 32 MSHR entries a core that merge without limit, and queues of four packets") {
  const GpuParams params = machine("dc_l1/private");
  CHECK(params.slices() == 32);
  CHECK(params.channels == 16);
  CHECK(params.l2.slice_kib == 128);
  CHECK(params.l1.mshr_entries == 32);
  CHECK(params.l1.mshr_targets == kUnlimited);
  const GpuParams design = machine("dc_l1");
  const L1Params cache = design.of<DcL1Params>().node_cache(design.l1, design.sms);
  CHECK(cache.ways == params.l1.ways);
  CHECK(cache.miss_queue == 4);
  CHECK(cache.fill_queue == 4);
  CHECK(design.of<DcL1Params>().queues.q1 == 4);
  CHECK(design.of<DcL1Params>().queues.q2 == 4);
  const GpuParams twice = machine("dc_l1/resources:private_2x_l1");
  CHECK(twice.l1.capacity_kib == 2 * params.l1.capacity_kib);
  CHECK(twice.l1.hit_latency() == 28);
}

// DC-9, DC-26
TEST_CASE("dc_l1: capacity and MSHRs of all caches are those of the private baseline, and the latency grows with the capacity") {
  for (const auto& [name, kib, mshrs, hit] : {std::tuple{"dc_l1/pr80", 16u, 32u, 28u},
                                              {"dc_l1/pr40", 32u, 64u, 30u},
                                              {"dc_l1/pr20", 64u, 128u, 32u},
                                              {"dc_l1/pr10", 128u, 256u, 34u},
                                              {"dc_l1/sh40", 32u, 64u, 30u},
                                              {"dc_l1/sh60_c10_boost", 32u, 64u, 30u},
                                              {"dc_l1/l1_latency:sh40_c10_boost_0", 32u, 64u, 1u},
                                              {"dc_l1/l1_latency:sh40_c10_boost_16", 32u, 64u, 17u},
                                              {"dc_l1/l1_latency:sh40_c10_boost_40", 32u, 64u, 43u},
                                              {"dc_l1/l1_latency:sh40_c10_boost_64", 32u, 64u, 69u}}) {
    CAPTURE(name);
    const GpuParams params = machine(name);
    const L1Params cache = params.of<DcL1Params>().node_cache(params.l1, params.sms);
    CHECK(cache.capacity_kib == kib);
    CHECK(cache.mshr_entries == mshrs);
    CHECK(cache.hit_latency() == hit);
    CHECK(cache.capacity_kib * params.of<DcL1Params>().nodes == params.sms * 16);
  }
}

}  // namespace
}  // namespace wharf::test
