// Whole kernels: memory, barriers, calls, local memory.
#include <catch2/catch.hpp>

#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

const char* const kVectorAdd = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry vecadd(.param .u64 c, .param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<11>;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  ld.param.u64 %rd4, [c];
  ld.param.u64 %rd5, [b];
  cvta.to.global.u64 %rd6, %rd5;
  ld.param.u64 %rd7, [a];
  mul.wide.s32 %rd10, %r5, 4;
  add.s64 %rd1, %rd4, %rd10;
  add.s64 %rd2, %rd6, %rd10;
  add.s64 %rd3, %rd7, %rd10;
  ld.global.f32 %f1, [%rd3];
  ld.global.f32 %f2, [%rd2];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd1], %f3;
DONE:
  ret;
}
)";

}  // namespace

TEST_CASE("a vector sum has the sum in every element of the array and touches nothing behind it") {
  PtxMachine machine;
  std::vector<float> a, b;
  for (int i = 0; i < 1000; ++i) {
    a.push_back(static_cast<float>(i) * 0.5f);
    b.push_back(static_cast<float>(1000 - i));
  }
  const Address c = machine.zeros<float>(1024);
  const Address at = machine.array(a), bt = machine.array(b);
  machine.run(kVectorAdd, "vecadd", {8, 1, 1}, {128, 1, 1}, ArgumentBytes().add(c).add(at).add(bt).add(std::int32_t{1000}));
  const std::vector<float> sums = machine.read<float>(c, 1024);
  for (std::size_t i = 0; i < 1000; ++i) REQUIRE(sums[i] == a[i] + b[i]);
  for (std::size_t i = 1000; i < 1024; ++i) REQUIRE(sums[i] == 0.0f);
  CHECK(machine.warnings.empty());
}

TEST_CASE("a register or predicate that is read before it is written is 0, whatever earlier CTAs have left") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(128);
  const std::string body = R"(
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; ld.param.u64 %rd1, [p0]; mad.lo.u32 %r3, %r2, 32, %r1; mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd1, %rd1, %rd2; setp.lt.u32 %p1, %r1, 8; @%p1 mov.u32 %r4, 7; @%p2 add.u32 %r4, %r4, 100; st.global.u32 [%rd1], %r4;
    mov.u32 %r4, 55; setp.gt.u32 %p2, %r4, 0; @%p2 add.u32 %r4, %r4, %r1; st.global.u32 [%rd1+256], %r4; ret;)";
  machine.run(kernel_of(body, 1), "k", {2, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out));
  const auto values = machine.read<std::uint32_t>(out, 128);
  for (unsigned thread = 0; thread < 64; ++thread) {
    CHECK(values[thread] == (thread % 32 < 8 ? 7 : 0));
    CHECK(values[64 + thread] == 55 + thread % 32);
  }
}

TEST_CASE("the stream shows each timed instruction with its unit, mask and addresses before it happens") {
  PtxMachine machine;
  const Address c = machine.zeros<float>(64), a = machine.array(std::vector<float>(64, 1.0f)),
                b = machine.array(std::vector<float>(64, 2.0f));
  PtxStimulus stimulus({{"v.ptx", kVectorAdd}}, machine.memory,
                       {{"vecadd", {1, 1, 1}, {64, 1, 1}, 0, ArgumentBytes().add(c).add(a).add(b).add(std::int32_t{40}).bytes()}});
  const KernelLaunch* const launch = stimulus.next_kernel();
  REQUIRE(launch != nullptr);
  CHECK(launch->name == "vecadd");
  CHECK(launch->registers_per_thread == 16);
  CHECK(launch->local_offsets);
  auto warps = stimulus.open_cta(0);
  REQUIRE(warps.size() == 2);
  std::vector<Unit> units;
  while (const WarpInstruction* next = warps[1]->peek()) {
    units.push_back(next->unit);
    if (next->unit == Unit::load) {
      CHECK(next->active == 0xFFu);
      CHECK(next->addresses[3] % 256 == (32 + 3) * 4 % 256);
      CHECK(next->access_bytes == 4);
    }
    if (next->unit == Unit::store) CHECK(machine.read<float>(c, 64)[32] == 0.0f);
    warps[1]->advance();
    if (units.back() == Unit::store) CHECK(machine.read<float>(c, 64)[32] == 3.0f);
  }
  CHECK(units == std::vector<Unit>{Unit::alu, Unit::alu, Unit::alu, Unit::imad, Unit::alu, Unit::branch, Unit::imad, Unit::alu, Unit::alu,
                                   Unit::alu, Unit::load, Unit::load, Unit::fp32, Unit::store, Unit::exit});
  warps.clear();  // they must not outlive their kernel
  CHECK(stimulus.next_kernel() == nullptr);
}

