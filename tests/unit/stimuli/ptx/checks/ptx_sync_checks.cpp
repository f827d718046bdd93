// The check of functions of the warp and of barriers (CU-49, 50): for each mistake a kernel, and similar correct ones that are not reported.
#include <catch2/catch.hpp>

#include "tests/unit/stimuli/ptx/checks/ptx_findings.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Matchers::EndsWith;

TEST_CASE("CU-49: sync reports shuffles from lanes that do not take part") {
  const Findings findings =
      findings_of("sync", ".loc 1 3 1\nsetp.lt.u32 %p1, %r0, 16; @!%p1 bra OUT; shfl.sync.down.b32 %r1, %r0, 8, 31, 0xffff; OUT: ret;",
                  {1, 1, 1}, {32, 1, 1});
  CHECK(findings.total() == 8);
  CHECK(findings.shown(Check::sync).at(0).text() ==
        "app.cu:3: kernel k, block (0,0,0) thread (8,0,0): a shuffle reads from lane 16, which does not take part; the value is undefined");
  CHECK(findings_of("sync", "shfl.sync.down.b32 %r1, %r0, 8, 31, 0xffffffff; ret;", {1, 1, 1}, {32, 1, 1}).total() == 0);
  CHECK(findings_of("sync", "setp.lt.u32 %p1, %r0, 16; @!%p1 bra OUT; shfl.sync.bfly.b32 %r1, %r0, 8, 31, 0xffff; OUT: ret;", {1, 1, 1},
                    {32, 1, 1})
            .total() == 0);
  CHECK(findings_of("sync", "setp.lt.u32 %p1, %r0, 16; @!%p1 bra OUT; shfl.idx.b32 %r1, %r0, 20, 31; OUT: ret;", {1, 1, 1}, {32, 1, 1})
            .total() == 16);
}

TEST_CASE("CU-49: sync reports a lane outside its own mask, and lanes of a mask that never come") {
  const Findings outside =
      findings_of("sync", "setp.ge.u32 %p2, %r0, 0; vote.sync.any.pred %p1, %p2, 0xfffffffe; ret;", {1, 1, 1}, {32, 1, 1});
  CHECK(outside.total() == 1);
  CHECK_THAT(outside.shown(Check::sync).at(0).text(), EndsWith("thread (0,0,0): the lane 0 is not in its own member mask 0xfffffffe"));
  const std::string half = "setp.lt.u32 %p1, %r0, 16; @!%p1 bra OUT; vote.sync.any.pred %p2, %p1, ";
  const Findings missing = findings_of("sync", half + "0xffffffff; bar.sync 0; ret; OUT: bar.sync 0; ret;", {1, 1, 1}, {32, 1, 1});
  CHECK(missing.total() == 2);  // and two instructions use the barrier
  CHECK_THAT(missing.shown(Check::sync).at(0).text(),
             EndsWith("the lanes 0xffff0000 of the member mask 0xffffffff never reach this instruction together with the others"));
  CHECK(findings_of("sync", half + "0xffff; OUT: ret;", {1, 1, 1}, {32, 1, 1}).total() == 0);
  CHECK(findings_of("sync", "setp.lt.u32 %p1, %r0, 16; @!%p1 exit; vote.sync.any.pred %p2, %p1, 0xffffffff; ret;", {1, 1, 1}, {32, 1, 1})
            .total() == 0);
}

TEST_CASE("CU-50: sync reports a barrier that lanes of a warp, or warps of a CTA, meet at different instructions") {
  const auto split_at = [](const std::string& lanes) {
    return findings_of("sync", "setp.lt.u32 %p1, %r0, " + lanes +
                                   "; @%p1 bra LOW;\n.loc 1 6 1\nbar.sync 0; bra OUT;\nLOW:\n.loc 1 8 1\nbar.sync 0; OUT: ret;");
  };
  const Findings lanes = split_at("16");
  CHECK(lanes.total() == 1);
  CHECK(lanes.shown(Check::sync).at(0).text() ==
        "app.cu:6: kernel k, block (0,0,0) thread (16,0,0): lanes of a warp meet barrier 0 at different instructions; app.cu:8: block "
        "(0,0,0) thread "
        "(0,0,0): barrier");
  const Findings warps = split_at("32");
  CHECK(warps.total() == 1);
  CHECK(warps.shown(Check::sync).at(0).text() ==
        "app.cu:6: kernel k, block (0,0,0) thread (32,0,0): warps of a CTA meet the barrier of all threads at different instructions; "
        "app.cu:8: block (0,0,0) "
        "thread (0,0,0): barrier");
  CHECK(split_at("64").total() == 0);
}

