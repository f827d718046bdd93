// Asynchronous stores and bulk copies in PTX, executed functionally.
#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/unit/stimuli/ptx/asynchronous/shared_places.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Contains;

TEST_CASE("asynchronous stores and reductions write shared memory of the cluster, whose mbarriers count their bytes") {
  // Each CTA writes 4, 8 or 16 bytes of each lane to the next one, or adds twice; phase 0 also waits for one arrival.
  const auto written = [](const std::string& instructions, unsigned bytes, bool generic) {
    const std::string places = generic ? "cvt.u64.u32 %rd5, %r8; cvta.shared::cluster.u64 %rd5, %rd5; cvt.u64.u32 %rd6, %r10; "
                                         "cvta.shared::cluster.u64 %rd6, %rd6; "
                                       : "";
    return output_of(kSharedPlaces + R"(mov.u32 %r6, %cluster_ctarank; xor.b32 %r7, %r6, 1; mov.u32 %r5, )" + std::to_string(bytes / 32) +
                         R"(; mul.lo.u32 %r5, %r1, %r5; mov.u32 %r9, tile; add.u32 %r8, %r9, %r5;
    mapa.shared::cluster.u32 %r8, %r8, %r7; mapa.shared::cluster.u32 %r10, %r4, %r7; mad.lo.u32 %r11, %r6, 1000, %r1; add.u32 %r12, %r11, 1;
    setp.ne.u32 %p1, %r1, 0; st.shared.u32 [%r3], 5; @%p1 bra READY; mbarrier.init.shared.b64 [%r4], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r4], )" +
                         std::to_string(bytes) + R"(; READY: barrier.cluster.arrive; barrier.cluster.wait; )" + places + instructions +
                         R"(
    W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p4, [%r4], 0; @!%p4 bra W; ld.shared.u32 %r13, [%r3];
    mul.wide.u32 %rd4, %r6, 128; add.u64 %rd4, %rd2, %rd4; st.global.u32 [%rd4], %r13; barrier.cluster.arrive; barrier.cluster.wait; ret;)",
                     {{2, 1, 1}, {32, 1, 1}, {2, 1, 1}});
  };
  const std::string store = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes";
  const auto words = written(store + ".u32 [%r8], %r11, [%r10];", 128, false);
  const auto pairs = written(store + ".v2.b32 [%r8], {%r11, %r12}, [%r10];", 256, false);
  const auto wide = written("mov.b64 %rd7, {%r11, %r12}; " + store + ".b64 [%r8], %rd7, [%r10];", 256, false);
  const auto generic = written("st.async.mbarrier::complete_tx::bytes.v4.b32 [%rd5], {%r11, %r12, %r11, %r12}, [%rd6];", 512, true);
  const std::string reduce = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes";
  const auto sums = written(reduce + ".add.u32 [%r8], %r11, [%r10]; " + reduce + ".add.u32 [%r8], %r11, [%r10];", 128, false);
  const auto largest = written(reduce + ".max.u32 [%r8], %r11, [%r10];", 128, false);
  for (std::uint32_t i = 0; i < 64; ++i) {
    const std::uint32_t lane = i % 32, from = 1000 - i / 32 * 1000;
    REQUIRE(words[i] == from + lane);
    REQUIRE(pairs[i] == from + lane / 2 + lane % 2);
    REQUIRE(wide[i] == pairs[i]);
    REQUIRE(generic[i] == from + lane / 4 + lane % 2);
    REQUIRE(largest[i] == std::max(5u, from + lane));
    if (i < 32) REQUIRE(sums[i] <= 5 + 2 * (from + lane));
  }
}