TEST_CASE("shared memory passes values between warps across a barrier") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(128);
  machine.run(kernel_of(R"(
    .shared .align 4 .b8 tile[512];
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1;
    mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 4, %r2; mul.lo.u32 %r4, %r1, 10; st.shared.u32 [%r3], %r4;
    bar.sync 0;
    sub.u32 %r5, 127, %r1; mad.lo.u32 %r6, %r5, 4, %r2; ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd0], %r7; ret;)",
                        1),
              "k", {1, 1, 1}, {128, 1, 1}, ArgumentBytes().add(out));
  const auto values = machine.read<std::uint32_t>(out, 128);
  for (std::uint32_t i = 0; i < 128; ++i) REQUIRE(values[i] == (127 - i) * 10);
}

TEST_CASE("static and dynamic shared variables have places of their own in each kernel") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(4);
  machine.run(kernel_of("ld.param.u64 %rd0, [p0]; mov.u32 %r1, first; mov.u32 %r2, second; mov.u32 %r3, dyn; mov.u64 %rd1, other; "
                        "cvt.u32.u64 %r4, %rd1; st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4}; ret;",
                        1,
                        ".shared .align 2 .b8 unused[1000]; .shared .align 1 .b8 first[3]; .shared .align 8 .b8 second[8]; .extern .shared "
                        ".align 16 .b8 dyn[]; .extern .shared .align 4 .b8 other[];\n"),
              "k", {1, 1, 1}, {1, 1, 1}, ArgumentBytes().add(out), 64);
  CHECK(machine.read<std::uint32_t>(out, 4) == std::vector<std::uint32_t>{0, 8, 16, 16});
}

TEST_CASE("barriers with a reduction give all warps the votes of all threads") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(96 * 4);
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 16; add.u64 %rd0, %rd0, %rd1;
    setp.lt.u32 %p1, %r1, 70;
    bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, !%p1; bar.red.popc.u32 %r3, 1, !%p1;
    selp.u32 %r4, 1, 0, %p2; selp.u32 %r5, 1, 0, %p3; st.global.v4.u32 [%rd0], {%r2, %r4, %r5, %r3}; ret;)",
                        1),
              "k", {1, 1, 1}, {96, 1, 1}, ArgumentBytes().add(out));
  const auto values = machine.read<std::uint32_t>(out, 96 * 4);
  for (std::size_t i = 0; i < 96; ++i)
    REQUIRE(std::vector<std::uint32_t>(values.begin() + static_cast<long>(4 * i), values.begin() + static_cast<long>(4 * i + 4)) ==
            std::vector<std::uint32_t>{70, 0, 1, 26});
}

TEST_CASE("lanes on both sides of a branch that reach barriers arrive together, with a warning") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(64);
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;
    @%p1 bra EVEN; bar.sync 0; mov.u32 %r3, 5; bra.uni END;
    EVEN: bar.sync 0; mov.u32 %r3, 6;
    END: st.global.u32 [%rd0], %r3; ret;)",
                        1),
              "k", {1, 1, 1}, {64, 1, 1}, ArgumentBytes().add(out));
  const auto values = machine.read<std::uint32_t>(out, 64);
  for (std::uint32_t i = 0; i < 64; ++i) REQUIRE(values[i] == (i % 2 == 0 ? 6u : 5u));
  REQUIRE(machine.warnings.size() == 1);
  CHECK(machine.warnings[0].second == 2);
}

TEST_CASE("calls pass parameters by value, return results and recurse") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(32);
  const std::string functions = R"(
