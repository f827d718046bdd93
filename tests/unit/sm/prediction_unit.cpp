// The prediction table and the phases of an SM (loscache sections 4.1, 5 and 7).

#include "model/sm/prediction/prediction_unit.h"

#include <catch2/catch.hpp>
#include <set>

#include "tests/unit/counted.h"

using namespace wharf;
using namespace wharf::test;
using Phase = PredictionUnit::Phase;

namespace {

PredictionParams adaptive(std::uint32_t period = 100) {
  PredictionParams params;
  params.scheme = PredictionScheme::adaptive;
  params.period_accesses = period;
  return params;
}

class Rig {
 public:
  explicit Rig(const PredictionParams& params, std::uint64_t seed = 1, PredictionPeriod* period = nullptr)
      : group_(registry, "sm", 0), unit(params, group_, 0, seed, period) {}

  Access access(std::uint32_t pc, std::uint64_t line = 0, std::uint64_t cta = 7, AccessKind kind = AccessKind::load) {
    Access a;
    a.id = ++ids_;
    a.pc = pc;
    a.line = {line};
    a.cta = static_cast<std::uint32_t>(cta);
    a.kind = kind;
    return a;
  }
  /// The request is sent to the L2 now.
  void sent(std::uint32_t pc, std::uint64_t line = 0, std::uint64_t cta = 7, AccessKind kind = AccessKind::load) {
    unit.sent_to_l2(access(pc, line, cta, kind), now);
    unit.advance(now);
  }
  void probe_answered(std::uint16_t count) {
    Access probe;
    probe.kind = AccessKind::metadata;
    probe.id = ++ids_;
    probe.slot = unit.next_probe();
    unit.answered(probe, count, now);
    unit.advance(now);
  }
  void mispredict(std::uint32_t pc) {
    unit.mispredicted(access(pc), now);
    unit.advance(now);
  }
  unsigned predicted(std::uint32_t pc, AccessKind kind = AccessKind::load) { return unit.predict(access(pc, 0, 7, kind)); }
  std::uint64_t count(const char* metric) const { return counted(registry, std::string("sm.") + metric); }

  stats::Registry registry;

 private:
  stats::Group group_;
  std::uint64_t ids_ = 0;

 public:
  PredictionUnit unit;
  Cycle now = 1;
};

}  // namespace

TEST_CASE("prediction: the table replays the example of loscache section 5, from the predictor's first access to a raised threshold") {
  Rig rig(adaptive());
  REQUIRE(rig.unit.cta_launched(7, 1));
  CHECK(rig.unit.phase() == Phase::predict);
  rig.sent(0x10, 1000);  // the example of its pc
  rig.sent(0x10, 1001);
  rig.sent(0x18, 2000, 7, AccessKind::store);
  rig.sent(0x20, 3000, 8);  // from another CTA
  rig.sent(0x28, 4000);
  CHECK(rig.predicted(0x10) == 0);
  rig.now = 500;
  rig.unit.cta_ended(7, rig.now);
  REQUIRE(rig.unit.phase() == Phase::transfer);
  REQUIRE(rig.unit.table().size() == 3);
  CHECK(rig.unit.entry(0).block.number == 1000);
  CHECK(rig.unit.entry(1).block.number == 2000);
  CHECK(rig.unit.entry(2).block.number == 4000);
  rig.probe_answered(4);
  CHECK(rig.predicted(0x10) == 4);  // usable as soon as its answer has arrived
  CHECK(rig.predicted(0x18) == 0);
  rig.probe_answered(1);
  rig.now = 620;
  rig.probe_answered(0);  // no longer in the L2: acts as 1
  CHECK(rig.unit.phase() == Phase::normal);
  CHECK(rig.predicted(0x10) == 4);
  CHECK(rig.predicted(0x18, AccessKind::store) == 1);
  CHECK(rig.predicted(0x28) == 1);
  CHECK(rig.predicted(0x20) == 0);
  CHECK(rig.predicted(0x10, AccessKind::texture) == 0);
  for (const unsigned raised : {5u, 6u, 7u, 7u}) {
    rig.mispredict(0x10);
    CHECK(rig.predicted(0x10) == raised);
  }
  rig.mispredict(0x20);  // a pc without an entry
  CHECK(rig.predicted(0x20) == 0);
  CHECK(rig.count("prediction.raises") == 3);
  CHECK(rig.count("prediction.mispredicts") == 5);
  rig.unit.kernel_ended(1000);
  CHECK(rig.unit.phase() == Phase::idle);
  CHECK(rig.count("phase.predict.cycles") == 499);
  CHECK(rig.count("phase.transfer.cycles") == 120);
  CHECK(rig.count("phase.normal.cycles") == 380);
  CHECK(rig.count("phase.predict.accesses") == 4);
  CHECK(rig.count("phase.predict.ended_by_cta") == 1);
  CHECK(rig.count("prediction.threshold.3") == 1);
  CHECK(rig.count("prediction.threshold.0") == 2);
  CHECK(rig.count("prediction.probes.absent") == 1);
  CHECK(rig.registry.broken_laws().empty());
}

