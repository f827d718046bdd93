// Utilisation of L2 and DRAM, window by window.

#include "model/monitor/bandwidth_meter.h"

#include <catch2/catch.hpp>

#include "tests/block/block_rig.h"

using namespace wharf;

namespace {

/// Busy in every cycle of its clock for which `when` returns true.
class Worker final : public Clocked {
 public:
  Worker(ClockDomain& clock, std::function<bool(Cycle)> when) : clock_(clock), when_(std::move(when)), block_(clock.add(*this)) {
    clock_.wake(block_, 1);
  }
  void act(Cycle now) override {
    busy += when_(now);
    if (now < 1000) clock_.wake(block_, now + 1);
  }
  std::uint64_t busy = 0;

 private:
  ClockDomain& clock_;
  std::function<bool(Cycle)> when_;
  ClockDomain::BlockId block_;
};

struct Told {
  double l2, dram;
  Cycle cycle;
};

/// Two units of L2, the second of which is never busy, and one of DRAM.
void check_windows(std::uint64_t scramble, BandwidthMeter::Of of) {
  ClockDomain core("core", 1000, {false, scramble}), slow("slow", 500, {false, scramble});
  std::vector<Told> told;
  Worker l2(core, [](Cycle now) { return now <= 100 || now % 2 == 0; });
  Worker dram(slow, [](Cycle now) { return now <= 75; });
  BandwidthMeter meter("meter", 100, core,
                       {{{[&] { return l2.busy; }, &core}, {[] { return std::uint64_t{0}; }, &slow}},
                        {{[&] { return dram.busy; }, &slow}},
                        of,
                        [&] { return told.size() == 4; },
                        [&](double a, double b) {
                          told.push_back({a, b, core.present_cycle()});
                        }});
  sc_core::sc_start();
  REQUIRE(told.size() == 4);
  const double share = of == BandwidthMeter::Of::mean ? 0.5 : 1.0;
  CHECK(told[0].l2 == share);  // busy in all 100 cycles
  CHECK(told[0].dram == 1.0);  // cycles 1 to 50, the last one at the window's very end
  CHECK(told[0].cycle == 100);
  CHECK(told[1].l2 == share / 2);
  CHECK(told[1].dram == 0.5);  // cycles 51 to 75
  CHECK(told[2].dram == 0.0);
  CHECK(told[3].cycle == 400);
}

}  // namespace

TEST_CASE("bandwidth meter: a window's fractions count all edges up to its end, its own clock's and another's") {
  check_windows(0, BandwidthMeter::Of::mean);
}
// CIAO-O7: the busiest resource, not the mean
TEST_CASE("bandwidth meter: the busiest unit's fraction is not diluted by one that idles") {
  check_windows(0, BandwidthMeter::Of::busiest);
}
TEST_CASE("bandwidth meter: the order in which blocks act changes no fraction") { check_windows(3, BandwidthMeter::Of::mean); }

TEST_CASE("bandwidth meter: a window at whose end the machine is done is not told, whether the meter acts before or after what ends it") {
  ClockDomain core("core", 1000, {});
  bool done = false;
  unsigned told[2] = {0, 0};
  const auto meter = [&](const char* name, unsigned& times) {
    const BandwidthMeter::Unit idle{[] { return std::uint64_t{0}; }, &core};
    return std::make_unique<BandwidthMeter>(
        name, 100, core,
        BandwidthMeter::Machine{{idle}, {idle}, BandwidthMeter::Of::mean, [&] { return done; }, [&times](double, double) { ++times; }});
  };
  const auto before = meter("before", told[0]);
  Worker ends(core, [&](Cycle now) { return done = now >= 300; });
  const auto after = meter("after", told[1]);
  sc_core::sc_start();
  CHECK(told[0] == 2);
  CHECK(told[1] == 2);
}
