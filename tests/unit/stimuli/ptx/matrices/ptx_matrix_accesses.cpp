// Loads and stores of matrices: elements, addresses that the machine sees, issue slots, and mistakes.
#include <catch2/catch.hpp>
#include <numeric>

#include "model/base/error.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Shared memory holds the halves 0, 1, 2, ... in rows of 8; lane l has the address of row l in %r1, and its place in `out` in %rd1.
const std::string kRows = R"(
  .shared .align 16 .b8 tile[1024];
  ld.param.u64 %rd0, [p0]; mov.u32 %r0, %laneid; mov.u32 %r2, tile; mad.lo.u32 %r1, %r0, 16, %r2; mad.wide.u32 %rd1, %r0, 16, %rd0;
  mul.lo.u32 %r3, %r0, 0x00080008; add.u32 %r4, %r3, 0x00010000; add.u32 %r5, %r3, 0x00030002; add.u32 %r6, %r3, 0x00050004;
  add.u32 %r7, %r3, 0x00070006; st.shared.v4.b32 [%r1], {%r4, %r5, %r6, %r7}; bar.sync 0;
)";

/// The words that each lane stores, four per lane.
std::vector<std::uint32_t> words_after(const std::string& body) {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(128);
  machine.run(kernel_of(kRows + body + "ret;", 1), "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out));
  return machine.read<std::uint32_t>(out, 128);
}

/// The instructions that a warp shows, without barriers and its exit. p0 is an array of 16 KiB at a multiple of 256 bytes.
struct Shown {
  std::vector<WarpInstruction> instructions;
  Address array = 0;
};
Shown shown(const std::string& body) {
  PtxMachine machine;
  Shown result;
  result.array = machine.zeros<std::uint32_t>(4096);
  PtxStimulus stimulus({{"m.ptx", kernel_of("ld.param.u64 %rd0, [p0];\n" + body + "\nret;", 1)}}, machine.memory,
                       {{"k", {1, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(result.array).bytes()}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  const auto warps = stimulus.open_cta(0);
  while (const WarpInstruction* next = warps[0]->peek()) {
    if (next->unit != Unit::exit && next->unit != Unit::barrier) result.instructions.push_back(*next);
    warps[0]->advance();
  }
  return result;
}

/// The message about a mistake in a kernel, or about the thread that fails.
std::string mistake(const std::string& body, Dim3 block = {32, 1, 1}) {
  PtxMachine machine;
  const Address array = machine.zeros<std::uint32_t>(4096);
  try {
    machine.run(kernel_of("ld.param.u64 %rd0, [p0]; mov.u32 %r0, %laneid;\n" + body + "\nret;", 1), "k", {1, 1, 1}, block,
                ArgumentBytes().add(array));
  } catch (const InputError& error) {
    return error.what();
  } catch (const SimulationError& error) {
    return error.what();
  }
  return {};
}

const std::string kLoadA = "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd0]";
const std::string kMma =
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f4,%f5,%f6,%f7};\n";

}  // namespace

TEST_CASE("ldmatrix gives lane l two neighbours of row l / 4 of each matrix, and of column l / 4 with trans") {
  for (const unsigned count : {1u, 2u, 4u})
    for (const bool transposed : {false, true}) {
      const std::string list = count == 1 ? "%r10" : count == 2 ? "{%r10, %r11}" : "{%r10, %r11, %r12, %r13}";
      const auto words = words_after("mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;\nldmatrix.sync.aligned.m8n8.x" +
                                     std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 " + list +
                                     ", [%r1];\nst.global.v4.b32 [%rd1], {%r10, %r11, %r12, %r13};\n");
      std::vector<std::uint32_t> expected(128);
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned matrix = 0; matrix < count; ++matrix) {
          const unsigned line = lane / 4, first = lane % 4 * 2, base = matrix * 64;
          expected[lane * 4 + matrix] = transposed ? (base + first * 8 + line) | (base + (first + 1) * 8 + line) << 16
                                                   : (base + line * 8 + first) | (base + line * 8 + first + 1) << 16;
        }
      INFO("x" << count << (transposed ? " trans" : ""));
      CHECK(words == expected);
    }
}

TEST_CASE("stmatrix is the inverse of ldmatrix") {
  for (const std::string modifiers : {".m8n8.x4.shared.b16", ".m8n8.x4.trans.shared.b16", ".x4.trans.m8n8.shared.b16"}) {
    const auto words =
        words_after("ldmatrix.sync.aligned" + modifiers +
                    " {%r10, %r11, %r12, %r13}, [%r1];\nst.shared.v4.b32 [%r1], {%r0, %r0, %r0, %r0}; bar.warp.sync 0xffffffff;\n" +
                    "stmatrix.sync.aligned" + modifiers +
                    " [%r1], {%r10, %r11, %r12, %r13}; bar.warp.sync 0xffffffff;\nld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r1]; "
                    "st.global.v4.b32 [%rd1], {%r4, %r5, %r6, %r7};\n");
    for (unsigned i = 0; i < 128; ++i) REQUIRE(words[i] == (2 * i | (2 * i + 1) << 16));
  }
}

TEST_CASE("movmatrix transposes a matrix in registers") {
  const auto words = words_after(
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r10, [%r1]; ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 %r12, [%r1];\n"
      "movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10; movmatrix.sync.aligned.m8n8.trans.b16 %r13, %r11;\n"
      "st.global.v4.b32 [%rd1], {%r10, %r11, %r12, %r13};\n");
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(words[4 * lane + 1] == words[4 * lane + 2]);
    CHECK(words[4 * lane + 3] == words[4 * lane]);
  }
}

