// Issue slots, units, registers per thread and scoreboard names (CU-52 to CU-55).
#include <catch2/catch.hpp>

#include "stimuli/functional_run.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

struct Slot {
  Unit unit;
  unsigned count;
};
bool operator==(const Slot& a, const Slot& b) { return a.unit == b.unit && a.count == b.count; }
std::ostream& operator<<(std::ostream& out, const Slot& slot) { return out << static_cast<int>(slot.unit) << " x " << slot.count; }

/// The slots of a body without its exit.
std::vector<Slot> slots(const std::string& body, Timing timing = Timing::sass) {
  PtxMachine machine;
  PtxStimulus stimulus({{"m.ptx", kernel_of(body + "\nret;", 1)}}, machine.memory,
                       {{"k", {1, 1, 1}, {32, 1, 1}, 0, std::vector<std::byte>(8)}}, {timing});
  REQUIRE(stimulus.next_kernel() != nullptr);
  const auto warps = stimulus.open_cta(0);
  std::vector<Slot> result;
  while (const WarpInstruction* next = warps[0]->peek()) {
    if (next->unit != Unit::exit) result.push_back({next->unit, next->repeat});
    warps[0]->advance();
  }
  return result;
}

std::uint32_t registers(const std::string& body, const std::string& directives = "") {
  DeviceMemory memory(std::uint64_t{1} << 20);
  std::string text = kernel_of(body, 1);
  text.insert(text.find("\n{"), directives);
  PtxStimulus stimulus({{"m.ptx", text}}, memory, {{"k", {1, 1, 1}, {32, 1, 1}, 0, std::vector<std::byte>(8)}});
  return stimulus.next_kernel()->registers_per_thread;
}

}  // namespace

TEST_CASE("instructions take the slots of the machine instructions that they become") {
  CHECK(slots("ld.param.u64 %rd1, [p0]; cvta.to.global.u64 %rd2, %rd1; mov.u32 %r1, 5; mov.u32 %r2, %r1; cvt.u64.u32 %rd3, %r1; neg.s32 "
              "%r3, %r1;")
            .empty());
  CHECK(slots("mov.u32 %r1, %tid.x;") == std::vector<Slot>{{Unit::alu, 1}});
  CHECK(slots("add.s32 %r1, %r1, 1;") == std::vector<Slot>{{Unit::alu, 1}});
  CHECK(slots("fma.rn.f32 %f1, %f1, %f1, %f1; fma.rn.f64 %fd1, %fd1, %fd1, %fd1;") == std::vector<Slot>{{Unit::fp32, 1}, {Unit::fp64, 1}});
  CHECK(slots("mul.lo.s64 %rd1, %rd1, 3; mul.hi.u64 %rd1, %rd1, 3;") ==
        std::vector<Slot>{{Unit::imad, 3}, {Unit::alu, 1}, {Unit::imad, 4}, {Unit::alu, 4}});
  CHECK(slots("mad.wide.s32 %rd1, %r1, 4, %rd2; mad.lo.s32 %r1, %r1, %r1, %r1;") == std::vector<Slot>{{Unit::imad, 1}, {Unit::imad, 1}});
  CHECK(slots("cvt.rn.f32.s32 %f1, %r1; cvt.f64.f32 %fd1, %f1; popc.b32 %r1, %r1; clz.b32 %r1, %r1;") ==
        std::vector<Slot>{{Unit::conversion, 1}, {Unit::conversion, 1}, {Unit::conversion, 1}, {Unit::conversion, 1}, {Unit::alu, 1}});
  CHECK(slots("cvt.s8.s32 %r1, %r1;") == std::vector<Slot>{{Unit::alu, 1}});
  CHECK(slots("div.rn.f32 %f1, %f1, %f1;") == std::vector<Slot>{{Unit::sfu, 1}, {Unit::fp32, 12}});
  CHECK(slots("div.rn.f64 %fd1, %fd1, %fd1;") == std::vector<Slot>{{Unit::sfu, 1}, {Unit::fp64, 12}, {Unit::alu, 9}});
  CHECK(slots("div.s32 %r1, %r1, %r1; rem.u32 %r1, %r1, %r1;") == std::vector<Slot>{{Unit::sfu, 1},
                                                                                    {Unit::imad, 5},
                                                                                    {Unit::conversion, 2},
                                                                                    {Unit::alu, 17},
                                                                                    {Unit::sfu, 1},
                                                                                    {Unit::imad, 5},
                                                                                    {Unit::conversion, 2},
                                                                                    {Unit::alu, 9}});
  CHECK(slots("ex2.approx.f32 %f1, %f1; ex2.approx.ftz.f32 %f1, %f1;") ==
        std::vector<Slot>{{Unit::sfu, 1}, {Unit::fp32, 3}, {Unit::sfu, 1}});
  CHECK(slots("sin.approx.f32 %f1, %f1;") == std::vector<Slot>{{Unit::fp32, 1}, {Unit::sfu, 1}});  // of an angle in turns
  CHECK(slots("bfe.u32 %r1, %r1, %r2, 5; bfe.u32 %r1, %r1, 3, 5;") == std::vector<Slot>{{Unit::alu, 5}, {Unit::alu, 2}});
  CHECK(slots("bra.uni L; L: bar.sync 0; membar.gl;") == std::vector<Slot>{{Unit::branch, 1}, {Unit::barrier, 1}, {Unit::fence, 1}});
}

