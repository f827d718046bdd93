// Eviction hints change no cycle of an L2 slice's hits and misses (modern_gpus section 7).

#include "tests/block/l2_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

L2Params hinted() {
  L2Params p = l2_params();
  p.hints = true;
  p.persisting_fraction = 0.5;
  return p;
}

Access with(Access access, Eviction eviction) {
  access.hint.eviction = eviction;
  return access;
}

/// From the ejection of a request's tail to the fill.
Cycle cycles_to_fill(const L2Params& p) { return (p.access_cycles - 1) + p.dram_extra_cycles + 100; }

}  // namespace

TEST_CASE("l2 block: with every hint a miss takes access, dram_extra, DRAM and fill cycles, and a hit access cycles (LR-1)") {
  const L2Params p = hinted();
  L2Block block(p);
  std::uint64_t line = 1;
  for (const Eviction eviction : {Eviction::unhinted, Eviction::normal, Eviction::first, Eviction::last, Eviction::none}) {
    const Cycle at = 10 + 1000 * line;
    block.nic.send(at, with(a_load(line), eviction));
    block.nic.send(at + 500, with(a_load(line), eviction));
    ++line;
  }
  block.run();
  for (std::uint64_t i = 0; i < 5; ++i) {
    const Cycle at = 10 + 1000 * (i + 1);
    CHECK(block.nic.answered(1 + 2 * i) == at + cycles_to_fill(p) + p.fill_cycles);
    // `none` has installed no line.
    CHECK(block.nic.answered(2 + 2 * i) == at + 500 + (i < 4 ? p.access_cycles : cycles_to_fill(p) + p.fill_cycles));
  }
  CHECK(block.count("unallocated") == 2);
}

TEST_CASE("l2 block: a store to a line whose read installs nothing waits for the fill, and is looked up in that cycle (LR-2)") {
  const L2Params p = hinted();
  L2Block block(p);
  const auto read = block.nic.send(10, with(a_load(5), Eviction::none));
  const auto store = block.nic.send(20, a_store(5));
  block.run();
  const Cycle fill = 10 + cycles_to_fill(p);
  CHECK(block.nic.answered(read) == fill + p.fill_cycles);
  CHECK(block.nic.answered(store) == fill + p.fill_cycles + 1);  // answers leave in order
  CHECK(block.count("refused.unallocated") == fill - (20 + p.access_cycles - 1));
  CHECK(block.count("hits") == 0);
}

TEST_CASE("l2 block: a start of a kernel sets its window at once, and a reset takes effect in the next cycle (LR-4, LR-5)") {
  const L2Params p = hinted();  // two of four ways persist
  L2Block block(p);
  KernelLaunch launch, resets;
  launch.l2_window = {0, 16 * kLineBytes};
  resets.resets_persisting = true;
  const auto starts = [&](const KernelLaunch& kernel) {
    Event event;
    event.kind = Event::Kind::kernel_start;
    event.kernel = &kernel;
    block.l2.write(event);
  };
  block.script.at(5, [&] { starts(launch); });
  Cycle at = 10;
  const auto read = [&](std::uint64_t line) {
    block.nic.send(at, a_load(line));
    at += 500;
  };
  read(0);
  read(4);
  block.script.at(at, [&] { starts(resets); });
  for (const std::uint64_t line : {16, 20, 24}) read(line);
  read(0);  // evicted as the oldest normal line
  block.run();
  CHECK(block.count("persisting.accesses") == 2);
  CHECK(block.count("misses") == 6);
  CHECK(block.count("evictions.normal") == 2);
}
