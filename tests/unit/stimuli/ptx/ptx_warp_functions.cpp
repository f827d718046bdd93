// Carry chains, functions of the lanes of a warp, moves, and special registers.
#include <catch2/catch.hpp>

#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;

namespace {

/// The body computes %r1 of each thread of a warp; %r0 is the lane.
std::vector<std::uint32_t> of_lanes(const std::string& body, unsigned threads = 32) {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(64);
  machine.run(kernel_of("ld.param.u64 %rd30, [p0]; mov.u32 %r0, %laneid; mul.wide.u32 %rd31, %r0, 4; add.u64 %rd30, %rd30, %rd31;\n" +
                            body + "\nst.global.u32 [%rd30], %r1; ret;",
                        1),
              "k", {1, 1, 1}, {threads, 1, 1}, ArgumentBytes().add(out));
  return machine.read<std::uint32_t>(out, 32);
}

}  // namespace

TEST_CASE("a carry chain adds, subtracts and multiplies 128 bits") {
  PtxMachine machine;
  const std::vector<std::uint64_t> inputs = {0xFFFFFFFFFFFFFFFFull, 0x0123456789ABCDEFull, 2, 0x8000000000000000ull};
  const Address in = machine.array(inputs), out = machine.zeros<std::uint64_t>(8);
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; ld.param.u64 %rd9, [p1];
    ld.global.v2.u64 {%rd1, %rd2}, [%rd0]; ld.global.v2.u64 {%rd3, %rd4}, [%rd0+16];
    add.cc.u64 %rd5, %rd1, %rd3; addc.u64 %rd6, %rd2, %rd4;
    st.global.v2.u64 [%rd9], {%rd5, %rd6};
    sub.cc.u64 %rd5, %rd3, %rd1; subc.u64 %rd6, %rd4, %rd2;
    st.global.v2.u64 [%rd9+16], {%rd5, %rd6};
    mad.lo.cc.u64 %rd5, %rd1, %rd1, %rd3; madc.hi.u64 %rd6, %rd1, %rd1, %rd4;
    st.global.v2.u64 [%rd9+32], {%rd5, %rd6};
    mov.u32 %r1, 0xFFFFFFFF; add.cc.u32 %r2, %r1, 1; addc.cc.u32 %r3, %r1, 0; addc.u32 %r4, 5, 0;
    st.global.v4.u32 [%rd9+48], {%r2, %r3, %r4, %r1};
    ret;)",
                        2),
              "k", {1, 1, 1}, {1, 1, 1}, ArgumentBytes().add(in).add(out));
  __extension__ typedef unsigned __int128 Uint128;
  const Uint128 a = Uint128{inputs[1]} << 64 | inputs[0], b = Uint128{inputs[3]} << 64 | inputs[2];
  const Uint128 sum = a + b, difference = b - a, product = Uint128{inputs[0]} * inputs[0] + b;
  const auto words = machine.read<std::uint64_t>(out, 6);
  CHECK((Uint128{words[1]} << 64 | words[0]) == sum);
  CHECK((Uint128{words[3]} << 64 | words[2]) == difference);
  CHECK((Uint128{words[5]} << 64 | words[4]) == product);
  CHECK(machine.read<std::uint32_t>(out + 48, 4) == std::vector<std::uint32_t>{0, 0, 6, 0xFFFFFFFF});
}

TEST_CASE("lanes of different member masks that execute a function together have results of their own masks") {
  // Three groups, of the lanes of each remainder by 3.
  const std::string groups = "rem.u32 %r2, %r0, 3; match.any.sync.b32 %r3, %r2, 0xffffffff; ";
  const std::string four = groups + "setp.eq.u32 %p1, %r0, 4; setp.ne.u32 %p2, %r0, 4; ", result = " selp.b32 %r1, 1, 0, %p3;";
  const auto sum = of_lanes(groups + "redux.sync.add.u32 %r1, %r0, %r3;");
  const auto most = of_lanes(groups + "redux.sync.max.s32 %r1, %r0, %r3;");
  const auto any = of_lanes(four + "vote.sync.any.pred %p3, %p1, %r3;" + result);
  const auto all = of_lanes(four + "vote.sync.all.pred %p3, %p2, %r3;" + result);
  const auto uniform = of_lanes(four + "vote.sync.uni.pred %p3, %p2, %r3;" + result);
  const auto ballot = of_lanes(four + "vote.sync.ballot.b32 %r1, %p2, %r3;");
  const auto match = of_lanes(four + "selp.b32 %r4, 1, 0, %p1; match.all.sync.b32 %r1, %r4, %r3;");
  const auto elected = of_lanes(groups + "elect.sync %r1|%p1, %r3;");
  const std::uint32_t masks[] = {0x49249249, 0x92492492, 0x24924924}, sums[] = {165, 176, 155};
  for (unsigned lane = 0; lane < 32; ++lane) {
    INFO("lane " << lane);
    const unsigned group = lane % 3;
    CHECK(sum[lane] == sums[group]);
    CHECK(most[lane] == 30 + group - (group == 2 ? 3 : 0));
    CHECK(any[lane] == (group == 1 ? 1 : 0));
    CHECK(all[lane] == (group == 1 ? 0 : 1));
    CHECK(uniform[lane] == (group == 1 ? 0 : 1));
    CHECK(ballot[lane] == (masks[group] & ~(1u << 4)));
    CHECK(match[lane] == (group == 1 ? 0 : masks[group]));
    CHECK(elected[lane] == group);
  }
}