TEST_CASE("accesses that acquire or release beyond their CTA have fences, in whatever order their modifiers stand") {
  const auto of = [](const std::string& access) {
    std::vector<Slot> found = slots("setp.eq.u32 %p1, %r1, 1; @%p1 " + access);
    REQUIRE(found.front() == Slot{Unit::alu, 1});
    found.erase(found.begin());
    return found;
  };
  const Slot fence{Unit::fence, 1}, load{Unit::load, 1}, store{Unit::store, 1}, atomic{Unit::atomic, 1};
  for (const char* access : {"ld.acquire.gpu.global.u32 %r1, [%rd1];", "ld.global.acquire.gpu.b32 %r1, [%rd1];",
                             "ld.global.sys.acquire.v2.u32 {%r1, %r2}, [%rd1];", "ld.acquire.cluster.u32 %r1, [%rd1];"}) {
    INFO(access);
    CHECK(of(access) == std::vector<Slot>{load, fence});
  }
  for (const char* access : {"st.release.gpu.global.u32 [%rd1], %r1;", "st.global.release.sys.b32 [%rd1], %r1;"}) {
    INFO(access);
    CHECK(of(access) == std::vector<Slot>{fence, store});
  }
  CHECK(of("atom.add.release.gpu.global.s32 %r1, [%rd1], 1;") == std::vector<Slot>{fence, atomic});
  CHECK(of("red.global.add.release.gpu.s32 [%rd1], 1;") == std::vector<Slot>{fence, atomic});
  CHECK(of("atom.acquire.global.exch.b32 %r1, [%rd1], 1;") == std::vector<Slot>{atomic, fence});
  CHECK(of("atom.global.cas.acq_rel.gpu.b32 %r1, [%rd1], 1, 2;") == std::vector<Slot>{fence, atomic, fence});
  CHECK(of("ld.acquire.cta.global.u32 %r1, [%rd1];") == std::vector<Slot>{load});
  CHECK(of("ld.relaxed.gpu.global.u32 %r1, [%rd1];") == std::vector<Slot>{load});
  CHECK(of("atom.relaxed.gpu.global.add.u32 %r1, [%rd1], 1;") == std::vector<Slot>{atomic});
  CHECK(of("atom.acq_rel.gpu.shared.add.u32 %r1, [%r2], 1;") == std::vector<Slot>{{Unit::shared_atomic, 1}});
}

TEST_CASE("a launch counts the warp instructions of its warps, shown or passed over") {
  // The index, a division of 25, the exit: of two warps.
  const std::string text = kernel_of("mov.u32 %r1, %tid.x; div.s32 %r1, %r1, %r1; ret;", 1);
  for (const bool passes_over : {false, true}) {
    DeviceMemory memory(std::uint64_t{1} << 20);
    std::vector<Module> modules;
    modules.push_back(parse_module({"m.ptx", text}));
    const Program program(std::move(modules), memory, {});
    const Textures textures;
    Warnings warnings;
    KernelExecution kernel(program, memory, textures, {"k", {1, 1, 1}, {64, 1, 1}, 0, std::vector<std::byte>(8)}, 0, warnings);
    std::uint64_t passed_over = 0, shown = 0;
    for (const auto& warp : kernel.open_cta(0)) {
      if (passes_over) warp->pass_over_compute(passed_over);
      while (const WarpInstruction* next = warp->peek()) {
        shown += next->repeat;
        warp->advance();
      }
    }
    CHECK(kernel.warp_instructions() == 2 * (1 + 25 + 1));
    CHECK(passed_over + shown == 2 * (1 + 25 + 1));
    CHECK((passed_over != 0) == passes_over);
  }
}