TEST_CASE("CU-50: sync reports lanes that go past a barrier of their warp, and none that end instead or that execute it later") {
  // The lanes from 16 on jump to OUT.
  const auto skipped = [](const std::string& barrier, const std::string& behind) {
    return findings_of("sync",
                       "setp.lt.u32 %p1, %r0, 16; @!%p1 bra OUT;\n.loc 1 6 1\n" + barrier + "\nOUT:\n.loc 1 7 1\n" + behind + " ret;",
                       {1, 1, 1}, {32, 1, 1});
  };
  const std::string store = "st.global.u32 [%rd1], %r0;";
  const Findings past = skipped("bar.sync 0;", store);
  CHECK(past.total() == 1);
  CHECK(
      past.shown(Check::sync).at(0).text() ==
      "app.cu:6: kernel k, block (0,0,0) thread (0,0,0): the lanes 0xffff0000 do not execute this barrier, which is for all threads of the "
      "block that have not ended; app.cu:7: block (0,0,0) thread (16,0,0): goes on without it, and ends");
  CHECK(skipped("barrier.sync.aligned 0;", store).total() == 1);
  CHECK(skipped("barrier.sync 0;", store).total() == 0);  // for threads apart
  CHECK(skipped("bar.sync 0;", "").total() == 0);         // as `if (i >= n) return;`
  CHECK(skipped("bar.sync 0; " + store, "bra END; END:").total() == 0);
  CHECK(skipped("exit; OTHER: bar.sync 0;", store).total() == 0);
  const Findings predicated = findings_of("sync", "setp.lt.u32 %p1, %r0, 16; @%p1 bar.sync 0; " + store + " ret;", {1, 1, 1}, {32, 1, 1});
  CHECK(predicated.total() == 1);
  // Lanes go round until it is their turn, and all have executed the barrier then.
  CHECK(findings_of("sync",
                    "mov.u32 %r1, 0; LOOP: setp.ne.u32 %p1, %r1, %r0; @%p1 bra NEXT; bar.sync 0; NEXT: add.u32 %r1, %r1, 1; "
                    "setp.lt.u32 %p2, %r1, 32; @%p2 bra LOOP; ret;",
                    {1, 1, 1}, {32, 1, 1})
            .total() == 0);
}

TEST_CASE("CU-49: sync reports lanes of a mask that go past a function of the warp, and none that end instead") {
  const auto skipped = [](const std::string& function, const std::string& behind) {
    return findings_of("sync",
                       "setp.lt.u32 %p1, %r0, 16; @!%p1 bra OUT;\n.loc 1 6 1\n" + function + "\nOUT:\n.loc 1 7 1\n" + behind + " ret;",
                       {1, 1, 1}, {32, 1, 1});
  };
  const std::string store = "st.global.u32 [%rd1], %r0;";
  for (const char* function : {"shfl.sync.bfly.b32 %r1, %r0, 1, 31, ", "vote.sync.ballot.b32 %r1, %p1, ", "bar.warp.sync "}) {
    INFO(function);
    const Findings past = skipped(function + std::string("0xffffffff;"), store);
    CHECK(past.total() == 1);
    CHECK(
        past.shown(Check::sync).at(0).text() ==
        "app.cu:6: kernel k, block (0,0,0) thread (0,0,0): the lanes 0xffff0000 of the member mask 0xffffffff never reach this instruction "
        "together with the others; app.cu:7: block (0,0,0) thread (16,0,0): goes on without it, and ends");
    CHECK(skipped(function + std::string("0xffff;"), store).total() == 0);
    CHECK(skipped(function + std::string("0xffffffff;"), "").total() == 0);
  }
}

TEST_CASE("lanes of one mask meet at different instructions that only wait, and sync reports them where their masks differ") {
  const auto meet_with = [](const std::string& mask) {
    return findings_of("sync",
                       "setp.lt.u32 %p1, %r0, 16; @!%p1 bra HIGH; bar.warp.sync 0xffffffff; bra OUT; HIGH: bar.warp.sync " + mask +
                           "; OUT: st.global.u32 [%rd1], %r0; ret;",
                       {1, 1, 1}, {32, 1, 1});
  };
  CHECK(meet_with("0xffffffff").total() == 0);
  CHECK(meet_with("0xffff0000").total() == 1);
}