.func (.param .b32 result) fibonacci(.param .b32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<8>;
  ld.param.u32 %r1, [n];
  setp.lt.u32 %p1, %r1, 2;
  mov.u32 %r5, %r1;
  @%p1 bra DONE;
  sub.u32 %r2, %r1, 1;
  { .param .b32 param0; .param .b32 retval0; st.param.b32 [param0+0], %r2; call.uni (retval0), fibonacci, (param0); ld.param.b32 %r3, [retval0+0]; }
  sub.u32 %r2, %r1, 2;
  { .param .b32 param0; .param .b32 retval0; st.param.b32 [param0+0], %r2; call.uni (retval0), fibonacci, (param0); ld.param.b32 %r4, [retval0+0]; }
  add.u32 %r5, %r3, %r4;
DONE:
  st.param.b32 [result+0], %r5;
  ret;
}
.func (.reg .u32 d) square(.reg .u32 a) { mul.lo.u32 d, a, a; ret; }
)";
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1; and.b32 %r2, %r1, 7;
    { .param .b32 param0; .param .b32 retval0; st.param.b32 [param0+0], %r2; call.uni (retval0), fibonacci, (param0); ld.param.b32 %r3, [retval0+0]; }
    setp.gt.u32 %p1, %r1, 3; @%p1 call (%r3), square, (%r3);
    st.global.u32 [%rd0], %r3; ret;)",
                        1, functions),
              "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out));
  const std::vector<std::uint32_t> fibonacci = {0, 1, 1, 2, 3, 5, 8, 13};
  const auto values = machine.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(values[i] == (i > 3 ? fibonacci[i & 7] * fibonacci[i & 7] : fibonacci[i & 7]));
}

TEST_CASE("an indirect call groups lanes by target, and tables in memory hold handles of functions") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(32);
  const std::string functions = R"(
.func (.param .b32 r) plus(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; add.u32 %r2, %r1, 100; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) times(.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; mul.lo.u32 %r2, %r1, 3; st.param.b32 [r], %r2; ret; }
.global .align 8 .u64 table[2] = {plus, times};
)";
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1;
    and.b32 %r2, %r1, 1; mul.wide.u32 %rd2, %r2, 8; mov.u64 %rd3, table; add.u64 %rd3, %rd3, %rd2; ld.global.u64 %rd4, [%rd3];
    { .param .b32 param0; .param .b32 retval0; st.param.b32 [param0+0], %r1; prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
      call (retval0), %rd4, (param0), prototype_0; ld.param.b32 %r3, [retval0+0]; }
    activemask.b32 %r4; st.global.u32 [%rd0], %r3; ret;)",
                        1, functions),
              "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out));
  const auto values = machine.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(values[i] == (i % 2 == 0 ? i + 100 : 3 * i));
}

TEST_CASE("local arrays belong to their thread and to their frame") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(64);
  const std::string functions = R"(
.func (.param .b32 r) fill(.param .b64 at)
{
  .local .align 8 .b8 depot[16]; .reg .b64 %SPL, %rd<3>; .reg .b32 %r<3>;
  mov.u64 %SPL, depot; ld.param.u64 %rd1, [at];
  st.local.u32 [%SPL+4], 7; st.u32 [%rd1+8], 9; ld.local.u32 %r1, [depot+4]; st.param.b32 [r], %r1; ret;
}
)";
  machine.run(kernel_of(R"(
    .local .align 8 .b8 depot[32];
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1;
    mov.u64 %rd2, depot; st.local.u32 [%rd2+4], %r1; cvta.local.u64 %rd3, %rd2;
    { .param .b64 param0; .param .b32 retval0; st.param.b64 [param0+0], %rd3; call.uni (retval0), fill, (param0); ld.param.b32 %r2, [retval0+0]; }
    ld.local.u32 %r3, [%rd2+4]; ld.u32 %r4, [%rd3+8]; mad.lo.u32 %r5, %r2, 100, %r4;
    mad.lo.u32 %r5, %r3, 1000, %r5; st.global.u32 [%rd0], %r5; ret;)",
                        1, functions),
              "k", {1, 1, 1}, {64, 1, 1}, ArgumentBytes().add(out));
  const auto values = machine.read<std::uint32_t>(out, 64);
  for (std::uint32_t i = 0; i < 64; ++i) REQUIRE(values[i] == i * 1000 + 709);
}

TEST_CASE("atomic sums of floats of 16 bits round each sum, and those of a pair are two") {
  PtxMachine machine;
  // 1 as bf16 and f16, and pairs of 1 and 2. Of 32 lanes' 2^-8, bf16 loses each, because it has 8 digits.
  const Address sums = machine.array(std::vector<std::uint32_t>{0x3F80, 0x3C00, 0x40003F80, 0x40003C00});
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; mov.b16 %h1, 0x3B80; mov.b16 %h2, 0x1C00; mov.b32 %r1, 0x3F803B80; mov.b32 %r2, 0x3C001C00;
    atom.global.add.noftz.bf16 %h3, [%rd0], %h1; red.global.add.noftz.f16 [%rd0+4], %h2; red.relaxed.gpu.global.add.noftz.bf16x2 [%rd0+8], %r1;
    atom.global.add.noftz.f16x2 %r3, [%rd0+12], %r2; ret;)",
                        1),
              "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(sums));
  const auto values = machine.read<std::uint32_t>(sums, 4);
  CHECK(values[0] == 0x3F80);
  CHECK(values[1] == 0x3C80);      // 1 + 32 / 256 = 1.125
  CHECK(values[2] == 0x42083F80);  // 34, 1
  CHECK(values[3] == 0x50403C80);  // 34, 1.125
}

