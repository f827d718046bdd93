// The checks of programs (CU-59). For each check: a kernel that is reported with its places, and a similar correct kernel that is not.
#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "stimuli/ptx/execution/checks.h"
#include "tests/unit/stimuli/ptx/checks/ptx_findings.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

TEST_CASE("CU-59: names of checks are read, and others are refused with those that exist") {
  CHECK(to_text(parse_checks("sync,bounds")) == "bounds,sync");
  CHECK(parse_checks("").empty());
  CHECK_THROWS_WITH(parse_checks("race,inti"),
                    "--check: 'inti' is not a check; did you mean 'init'?; choose from bounds, init, race, sync");
  CHECK_THROWS_AS(parse_checks("race,"), InputError);
}

TEST_CASE("CU-58: with bounds, an access behind the exact end is reported, and without it only warned of") {
  const std::string body = ".loc 1 17 3\nst.global.u32 [%rd1], %r0; ret;";
  PtxMachine machine;
  const Address array = machine.memory.allocate(100, "cudaMalloc of 100 bytes");
  const Findings findings = findings_of(machine, "bounds", body, ArgumentBytes().add(array), {2, 1, 1}, {26, 1, 1});
  CHECK(findings.total(Check::bounds) == 2);
  REQUIRE(findings.shown(Check::bounds).size() == 1);
  CHECK(findings.shown(Check::bounds).front().text() ==
        "app.cu:17: kernel k, block (0,0,0) thread (25,0,0): global store of 4 bytes at 0x100000064: 4 bytes reach beyond allocation 1 "
        "(cudaMalloc of "
        "100 bytes)");
  CHECK(findings.shown(Check::bounds).front().count == 2);
  REQUIRE(machine.warnings.size() == 1);
  CHECK(machine.warnings.front().second == 2);
  CHECK(findings_of(machine, "bounds", body, ArgumentBytes().add(array), {2, 1, 1}, {25, 1, 1}).total() == 0);
  CHECK(findings_of(machine, "init,race,sync", body, ArgumentBytes().add(array), {1, 1, 1}, {26, 1, 1}).total() == 0);
}

TEST_CASE("CU-59: init reports a read of global bytes that neither host nor kernel has written, and no others") {
  PtxMachine machine;
  const Address array = machine.memory.allocate(256, "cudaMalloc of 256 bytes");
  const auto unwritten = [&](std::uint64_t written_bytes) {
    return [=](Checks& checks) {
      checks.expect_writes(array, 256);
      checks.write(array, written_bytes);
    };
  };
  const std::string body = ".loc 1 9 3\nld.global.u32 %r1, [%rd1]; ret;";
  const auto argument = ArgumentBytes().add(array);
  const Findings findings = findings_of(machine, "init", body, argument, {1, 1, 1}, {64, 1, 1}, unwritten(251));
  CHECK(findings.total() == 2);
  REQUIRE(findings.shown(Check::init).size() == 1);
  CHECK(findings.shown(Check::init).front().text() ==
        "app.cu:9: kernel k, block (0,0,0) thread (62,0,0): global load of 4 bytes at 0x1000000f8: uninitialised bytes, in "
        "allocation 1 "
        "(cudaMalloc of 256 bytes)");
  CHECK(findings_of(machine, "init", body, argument, {1, 1, 1}, {64, 1, 1}, unwritten(256)).total() == 0);
  CHECK(findings_of(machine, "init", "st.global.u32 [%rd1], 1; " + body, argument, {1, 1, 1}, {64, 1, 1}, unwritten(0)).total() == 0);
  CHECK(findings_of(machine, "init", "atom.global.add.u32 %r1, [%rd1], 1; ret;", argument, {1, 1, 1}, {1, 1, 1}, unwritten(0)).total() ==
        1);
}

