// A DRAM channel between scripted L2 slices: cycles, turns, contents, back-pressure (common section 7).

#include <algorithm>

#include "model/dram/dram_channel.h"
#include "model/l2/l2_slice.h"
#include "platforms/frame/gpu_params.h"
#include "tests/block/block_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

/// One simulation may contain several of them.
const char* unique(const std::string& name) { return sc_core::sc_gen_unique_name(name.c_str()); }

struct Dram {
  explicit Dram(unsigned slices_of_channel, const DramParams& p = {}, std::uint32_t link_queue = 16, bool verify = true,
                ClockOptions options = {})
      : clock(unique("clock"), 924, options),
        addresses(make_address_map("interleave", 1, slices_of_channel)),
        channel(unique("channel"), p, link_queue, 0, {clock, registry, *addresses, slices_of_channel, verify}) {
    for (unsigned i = 0; i < slices_of_channel; ++i) {
      const std::string n = std::to_string(i);
      slices.push_back(std::make_unique<Initiator>(unique("slice" + n), clock, pool));
      checkers.push_back(std::make_unique<ProtocolChecker>(unique("link" + n), LinkKind::memory));
      connect(slices.back()->port.socket, *checkers.back(), channel.upstream(i));
    }
  }
  std::uint64_t count(const std::string& metric) const { return counted(registry, "dram." + metric); }
  void run() {
    run_kernel();
    for (const auto& checker : checkers) CHECK(checker->check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK(channel.logic().idle());
    CHECK(registry.broken_laws().empty());
    for (const auto& slice : slices) CHECK(slice->replies.size() == slice->arrived.size());
  }
  ClockDomain clock;
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  std::unique_ptr<AddressMap> addresses;
  DramChannel channel;
  std::vector<std::unique_ptr<Initiator>> slices;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;
};

constexpr SectorMask kBurst = 0b0011;  // 64 B: one column command, two clocks of the bus

}  // namespace

TEST_CASE("dram block: a read of a closed bank is answered after activate, column, burst and the cycle of the way back") {
  const DramParams p;
  const DramTiming& t = p.timing;
  Dram dram(1);
  const auto read = dram.slices[0]->send(10, a_load(0, kBurst));
  dram.run();
  CHECK(dram.slices[0]->answered(read) == 10 + t.tRCD + t.tCL + p.burst_clocks() + 1);
}

TEST_CASE("dram block: a read of the open row needs no activate, a whole line two bursts") {
  const DramParams p;
  const DramTiming& t = p.timing;
  Dram dram(1);
  dram.slices[0]->send(10, a_load(0, kBurst));
  const auto half = dram.slices[0]->send(1000, a_load(1, kBurst));
  const auto whole = dram.slices[0]->send(2000, a_load(1));
  dram.run();
  CHECK(dram.slices[0]->answered(half) == 1000 + t.tCL + p.burst_clocks() + 1);
  CHECK(dram.slices[0]->answered(whole) == 2000 + t.tCCDL + t.tCL + p.burst_clocks() + 1);
  CHECK(dram.count("row_hits") >= 2);
}

TEST_CASE("dram block: a write is answered too, when its data have been on the bus") {
  const DramParams p;
  const DramTiming& t = p.timing;
  Dram dram(1);
  const auto write = dram.slices[0]->send(10, a_store(0, kBurst));
  dram.run();
  CHECK(dram.slices[0]->answered(write) == 10 + (t.tRCD - (t.tWL + 1)) + t.tWL + p.burst_clocks() + 1);
  CHECK(dram.count("writes") == 1);
}

TEST_CASE("dram block: memory is what was last written, sector by sector, and the initial contents elsewhere") {
  Dram dram(2);
  dram.slices[0]->send(10, a_store(0, 0b0011), {5, 6, 0, 0});
  dram.slices[0]->send(11, a_store(0, 0b0010), {0, 7, 0, 0});
  const auto behind = dram.slices[0]->send(12, a_load(0));
  const auto later = dram.slices[0]->send(900, a_load(0, 0b0110));
  const auto other = dram.slices[1]->send(900, a_load(2));
  dram.run();
  CHECK(dram.slices[0]->reply_to(behind).versions == SectorVersions{5, 7, 0, 0});
  CHECK(dram.slices[0]->reply_to(later).versions[1] == 7);
  CHECK(dram.slices[1]->reply_to(other).versions == SectorVersions{});
}

TEST_CASE("dram block: without verification nothing is kept and versions pass untouched") {
  Dram dram(1, {}, 16, false);
  dram.slices[0]->send(10, a_store(0), {5, 6, 7, 8});
  const auto read = dram.slices[0]->send(500, a_load(0), {1, 2, 3, 4});
  dram.run();
  CHECK(dram.slices[0]->reply_to(read).versions == SectorVersions{1, 2, 3, 4});
}