TEST_CASE("an instruction on matrices needs the target that nvcc asks for") {
  const auto refusal = [](const std::string& target, const std::string& body) {
    PtxMachine machine;
    std::string text = kernel_of(body + " ret;", 1);
    text.replace(text.find("sm_90"), 5, target);
    try {
      machine.run(text, "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(machine.zeros<std::uint32_t>(4096)));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string bfloats = "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2}, {%r5}, {%f4,%f5,%f6,%f7};";
  CHECK(refusal("sm_80", bfloats).empty());
  CHECK(refusal("sm_90a", bfloats).empty());
  CHECK_THAT(
      refusal("sm_75", bfloats),
      StartsWith("test.ptx:7:1: mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 needs sm_80, and the module is for sm_75; compile it "
                 "with -arch=sm_80 or more, or set cuda.compute_capability to 8.0 or more"));
  CHECK_THAT(refusal("sm_86", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;"), Contains("needs sm_89, and the module is for sm_86"));
  CHECK(refusal("sm_89", "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;").empty());
}

TEST_CASE("ldmatrix is one shared access in which each lane with an address reads the 16 bytes of its row") {
  const auto all =
      shown(
          ".shared .align 16 .b8 tile[2048]; mov.u32 %r0, %laneid; mul.lo.u32 %r1, %r0, 48; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2,%r3,%r4,%r5}, [%r1];"
          "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r1];")
          .instructions;
  REQUIRE(all.size() == 4);
  CHECK(all[2].unit == Unit::shared);
  CHECK(all[2].access_bytes == 16);
  CHECK(all[2].active == kAllLanes);
  CHECK(all[2].addresses[31] == 31 * 48);
  CHECK(all[3].active == 0xFF);
}

TEST_CASE("wmma.load and wmma.store access each line of the matrix in pieces of 16 bytes, 32 of them at a time") {
  const Shown all = shown("mov.u32 %r30, 40;\n" + kLoadA + ", %r30;\n" + R"(
    wmma.load.c.sync.aligned.col.m16n16k16.global.f32 {%r11,%r12,%r13,%r14,%r15,%r16,%r17,%r18}, [%rd0];
    wmma.store.d.sync.aligned.row.m8n32k16.f16 [%rd0], {%r11,%r12,%r13,%r14}, %r30;)");
  const auto& slots = all.instructions;
  REQUIRE(slots.size() == 4);
  for (const WarpInstruction& slot : slots) {
    CHECK(slot.access_bytes == 16);
    CHECK(slot.active == kAllLanes);
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    INFO("lane " << lane);
    CHECK(slots[0].addresses[lane] == all.array + lane % 16 * 40 * 2 + lane / 16 * 16);   // 16 rows of 32 bytes, 40 halves apart
    CHECK(slots[1].addresses[lane] == all.array + lane % 16 * 64 + lane / 16 * 16);       // 16 columns of 64 bytes, without gaps
    CHECK(slots[2].addresses[lane] == all.array + lane % 16 * 64 + lane / 16 * 16 + 32);  // their second halves
    CHECK(slots[3].addresses[lane] == all.array + lane % 8 * 40 * 2 + lane / 8 * 16);     // 8 rows of 64 bytes
  }
  CHECK(slots[0].unit == Unit::load);
  CHECK(slots[3].unit == Unit::store);
}

TEST_CASE("a matrix in the window of shared memory is loaded from there by a generic address") {
  const auto words = words_after(R"(mov.u64 %rd2, tile; cvta.shared.u64 %rd2, %rd2;
    wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r10, %r11}, [%rd2]; wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%r12, %r13}, [tile];
    st.global.v4.b32 [%rd1], {%r10, %r11, %r12, %r13};
  )");
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(words[4 * lane] == (lane * 2 | (lane * 2 + 1) << 16));  // row l / 4, bytes 4 (l % 4) and on
    CHECK(words[4 * lane + 1] == words[4 * lane] + 0x00400040);   // eight rows below
    CHECK(words[4 * lane + 2] == words[4 * lane]);
    CHECK(words[4 * lane + 3] == words[4 * lane + 1]);
  }
}

TEST_CASE(
    "a product takes a slot of the tensor unit per 16 x 8 elements, or per 128 multiplications of doubles, and waits for the last registers") {
  const auto all = shown(kMma + kLoadA + ";\n" + R"(
    wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f8,%f9,%f10,%f11,%f12,%f13,%f14,%f15}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8},
      {%r11,%r12,%r13,%r14,%r15,%r16,%r17,%r18}, {%f8,%f9,%f10,%f11,%f12,%f13,%f14,%f15};
    mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd0,%fd1}, {%fd2}, {%fd3}, {%fd4,%fd5}; st.global.f32 [%rd0], %f12;)")
                       .instructions;
  REQUIRE(all.size() == 5);
  CHECK(all[0].unit == Unit::tensor);
  CHECK(all[0].repeat == 1);
  CHECK(all[2].unit == Unit::tensor);
  CHECK(all[2].repeat == 2);
  CHECK(all[3].repeat == 8 * 8 * 4 / 128);
  const RegisterId loaded = all[1].destination, sum = all[2].destination;
  CHECK(all[2].sources[0] == loaded);
  CHECK(all[2].sources[2] == sum);
  CHECK(all[4].sources[1] == sum);
}

