#include <catch2/catch.hpp>

#include "model/base/access.h"

namespace wharf {
namespace {

std::uint64_t sum(const StageTimes& stages) {
  LatencyStack stack;
  stack.add(stages);
  return stack.sum();
}
std::uint32_t of(const StageTimes& stages, Stage stage) { return stages[static_cast<unsigned>(stage)]; }

TEST_CASE("stage times: claims meet end to end and add up to the time since the load was issued") {
  StageTimes stages;
  stages.begin(100, 1000);
  stages.claim(Stage::l1, 104);
  stages.claim(Stage::queueing, 104);  // no wait
  stages.claim(Stage::network, 130);
  stages.claim(Stage::l1, 131);
  CHECK(of(stages, Stage::l1) == 4 + 1);
  CHECK(of(stages, Stage::queueing) == 0);
  CHECK(of(stages, Stage::network) == 26);
  CHECK(sum(stages) == 131 - 100);
}

TEST_CASE("stage times: an earlier moment claims nothing and takes nothing back") {
  StageTimes stages;
  stages.begin(100, 1000);
  stages.claim(Stage::l2, 120);
  stages.claim(Stage::queueing, 110);
  stages.claim(Stage::dram, 150);
  CHECK(of(stages, Stage::l2) == 20);
  CHECK(of(stages, Stage::queueing) == 0);
  CHECK(of(stages, Stage::dram) == 30);
}

TEST_CASE("stage times: a moment of another clock is the core cycle that begins then, or the next one") {
  StageTimes stages;
  stages.begin(0, 1400);
  stages.claim_to(Stage::network, 2857);  // edge 4 of 1400 MHz, floor(4 * 10^6 / 1400) ps
  CHECK(of(stages, Stage::network) == 4);
  stages.claim_to(Stage::dram, 2858);
  CHECK(of(stages, Stage::dram) == 1);
}

TEST_CASE("stage times: what no SM waits for is not counted, whoever claims") {
  StageTimes stages;
  stages.claim(Stage::l1, 50);
  stages.claim_to(Stage::dram, 5000);
  CHECK(sum(stages) == 0);
  stages.begin(10, 1000);
  stages.ignore();
  stages.claim(Stage::l1, 50);
  CHECK(sum(stages) == 0);
}

TEST_CASE("stage times: a copy is counted where its original is, and has its claims") {
  StageTimes original, copy;
  copy = original;
  CHECK_FALSE(copy.counted());
  original.begin(100, 2000);
  original.claim(Stage::l1, 104);
  copy = original;
  CHECK(copy.counted());
  copy.claim_to(Stage::network, 60'000);  // core cycle 120
  CHECK(of(copy, Stage::l1) == 4);
  CHECK(of(copy, Stage::network) == 16);
  copy = StageTimes{};
  CHECK_FALSE(copy.counted());
}

TEST_CASE("stage times: a load takes over the stages of its own request, and has merged with another's") {
  Transaction primary, secondary, reply;
  primary.access.id = reply.access.id = 1;
  secondary.access.id = 2;
  primary.stages.begin(0, 1000);
  secondary.stages.begin(10, 1000);
  primary.stages.claim(Stage::l1, 4);
  secondary.stages.claim(Stage::l1, 14);
  reply.stages = primary.stages;
  reply.stages.claim(Stage::dram, 90);
  const Picoseconds now = 90'000;
  primary.served(reply, now);
  secondary.served(reply, now);
  CHECK(of(primary.stages, Stage::dram) == 86);
  CHECK(of(primary.stages, Stage::l1) == 4);
  CHECK(of(secondary.stages, Stage::merged) == 76);
  CHECK(of(secondary.stages, Stage::dram) == 0);
  CHECK(sum(secondary.stages) == 80);
}

TEST_CASE("stage times: a request that was sent without the stages of its load leaves the load's own as they are") {
  Transaction load, reply;
  load.access.id = reply.access.id = 1;
  load.stages.begin(0, 1000);
  load.stages.claim(Stage::l1, 4);
  load.served(reply, 90'000);
  load.stages.claim(Stage::l1, 91);
  CHECK(sum(load.stages) == 91);
}

}  // namespace
}  // namespace wharf