TEST_CASE("shuffles read the lane that their mode names, and their own one where it is out of range") {
  const auto down = of_lanes("shfl.sync.down.b32 %r1|%p1, %r0, 4, 31, 0xffffffff; selp.b32 %r2, 100, 0, %p1; add.u32 %r1, %r1, %r2;");
  const auto up = of_lanes("shfl.sync.up.b32 %r1|%p1, %r0, 1, 0, 0xffffffff; selp.b32 %r2, 100, 0, %p1; add.u32 %r1, %r1, %r2;");
  const auto bfly = of_lanes("shfl.sync.bfly.b32 %r1, %r0, 16, 31, 0xffffffff;");
  const auto index = of_lanes("shfl.sync.idx.b32 %r1, %r0, 3, 0x1807, 0xffffffff;");  // segments of eight lanes
  const auto old = of_lanes("shfl.idx.b32 %r1, %r0, 5, 31;");
  for (unsigned lane = 0; lane < 32; ++lane) {
    INFO("lane " << lane);
    CHECK(down[lane] == (lane < 28 ? lane + 104 : lane));
    CHECK(up[lane] == (lane > 0 ? lane + 99 : lane));
    CHECK(bfly[lane] == (lane ^ 16));
    CHECK(index[lane] == (lane & 24) + 3);
    CHECK(old[lane] == 5);
  }
}

TEST_CASE("a vote counts the lanes that execute it") {
  const auto ballot = of_lanes(
      "setp.lt.u32 %p1, %r0, 20; @!%p1 bra OUT; setp.gt.u32 %p2, %r0, 3; vote.sync.ballot.b32 %r1, %p2, 0xfffff; bra.uni OUT; OUT:", 30);
  CHECK(ballot[0] == 0xFFFF0u);
  CHECK(ballot[25] == 0u);
  // The order of words that CUB writes, which assemblers take too.
  CHECK(of_lanes("setp.gt.u32 %p2, %r0, 3; vote.ballot.sync.b32 %r1, %p2, 0xffffffff;")[9] == 0xFFFFFFF0u);
  const auto all = of_lanes(
      "setp.lt.u32 %p1, %r0, 40; vote.sync.all.pred %p2, %p1, 0xffffffff; vote.sync.any.pred %p3, !%p1, 0xffffffff; vote.sync.uni.pred "
      "%p4, !%p1, 0xffffffff;\n"
      "selp.b32 %r1, 1, 0, %p2; selp.b32 %r2, 2, 0, %p3; selp.b32 %r3, 4, 0, %p4; or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3;");
  CHECK(all[7] == 5u);
  CHECK(of_lanes("activemask.b32 %r1;", 9)[8] == 0x1FFu);
}

TEST_CASE("match names the lanes with the same value") {
  const auto any = of_lanes("and.b32 %r2, %r0, 3; match.any.sync.b32 %r1, %r2, 0xffffffff;");
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(any[lane] == 0x11111111u << (lane & 3));
  const auto all = of_lanes("mov.u64 %rd1, 9; match.all.sync.b64 %r1|%p1, %rd1, 0xffffffff; selp.b32 %r1, %r1, 0, %p1;");
  CHECK(all[31] == 0xFFFFFFFFu);
  CHECK(of_lanes("match.all.sync.b32 %r1|%p1, %r0, 0xffffffff; @%p1 mov.u32 %r1, 77;")[3] == 0u);
}

TEST_CASE("a reduction gives every lane the result over the lanes that take part") {
  const std::string value = "mul.lo.u32 %r2, %r0, 3; sub.u32 %r2, %r2, 10; setp.lt.u32 %p2, %r0, 16; mov.u32 %r1, 7; ";
  const auto of = [&](const std::string& op) { return of_lanes(value + "@%p2 redux.sync." + op + " %r1, %r2, 0x0000ffff;"); };
  const auto result = [](std::uint32_t whole) {
    std::vector<std::uint32_t> lanes(32, 7);
    std::fill_n(lanes.begin(), 16, whole);
    return lanes;
  };
  std::uint32_t sum = 0, both = ~0u, any = 0, odd = 0;
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    const std::uint32_t one = lane * 3 - 10;
    sum += one, both &= one, any |= one, odd ^= one;
  }
  CHECK(of("add.u32") == result(sum));
  CHECK(of("add.s32") == result(sum));
  CHECK(of("min.s32") == result(static_cast<std::uint32_t>(-10)));
  CHECK(of("min.u32") == result(2));
  CHECK(of("max.s32") == result(35));
  CHECK(of("max.u32") == result(static_cast<std::uint32_t>(-1)));
  CHECK(of("and.b32") == result(both));
  CHECK(of("or.b32") == result(any));
  CHECK(of("xor.b32") == result(odd));
}