TEST_CASE("CU-59: init reports reads of shared and local bytes of each CTA and thread") {
  const std::string shared = ".shared .align 4 .b8 s[256]; mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2;\n";
  const Findings unwritten =
      findings_of("init", shared + "setp.lt.u32 %p1, %r0, 40; @%p1 st.shared.u32 [%r1], 1; bar.sync 0; ld.shared.u32 %r3, [%r1]; ret;");
  CHECK(unwritten.total() == 24);
  CHECK_THAT(unwritten.shown(Check::init).at(0).text(),
             EndsWith("block (0,0,0) thread (40,0,0): shared load of 4 bytes at offset 0xa0: uninitialised bytes"));
  CHECK(findings_of("init", shared + "st.shared.u32 [%r1], 1; bar.sync 0; ld.shared.u32 %r3, [%r1]; ret;").total() == 0);
  const Findings local =
      findings_of("init", ".local .align 4 .b8 l[8]; setp.eq.u32 %p1, %r0, 3; @!%p1 st.local.u32 [l], 1; ld.local.u32 %r3, [l]; ret;");
  CHECK(local.total() == 1);
  CHECK_THAT(local.shown(Check::init).at(0).text(), Contains("thread (3,0,0): local load of 4 bytes at offset 0x0"));
}

TEST_CASE("CU-59: race reports two warps at one shared byte without a barrier between, with both places") {
  const std::string begin =
      ".shared .align 4 .b8 s[256]; mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2; xor.b32 %r3, %r1, 128;\n";
  const Findings findings =
      findings_of("race", begin + ".loc 1 15 3\nst.shared.u32 [%r1], %r0;\n.loc 1 17 3\nld.shared.u32 %r4, [%r3]; ret;");
  CHECK(findings.total() == 64);
  REQUIRE(findings.shown(Check::race).size() == 2);  // the first warp stores and loads before the second one does
  CHECK_THAT(
      findings.shown(Check::race).at(0).text(),
      EndsWith(
          "thread (32,0,0): shared store of 4 bytes at offset 0x80: another warp accesses the same bytes without a barrier in between; "
          "app.cu:17: block (0,0,0) thread (0,0,0): load") &&
          StartsWith("app.cu:15: kernel k"));
  CHECK(findings_of("race", begin + "st.shared.u32 [%r1], %r0; bar.sync 0; ld.shared.u32 %r4, [%r3]; ret;").total() == 0);
}

TEST_CASE("CU-59: race sees each byte: neighbours do not race, and halves of one word do") {
  const std::string begin = ".shared .align 4 .b8 s[128]; mov.u32 %r1, s; add.u32 %r1, %r1, %r0; cvt.u16.u32 %h1, %r0;\n";
  CHECK(findings_of("race", begin + "st.shared.u8 [%r1], %h1; ret;").total() == 0);
  CHECK(findings_of("race", begin + "st.shared.u8 [%r1], %h1; and.b32 %r2, %r1, 28; ld.shared.u32 %r3, [%r2]; ret;").total() > 0);
}

TEST_CASE("CU-59: race passes over writes of one value, over atomics, and over what one warp does") {
  const std::string begin = ".shared .align 4 .b8 s[4]; mov.u32 %r1, s;\n";
  CHECK(findings_of("race", begin + "st.shared.u32 [%r1], 7; ret;").total() == 0);
  CHECK(findings_of("race", begin + "shr.u32 %r2, %r0, 5; st.shared.u32 [%r1], %r2; ret;").total() > 0);
  CHECK(findings_of("race", begin + "atom.shared.add.u32 %r2, [%r1], 1; ret;").total() == 0);
  CHECK(findings_of("race", begin + "atom.shared.add.u32 %r2, [%r1], 1; ld.shared.u32 %r3, [%r1]; ret;").total() > 0);
  CHECK(findings_of("race", begin + "atom.shared.add.u32 %r2, [%r1], 1; ld.volatile.shared.u32 %r3, [%r1]; ret;").total() == 0);
  CHECK(findings_of("race", begin + "setp.eq.u32 %p1, %r0, 0; @%p1 st.shared.u32 [%r1], %r0; ld.shared.u32 %r3, [%r1]; ret;", {1, 1, 1},
                    {32, 1, 1})
            .total() == 0);
}

