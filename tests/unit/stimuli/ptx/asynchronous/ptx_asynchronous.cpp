// Asynchronous copies, mbarriers and clusters of CTAs in PTX, executed functionally.
#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "tests/unit/stimuli/ptx/asynchronous/shared_places.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Contains;

TEST_CASE("an asynchronous copy moves 4, 8 or 16 bytes of each lane to shared memory") {
  const auto copied = [](unsigned bytes, const std::string& cache, const std::string& prefetch) {
    return output_of(
        kSharedPlaces + "mul.lo.u32 %r5, %r1, " + std::to_string(bytes) +
        "; cvt.u64.u32 %rd4, %r5; add.u64 %rd4, %rd10, %rd4; mov.u32 %r6, tile; add.u32 %r6, %r6, %r5; cp.async." + cache +
        ".shared.global" + prefetch + " [%r6], [%rd4+16], " + std::to_string(bytes) +
        "; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r7, [%r3]; st.global.u32 [%rd2], %r7; ret;");
  };
  for (const auto& out : {copied(4, "ca", ""), copied(8, "ca", ".L2::64B"), copied(16, "ca", ""), copied(16, "cg", ".L2::128B")})
    for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(out[i] == 1004 + i);
}

TEST_CASE("an asynchronous copy writes zeros behind the bytes that it reads") {
  // Lane i of 16 reads i bytes of 16.
  const auto out = output_of(kSharedPlaces +
                             R"(setp.ge.u32 %p1, %r1, 16; @%p1 bra END; mul.lo.u32 %r5, %r1, 16; mov.u32 %r6, tile; add.u32 %r6, %r6, %r5;
    cp.async.cg.shared::cta.global [%r6], [%rd10], 16, %r1; cp.async.wait_all;
    ld.shared.v4.u32 {%r7, %r8, %r9, %r10}, [%r6]; cvt.u64.u32 %rd4, %r5; add.u64 %rd4, %rd11, %rd4;
    st.global.v4.u32 [%rd4], {%r7, %r8, %r9, %r10}; END: ret;)");
  const auto in = ascending(4, 1000);
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    std::vector<std::uint32_t> expected(4);
    std::memcpy(expected.data(), in.data(), lane);
    REQUIRE(std::vector<std::uint32_t>(out.begin() + lane * 4, out.begin() + lane * 4 + 4) == expected);
  }
}

TEST_CASE("lanes whose predicate ignores the source of a copy read nothing and write zeros") {
  const auto out =
      output_of(kSharedPlaces + R"(st.shared.u32 [%r3], 7; setp.lt.u32 %p1, %r1, 8; setp.ge.u32 %p2, %r1, 24; selp.u64 %rd5, 0, %rd1, %p1;
    @!%p2 cp.async.ca.shared.global [%r3], [%rd5], 4, %p1; cp.async.wait_all; ld.shared.u32 %r7, [%r3]; st.global.u32 [%rd2], %r7; ret;)");
  for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(out[i] == (i < 8 ? 0 : i < 24 ? 1000 + i : 7));
}

TEST_CASE("wrong asynchronous copies are named with their place") {
  CHECK_THAT(refusal(kSharedPlaces + "cp.async.cg.shared.global [%r3], [%rd1], 8; ret;"),
             Contains("a copy of 8 bytes") && Contains("write 16"));
  CHECK_THAT(refusal(kSharedPlaces + "cp.async.ca.shared.global [%r3], [%rd1], 12; ret;"), Contains("write 4, 8 or 16"));
  CHECK_THAT(refusal(kSharedPlaces + "cp.async.ca.shared.global [%r3], [%rd1+2], 4; ret;"), Contains("thread (0,0,0)"));
  CHECK_THAT(refusal(kSharedPlaces + "cp.async.ca.shared.global [%r3+4000], [%rd1], 4; ret;"), Contains("shared store of 4 bytes"));
  CHECK_THAT(refusal(kSharedPlaces + "mov.u32 %r9, 17; cp.async.ca.shared.global [%r3], [%rd1], 16, %r9; ret;"),
             Contains("reads 17; use at most 16"));
  CHECK_THAT(refusal(kSharedPlaces + "cp.async.wait_group -1; ret;"), Contains("so many groups"));
}

