// The predictor CTA's priority, count probes, and the hints of requests (loscache sections 5.2 to 5.6).

#include <catch2/catch.hpp>

#include "tests/unit/sm/sm_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

SmParams predicting(const char* filter = "predictor_cta", std::uint32_t period = 100) {
  SmParams p = plain_sm();
  p.warp_scheduler = "gto";
  p.warp_filter = filter;
  p.prediction.scheme = PredictionScheme::adaptive;
  p.prediction.period_accesses = period;
  return p;
}

/// Each instruction waits for the previous one.
Program chain(unsigned count) {
  Program program;
  for (unsigned i = 0; i < count; ++i) program.push_back(alu(i, 1, {1}));
  return program;
}
Program independent(unsigned count) {
  Program program;
  for (unsigned i = 0; i < count; ++i) program.push_back(alu(100 + i));
  return program;
}

std::vector<Cycle> cycles_of_warp(const SmRig& rig, unsigned warp) {
  std::vector<Cycle> cycles;
  for (const Issue& issue : rig.issues)
    if (issue.warp == warp) cycles.push_back(issue.cycle);
  return cycles;
}

}  // namespace

TEST_CASE("sm prediction: no other warp issues while one of the predictor is ready, and others take every cycle that it leaves") {
  SmRig alone(predicting()), preferred(predicting()), not_preferred(predicting("none"));
  alone.launch({chain(6)}, 1, 0, 5);
  alone.run(200);
  for (SmRig* rig : {&preferred, &not_preferred}) {
    rig->launch({chain(6)}, 1, 0, 5);
    rig->run(2);
    rig->launch({independent(100)}, 3, 1, 1);  // the older one, and always ready
    rig->run(200);
  }
  CHECK(cycles_of_warp(preferred, 0) == cycles_of_warp(alone, 0));
  CHECK(cycles_of_warp(not_preferred, 0) != cycles_of_warp(alone, 0));
  const std::vector<Cycle> others = cycles_of_warp(preferred, 1);
  REQUIRE(others.size() == 100);
  CHECK(others.back() - others.front() + 1 == 100 + 5);  // five of the predictor's six are between them
}

TEST_CASE("sm prediction: the priority ends with the prediction phase") {
  SmRig rig(predicting("predictor_cta", 1));
  rig.launch({chain(6)}, 1, 0, 5);
  rig.run(2);
  rig.launch({independent(100)}, 3, 1, 1);
  Access access;
  access.id = 1;
  access.pc = 9;
  access.cta = 100;
  rig.logic.prediction()->sent_to_l2(access, 4);
  rig.run(200);
  CHECK(rig.logic.prediction()->phase() == PredictionUnit::Phase::transfer);
  CHECK(cycles_of_warp(rig, 1).back() - cycles_of_warp(rig, 1).front() + 1 == 100);
}

TEST_CASE("sm prediction: probes leave back to back, one a cycle, and requests carry the counts that come back") {
  SmRig rig(predicting("predictor_cta", 3));
  rig.launch({{load(0x10, 1, 0x1000), alu(0, 2, {1}), load(0x10, 3, 0x1000), load(0x18, 4, 0x2000)}});
  rig.run(5);
  REQUIRE(rig.sent.size() == 1);
  CHECK(rig.sent[0].access.hint.predicted_count == 0);
  Access access = rig.sent[0].access;
  for (const std::uint32_t pc : {0x10, 0x18, 0x20}) {
    access.pc = pc;
    ++access.line.number;
    ++access.id;
    rig.logic.prediction()->sent_to_l2(access, 8);
  }
  rig.run(12);
  REQUIRE(rig.sent.size() == 4);
  CHECK(rig.arrivals() == std::vector<Cycle>{2, 9, 10, 11});
  for (unsigned i = 1; i < 4; ++i) {
    CHECK(rig.sent[i].access.kind == AccessKind::metadata);
    CHECK(rig.sent[i].access.line.number == rig.sent[0].access.line.number + i);
  }
  for (unsigned i = 1; i < 4; ++i) {
    ReplyHint reply;
    reply.count = static_cast<std::uint16_t>(i == 1 ? 5 : 0);
    rig.answer(i, 40, reply);
  }
  rig.answer(0, 50);
  rig.run(100);
  REQUIRE(rig.sent.size() == 6);
  CHECK(rig.sent[4].access.hint.predicted_count == 5);
  CHECK(rig.sent[5].access.hint.predicted_count == 1);  // an example that nobody has requested counts as one
  ReplyHint too_small;
  too_small.mispredict = true;
  rig.answer(4, 120, too_small);
  rig.answer(5, 120);
  rig.run(130);
  CHECK(rig.count("prediction.raises") == 1);
  CHECK(rig.logic.accesses_in_flight() == 0);
  rig.logic.kernel_ended(140);
  CHECK(rig.count("phase.predict.ended_by_accesses") == 1);
}