TEST_CASE("CU-59: race reports lanes of one instruction that store different values to one byte") {
  const Findings findings = findings_of("race", ".loc 1 5 1\nst.global.u32 [%rd0], %r0; ret;", {1, 1, 1}, {2, 1, 1});
  CHECK(findings.total() == 1);
  CHECK(findings.shown(Check::race).at(0).text() ==
        "app.cu:5: kernel k, block (0,0,0) thread (1,0,0): global store of 4 bytes at 0x100000000: another lane of the same instruction "
        "stores a different "
        "value there, in allocation 1 (array); app.cu:5: block (0,0,0) thread (0,0,0): store");
  CHECK(findings_of("race", "st.global.u32 [%rd0], 1; ret;", {1, 1, 1}, {2, 1, 1}).total() == 0);
}

TEST_CASE("CU-59: race reports two CTAs at one global byte in a kernel, with both places") {
  const std::string own = "mul.wide.u32 %rd2, %r9, 128; add.u64 %rd1, %rd1, %rd2;\n";
  const Findings findings = findings_of("race", own + ".loc 1 8 1\nst.global.u32 [%rd1], %r9;\n.loc 1 9 1\nld.global.u32 %r1, [%rd0]; ret;",
                                        {2, 1, 1}, {32, 1, 1});
  CHECK(findings.total() == 32);
  CHECK(findings.shown(Check::race).at(0).text() ==
        "app.cu:9: kernel k, block (1,0,0) thread (0,0,0): global load of 4 bytes at 0x100000000: another CTA accesses the same bytes in "
        "this kernel, in "
        "allocation 1 (array); app.cu:8: block (0,0,0) thread (0,0,0): store");
  CHECK(findings_of("race", own + "st.global.u32 [%rd1], %r9; ld.global.u32 %r1, [%rd1]; ret;", {2, 1, 1}, {32, 1, 1}).total() == 0);
}

TEST_CASE("CU-59: race accepts the last CTA that reads what the others have published by a fence and an atomic") {
  // Each CTA writes word 1 + ctaid and counts itself in word 0. The second one reads the first one's word.
  const auto last_reads = [](const std::string& fence) {
    return findings_of("race",
                       "mul.wide.u32 %rd2, %r9, 4; add.u64 %rd2, %rd0, %rd2; add.u32 %r3, %r9, 7; st.global.u32 [%rd2+4], %r3; " + fence +
                           " atom.global.add.u32 %r1, [%rd0], 1; setp.ne.u32 %p1, %r1, 1; @%p1 exit; ld.global.u32 %r2, [%rd0+4]; ret;",
                       {2, 1, 1}, {1, 1, 1})
        .total();
  };
  CHECK(last_reads("membar.gl;") == 0);
  CHECK(last_reads("") == 1);
}

namespace {

/// Two CTAs: the first thread of each copies 32 bytes of shared memory to word `from` + 8 * `stride` * ctaid, and waits for that.
std::string bulk_store(unsigned stride, const std::string& instruction = "cp.async.bulk.global.shared::cta.bulk_group") {
  return ".shared .align 16 .b8 s[128]; mov.u32 %r2, s; shl.b32 %r3, %r0, 2; add.u32 %r3, %r2, %r3; add.u32 %r4, %r9, 1; "
         "st.shared.u32 [%r3], %r4; bar.sync 0; mul.wide.u32 %rd2, %r9, " +
         std::to_string(32 * stride) + "; add.u64 %rd2, %rd0, %rd2; setp.ne.u32 %p1, %r0, 0; @%p1 bra DONE;\n.loc 1 8 1\n" + instruction +
         " [%rd2], [%r2], 32; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; DONE: ";
}

}  // namespace

