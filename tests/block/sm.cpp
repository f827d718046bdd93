// An SM as a module: accesses to the L1 and answers back, CTAs over the sideband.

#include "model/sm/sm.h"
#include "tests/block/block_rig.h"

using namespace wharf;
using namespace wharf::block_rig;

namespace {

class Program final : public WarpStream {
 public:
  explicit Program(std::vector<WarpInstruction> instructions) : instructions_(std::move(instructions)) {}
  const WarpInstruction* peek() override { return next_ == instructions_.size() ? nullptr : &instructions_[next_]; }
  void advance() override { ++next_; }

 private:
  std::vector<WarpInstruction> instructions_;
  std::size_t next_ = 0;
};

WarpInstruction load(Address base, std::uint64_t stride) {
  WarpInstruction i;
  i.unit = Unit::load;
  i.destination = 1;
  for (unsigned lane = 0; lane < kLanes; ++lane) i.addresses[lane] = base + stride * lane;
  return i;
}
WarpInstruction use() {
  WarpInstruction i;
  i.sources[0] = 1;
  i.destination = 2;
  return i;
}

/// Front end - SM - L1.
class Bench final : public sc_core::sc_module, public SidebandListener {
 public:
  explicit Bench(const SmParams& p, unsigned number = 3)
      : sc_module(sc_core::sc_module_name("bench")), sm("sm", p, TransactionUnit::line, 1, number, clock, pool, registry) {
    connect(sm.downstream(), checker, l1.port.socket);
    to_sm.bind(sm);
    sm.finished.bind(*this);
  }
  void launch(Cycle cycle, std::uint16_t to, std::uint32_t slot, std::vector<WarpInstruction> instructions) {
    script.at(cycle, [this, to, slot, instructions] {
      auto* work = new CtaWork;
      work->slot = slot;
      work->warps.push_back(std::make_unique<Program>(instructions));
      Event event;
      event.kind = Event::Kind::cta_launch;
      event.sm = to;
      event.cta = work;
      to_sm.write(event);
      if (to != 3) delete work;  // no other SM exists here
    });
  }
  void write(const Event& event) override {
    CHECK(event.kind == Event::Kind::cta_finish);
    CHECK(event.sm == 3);
    finished.emplace_back(event.slot, clock.now());
  }
  void run() {
    run_kernel();
    CHECK(checker.check_end().empty());
    CHECK(pool.alive() == 0);
    CHECK_FALSE(sm.logic().busy());
  }
  ClockDomain clock{"clock", 1400, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  Sm sm;
  Target l1{"l1", clock};
  ProtocolChecker checker{"sm_to_l1", LinkKind::memory};
  SidebandPort to_sm{"to_sm"};
  std::vector<std::pair<std::uint32_t, Cycle>> finished;  // slot, cycle
};

SmParams quick() {
  SmParams p;
  p.schedulers = 1;
  p.units.alu = {8, 1};
  p.issue_to_execute_cycles = 1;
  return p;
}

}  // namespace

TEST_CASE("sm block: a CTA is latched in the cycle after the event, its load is at the L1 after issue, and it ends with its last result") {
  Bench bench(quick());
  bench.l1.latency = 30;
  bench.launch(10, 3, 2, {load(0, 4), use()});
  bench.run();
  const Cycle issued = 11, at_l1 = issued + 1, data = at_l1 + 30;
  CHECK(bench.l1.arrivals() == Cycles{at_l1});
  CHECK(bench.l1.requests[0].access.sm == 3);
  CHECK(bench.l1.requests[0].access.issue_cycle == at_l1);
  CHECK(bench.finished == std::vector<std::pair<std::uint32_t, Cycle>>{{2, data + 1 + 8}});
}

TEST_CASE("sm block: an event for another SM is none of its business") {
  Bench bench(quick());
  bench.launch(10, 2, 0, {load(0, 4)});
  bench.run();
  CHECK(bench.l1.requests.empty());
  CHECK(bench.finished.empty());
}

TEST_CASE("sm block: an L1 that takes no more stops the load/store unit until it does") {
  Bench bench(quick());
  bench.l1.latency = 30;
  bench.l1.takes = [](std::size_t n) { return n != 2; };
  bench.launch(10, 3, 0, {load(0, 128), use()});  // 32 lines
  bench.script.at(199, [&] { bench.l1.accept(); });
  bench.run();
  const Cycles arrivals = bench.l1.arrivals();
  REQUIRE(arrivals.size() == 32);
  CHECK(arrivals[2] == 12 + 2);
  for (Cycle i = 3; i < 32; ++i) CHECK(arrivals[i] == 200 + 1 + (i - 3));
  CHECK(bench.finished[0].second == 201 + 28 + 30 + 1 + 8);
}