TEST_CASE("the lowest lane that takes part is elected") {
  const auto lanes = of_lanes("setp.ge.u32 %p2, %r0, 5; mov.u32 %r1, 99; @%p2 elect.sync %r1|%p1, 0xffffffe0; @%p1 add.u32 %r1, %r1, 100;");
  for (std::uint32_t lane = 0; lane < 32; ++lane) REQUIRE(lanes[lane] == (lane < 5 ? 99u : lane == 5 ? 105u : 5u));
}

TEST_CASE("a warp function waits for the lanes of its mask, whichever side of a branch they are on") {
  const auto sums = of_lanes(R"(
    mov.u32 %r2, 1; setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;
    add.u32 %r2, %r2, 1;
    bra.uni JOIN;
  LOW:
    add.u32 %r2, %r2, 2;
  JOIN:
    shfl.sync.bfly.b32 %r3, %r2, 16, 31, 0xffffffff;
    add.u32 %r1, %r2, %r3;)");
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(sums[lane] == 5u);
}

TEST_CASE("moves pack and unpack, and take addresses") {
  const auto packed = of_lanes("mov.b64 %rd1, {%r0, 7}; shr.u64 %rd2, %rd1, 31; cvt.u32.u64 %r1, %rd2;");
  CHECK(packed[2] == 14u);
  const auto halves = of_lanes("mov.u32 %r2, 0x12345678; mov.b32 {%h1, %h2}, %r2; mov.b32 %r1, {%h2, %h1};");
  CHECK(halves[0] == 0x56781234u);
  const auto upper = of_lanes("mov.u64 %rd1, 0x1234567890abcdef; mov.b64 {_, %r1}, %rd1;");
  CHECK(upper[0] == 0x12345678u);
}

TEST_CASE("special registers say where a thread is") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(16);
  machine.run(kernel_of(R"(
    ld.param.u64 %rd0, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ctaid.y;
    setp.ne.u32 %p1, %r1, 2; setp.ne.or.u32 %p1, %r2, 1, %p1; setp.ne.or.u32 %p1, %r3, 1, %p1; setp.ne.or.u32 %p1, %r4, 2, %p1; @%p1 exit;
    mov.u32 %r5, %warpid; mov.u32 %r6, %laneid; mov.u32 %r7, %nctaid.y; mov.u32 %r8, %ntid.z;
    st.global.v4.u32 [%rd0], {%r5, %r6, %r7, %r8};
    mov.u32 %r5, %lanemask_lt; mov.u32 %r6, %lanemask_ge; mov.u32 %r7, %dynamic_smem_size; mov.u32 %r8, %nwarpid;
    st.global.v4.u32 [%rd0+16], {%r5, %r6, %r7, %r8};
    ret;)",
                        1),
              "k", {1, 4, 1}, {5, 4, 2}, ArgumentBytes().add(out), 96);
  // Thread (2,1,1) of 5 x 4 x 2 is number 27.
  CHECK(machine.read<std::uint32_t>(out, 8) == std::vector<std::uint32_t>{0, 27, 4, 2, (1u << 27) - 1, ~((1u << 27) - 1), 96, 2});
}

TEST_CASE("isspacep and cvta tell the spaces of generic addresses apart") {
  const auto spaces = of_lanes(R"(
    .shared .align 4 .b8 buffer[16]; .local .align 4 .b8 stack[8];
    mov.u64 %rd1, buffer; cvta.shared.u64 %rd2, %rd1; mov.u64 %rd3, stack; cvta.local.u64 %rd4, %rd3;
    isspacep.shared %p1, %rd2; isspacep.local %p2, %rd4; isspacep.global %p3, %rd30; isspacep.global %p4, %rd2;
    selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 2, 0, %p2; selp.u32 %r3, 4, 0, %p3; selp.u32 %r4, 8, 0, %p4;
    or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; or.b32 %r1, %r1, %r4; cvta.to.shared.u64 %rd5, %rd2; cvt.u32.u64 %r2, %rd5; add.u32 %r1, %r1, %r2;)");
  CHECK(spaces[0] == 7u);
}

TEST_CASE("a conversion reads the low bits of a wider register") {
  const auto values = of_lanes(
      "mov.u64 %rd1, 0x1234567890abcdef; cvt.s64.s8 %rd2, %rd1; cvt.u32.u64 %r2, %rd2; cvt.s32.s16 %r3, %rd1; cvt.u32.u8 %r4, %r3; xor.b32 "
      "%r1, %r2, %r3; add.u32 %r1, %r1, %r4;");
  CHECK(values[0] == ((0xFFFFFFEFu ^ 0xFFFFCDEFu) + 0xEFu));
}
