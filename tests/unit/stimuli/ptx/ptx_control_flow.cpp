// Control flow: random programs against a scalar interpreter, the order of splits, and the points of reconvergence.
#include <catch2/catch.hpp>

#include "tests/unit/stimuli/ptx/flow_generator.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

/// The active masks of the special-function instructions, in order.
std::vector<LaneMask> masks_at_marks(const std::string& body, const std::string& functions = "") {
  PtxMachine machine;
  PtxStimulus stimulus({{"m.ptx", kernel_of(body, 0, functions)}}, machine.memory, {{"k", {1, 1, 1}, {32, 1, 1}, 0, {}}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  const auto warps = stimulus.open_cta(0);
  std::vector<LaneMask> masks;
  while (const WarpInstruction* next = warps[0]->peek()) {
    if (next->unit == Unit::sfu) masks.push_back(next->active);
    warps[0]->advance();
  }
  return masks;
}

}  // namespace

TEST_CASE("random control flow with calls gives each thread what it gives a thread alone") {
  std::mt19937 random(2024);
  for (int i = 0; i < 400; ++i) {
    const FlowProgram program = random_program(random);
    PtxMachine machine;
    std::vector<std::uint32_t> states;
    for (std::uint32_t thread = 0; thread < 48; ++thread) {
      for (std::uint32_t r = 0; r < 4; ++r) states.push_back(thread * 2654435761u + r);
      states.insert(states.end(), {60, 0, 0, 0});
    }
    const Address at = machine.array(states);
    const std::string text = program.ptx();
    machine.run(text, "k", {1, 1, 1}, {48, 1, 1}, ArgumentBytes().add(at));
    const auto results = machine.read<std::uint32_t>(at, states.size());
    for (std::uint32_t thread = 0; thread < 48; ++thread) {
      if (results[thread * 8 + 5] == program.run(thread)) continue;
      INFO("program " << i << ", thread " << thread << "\n" << text);
      FAIL_CHECK("the thread's sum is " << results[thread * 8 + 5] << ", alone " << program.run(thread));
      return;
    }
  }
}

TEST_CASE("the taken side of a branch runs first, and both sides meet at its post-dominator") {
  CHECK(masks_at_marks(R"(
    mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 8; @%p1 bra THEN;
    ex2.approx.ftz.f32 %f1, %f1; bra.uni JOIN;
    THEN: ex2.approx.ftz.f32 %f1, %f1;
    JOIN: ex2.approx.ftz.f32 %f1, %f1; ret;)") == std::vector<LaneMask>{0xFF, 0xFFFFFF00, 0xFFFFFFFF});
}

TEST_CASE("lanes that leave a loop early wait for the others behind it") {
  CHECK(masks_at_marks(R"(
    mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 3; mov.u32 %r2, 0;
    LOOP: ex2.approx.ftz.f32 %f1, %f1; add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r1; @%p1 bra LOOP;
    ex2.approx.ftz.f32 %f1, %f1; ret;)") == std::vector<LaneMask>{0xFFFFFFFF, 0xEEEEEEEE, 0xCCCCCCCC, 0x88888888, 0xFFFFFFFF});
}

TEST_CASE("lanes that have exited in a function are not waited for") {
  CHECK(masks_at_marks(R"(
    mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 8; setp.lt.u32 %p2, %r1, 4; @%p1 bra THEN;
    ex2.approx.ftz.f32 %f1, %f1; bra.uni JOIN;
    THEN: @%p2 call leave; ex2.approx.ftz.f32 %f1, %f1;
    JOIN: ex2.approx.ftz.f32 %f1, %f1; ret;)",
                       ".func leave() { exit; }\n") == std::vector<LaneMask>{0xF0, 0xFFFFFF00, 0xFFFFFFF0});
}

TEST_CASE("a branch with a path to the end of the kernel has no meeting before that end") {
  CHECK(masks_at_marks(R"(
    mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 8; setp.lt.u32 %p2, %r1, 4; @%p1 bra THEN; bra.uni JOIN;
    THEN: @%p2 exit;
    JOIN: ex2.approx.ftz.f32 %f1, %f1; ret;)") == std::vector<LaneMask>{0xF0, 0xFFFFFF00});
}

TEST_CASE("an instruction whose guard is false in all lanes is issued with an empty mask") {
  CHECK(masks_at_marks("mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 99; @%p1 ex2.approx.ftz.f32 %f1, %f1; ret;") ==
        std::vector<LaneMask>{0});
}

TEST_CASE("a kernel of an infinite loop is linked, and its other paths run") {
  PtxMachine machine;
  machine.run(
      kernel_of("mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 99; @%p1 bra FOREVER; ret; FOREVER: add.u32 %r1, %r1, 1; bra.uni FOREVER;", 0),
      "k", {1, 1, 1}, {32, 1, 1}, {});
  CHECK(machine.issued == 4);
}

TEST_CASE("a branch to a label behind the last instruction returns") {
  PtxMachine machine;
  machine.run(kernel_of("bra END; END:", 0), "k", {1, 1, 1}, {32, 1, 1}, {});
  CHECK(machine.issued == 2);
}