TEST_CASE("atomics of all kinds take effect lane by lane and return the old value") {
  PtxMachine machine;
  const Address sums = machine.zeros<std::uint32_t>(16), out = machine.zeros<std::uint32_t>(32);
  machine.run(kernel_of(R"(
    .shared .align 4 .b8 counter[4];
    ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
    atom.global.add.u32 %r2, [%rd0], 2; red.global.max.s32 [%rd0+4], %r1; red.global.or.b32 [%rd0+8], %r1; atom.global.inc.u32 %r3, [%rd0+12], 9;
    atom.global.cas.b32 %r4, [%rd0+16], 0, 5; mov.f32 %f1, 0f3F000000; red.global.add.f32 [%rd0+20], %f1; atom.global.exch.b32 %r5, [%rd0+24], %r1;
    mov.u64 %rd5, counter; cvta.shared.u64 %rd5, %rd5; atom.add.u32 %r6, [%rd5], 1; atom.global.dec.u32 %r7, [%rd0+28], 3;
    red.global.min.u32 [%rd0+32], %r1;
    add.u32 %r2, %r2, %r6; st.global.u32 [%rd1], %r2; ret;)",
                        2),
              "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(sums).add(out));
  CHECK(machine.read<std::uint32_t>(sums, 9) == std::vector<std::uint32_t>{64, 31, 31, 2, 5, 0x41800000, 31, 0, 0});
  const auto old = machine.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(old[i] == 3 * i);
}

TEST_CASE("a generic access goes to each lane's space, one warp instruction per space") {
  PtxMachine machine;
  const Address global = machine.array(std::vector<std::uint32_t>(32, 11)), out = machine.zeros<std::uint32_t>(32);
  PtxStimulus stimulus({{"g.ptx", kernel_of(R"(
    .shared .align 4 .b8 tile[128]; .local .align 4 .b8 depot[4];
    ld.param.u64 %rd0, [p0]; ld.param.u64 %rd9, [p1]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1;
    add.u64 %rd9, %rd9, %rd1;
    mov.u64 %rd2, tile; add.u64 %rd2, %rd2, %rd1; st.shared.u32 [%rd2], 22; cvta.shared.u64 %rd2, %rd2; mov.u64 %rd3, depot;
    st.local.u32 [%rd3], 33; cvta.local.u64 %rd3, %rd3;
    setp.lt.u32 %p1, %r1, 8; selp.b64 %rd4, %rd2, %rd0, %p1; setp.gt.u32 %p2, %r1, 27; selp.b64 %rd4, %rd3, %rd4, %p2;
    ld.u32 %r2, [%rd4]; st.global.u32 [%rd9], %r2; ret;)",
                                            2)}},
                       machine.memory, {{"k", {1, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(global).add(out).bytes()}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  const auto warps = stimulus.open_cta(0);
  std::vector<std::pair<Unit, LaneMask>> loads;
  while (const WarpInstruction* next = warps[0]->peek()) {
    if (next->destination != kNoRegister && has_addresses(next->unit)) loads.push_back({next->unit, next->active});
    warps[0]->advance();
  }
  CHECK(loads == std::vector<std::pair<Unit, LaneMask>>{{Unit::shared, 0xFFu}, {Unit::load, 0xF0000000u}, {Unit::load, 0x0FFFFF00u}});
  const auto values = machine.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(values[i] == (i < 8 ? 22u : i > 27 ? 33u : 11u));
}

TEST_CASE("lanes that spin on a lock of another lane of their warp come to an end") {
  PtxMachine machine;
  const Address lock = machine.zeros<std::uint32_t>(2);
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0];
  TRY: atom.global.cas.b32 %r1, [%rd0], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra TRY;
    ld.global.u32 %r2, [%rd0+4]; add.u32 %r2, %r2, 1; st.global.u32 [%rd0+4], %r2;
    atom.global.exch.b32 %r3, [%rd0], 0;
    ret;)",
                        1),
              "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(lock));
  CHECK(machine.read<std::uint32_t>(lock, 2) == std::vector<std::uint32_t>{0, 32});
}