TEST_CASE("wrong asynchronous stores are named with their place") {
  const LaunchShape two{{2, 1, 1}, {32, 1, 1}, {2, 1, 1}};
  const auto of = [&](const std::string& text) {
    return refusal(kSharedPlaces +
                       "mov.u32 %r6, %cluster_ctarank; xor.b32 %r7, %r6, 1; mapa.shared::cluster.u32 %r8, %r4, %r7; "
                       "mapa.shared::cluster.u32 %r9, %r3, %r7; barrier.cluster.arrive; barrier.cluster.wait; " +
                       text + " barrier.cluster.arrive; barrier.cluster.wait; ret;",
                   two);
  };
  const std::string store = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes";
  CHECK_THAT(of(store + ".b32 [%r9], %r1, [%r8];"), Contains("bytes for the mbarrier") && Contains("which is not initialised"));
  CHECK_THAT(of(store + ".b32 [%r9], %r1, [%r4];"), Contains("whose mbarrier is in another one; use one of the same block"));
  CHECK_THAT(of(store + ".b32 [%r9+2], %r1, [%r8];"), Contains("misaligned store of 4 bytes") && Contains("test.ptx"));
  CHECK_THAT(of(store + ".v4.b64 [%r9], {%rd1, %rd1, %rd1, %rd1}, [%r8];"), Contains("moves more than 16 bytes per lane"));
  CHECK_THAT(of(store + ".b32 [%r9], %r1;"), Contains("has only 2 operands"));
  CHECK_THAT(of("st.async.mbarrier::complete_tx::bytes.b32 [%rd1], %r1, [%rd2];"), Contains("which is not in shared memory"));
  CHECK_THAT(of("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b64 [%r9], %rd1, [%r8];"),
             Contains("is not a supported form of red"));
}

TEST_CASE("a bulk copy to global memory has its effect as it issues, and a warp waits for its groups") {
  for (const std::string wait : {"wait_group 0", "wait_group.read 0"}) {
    const auto out = output_of(kSharedPlaces + R"(ld.global.u32 %r5, [%rd1]; st.shared.u32 [%r3], %r5; bar.sync 0; mov.u32 %r6, tile;
    setp.ne.u32 %p1, %r1, 0; @%p1 bra END; fence.proxy.async; cp.async.bulk.prefetch.L2.global [%rd10], 128;
    cp.async.bulk.global.shared::cta.bulk_group [%rd11+64], [%r6+16], 96; cp.async.bulk.commit_group; cp.async.bulk.)" +
                               wait + "; END: ret;");
    for (std::uint32_t i = 0; i < 64; ++i) REQUIRE(out[i] == (i >= 16 && i < 40 ? 1004 + i - 16 : 0));
  }
}

TEST_CASE("a bulk copy may have a cache policy, which has no effect") {
  PtxMachine machine;
  const Address in = machine.array(ascending(32, 1000)), out = machine.zeros<std::uint32_t>(32);
  run_launch(machine, kSharedPlaces + R"(createpolicy.fractional.L2::evict_first.b64 %rd5, 1.0; setp.eq.u32 %p1, %r1, 0; mov.u32 %r6, tile;
    @%p1 cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%rd11], [%r6], 16, %rd5; ret;)",
             {}, in, out);
  REQUIRE(machine.warnings.size() == 1);
  CHECK(machine.warnings.begin()->first == "kernel k: a bulk copy's cache policy has no effect");
}