TEST_CASE("CU-59: race reports a bulk copy and another CTA's access to the same global bytes, whichever comes first") {
  const auto of = [](const std::string& body) { return findings_of("race", body, {2, 1, 1}, {32, 1, 1}); };
  const Findings copies = of(bulk_store(0) + "ret;");
  CHECK(copies.total() == 2);  // pieces of 16 bytes
  CHECK(copies.shown(Check::race).at(0).text() ==
        "app.cu:8: kernel k, block (1,0,0) thread (0,0,0): global asynchronous copy of 32 bytes, 16 of them at 0x100000000: another CTA "
        "accesses the same bytes in this kernel, in allocation 1 (array); app.cu:8: block (0,0,0) thread (0,0,0): asynchronous copy");
  const std::string other = "setp.eq.u32 %p2, %r9, 0; ";
  const Findings store_behind =
      of(other + "@%p2 bra COPY; bar.sync 0; bar.sync 0; st.global.u32 [%rd0+4], 9; ret; COPY: " + bulk_store(0) + "ret;");
  REQUIRE(store_behind.total() == 1);
  CHECK_THAT(store_behind.shown(Check::race).at(0).text(),
             Contains("global store of 4 bytes") && EndsWith("thread (0,0,0): asynchronous copy"));
  const Findings store_first =
      of(other + "@!%p2 bra COPY; setp.ne.u32 %p3, %r0, 0; @%p3 exit; st.global.u32 [%rd0+4], 9; ret; COPY: " + bulk_store(0) + "ret;");
  REQUIRE(store_first.total() == 1);
  CHECK_THAT(store_first.shown(Check::race).at(0).text(),
             Contains("global asynchronous copy of 32 bytes") && EndsWith("thread (0,0,0): store"));
}