TEST_CASE("lanes wait for another one that needs long, and go on with it") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(32);
  // Lane 0 makes 100,000 rounds; behind the loop a warp that is whole issues 50 instructions, not twice as many.
  const auto instructions = [&](bool lane_0_alone) {
    const std::uint64_t before = machine.issued;
    std::string tail;
    for (int i = 0; i < 50; ++i) tail += "add.u32 %r2, %r2, 1; ";
    machine.run(kernel_of(std::string("ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; setp.ne.u32 %p1, %r1, 0;\n") +
                              (lane_0_alone ? "@%p1 bra JOIN;\n" : "") +
                              "LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 100000; @%p2 bra LOOP;\nJOIN: " + tail +
                              "activemask.b32 %r3; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1; st.global.u32 [%rd0], %r3; ret;",
                          1),
                "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out));
    return machine.issued - before;
  };
  const std::uint64_t all = instructions(false);
  CHECK(instructions(true) == all + 1);  // the branch
  CHECK(machine.read<std::uint32_t>(out, 32) == std::vector<std::uint32_t>(32, ~0u));
}

TEST_CASE("lanes that spin with a counter, which is no reason to stay together, come to an end too") {
  PtxMachine machine;
  const Address lock = machine.zeros<std::uint32_t>(2);
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r4, 0;
  TRY: add.u32 %r4, %r4, 1; atom.global.cas.b32 %r1, [%rd0], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra TRY;
    atom.global.exch.b32 %r3, [%rd0], 0; atom.global.add.u32 %r2, [%rd0+4], 1;
    ret;)",
                        1),
              "k", {1, 1, 1}, {3, 1, 1}, ArgumentBytes().add(lock));
  CHECK(machine.read<std::uint32_t>(lock, 2) == std::vector<std::uint32_t>{0, 3});
}

TEST_CASE("brx.idx goes to the target that each lane's index names") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(32);
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd0, %rd0, %rd1; rem.u32 %r2, %r1, 3; mov.u32 %r3, 0;
    targets: .branchtargets A, B, C;
    brx.idx %r2, targets;
  C: add.u32 %r3, %r3, 1;
  B: add.u32 %r3, %r3, 10;
  A: add.u32 %r3, %r3, 100;
    st.global.u32 [%rd0], %r3; activemask.b32 %r4; ret;)",
                        1),
              "k", {1, 1, 1}, {32, 1, 1}, ArgumentBytes().add(out));
  const auto values = machine.read<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(values[i] == (i % 3 == 0 ? 100u : i % 3 == 1 ? 110u : 111u));
}

TEST_CASE("places name lines of the user's files, not of headers that are expanded there") {
  DeviceMemory memory(std::uint64_t{1} << 20);
  const std::string text = kernel_of(".loc 1 12 1\nmov.u32 %r1, 1;\n.loc 2 53 3\nmov.u32 %r2, %tid.x;\n.loc 1 0 0\nmov.u32 %r3, 1; ret;", 0,
                                     ".file 1 \"app.cu\"\n.file 2 \"/usr/lib/__clang_cuda_builtin_vars.h\"\n");
  std::vector<Module> modules;
  modules.push_back(parse_module({"m.ptx", text}));
  const Program program(std::move(modules), memory);
  for (std::uint32_t pc = 0; pc < 4; ++pc) CHECK(program.place_of(pc) == "app.cu:12");
}

TEST_CASE("modules are linked: functions and variables of one serve another, and weak ones give way") {
  PtxMachine machine;
  const std::string head = ".version 7.2\n.target sm_70\n.address_size 64\n";
  const Address out = machine.zeros<std::uint32_t>(2);
  PtxStimulus stimulus(
      {{"a.ptx", head + ".extern .func (.param .b32 r) other();\n.extern .global .align 4 .u32 value;\n.visible .entry k(.param .u64 p0) { "
                        ".reg .b32 %r<3>; .reg .b64 %rd<3>; "
                        "ld.param.u64 %rd1, [p0]; { .param .b32 q; call (q), other; ld.param.b32 %r1, [q]; } ld.global.u32 %r2, [value+4]; "
                        "st.global.v2.u32 [%rd1], {%r1, %r2}; ret; }"},
       {"b.ptx",
        head + ".visible .func (.param .b32 r) other() { st.param.b32 [r], 41; ret; }\n.visible .global .align 4 .u32 value[2] = {7, 8};"},
       {"c.ptx", head + ".weak .func (.param .b32 r) other() { st.param.b32 [r], 99; ret; }"}},
      machine.memory, {{"k", {1, 1, 1}, {1, 1, 1}, 0, ArgumentBytes().add(out).bytes()}});
  REQUIRE(stimulus.next_kernel() != nullptr);
  machine.run_cta(stimulus.open_cta(0));
  CHECK(machine.read<std::uint32_t>(out, 2) == std::vector<std::uint32_t>{41, 8});
}