TEST_CASE("a bulk reduction combines each element with what is there, in global memory and in a block of the cluster") {
  // Words w of the target hold 3 w - 20, and those of the source 7 w.
  const auto combined = [](const std::string& operation, bool in_cluster) {
    const std::string start =
        kSharedPlaces + R"(.shared .align 16 .b8 other[128]; mov.u32 %r10, other; add.u32 %r11, %r10, %r2; mov.u32 %r6, tile;
    mad.lo.u32 %r5, %r1, 3, -20; mul.lo.u32 %r7, %r1, 7; st.global.u32 [%rd2], %r5; st.shared.u32 [%r11], %r5; st.shared.u32 [%r3], %r7;
    setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r4], 1; bar.sync 0; )";
    const std::string reduce =
        in_cluster ? "@!%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 128; cp.reduce.async.bulk.shared::cluster.shared::cta."
                     "mbarrier::complete_tx::bytes." +
                         operation +
                         " [%r10], [%r6], 128, [%r4]; W: mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0; @!%p2 bra W; "
                         "ld.shared.u32 %r8, [%r11]; st.global.u32 [%rd2], %r8; ret;"
                   : "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group." + operation + " [%rd11], [%r6], 128; ret;";
    return output_of(start + reduce);
  };
  const auto check = [&](const std::string& operation, bool may_in_cluster,
                         const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& expected) {
    INFO(operation);
    for (unsigned in_cluster = 0; in_cluster < (may_in_cluster ? 2 : 1); ++in_cluster) {
      const auto out = combined(operation, in_cluster != 0);
      for (std::uint32_t w = 0; w < 32; ++w) REQUIRE(out[w] == expected(3 * w - 20, 7 * w));
    }
  };
  check("add.u32", true, [](std::uint32_t a, std::uint32_t b) { return a + b; });
  check("min.s32", true,
        [](std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? a : b; });
  check("max.u32", true, [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  check("inc.u32", true, [](std::uint32_t a, std::uint32_t b) { return a >= b ? 0 : a + 1; });
  check("dec.u32", true, [](std::uint32_t a, std::uint32_t b) { return a == 0 || a > b ? b : a - 1; });
  check("and.b32", true, [](std::uint32_t a, std::uint32_t b) { return a & b; });
  check("xor.b64", false, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
  check("or.b64", false, [](std::uint32_t a, std::uint32_t b) { return a | b; });
  const auto doubled = [](const std::string& operation, std::uint32_t word) {
    return output_of(kSharedPlaces + "mov.u32 %r5, " + std::to_string(word) +
                     R"(; st.global.u32 [%rd2], %r5; st.shared.u32 [%r3], %r5; bar.sync 0;
    mov.u32 %r6, tile; setp.eq.u32 %p1, %r1, 0; @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.)" +
                     operation + " [%rd11], [%r6], 64; ret;");
  };
  const auto floats = doubled("add.f32", 0x3FC00000), doubles = doubled("add.f64", 0x3FF80000),
             halves = doubled("add.noftz.f16", 0x3E003C00);
  CHECK(floats[15] == 0x40400000);   // 1.5 + 1.5
  CHECK(doubles[15] == 0x40080000);  // as that, the high word
  CHECK(halves[15] == 0x42004000);   // 1.5 + 1.5, and 1 + 1
  CHECK(halves[16] == 0x3E003C00);
  CHECK(doubled("min.f16", 0x3E003C00)[15] == 0x3E003C00);
  CHECK(doubled("add.noftz.bf16", 0x3FC03F80)[15] == 0x40404000);  // 1.5 + 1.5, and 1 + 1
  CHECK(doubled("max.bf16", 0x3FC0BF80)[15] == 0x3FC0BF80);
  CHECK(doubled("add.u64", 0x80000001)[15] == 0x00000003);  // with the carry of the low word
}

TEST_CASE("wrong bulk copies are named with their place") {
  const auto of = [](const std::string& text) { return refusal(kSharedPlaces + "setp.ne.u32 %p1, %r1, 0; @%p1 ret; " + text + " ret;"); };
  const std::string to_global = "cp.async.bulk.global.shared::cta.bulk_group ";
  CHECK_THAT(of(to_global + "[%rd11], [%r3], 24;"), Contains("24 bytes; choose a multiple of 16") && Contains("test.ptx"));
  CHECK_THAT(of(to_global + "[%rd11+8], [%r3], 16;"), Contains("of global memory on; align it to 16 bytes") && Contains("test.ptx"));
  CHECK_THAT(of(to_global + "[%rd11], [%r3+4], 16;"), Contains("of shared memory on; align it to 16 bytes"));
  CHECK_THAT(of(to_global + "[%rd11], [%r3+960], 256;"), Contains("a bulk copy of 256 bytes at offset") && Contains("of shared memory"));
  CHECK_THAT(of(to_global + "[%rd11+1024], [%r3], 16;"), Contains("global store of 16 bytes"));
  CHECK_THAT(of(to_global + "[%rd11], [%r3], 16, [%r4];"), Contains("has 4 operands; write 3"));
  CHECK_THAT(of("cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u64 [%rd11], [%r3], 16;"),
             Contains("is not a supported form of cp"));
  CHECK_THAT(of("cp.async.bulk.wait_group -1;"), Contains("so many groups"));
  CHECK_THAT(of("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r3], [%r3+256], 16, [%r4];"),
             Contains("bytes for the mbarrier at offset") && Contains("which is not initialised"));
}