// loscache section 4.1: an absent example counts 0, which acts as 1
TEST_CASE(
    "prediction: an example that has left L2 counts 0, which predicts 1 until the threshold is above that, or nothing where that is asked for") {
  for (const AbsentExample reading : {AbsentExample::one, AbsentExample::none}) {
    PredictionParams params = adaptive();
    params.absent_example = reading;
    Rig rig(params);
    rig.unit.cta_launched(7, 1);
    rig.sent(0x10, 1000);
    rig.unit.cta_ended(7, 500);
    CHECK(rig.predicted(0x10) == 0);  // no answer yet
    rig.probe_answered(0);
    const bool one = reading == AbsentExample::one;
    CHECK(rig.predicted(0x10) == (one ? 1 : 0));
    for (const unsigned raised : {1u, 2u, 3u, 3u}) {
      rig.mispredict(0x10);
      CHECK(rig.predicted(0x10) == (one ? raised : 0));
    }
    rig.unit.kernel_ended(1000);
    CHECK(rig.count("prediction.threshold.3") == (one ? 1 : 0));
    CHECK(rig.count("prediction.probes.absent") == 1);
  }
}

TEST_CASE("prediction: the phase ends with the predictor's hundredth access to L2, and others' do not count") {
  Rig rig(adaptive());
  rig.unit.cta_launched(7, 1);
  for (int i = 0; i < 99; ++i) {
    rig.sent(0x10);
    rig.sent(0x18, 0, 8);
    rig.sent(0x20, 0, 7, AccessKind::texture);
  }
  CHECK(rig.unit.predicting());
  rig.sent(0x10);
  CHECK(rig.unit.phase() == Phase::transfer);
  CHECK(rig.count("phase.predict.ended_by_accesses") == 1);
}

TEST_CASE("prediction: a period of all SMs ends when their predictors' accesses together have been committed") {
  PredictionPeriod period(3);
  Rig one(adaptive(), 1, &period), other(adaptive(), 2, &period);
  one.unit.cta_launched(7, 1);
  other.unit.cta_launched(7, 1);
  one.sent(0x10);
  other.sent(0x10);
  other.sent(0x18);
  CHECK(one.unit.predicting());
  CHECK(period.commit());
  one.unit.advance(5);
  other.unit.advance(5);
  CHECK_FALSE(one.unit.predicting());
  CHECK_FALSE(other.unit.predicting());
  period.kernel_ended();
  CHECK_FALSE(period.over());
}

TEST_CASE("prediction: the table never has more than its entries, and a pc without one stays without a prediction") {
  Rig rig(adaptive(1000));
  rig.unit.cta_launched(7, 1);
  for (std::uint32_t pc = 0; pc < 60; ++pc) rig.sent(pc, pc);
  CHECK(rig.unit.table().size() == 21);
  CHECK(rig.count("prediction_table.pcs") == 21);
  CHECK(rig.count("prediction_table.left_out") == 39);
  rig.unit.cta_ended(7, 9);
  for (int i = 0; i < 21; ++i) rig.probe_answered(2);
  CHECK(rig.unit.phase() == Phase::normal);
  CHECK(rig.predicted(20) == 2);
  CHECK(rig.predicted(21) == 0);
}

TEST_CASE("prediction: counts and thresholds together stay within 63") {
  Rig rig(adaptive(1));
  rig.unit.cta_launched(7, 1);
  rig.sent(0x10);
  rig.probe_answered(62);
  for (int i = 0; i < 5; ++i) rig.mispredict(0x10);
  CHECK(rig.predicted(0x10) == 63);
}