TEST_CASE("a functional run that is stopped says in which kernel and at which line a warp was") {
  PtxMachine machine;
  PtxStimulus stimulus({{"m.ptx", kernel_of("L: membar.gl;\nbra L;\nret;", 1)}}, machine.memory,
                       {{"k", {1, 1, 1}, {32, 1, 1}, 0, std::vector<std::byte>(8)}});
  const FunctionalRun run = run_functionally(stimulus, [](const FunctionalRun&) { return false; });
  CHECK(run.stopped);
  CHECK_THAT(run.stopped_at, Catch::StartsWith("kernel k, CTA 0, warp 0 at m.ptx:"));
}

TEST_CASE("a 64-bit sum takes one slot where it feeds addresses only, and two else") {
  CHECK(slots(".shared .b8 s[8]; mov.u64 %rd1, s; add.s64 %rd2, %rd1, 4; ld.shared.u32 %r1, [%rd2];") ==
        std::vector<Slot>{{Unit::alu, 1}, {Unit::alu, 1}, {Unit::shared, 1}});
  CHECK(slots("mov.u64 %rd1, 0; add.s64 %rd2, %rd1, 4; xor.b64 %rd3, %rd2, 1;") == std::vector<Slot>{{Unit::alu, 2}, {Unit::alu, 2}});
}

TEST_CASE("with timing ptx each instruction takes one slot") {
  CHECK(slots("mov.u32 %r1, 5; div.rn.f32 %f1, %f1, %f1; sqrt.rn.f32 %f1, %f1; cos.approx.f32 %f1, %f1; cvt.u64.u32 %rd3, %r1;",
              Timing::ptx) == std::vector<Slot>{{Unit::alu, 1}, {Unit::fp32, 1}, {Unit::sfu, 1}, {Unit::sfu, 1}, {Unit::alu, 1}});
}

TEST_CASE("a kernel needs the registers that live at once and two more, rounded up to eight, and at least 16") {
  std::string body, use;
  for (int i = 1; i <= 12; ++i) {
    body += "ld.global.u64 %rd" + std::to_string(i) + ", [%rd0];\n";
    use += "st.global.u64 [%rd0], %rd" + std::to_string(i) + ";\n";
  }
  CHECK(registers("ret;") == 16);
  CHECK(registers("ld.param.u64 %rd0, [p0];\n" + body + use + "ret;") == 32);  // 13 of 64 bits, and 2 more: 28
  CHECK(registers("ld.param.u64 %rd0, [p0];\n" + body + use + "ret;", " .maxnreg 24") == 24);
  CHECK(registers("ld.param.u64 %rd0, [p0];\n" + body + use + "ret;", " .maxntid 1024, 1, 1 .minnctapersm 4") == 16);
}

TEST_CASE("values that live at once have different names in the scoreboard, and a vector has one") {
  PtxMachine machine;
  const Address array = machine.zeros<std::uint32_t>(64);
  PtxStimulus stimulus({{"m.ptx", kernel_of("ld.param.u64 %rd1, [p0]; ld.global.v2.u32 {%r1, %r2}, [%rd1]; ld.global.u32 %r3, [%rd1+8]; "
                                            "add.u32 %r4, %r2, %r3; st.global.v2.u32 [%rd1], {%r4, %r1}; ret;",
                                            1)}},
                       machine.memory, {{"k", {1, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(array).bytes()}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  const auto warps = stimulus.open_cta(0);
  std::vector<WarpInstruction> shown;
  while (const WarpInstruction* next = warps[0]->peek()) {
    shown.push_back(*next);
    warps[0]->advance();
  }
  REQUIRE(shown.size() == 5);
  const RegisterId vector = shown[0].destination, scalar = shown[1].destination, sum = shown[2].destination, address = shown[0].sources[0];
  CHECK(vector != scalar);
  CHECK(vector != address);
  CHECK(shown[2].sources == std::array<RegisterId, 4>{vector, scalar, kNoRegister, kNoRegister});
  CHECK(shown[3].sources == std::array<RegisterId, 4>{address, sum, vector, kNoRegister});
  CHECK(shown[3].destination == kNoRegister);
  CHECK(shown[1].pc - shown[0].pc == 16);
}