TEST_CASE("a mistake in an instruction on matrices is named where it is written") {
  CHECK_THAT(
      mistake("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 {%r1,%r2}, {%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f4,%f5,%f6,%f7};"),
      StartsWith("test.ptx:8:1: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f32 is not a supported form of mma; these are:\n    mma"));
  CHECK_THAT(mistake("mma.sync.aligned.m8n8k4.row.col.f32.bf16.bf16.f32 {%f0};"), Contains("is not a supported form of mma; these are:"));
  CHECK_THAT(mistake("wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r1}, [%rd0];"), Contains("is not a supported form of wmma; these are:"));
  CHECK_THAT(
      mistake("ldmatrix.sync.aligned.m8n8.x4.global.b16 {%r1,%r2,%r3,%r4}, [%rd0];"),
      Contains("is not a supported form of ldmatrix; these are:\n    ldmatrix sync aligned m8n8 x1|x2|x4 trans? shared|shared::cta? b16"));
  CHECK_THAT(mistake("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r1}, {%r5}, {%f4,%f5,%f6,%f7};"),
             StartsWith("test.ptx:8:69: the list has 1 of the fragment's 2 registers; write one of 32 bits for each, as in {%r1, %r2}"));
  CHECK_THAT(mistake("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd0,%f1}, {%fd1}, {%fd1}, {%fd0,%fd1};"),
             StartsWith("test.ptx:8:55: register '%f' has 32 bits where the instruction has 64"));
  CHECK_THAT(mistake("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%rd0], 5;"), Contains("has 3 operands; write 2"));
}