TEST_CASE("an mbarrier counts arrivals, and its state says how many were missing") {
  const auto out = output_of(kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT; mbarrier.init.shared.b64 [%r4], 3;
    mbarrier.arrive.shared.b64 %rd4, [%r4]; mbarrier.arrive.release.cta.shared::cta.b64 %rd5, [%r4];
    mbarrier.test_wait.shared.b64 %p2, [%r4], %rd5; selp.u32 %r5, 1, 0, %p2;
    mbarrier.arrive.noComplete.shared.b64 %rd6, [%r4], 1; mbarrier.test_wait.shared.b64 %p2, [%r4], %rd6; selp.u32 %r6, 1, 0, %p2;
    mbarrier.arrive.shared.b64 %rd7, [%r4], 2;
    mbarrier.pending_count.b64 %r7, %rd4; mbarrier.pending_count.b64 %r8, %rd6; mbarrier.pending_count.b64 %r9, %rd7;
    st.global.v4.u32 [%rd11], {%r5, %r6, %r7, %r8}; st.global.u32 [%rd11+16], %r9; mbarrier.inval.shared.b64 [%r4]; WAIT: ret;)");
  CHECK(std::vector<std::uint32_t>(out.begin(), out.begin() + 5) == std::vector<std::uint32_t>{0, 1, 3, 1, 3});
}

TEST_CASE("lanes that arrive together see how many were missing before each of them") {
  const auto out = output_of(kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @!%p1 mbarrier.init.shared.b64 [%r4], 64; bar.warp.sync -1;
    mbarrier.arrive.shared.b64 %rd4, [%r4]; mbarrier.pending_count.b64 %r5, %rd4;
    mbarrier.arrive.shared.b64 %rd4, [%r4]; mbarrier.pending_count.b64 %r6, %rd4;
    add.u32 %r7, %r5, %r6; st.global.u32 [%rd2], %r7; ret;)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(out[lane] == (64 - lane) + (32 - lane));
}

TEST_CASE("an arrival that drops lowers what later phases need, in all its forms") {
  // Phase 0 needs 8 arrivals, and those that follow 3; bytes that the last one expects hold phase 0 up.
  const auto out = output_of(kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @%p1 ret; mbarrier.init.shared.b64 [%r4], 8;
    mbarrier.arrive_drop.shared.b64 %rd4, [%r4]; mbarrier.arrive_drop.release.cta.shared::cta.b64 %rd5, [%r4], 2;
    mbarrier.arrive_drop.noComplete.shared.b64 %rd6, [%r4], 1; mbarrier.arrive_drop.expect_tx.shared.b64 %rd7, [%r4], 16;
    mbarrier.arrive.shared.b64 _, [%r4], 3; mbarrier.test_wait.shared.b64 %p2, [%r4], %rd4; selp.u32 %r5, 1, 0, %p2;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 16; mbarrier.test_wait.shared.b64 %p2, [%r4], %rd4; selp.u32 %r6, 1, 0, %p2;
    mbarrier.arrive.shared.b64 %rd8, [%r4], 3; mbarrier.test_wait.shared.b64 %p2, [%r4], %rd8; selp.u32 %r7, 1, 0, %p2;
    mbarrier.pending_count.b64 %r8, %rd7; mbarrier.pending_count.b64 %r9, %rd8;
    st.global.v4.u32 [%rd11], {%r5, %r6, %r7, %r8}; st.global.u32 [%rd11+16], %r9; ret;)");
  CHECK(std::vector<std::uint32_t>(out.begin(), out.begin() + 5) == std::vector<std::uint32_t>{0, 1, 1, 4, 3});
}