TEST_CASE("prediction: naive prediction keeps thresholds at 0") {
  PredictionParams params = adaptive(1);
  params.scheme = PredictionScheme::naive;
  Rig rig(params);
  rig.unit.cta_launched(7, 1);
  rig.sent(0x10);
  rig.probe_answered(4);
  rig.mispredict(0x10);
  CHECK(rig.predicted(0x10) == 4);
  CHECK(rig.unit.mispredicts() == std::vector<std::pair<std::uint32_t, std::uint64_t>>{{0x10, 1}});
}

TEST_CASE("prediction: a kernel clears table and thresholds, unless the next may use them") {
  for (const bool reuse : {false, true}) {
    PredictionParams params = adaptive(1);
    params.reuse_table_across_launches = reuse;
    Rig rig(params);
    rig.unit.cta_launched(7, 1);
    rig.sent(0x10);
    rig.probe_answered(4);
    rig.mispredict(0x10);
    rig.unit.kernel_ended(50);
    CHECK(rig.predicted(0x10) == 0);
    CHECK(rig.unit.cta_launched(9, 51) == !reuse);
    CHECK(rig.unit.phase() == (reuse ? Phase::normal : Phase::predict));
    CHECK(rig.predicted(0x10) == (reuse ? 5 : 0));
  }
}

TEST_CASE("prediction: the predictor is drawn evenly among the CTAs of the first cycles, and later ones are none") {
  unsigned chosen[4] = {};
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    Rig rig(adaptive(), seed);
    std::uint64_t predictor = 0;
    for (std::uint64_t cta = 0; cta < 4; ++cta)
      if (rig.unit.cta_launched(cta, 1 + cta)) predictor = cta;
    CHECK_FALSE(rig.unit.cta_launched(9, 20));
    ++chosen[predictor];
  }
  for (const unsigned times : chosen) CHECK(std::abs(static_cast<int>(times) - 1000) < 120);
}

TEST_CASE("prediction: with a fixed or random source every access is predicted from the start and there are no phases") {
  PredictionParams params = adaptive();
  params.source = PredictionSource::fixed;
  params.fixed_count = 9;
  Rig rig(params);
  CHECK_FALSE(rig.unit.cta_launched(7, 1));
  CHECK(rig.predicted(0x10) == 9);
  CHECK(rig.predicted(0x10, AccessKind::metadata) == 0);
  params.source = PredictionSource::random;
  Rig random(params), same(params);
  std::set<unsigned> seen;
  for (int i = 0; i < 200; ++i) {
    const unsigned predicted = random.predicted(0x10);
    CHECK(same.predicted(0x10) == predicted);
    seen.insert(predicted);
  }
  CHECK(seen == std::set<unsigned>{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("prediction: without a source of counts the phase ends with no prediction and no probe") {
  PredictionParams params = adaptive(1);
  params.source = PredictionSource::nowhere;
  Rig rig(params);
  rig.unit.cta_launched(7, 1);
  rig.sent(0x10);
  CHECK(rig.unit.phase() == Phase::normal);
  CHECK_FALSE(rig.unit.probe_waits());
  CHECK(rig.predicted(0x10) == 0);
}

TEST_CASE("prediction: what is posted takes effect in its cycle, in order of accesses, whoever posted first") {
  for (const bool swapped : {false, true}) {
    Rig rig(adaptive());
    rig.unit.cta_launched(7, 1);
    const Access first = rig.access(0x10, 1000), second = rig.access(0x10, 1001);
    rig.unit.sent_to_l2(swapped ? second : first, 5);
    rig.unit.sent_to_l2(swapped ? first : second, 5);
    rig.unit.sent_to_l2(rig.access(0x18, 2000), 6);
    CHECK(rig.unit.next_event() == 5);
    rig.unit.advance(4);
    CHECK(rig.unit.table().empty());
    rig.unit.advance(5);
    REQUIRE(rig.unit.table().size() == 1);
    CHECK(rig.unit.entry(0).block.number == 1000);
    CHECK(rig.unit.next_event() == 6);
    rig.unit.advance(6);
    CHECK(rig.unit.next_event() == kNever);
    CHECK(rig.unit.table().size() == 2);
  }
}