TEST_CASE("CU-59: race passes over bulk copies to different bytes, over those that add, and over what one CTA does") {
  const auto races = [](const std::string& body) { return findings_of("race", body, {2, 1, 1}, {32, 1, 1}).total(); };
  CHECK(races(bulk_store(1) + "ret;") == 0);
  CHECK(races(bulk_store(0, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32") + "ret;") == 0);
  CHECK(races(bulk_store(1) + "bar.sync 0; setp.ge.u32 %p1, %r0, 8; @%p1 exit; add.u64 %rd2, %rd2, %rd1; sub.u64 %rd2, %rd2, %rd0; "
                              "ld.global.u32 %r5, [%rd2]; st.global.u32 [%rd2], %r5; ret;") == 0);
}

TEST_CASE("CU-59: a bulk copy of shared bytes that another warp writes is a race without a barrier, and none with one") {
  const auto races = [](const char* barrier) {
    const std::string body =
        std::string(".shared .align 16 .b8 s[256]; mov.u32 %r2, s; shl.b32 %r3, %r0, 2; add.u32 %r3, %r2, %r3; st.shared.u32 [%r3], 7; ") +
        barrier +
        " setp.ne.u32 %p1, %r0, 0; @%p1 exit; .loc 1 8 1\ncp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r2], 256; "
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;";
    return findings_of("race", body, {1, 1, 1}, {64, 1, 1});
  };
  const Findings found = races("");
  REQUIRE(found.total() > 0);
  CHECK_THAT(found.shown(Check::race).at(0).text(), Contains("another warp accesses the same bytes without a barrier in between"));
  CHECK(races("bar.sync 0;").total() == 0);
}

TEST_CASE("CU-59: race reports shared bytes that cp.async writes and that are used before the wait of its thread") {
  // Each thread copies its word of the array to its word of shared memory, and to the one 256 bytes behind.
  const std::string begin = ".shared .align 4 .b8 s[512];\nmov.u32 %r1, s; mad.lo.u32 %r1, %r0, 4, %r1;\n";
  const std::string copy = ".loc 1 8 3\ncp.async.ca.shared.global [%r1], [%rd1], 4;\n";
  const std::string next = "cp.async.ca.shared.global [%r1+256], [%rd1], 4;\n", commit = "cp.async.commit_group;\n";
  const std::string barrier = "bar.sync 0;\n", load = ".loc 1 17 3\nld.shared.u32 %r2, [%r1];\n", other = "ld.shared.u32 %r2, [s+252];\n";
  const auto races = [&](const std::string& steps) { return findings_of("race", begin + steps + "ret;").total(Check::race); };
  const Findings findings = findings_of("race", begin + copy + commit + load + "ret;");
  CHECK(findings.total(Check::race) == 64);
  REQUIRE(findings.shown(Check::race).size() == 1);
  CHECK(
      findings.shown(Check::race).front().text() ==
      "app.cu:17: kernel k, block (0,0,0) thread (0,0,0): shared load of 4 bytes at offset 0x0: the copy to these bytes may be under way: "
      "its thread has not waited for it; app.cu:8: block (0,0,0) thread (0,0,0): asynchronous copy");
  CHECK(races(copy + commit + "cp.async.wait_group 0;\n" + load) == 0);
  CHECK(races(copy + "cp.async.wait_all;\n" + load) == 0);
  CHECK(races(copy + "cp.async.wait_group 0;\n" + load) == 64);  // it is in no group yet
  // The last groups that wait_group keeps.
  CHECK(races(copy + commit + next + commit + "cp.async.wait_group 1;\n" + load) == 0);
  CHECK(races(copy + commit + next + commit + "cp.async.wait_group 2;\n" + load) == 64);
  CHECK(races(next + commit + copy + commit + "cp.async.wait_group 1;\n" + load) == 64);
  CHECK(races(copy + commit + copy + commit + "cp.async.wait_group 1;\n" + load) == 64 + 64);  // the second copy races with the first
  // A barrier does not wait for copies, and the wait of a thread not for those of others.
  CHECK(races(copy + commit + barrier + other) == 64);
  CHECK(races(copy + commit + "setp.lt.u32 %p0, %r0, 32;\n@%p0 cp.async.wait_group 0;\n" + barrier + other) == 64);
  CHECK(races(copy + commit + "cp.async.wait_group 0;\n" + barrier + other) == 0);
  CHECK(races(copy + commit + "st.shared.u32 [%r1], 1;\ncp.async.wait_group 0;\n") == 64);
  CHECK(races(copy + commit + "ld.shared.u32 %r2, [%r1+256];\n") == 0);
}

TEST_CASE("CU-59: init reports bulk copies of bytes that nothing has written, in shared and global memory") {
  const auto copies = [](const std::string& before, const std::string& instruction, std::uint64_t written) {
    PtxMachine machine;
    const Address array = machine.memory.allocate(256, "cudaMalloc of 256 bytes");
    const std::string body =
        ".shared .align 16 .b8 s[64]; mov.u32 %r2, s; setp.ne.u32 %p1, %r0, 0; shl.b32 %r3, %r0, 2; "
        "add.u32 %r3, %r2, %r3; " +
        before + " bar.sync 0; @%p1 exit; .loc 1 8 1\n" + instruction +
        " [%rd0], [%r2], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;";
    return findings_of(machine, "init", body, ArgumentBytes().add(array), {1, 1, 1}, {16, 1, 1}, [&](Checks& checks) {
      checks.expect_writes(array, 256);
      checks.write(array, written);
    });
  };
  const std::string copy = "cp.async.bulk.global.shared::cta.bulk_group", store = "st.shared.u32 [%r3], 7;";
  const Findings source = copies("", copy, 0);
  REQUIRE(source.total() == 1);
  CHECK(source.shown(Check::init).at(0).text() ==
        "app.cu:8: kernel k, block (0,0,0) thread (0,0,0): shared asynchronous copy of 64 bytes at 0x0: uninitialised bytes");
  CHECK(copies(store, copy, 0).total() == 0);
  const std::string reduction = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32";
  const Findings target = copies(store, reduction, 60);
  REQUIRE(target.total() == 1);
  CHECK_THAT(target.shown(Check::init).at(0).text(), Contains("global asynchronous copy of 64 bytes at 0x100000000: uninitialised bytes, "
                                                              "in allocation 1"));
  CHECK(copies(store, reduction, 64).total() == 0);
}

TEST_CASE("CU-58: with bounds, a bulk copy that reaches beyond the exact end is reported") {
  const auto copies = [](std::uint64_t bytes) {
    PtxMachine machine;
    const Address array = machine.memory.allocate(bytes, "cudaMalloc");
    return findings_of(machine, "bounds", bulk_store(1) + "ret;", ArgumentBytes().add(array), {1, 1, 1}, {32, 1, 1});
  };
  const Findings found = copies(24);
  REQUIRE(found.total() == 1);
  CHECK(
      found.shown(Check::bounds).at(0).text() ==
      "app.cu:8: kernel k, block (0,0,0) thread (0,0,0): global asynchronous copy of 32 bytes at 0x100000000: 8 bytes reach beyond allocation "
      "1 (cudaMalloc)");
  CHECK(copies(32).total() == 0);
}

TEST_CASE("CU-59: the first ten instructions are shown, and all findings are counted") {
  std::string body;
  for (int i = 0; i < 12; ++i) body += "st.global.u32 [%rd0], %r0;\n";
  const Findings findings = findings_of("race", body + "ret;", {1, 1, 1}, {3, 1, 1});
  CHECK(findings.total(Check::race) == 24);
  CHECK(findings.shown(Check::race).size() == 10);
}

TEST_CASE("CU-59: results and instructions are the same with all checks") {
  const std::string body =
      ".shared .align 4 .b8 s[256]; mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2; atom.shared.add.u32 %r3, [%r1], %r0; "
      "bar.sync 0;\n"
      "shfl.sync.bfly.b32 %r4, %r3, 5, 31, 0xffffffff; membar.gl; ld.global.u32 %r5, [%rd1]; add.u32 %r5, %r5, %r4; st.global.u32 [%rd1], "
      "%r5; ret;";
  const auto run = [&](const std::string& checks) {
    PtxMachine machine;
    const Address array = machine.zeros<std::uint32_t>(64);
    findings_of(machine, checks, body, ArgumentBytes().add(array), {3, 1, 1}, {64, 1, 1});
    return std::make_pair(machine.read<std::uint32_t>(array, 64), machine.issued);
  };
  CHECK(run("") == run("bounds,init,race,sync"));
}

TEST_CASE("CU-46: with poison, shared memory holds 0xCD until it is written") {
  const std::string body = ".shared .align 4 .b8 s[4]; ld.shared.u32 %r1, [s]; st.global.u32 [%rd1], %r1; ret;";
  const auto word = [&](bool poisons) {
    PtxMachine machine;
    const Address array = machine.zeros<std::uint32_t>(1);
    machine.run(kernel_of("ld.param.u64 %rd1, [p0];\n" + body, 1), "k", {1, 1, 1}, {1, 1, 1}, ArgumentBytes().add(array), 0,
                {nullptr, poisons});
    return machine.read<std::uint32_t>(array, 1).front();
  };
  CHECK(word(true) == 0xCDCDCDCDu);
  CHECK(word(false) == 0u);
}

TEST_CASE("CU-21: a returned fault ends its launch, and the rest of the grid with it") {
  PtxMachine machine;
  const Address array = machine.zeros<std::uint32_t>(4);
  const std::string text = kernel_of(
      "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 1; mov.u64 %rd2, 8; @!%p1 st.global.u32 [%rd2], 1;"
      "bar.sync 0; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd1, %rd1, %rd3; st.global.u32 [%rd1], 1; ret;",
      1);
  const ArgumentBytes argument = ArgumentBytes().add(array);
  CHECK_THROWS_AS(machine.run(text, "k", {3, 1, 1}, {64, 1, 1}, argument), ThreadFault);
  machine.run(text, "k", {3, 1, 1}, {64, 1, 1}, argument, 0, {nullptr, false, true});
  CHECK(machine.read<std::uint32_t>(array, 3) == std::vector<std::uint32_t>{1, 0, 0});
}
