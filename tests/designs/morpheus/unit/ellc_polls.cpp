// A warp that spins on its row instead of parking a load there (morpheus section 5.3): when it polls again, what that costs, and that
// messages wait for it in the controller.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/designs/morpheus/unit/controller_rig.h"
#include "tests/designs/morpheus/unit/ellc_script.h"

using namespace wharf;
using namespace wharf::test;

namespace {

constexpr Cycle kPoll = 274;   // 160 ns at 1710 MHz
constexpr Cycle kSoonest = 2;  // from an arrival to the earliest message that a warp sends in response

EllcKernelParams spinning() {
  EllcKernelParams p;
  p.delivery = Delivery::spin;
  return p;
}

void check_poll(const EllcSend& send, Cycle ready) {
  CHECK(send.kind == MessageKind::ellc_poll);
  CHECK_FALSE(send.word.nothing);
  CHECK(send.ready == ready);
}

}  // namespace

TEST_CASE("polls: the warps of an SM begin evenly spread over the time between two loads") {
  EllcScript script(spinning());
  check_poll(script.kernel.first_poll(0, 1), 1 + kSoonest);
  check_poll(script.kernel.first_poll(24, 1), 1 + kSoonest + kPoll / 2);
  check_poll(script.kernel.first_poll(47, 1), 1 + kSoonest + kPoll * 47 / 48);
}

TEST_CASE("polls: a load of an empty row goes out again 160 ns after it left, and where it took longer as soon as it is delivered") {
  EllcScript script(spinning());
  script.kernel.first_poll(0, 98);
  auto sends = script.nothing(0, 100 + kPoll - Steps::deliver);
  REQUIRE(sends.size() == 1);
  check_poll(sends[0], 100 + kPoll);
  CHECK(sends[0].carrier != nullptr);
  sends = script.nothing(0, 100 + 2 * kPoll - Steps::deliver + 1);
  check_poll(sends.at(0), 100 + 2 * kPoll + 1);
  CHECK(script.count("polls.empty") == 2);
  CHECK(script.count("polls.instructions") == 2 * 3);
  CHECK(script.count("kernel_instructions") == 2 * 3);
  CHECK(script.count("requests") == 0);
  CHECK(script.laws_hold());
}

TEST_CASE("polls: after any result a warp polls for the next operation at once") {
  EllcScript script(spinning());
  auto sends = script.insert(0, 5, true, 100);
  REQUIRE(sends.size() == 2);
  CHECK(sends[0].kind == MessageKind::ellc_result);
  check_poll(sends[1], sends[0].ready);
  CHECK(sends[1].carrier == nullptr);
  sends = script.ask(0, EllcOp::read, 5, 1000);
  REQUIRE(sends.size() == 2);
  CHECK(sends[0].ready == 1000 + kRead);  // a delivered operation takes as long as with a parked load
  check_poll(sends[1], 1000 + kRead);
  sends = script.ask(0, EllcOp::write, 6, 2000);
  CHECK(sends.at(0).word.result == EllcResult::done);
  EllcWord part;
  part.op = EllcOp::write;
  sends = script.ask(0, part, EllcScript::an_access(EllcOp::write, 7, 1, 0), 3000);
  CHECK(sends.at(0).word.result == EllcResult::miss);
  check_poll(sends.at(1), sends[0].ready);  // for the block that misses
  sends = script.nothing(0, 3500);
  CHECK(sends.size() == 1);
  CHECK(script.block(0, 7, 4000).size() == 2);
}

TEST_CASE("polls: a warp that reads from DRAM itself waits for that load, and looks at its row behind the result") {
  EllcScript script(spinning(), MissFetch::warp);
  auto sends = script.ask(0, EllcOp::read, 5, 100);
  REQUIRE(sends.size() == 1);
  CHECK(sends[0].word.result == EllcResult::miss);
  sends = script.block(0, 5, 1000);
  REQUIRE(sends.size() == 2);
  check_poll(sends[1], sends[0].ready);
}

TEST_CASE("polls: a warp of an L1 set looks again behind its result, not while its line is on its way nor when it comes for a touch") {
  EllcScript script(spinning());
  auto sends = script.ask(40, EllcOp::touch, 5, 100);
  REQUIRE(sends.size() == 3);
  CHECK(sends[0].kind == MessageKind::ellc_fetch);
  check_poll(sends[2], sends[1].ready);
  CHECK(script.fill(40, 5, 1000).empty());
  sends = script.ask(40, EllcOp::read, 6, 2000);
  REQUIRE(sends.size() == 1);
  CHECK_THROWS_AS(script.nothing(40, 2100), SimulationError);
  sends = script.fill(40, 6, 3000);
  REQUIRE(sends.size() == 2);
  check_poll(sends[1], sends[0].ready);
}

TEST_CASE("polls: an operation waits in its row for the next load of its warp, which brings it and nothing else") {
  MorpheusParams params;
  params.kernel.delivery = Delivery::spin;
  ControllerRig rig(params);
  rig.poll_steps = [] { return 100; };
  Transaction& read = rig.request(AccessKind::load, 5);
  rig.begin();
  REQUIRE(rig.decide(read, 0) == nullptr);
  rig.end();
  rig.run(20);  // the line arrives and is put into its row
  CHECK(rig.performed.empty());
  CHECK(rig.logic->rows()[0].ready != nullptr);
  CHECK_FALSE(rig.logic->idle());
  const Cycle here = rig.now;
  while (rig.performed.empty() && rig.now < here + 300) rig.run(1);
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::insert});
  rig.run(10);
  CHECK(rig.quiet());
  CHECK(rig.count("poll_wait_cycles") > 0);
  CHECK(rig.count("poll_wait_cycles") <= 100 + 3 + 3);
  CHECK(rig.empty_polls > 0);
}

TEST_CASE("polls: a load that comes with the result of an operation brings the next one, which goes to the row in that cycle") {
  MorpheusParams params;
  params.kernel.delivery = Delivery::spin;
  ControllerRig rig(params, ControllerRig::two_sets(), "none");
  rig.poll_steps = [] { return 1000; };
  rig.begin();
  for (const std::uint64_t line : {5, 6}) REQUIRE(rig.decide(rig.request(AccessKind::store, line), 0) == nullptr);
  rig.end();
  rig.run(2 * 3 + 3 + 3);  // the first load and its answer, a result with the second load, its answer
  CHECK(rig.performed == std::vector<EllcOp>{EllcOp::write, EllcOp::write});
  CHECK(rig.count("poll_wait_cycles") == 4 - 1);  // of the first load only
}