TEST_CASE("producers and consumers hand a buffer over through two mbarriers") {
  // Warp 0 fills the buffer for five rounds, warp 1 adds its contents up.
  const auto out = output_of(kSharedPlaces + R"(.shared .align 8 .b64 empty; mov.u32 %r20, empty;
    setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r4], 32; mbarrier.init.shared.b64 [%r20], 32; READY: bar.sync 0;
    and.b32 %r5, %r1, 31; shl.b32 %r6, %r5, 2; mov.u32 %r3, tile; add.u32 %r3, %r3, %r6; mov.u32 %r7, 0; mov.u32 %r8, 0;
    setp.ge.u32 %p2, %r1, 32; @%p2 bra CONSUMER;
    PRODUCER: and.b32 %r9, %r7, 1; xor.b32 %r9, %r9, 1;
    P1: mbarrier.try_wait.parity.shared.b64 %p3, [%r20], %r9; @!%p3 bra P1;
    mad.lo.u32 %r10, %r7, 100, %r5; st.shared.u32 [%r3], %r10; mbarrier.arrive.shared.b64 _, [%r4];
    add.u32 %r7, %r7, 1; setp.lt.u32 %p4, %r7, 5; @%p4 bra PRODUCER; ret;
    CONSUMER: and.b32 %r9, %r7, 1; C1: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p3, [%r4], %r9, 1000; @!%p3 bra C1;
    ld.shared.u32 %r10, [%r3]; mad.lo.u32 %r8, %r8, 3, %r10; mbarrier.arrive.shared.b64 _, [%r20];
    add.u32 %r7, %r7, 1; setp.lt.u32 %p4, %r7, 5; @%p4 bra CONSUMER; st.global.u32 [%rd2], %r8; ret;)",
                             {{1, 1, 1}, {64, 1, 1}, {1, 1, 1}});
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t expected = 0;
    for (std::uint32_t round = 0; round < 5; ++round) expected = expected * 3 + round * 100 + lane;
    REQUIRE(out[32 + lane] == expected);
  }
}

TEST_CASE("lanes of one warp that wait for each other at an mbarrier take turns") {
  // The lower lanes wait for what the upper ones do later.
  const auto out = output_of(
      kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r4], 16; READY: bar.warp.sync 0xffffffff;
    setp.lt.u32 %p2, %r1, 16; @%p2 bra LOWER; st.shared.u32 [%r3], %r1; mbarrier.arrive.shared.b64 _, [%r4]; bra END;
    LOWER: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0; @!%p3 bra LOWER; ld.shared.u32 %r5, [%r3+64]; st.global.u32 [%rd2], %r5; END: ret;)");
  for (std::uint32_t lane = 0; lane < 16; ++lane) REQUIRE(out[lane] == 16 + lane);
}

TEST_CASE("an mbarrier counts the end of a warp's copies") {
  for (const std::string arrive : {"cp.async.mbarrier.arrive.shared.b64 [%r4]; mbarrier.arrive.shared.b64 _, [%r4];",
                                   "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r4];"}) {
    const auto out =
        output_of(kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r4], 64; READY: bar.sync 0;
    cp.async.ca.shared.global [%r3], [%rd1], 4; )" +
                      arrive + R"(
    W: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0; @!%p3 bra W; sub.u32 %r5, 252, %r2; mov.u32 %r6, tile; add.u32 %r6, %r6, %r5;
    ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd2], %r7; ret;)",
                  {{1, 1, 1}, {64, 1, 1}, {1, 1, 1}});
    for (std::uint32_t i = 0; i < 64; ++i) REQUIRE(out[i] == 1063 - i);
  }
}