TEST_CASE("a matrix whose lines are misaligned, outside memory or in local memory ends the kernel") {
  const std::string shared = ".shared .align 16 .b8 tile[1024];\n";
  CHECK_THAT(mistake(shared + "mul.lo.u32 %r1, %r0, 24; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r2,%r3}, [%r1];"),
             Contains("thread (1,0,0): misaligned load of 16 bytes at 0x18; the address must be a multiple of 16"));
  CHECK_THAT(mistake(shared + "mul.lo.u32 %r1, %r0, 48; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2,%r3,%r4,%r5}, [%r1];"),
             Contains("thread (22,0,0): shared load of 16 bytes at offset 0x420; there are 1024 bytes"));
  CHECK_THAT(mistake("mov.u32 %r9, 20;\n" + kLoadA + ", %r9;"),
             Contains("misaligned load of a matrix whose lines lie 40 bytes apart; that must be a multiple of 16"));
  CHECK(mistake("mov.u32 %r9, 24;\n" + kLoadA + ", %r9;").empty());
  CHECK(mistake("add.u64 %rd0, %rd0, 16;\n" + kLoadA + ";").empty());
  CHECK_THAT(mistake("add.u64 %rd0, %rd0, 8;\n" + kLoadA + ";"), Contains("; the address must be a multiple of 16 bytes"));
  CHECK_THAT(mistake("wmma.store.d.sync.aligned.row.m16n16k16.s32 [%rd0+8], {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8};"),
             Contains("misaligned store of a matrix at ") && Contains("must be a multiple of 16 bytes"));
  CHECK_THAT(mistake(kLoadA.substr(0, kLoadA.size() - 1) + "+1048576];"), Contains("global load of 16 bytes"));
  CHECK_THAT(mistake(".local .align 16 .b8 own[1024]; mov.u64 %rd1, own; cvta.local.u64 %rd1, %rd1;\n"
                     "wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1,%r2}, [%rd1];"),
             Contains("a matrix that is neither in global memory nor in the block's own shared memory; copy it there"));
}

TEST_CASE("an instruction on matrices needs all 32 lanes, and one address where it takes one matrix") {
  const std::string all_lanes = "let all 32 lanes execute it together";
  CHECK_THAT(mistake(kMma, {20, 1, 1}), Contains("an instruction on matrices in lanes 0x000fffff of the warp; " + all_lanes));
  CHECK_THAT(mistake("setp.lt.u32 %p1, %r0, 16; @%p1 bra L; " + kMma + "L:"), Contains("in lanes 0xffff0000 of the warp; " + all_lanes));
  CHECK_THAT(mistake("setp.lt.u32 %p1, %r0, 16;\n@%p1 " + kLoadA + ";"), Contains("in lanes 0x0000ffff of the warp; " + all_lanes));
  CHECK_THAT(mistake("mad.wide.u32 %rd0, %r0, 16, %rd0;\n" + kLoadA + ";"),
             Contains("lanes of a warp name different matrices; give all lanes one address and one stride"));
  CHECK_THAT(mistake("mul.lo.u32 %r9, %r0, 8;\n" + kLoadA + ", %r9;"), Contains("lanes of a warp name different matrices"));
  CHECK(mistake("setp.lt.u32 %p1, %r0, 0;\n@%p1 " + kMma + "@%p1 " + kLoadA + ";").empty());  // no lane: nothing happens
}

TEST_CASE("lanes of both sides of a branch meet at an instruction on matrices") {
  CHECK(mistake("setp.lt.u32 %p1, %r0, 16; @%p1 bra L; add.u32 %r1, %r1, 1;\nL: " + kMma).empty());
}