TEST_CASE("a weak definition gives way to a strong one in front of it or behind it, and its initial value with it") {
  const std::string head = ".version 7.2\n.target sm_70\n.address_size 64\n";
  const std::string kernel =
      head +
      ".extern .func (.param .b32 r) other();\n.extern .global .align 4 .u32 value;\n.extern .const .align 4 .u32 fixed;\n"
      ".visible .entry k(.param .u64 p0) { .reg .b32 %r<4>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [p0]; { .param .b32 q; call (q), "
      "other; ld.param.b32 %r1, [q]; } ld.global.u32 %r2, [value]; ld.const.u32 %r3, [fixed]; st.global.u32 [%rd1], %r1; "
      "st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3; ret; }";
  const auto module = [&](const std::string& linkage, const std::string& number) {
    return head + linkage + " .func (.param .b32 r) other() { st.param.b32 [r], " + number + "; ret; }\n" + linkage +
           " .global .align 4 .u32 value = " + number + ";\n" + linkage + " .const .align 4 .u32 fixed = " + number + ";\n";
  };
  using Modules = std::vector<SourceText>;
  const SourceText user{"a.ptx", kernel}, weak{"b.ptx", module(".weak", "1")}, strong{"c.ptx", module(".visible", "2")},
      later{"d.ptx", module(".weak", "3")};
  const std::vector<std::pair<Modules, std::uint32_t>> groups = {{{user, weak, strong, later}, 2},
                                                                 {{strong, weak, user}, 2},
                                                                 {{weak, user, strong}, 2},
                                                                 {{user, weak, later}, 1},
                                                                 {{later, weak, user}, 3}};
  for (const auto& [modules, expected] : groups) {
    INFO(modules[0].file << ", " << modules[1].file << ", " << modules[2].file);
    PtxMachine machine;
    const Address out = machine.zeros<std::uint32_t>(3);
    PtxStimulus stimulus(modules, machine.memory, {{"k", {1, 1, 1}, {1, 1, 1}, 0, ArgumentBytes().add(out).bytes()}});
    REQUIRE(stimulus.next_kernel() != nullptr);
    machine.run_cta(stimulus.open_cta(0));
    CHECK(machine.read<std::uint32_t>(out, 3) == std::vector<std::uint32_t>(3, expected));
  }
}

TEST_CASE("functions and variables that are private to a module may have the names of another module's") {
  const std::string head = ".version 7.2\n.target sm_70\n.address_size 64\n";
  const auto module = [&](const std::string& kernel, const std::string& number) {
    return head + ".global .align 4 .u32 own = " + number + ";\n.func (.param .b32 r) helper();\n.visible .entry " + kernel +
           "(.param .u64 p0) { .reg .b32 %r<4>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [p0]; { .param .b32 q; call (q), helper; ld.param.b32 "
           "%r1, [q]; } "
           "ld.global.u32 %r2, [own]; st.global.v2.u32 [%rd1], {%r1, %r2}; ret; }\n.func (.param .b32 r) helper() { st.param.b32 [r], " +
           number + "; ret; }\n";
  };
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(4);
  PtxStimulus stimulus({{"a.ptx", module("first", "1")}, {"b.ptx", module("second", "2")}}, machine.memory,
                       {{"first", {1, 1, 1}, {1, 1, 1}, 0, ArgumentBytes().add(out).bytes()},
                        {"second", {1, 1, 1}, {1, 1, 1}, 0, ArgumentBytes().add(out + 8).bytes()}});
  for (int i = 0; i < 2; ++i) {
    REQUIRE(stimulus.next_kernel() != nullptr);
    machine.run_cta(stimulus.open_cta(0));
  }
  CHECK(machine.read<std::uint32_t>(out, 4) == std::vector<std::uint32_t>{1, 1, 2, 2});
}