TEST_CASE("lanes that are more than an mbarrier's phase needs end it, and the others count for the next") {
  // Lane 0 of each phase sees all of its 12 arrivals missing; 32 lanes end two phases and leave 4 arrivals missing.
  const auto out = output_of(kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @!%p1 mbarrier.init.shared.b64 [%r4], 12; bar.warp.sync -1;
    mbarrier.arrive.shared.b64 %rd4, [%r4]; mbarrier.pending_count.b64 %r5, %rd4; mbarrier.test_wait.shared.b64 %p2, [%r4], %rd4;
    selp.u32 %r6, 100, 0, %p2; add.u32 %r5, %r5, %r6; st.global.u32 [%rd2], %r5; @%p1 ret;
    mbarrier.arrive.shared.b64 %rd4, [%r4]; mbarrier.pending_count.b64 %r7, %rd4; st.global.u32 [%rd11+128], %r7; ret;)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const bool has_same_parity = lane < 12 || lane >= 24;  // as the present phase, the third
    CHECK(out[lane] == 12 - lane % 12 + (has_same_parity ? 0 : 100));
  }
  CHECK(out[32] == 4);
}

TEST_CASE("a try_wait returns false where nobody can end the phase, and its thread may do so itself") {
  for (const char* limit : {"", ", 20", ", 0"}) {
    const auto out = output_of(
        kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @%p1 ret; mbarrier.init.shared.b64 [%r4], 3; mov.u32 %r5, 0;
    W: mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0)" +
        limit + R"(; @%p2 bra END; add.u32 %r5, %r5, 1; mbarrier.arrive.shared.b64 _, [%r4]; bra W; END: st.global.u32 [%rd2], %r5; ret;)");
    CHECK(out[0] == 3);
  }
}

TEST_CASE("a thread may wait in vain 256 times before it ends the phase, without a machine") {
  const auto polls = [](unsigned count) {
    return kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @%p1 ret; mbarrier.init.shared.b64 [%r4], 1; mov.u32 %r5, 0;
    W: mbarrier.try_wait.parity.shared.b64 %p2, [%r4], 0; @%p2 bra END; add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, )" +
           std::to_string(count) + R"(; @%p3 bra W; mbarrier.arrive.shared.b64 _, [%r4]; bra W; END: st.global.u32 [%rd2], %r5; ret;)";
  };
  CHECK(output_of(polls(256))[0] == 256);
  CHECK_THAT(refusal(polls(257)), Contains("deadlock in kernel k"));
}

TEST_CASE("lanes that wait for lanes at their meeting point let those go on when the wait times out") {
  // The upper lanes arrive only behind the loop of the lower ones.
  const auto out = output_of(
      kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r4], 16; READY: bar.warp.sync 0xffffffff;
    setp.ge.u32 %p2, %r1, 16; @%p2 bra BEHIND; W: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0; @!%p3 bra W;
    BEHIND: st.global.u32 [%rd2], %r1; @%p2 mbarrier.arrive.shared.b64 _, [%r4]; ret;)");
  for (std::uint32_t lane = 0; lane < 32; ++lane) REQUIRE(out[lane] == lane);
}

TEST_CASE("a warp that tests an mbarrier again and again lets another warp end the phase, and is named where nobody does") {
  const std::string spin = R"(setp.ne.u32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r4], 32; READY: bar.sync 0;
    setp.ge.u32 %p2, %r1, 32; @%p2 bra OTHER; W: mbarrier.test_wait.parity.shared.b64 %p3, [%r4], 0; @!%p3 bra W;
    st.global.u32 [%rd2], %r1; ret; OTHER: mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 2000; @%p4 bra L; )";
  const LaunchShape two{{1, 1, 1}, {64, 1, 1}, {1, 1, 1}};
  const auto out = output_of(kSharedPlaces + spin + "mbarrier.arrive.shared.b64 _, [%r4]; ret;", two);
  for (std::uint32_t lane = 0; lane < 32; ++lane) REQUIRE(out[lane] == lane);
  CHECK_THAT(refusal(kSharedPlaces + spin + "ret;", two),
             Contains("deadlock in kernel k") &&
                 Contains("CTA 0: the end of a phase of an mbarrier, tested in vain, is awaited by warp 0 at test.ptx:"));
  CHECK_THAT(refusal(kSharedPlaces + spin + "bar.sync 1; ret;", two), Contains("warp 0 at test.ptx:") && Contains("deadlock"));
}