TEST_CASE("dram block: chunks of neighbouring slices lie side by side in one row") {
  const DramParams p;
  Dram dram(2);
  // 2 KiB rows of 256 B chunks, interleaved over the two slices: slice 0 has chunks 0, 2, 4, 6 of the row.
  for (unsigned chunk = 0; chunk < 8; ++chunk) dram.slices[chunk % 2]->send(10 + 200 * chunk, a_load(2 * chunk, kBurst));
  dram.slices[0]->send(3000, a_load(2 * 8, kBurst));  // the next row
  dram.run();
  CHECK(p.row_bytes == 8 * 256);
  CHECK(dram.count("row_misses") == 2);
  CHECK(dram.count("row_hits") == 7);
}

TEST_CASE("dram block: slices take turns at the channel, one request a clock") {
  DramParams p;
  p.queue_entries = 2;
  Dram dram(2, p);
  for (unsigned i = 0; i < 10; ++i) {
    dram.slices[0]->send(10 + i, a_load(4 * i, kBurst));
    dram.slices[1]->send(10 + i, a_load(4 * i + 2, kBurst));
  }
  dram.run();
  // The channel is the bottleneck. After each of their requests, the slices have received equal service.
  for (std::size_t i = 0; i < 10; ++i) {
    const Cycle first = dram.slices[0]->replies[i].cycle, second = dram.slices[1]->replies[i].cycle;
    CHECK(std::max(first, second) - std::min(first, second) < 40);
  }
}

TEST_CASE("dram block: a channel that accepts several requests a clock takes them from all slices in turn") {
  DramParams p;
  p.accepts_per_clock = 4;
  p.queue_entries = 4;
  Dram dram(3, p);
  for (auto& slice : dram.slices) slice->per_cycle = 3;
  // In cycle 10 every slice has three requests to one row of one bank. They are served in the order of acceptance.
  std::vector<std::pair<Cycle, std::string>> order;
  for (unsigned s = 0; s < 3; ++s)
    for (unsigned i = 0; i < 3; ++i) dram.slices[s]->send(10, a_load(2 * s, kBurst));
  dram.run();
  for (unsigned s = 0; s < 3; ++s)
    for (const auto& reply : dram.slices[s]->replies) order.emplace_back(reply.cycle, std::to_string(s));
  std::sort(order.begin(), order.end());
  std::string slices;
  for (const auto& [cycle, slice] : order) slices += slice;
  CHECK(slices == "012012012");
}

TEST_CASE("dram block: a full channel stops its slices, loses nothing and lets them go on") {
  DramParams p;
  p.queue_entries = 2;
  Dram dram(2, p, 2);
  for (unsigned i = 0; i < 60; ++i) {
    dram.slices[0]->send(10 + i, i % 3 == 0 ? a_store(400 * i) : a_load(400 * i));
    dram.slices[1]->send(10 + i, a_load(400 * i + 2));
  }
  dram.run();
  CHECK(dram.slices[0]->accepted_later.size() > 30);
  CHECK(dram.slices[0]->replies.size() == 60);
  CHECK(dram.slices[1]->replies.size() == 60);
}

TEST_CASE("dram block: acting when something is answered gives the same cycles as acting in every one, also where slices wait for places") {
  DramParams p;
  p.queue_entries = 3;
  p.refresh.enabled = true, p.refresh.tREFI = 300, p.refresh.tRFC = 40;
  ClockOptions every_cycle;
  every_cycle.ticking = true;
  Dram sleeping(2, p, 2), ticking(2, p, 2, true, every_cycle);
  for (Dram* dram : {&sleeping, &ticking})
    for (unsigned i = 0; i < 60; ++i) {
      const Cycle at = 10 + i + i / 20 * 400;  // three times a queue that fills up and drains
      dram->slices[0]->send(at, i % 3 == 0 ? a_store(7 * i) : a_load(400 * i));
      dram->slices[1]->send(at + i % 5, a_load(2 * i + 2, kBurst));
    }
  sleeping.run();  // both runs: there is only one kernel
  for (unsigned s = 0; s < 2; ++s) {
    CHECK(sleeping.slices[s]->accepted_later == ticking.slices[s]->accepted_later);
    REQUIRE(sleeping.slices[s]->replies.size() == 60);
    REQUIRE(ticking.slices[s]->replies.size() == 60);
    for (unsigned i = 0; i < 60; ++i) CHECK(sleeping.slices[s]->replies[i].cycle == ticking.slices[s]->replies[i].cycle);
  }
  CHECK(sleeping.slices[0]->accepted_later.size() > 10);
  CHECK(sleeping.count("row_conflicts") == ticking.count("row_conflicts"));
}