TEST_CASE("misuse of an mbarrier ends the run with its place") {
  const auto of = [](const std::string& text) { return refusal(kSharedPlaces + "setp.ne.u32 %p1, %r1, 0; @%p1 ret; " + text + " ret;"); };
  CHECK_THAT(of("mbarrier.arrive.shared.b64 _, [%r4];"), Contains("is not initialised") && Contains("test.ptx"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4], 0;"), Contains("is initialised for 0 arrivals"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4], 1048576;"), Contains("is initialised for 1048576 arrivals"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4], 1; mbarrier.arrive.shared.b64 _, [%r4], 0;"), Contains("gets 0 arrivals"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4+4], 1;"), Contains("align it to 8 bytes"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4+40000], 1;"), Contains("of shared memory; there are"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4], 1; mbarrier.arrive.shared.b64 _, [%r4], 2;"),
             Contains("gets 2 arrivals, and its phase lacks 1"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4], 2; mbarrier.arrive_drop.shared.b64 _, [%r4], 2; mbarrier.arrive.shared.b64 _, [%r4];"),
             Contains("gets 1 arrivals, and its phase lacks 0"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4], 1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 1048576;"),
             Contains("expects 1048576 bytes"));
  CHECK_THAT(of("mbarrier.init.b64 [%rd1], 1;"), Contains("is not in shared memory"));
  CHECK_THAT(of("mbarrier.init.shared.b64 [%r4], 1; W: mbarrier.try_wait.parity.shared.b64 %p3, [%r4], 0; @!%p3 bra W;"),
             Contains("deadlock in kernel k: ") && Contains("CTA 0: the mbarrier at byte ") &&
                 Contains("whose phase of parity 0 lacks 1 arrival and 0 bytes, is awaited by warp 0 at test.ptx:"));
}

TEST_CASE("special registers name clusters and the places of CTAs in them") {
  // The grid has 4 x 2 CTAs, the cluster 2 x 2.
  const auto out = output_of(
      kSharedPlaces + R"(setp.ne.u32 %p1, %r1, 0; @%p1 bra END; mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ctaid.y; mad.lo.u32 %r5, %r6, 4, %r5;
    mul.wide.u32 %rd4, %r5, 32; add.u64 %rd4, %rd11, %rd4;
    mov.u32 %r7, %clusterid.x; mov.u32 %r8, %cluster_ctaid.x; mov.u32 %r9, %cluster_ctaid.y; mov.u32 %r10, %cluster_ctarank;
    st.global.v4.u32 [%rd4], {%r7, %r8, %r9, %r10};
    mov.u32 %r7, %nclusterid.x; mov.u32 %r8, %nclusterid.y; mov.u32 %r9, %cluster_nctaid.y; mov.u32 %r10, %cluster_nctarank;
    st.global.v4.u32 [%rd4+16], {%r7, %r8, %r9, %r10}; END: ret;)",
      {{4, 2, 1}, {32, 1, 1}, {2, 2, 1}});
  for (std::uint32_t cta = 0; cta < 8; ++cta) {
    const std::uint32_t x = cta % 4, y = cta / 4;
    const std::vector<std::uint32_t> expected = {x / 2, x % 2, y, y * 2 + x % 2, 2, 1, 2, 4};
    REQUIRE(std::vector<std::uint32_t>(out.begin() + cta * 8, out.begin() + cta * 8 + 8) == expected);
  }
}

TEST_CASE("CTAs of a cluster read, write and count in each other's shared memory") {
  // Each of four CTAs stores to the next one, and all add to a counter of rank 2.
  for (const bool generic : {false, true}) {
    const std::string place = generic ? "cvt.u64.u32 %rd5, %r3; cvta.shared.u64 %rd5, %rd5; mapa.u64 %rd6, %rd5, %r7; "
                                        "cvt.u64.u32 %rd7, %r4; cvta.shared.u64 %rd7, %rd7; mapa.u64 %rd8, %rd7, 2; "
                                      : "mapa.shared::cluster.u32 %r10, %r3, %r7; mapa.shared::cluster.u32 %r11, %r4, 2; ";
    const std::string store = generic ? "st.u32 [%rd6], %r9; red.add.u32 [%rd8], 1; "
                                      : "st.shared::cluster.u32 [%r10], %r9; red.shared::cluster.add.u32 [%r11], 1; ";
    const std::string load = generic ? "ld.u32 %r13, [%rd8]; " : "ld.shared::cluster.u32 %r13, [%r11]; ";
    const auto out = output_of(kSharedPlaces + R"(st.shared.u32 [%r4], 0; st.shared.u32 [%r3], 0; mov.u32 %r6, %cluster_ctarank;
    barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
    add.u32 %r7, %r6, 1; and.b32 %r7, %r7, 3; mad.lo.u32 %r9, %r6, 100, %r1; )" +
                                   place + store + R"(
    barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r12, [%r3]; )" +
                                   load + R"(
    mul.wide.u32 %rd4, %r6, 128; add.u64 %rd4, %rd2, %rd4; mad.lo.u32 %r12, %r13, 1000, %r12; st.global.u32 [%rd4], %r12;
    barrier.cluster.arrive; barrier.cluster.wait; ret;)",
                               {{4, 1, 1}, {32, 1, 1}, {4, 1, 1}});
    for (std::uint32_t cta = 0; cta < 4; ++cta)
      for (std::uint32_t i = 0; i < 32; ++i) REQUIRE(out[cta * 32 + i] == 128'000 + (cta + 3) % 4 * 100 + i);
  }
}

TEST_CASE("an address in the own CTA is the same whether it is mapped or not, and tells its rank") {
  const auto out = output_of(
      kSharedPlaces + R"(mov.u32 %r6, %cluster_ctarank; mapa.shared::cluster.u32 %r7, %r3, %r6; sub.u32 %r7, %r7, %r3; xor.b32 %r8, %r6, 1;
    mapa.shared::cluster.u32 %r9, %r3, %r8; getctarank.shared::cluster.u32 %r10, %r9; getctarank.shared::cluster.u32 %r11, %r3;
    cvt.u64.u32 %rd5, %r9; cvta.shared::cluster.u64 %rd5, %rd5; isspacep.shared::cluster %p2, %rd5; isspacep.shared %p3, %rd5; getctarank.u64 %r12, %rd5;
    selp.u32 %r13, 10, 0, %p2; selp.u32 %r14, 1, 0, %p3; add.u32 %r13, %r13, %r14;
    mad.lo.u32 %r7, %r10, 10000, %r7; mad.lo.u32 %r7, %r11, 1000, %r7; mad.lo.u32 %r7, %r12, 100, %r7; add.u32 %r7, %r7, %r13;
    mul.wide.u32 %rd4, %r6, 4; add.u64 %rd4, %rd11, %rd4; st.global.u32 [%rd4], %r7; barrier.cluster.arrive; barrier.cluster.wait; ret;)",
      {{2, 1, 1}, {32, 1, 1}, {2, 1, 1}});
  CHECK(out[0] == 10'000 + 0 + 100 + 10);
  CHECK(out[1] == 0 + 1'000 + 0 + 10);
}

TEST_CASE("lanes arrive at the mbarriers of different CTAs in one instruction") {
  // Lane r of rank 0 arrives at rank r, whose mbarrier wants that and its own arrival.
  const auto out =
      output_of(kSharedPlaces + R"(setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r4], 2; mov.u32 %r6, %cluster_ctarank;
    barrier.cluster.arrive; barrier.cluster.wait; @%p1 mbarrier.arrive.shared.b64 _, [%r4];
    setp.ne.u32 %p2, %r6, 0; setp.ge.u32 %p3, %r1, 4; @%p2 bra W; @%p3 bra W;
    mapa.shared::cluster.u32 %r7, %r4, %r1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r7];
    W: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p4, [%r4], 0; @!%p4 bra W;
    mul.wide.u32 %rd4, %r6, 4; add.u64 %rd4, %rd11, %rd4; st.global.u32 [%rd4], 1; barrier.cluster.arrive; barrier.cluster.wait; ret;)",
                {{4, 1, 1}, {32, 1, 1}, {4, 1, 1}});
  CHECK(std::vector<std::uint32_t>(out.begin(), out.begin() + 5) == std::vector<std::uint32_t>{1, 1, 1, 1, 0});
}