TEST_CASE("dram block: the busy cycles can be read between two answers, and cover the bursts so far") {
  const DramParams p;
  Dram dram(1);
  dram.slices[0]->send(10, a_load(0));  // activate in cycle 10, bursts from 22 and 25 on, the answer after 39
  std::vector<std::uint64_t> busy;
  for (const Cycle at : {21u, 22u, 24u, 25u}) dram.script.at(at, [&] { busy.push_back(dram.channel.logic().bus_busy_cycles()); });
  dram.run();
  const std::uint64_t burst = p.burst_clocks();
  CHECK(busy == std::vector<std::uint64_t>{0, burst, burst, 2 * burst});
}

TEST_CASE("dram block: a slice that takes no answer holds up its own and nobody else's") {
  Dram dram(2);
  dram.slices[0]->takes = [](std::size_t n) { return n != 0; };
  for (unsigned i = 0; i < 3; ++i) {
    dram.slices[0]->send(10 + i, a_load(4 * i, kBurst));
    dram.slices[1]->send(10 + i, a_load(4 * i + 2, kBurst));
  }
  dram.script.at(799, [&] {
    CHECK(dram.slices[0]->replies.empty());
    CHECK(dram.slices[1]->replies.size() == 3);
    dram.slices[0]->accept_waiting();
  });
  dram.run();
  CHECK(dram.slices[0]->answered(1) == 800);
  CHECK(dram.slices[0]->answered(2) == 801);
  CHECK(dram.slices[0]->answered(3) == 801);
}

TEST_CASE("dram block: the next answer leaves when the slice has accepted the last one, however often the channel acts until then") {
  constexpr Cycle kTaken = 800, kAccepted = 820;
  Dram dram(2);
  dram.slices[0]->takes = [](std::size_t n) { return n != 0; };
  for (unsigned i = 0; i < 2; ++i) dram.slices[0]->send(10 + i, a_load(4 * i, kBurst));
  const auto meanwhile = dram.slices[1]->send(kTaken - 10, a_load(2, kBurst));
  dram.script.at(kTaken, [&] { dram.slices[0]->accept_waiting(kAccepted - kTaken); });
  dram.run();
  CHECK(dram.slices[1]->answered(meanwhile) > kTaken + 1);
  CHECK(dram.slices[1]->answered(meanwhile) < kAccepted);
  CHECK(dram.slices[0]->answered(2) == kAccepted + 1);
}

namespace {

/// Time from the first answer to the last, for `lines` neighbouring lines that a slice fetches as fast as it can.
Cycle time_of_stream(const GpuParams& params, unsigned lines) {
  ClockDomain clock(unique("clock"), 1000, {});
  PayloadPool pool;
  stats::Registry registry;
  const auto addresses = make_address_map("interleave", 1, 1);
  Initiator nic(unique("nic"), clock, pool);
  L2Slice slice(unique("slice"), params.l2, TransactionUnit::line, 0, {clock, pool, registry, *addresses, true, nullptr});
  DramChannel channel(unique("channel"), params.dram, params.dram_link_places(), 0, {clock, registry, *addresses, 1, true});
  nic.port.socket.bind(slice.upstream());
  slice.downstream().bind(channel.upstream(0));
  for (unsigned i = 0; i < lines; ++i) nic.send(10 + i, a_load(i));
  run_kernel();
  REQUIRE(nic.replies.size() == lines);
  CHECK(pool.alive() == 0);
  return nic.replies.back().cycle - nic.replies.front().cycle;
}

GpuParams long_way_to_dram() {
  GpuParams params;
  params.l2.dram_extra_cycles = 710;
  params.l2.mshr_entries = 512;
  params.dram.timing.tCCDL = params.dram.burst_clocks();  // otherwise one bank group cannot saturate the bus
  return params;
}

}  // namespace

// morpheus section 2.3: a request in flight to the channel does not occupy a place of the queue
TEST_CASE("dram block: a long fixed way to the channel takes nothing from its rate: a line every four clocks of 32 B") {
  const GpuParams params = long_way_to_dram();
  CHECK(time_of_stream(params, 500) == 499 * kLineBytes / params.dram.bytes_per_clock);
}

TEST_CASE("dram block: if requests in flight occupy places of the link's queue, its size limits the requests per round trip") {
  GpuParams params = long_way_to_dram();
  params.dram_link_counts = LinkCounts::under_way;
  // 16 lines, and one that waits for room, every 710 cycles instead of every 68.
  const Cycle time = time_of_stream(params, 161);
  CHECK(time > 9 * 710);
  CHECK(time < 10 * 720);
}