TEST_CASE("a bulk copy fills shared memory of all CTAs that it names, and their mbarriers count the bytes") {
  for (const bool multicasts : {false, true}) {
    const std::string copy = multicasts ? "mov.u16 %h1, 3; @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                                          ".multicast::cluster [%r8], [%rd10], 512, [%r4], %h1; "
                                        : "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%rd10], 512, [%r4]; ";
    const auto out =
        output_of(kSharedPlaces + R"(mov.u32 %r6, %cluster_ctarank; setp.ne.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r6, 0; mov.u32 %r8, tile;
    @%p1 bra READY; mbarrier.init.shared.b64 [%r4], 1; fence.mbarrier_init.release.cluster; READY: barrier.cluster.arrive; barrier.cluster.wait;
    @%p1 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [%r4], 512; )" +
                      copy + R"(
    W: mbarrier.try_wait.parity.shared.b64 %p4, [%r4], 0; @!%p4 bra W; ld.shared.u32 %r7, [%r3+384];
    mul.wide.u32 %rd4, %r6, 128; add.u64 %rd4, %rd2, %rd4; st.global.u32 [%rd4], %r7; barrier.cluster.arrive; barrier.cluster.wait; ret;)",
                  {{2, 1, 1}, {32, 1, 1}, {2, 1, 1}});
    for (std::uint32_t i = 0; i < 64; ++i) REQUIRE(out[i] == 1096 + i % 32);
  }
}

TEST_CASE("wrong uses of clusters are named with their place") {
  const LaunchShape two{{2, 1, 1}, {32, 1, 1}, {2, 1, 1}};
  CHECK_THAT(refusal(kSharedPlaces + "mapa.shared::cluster.u32 %r5, %r3, 2; ld.shared::cluster.u32 %r6, [%r5]; ret;", two),
             Contains("test.ptx:") && Contains("CTA of rank 2 in a cluster of 2; use ranks below 2"));
  for (const char* rank : {"16", "17", "99", "-1"})
    for (const char* space : {".shared::cluster", ""}) {
      CAPTURE(rank, space);
      const std::string wide =
          *space == '\0'
              ? "cvt.u64.u32 %rd5, %r3; cvta.shared.u64 %rd5, %rd5; mapa.u64 %rd6, %rd5, " + std::string(rank) + "; ld.u32 %r6, [%rd6];"
              : "mapa.shared::cluster.u32 %r5, %r3, " + std::string(rank) + "; ld.shared::cluster.u32 %r6, [%r5];";
      CHECK_THAT(refusal(kSharedPlaces + wide + " ret;", two),
                 Contains("test.ptx:") && Contains("CTA of rank 16 or above in a cluster of 2; use ranks below 2"));
    }
  CHECK_THAT(refusal(kSharedPlaces +
                         "mov.u16 %h1, 5; setp.eq.u32 %p1, %r1, 0; @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                         ".multicast::cluster [%r3], [%rd10], 16, [%r4], %h1; ret;",
                     two),
             Contains("test.ptx:") && Contains("names rank 2 in a cluster of 2 CTAs; set bits below 2 only"));
  CHECK_THAT(
      refusal(
          kSharedPlaces +
              "mov.u32 %r6, %cluster_ctarank; setp.eq.u32 %p1, %r6, 1; @%p1 ret; mov.u32 %r9, 0; L: ld.shared.u32 %r6, [%r3]; add.u32 %r9, %r9, 1; "
              "setp.lt.u32 %p2, %r9, 100; @%p2 bra L; mapa.shared::cluster.u32 %r5, %r3, 1; ld.shared::cluster.u32 %r6, [%r5]; ret;",
          two),
      Contains("rank 1, which has ended"));
  CHECK_THAT(refusal(kSharedPlaces + "barrier.cluster.wait; ret;", two), Contains("has not arrived"));
  CHECK_THAT(refusal("ret;", {{3, 1, 1}, {32, 1, 1}, {2, 1, 1}}),
             Contains("clusters of 2 x 1 x 1 CTAs do not divide the grid of 3 x 1 x 1"));
  CHECK_THAT(refusal("ret;", {{32, 1, 1}, {32, 1, 1}, {32, 1, 1}}), Contains("clusters of 32 CTAs; use 1 to 16"));
  CHECK_THAT(refusal(kSharedPlaces +
                     "setp.eq.u32 %p1, %r1, 0; @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd10], 24, "
                     "[%r4]; ret;"),
             Contains("24 bytes") && Contains("multiple of 16"));
}

TEST_CASE("an address in a CTA that no cluster has may be computed, and is in shared memory of a cluster") {
  const auto out = output_of(kSharedPlaces + R"(mapa.shared::cluster.u32 %r5, %r3, 16; getctarank.shared::cluster.u32 %r6, %r5;
    cvt.u64.u32 %rd5, %r3; cvta.shared.u64 %rd5, %rd5; mapa.u64 %rd6, %rd5, 200; isspacep.shared::cluster %p1, %rd6;
    selp.u32 %r7, 100, 0, %p1; isspacep.local %p1, %rd6; selp.u32 %r8, 1000, 0, %p1; add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8;
    st.global.u32 [%rd11], %r6; ret;)",
                             {{2, 1, 1}, {32, 1, 1}, {2, 1, 1}});
  CHECK(out[0] == 116);
}

TEST_CASE("a kernel that requires clusters, by a directive or a pragma, gets them, and no other") {
  PtxMachine machine;
  const Address out = machine.zeros<std::uint32_t>(4);
  const auto launch = [&](const std::string& directive, const std::string& pragma, Dim3 cluster) {
    const std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0)\n" + directive + "\n{ " +
                             pragma +
                             " .reg .b64 %rd<4>; .reg .b32 %r<4>; ld.param.u64 %rd1, [p0]; mov.u32 %r1, %cluster_nctarank; "
                             "st.global.u32 [%rd1], %r1; ret; }\n";
    LaunchRequest request{"k", {4, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(out).bytes()};
    request.cluster = cluster;
    PtxStimulus stimulus({{"test.ptx", text}}, machine.memory, {request});
    run_functionally(stimulus, [](const FunctionalRun&) { return true; });
    return machine.read<std::uint32_t>(out, 1)[0];
  };
  const std::string directive = ".explicitcluster\n.reqnctapercluster 2, 1, 1";
  const auto pragma = [](const std::string& text) { return ".pragma \"" + text + "\";"; };
  CHECK(launch(directive, "", {1, 1, 1}) == 2);
  CHECK(launch(directive, "", {2, 1, 1}) == 2);
  CHECK(launch("", pragma("wharf cluster 4 1 1"), {1, 1, 1}) == 4);
  CHECK(launch("", pragma("nounroll"), {1, 1, 1}) == 1);
  CHECK_THROWS_WITH(launch(directive, "", {4, 1, 1}), Contains("4 x 1 x 1 CTAs where .reqnctapercluster wants 2 x 1 x 1"));
  CHECK_THROWS_WITH(launch("", pragma("wharf cluster 2 1"), {1, 1, 1}), Contains("test.ptx:6") && Contains("not three numbers above 0"));
  CHECK_THROWS_WITH(launch("", pragma("wharf cluster 32 1 1"), {1, 1, 1}), Contains("clusters of 32 CTAs; use 1 to 16"));
}
