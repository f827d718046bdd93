// The list of mistakes in a trace, and the summary of its contents.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "stimuli/traces/trace_check.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;

namespace {

std::string line_and_text(const Problem& problem) { return std::to_string(problem.line) + " " + problem.text; }

}  // namespace

TEST_CASE("A good trace has no problems") {
  const TemporaryFolder folder;
  const CheckReport report = check(folder.write("kernel-1.traceg", one_warp({kMov, kExit})));
  CHECK(report.problems.empty());
  CHECK(report.warnings.empty());
}

TEST_CASE("A check goes on after a mistake and finds those of other CTAs and other kernels") {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg", header("(4,1,1)") + cta("0,0,0", warp(0, {"0000 zz"})) + cta("1,0,0", warp(0, {kMov, kExit})) +
                                      cta("2,0,0", warp(7, {kExit})) + cta("3,0,0", warp(0, {kExit, "0000 ffffffff 3"})));
  folder.write("kernel-2.traceg", replaced(header(), "(1,1,1)", "(0,1,1)"));
  folder.write("kernel-4.traceg", header("(3,1,1)") + cta("2,0,0", warp(0, {kExit})) + cta("0,0,0", warp(0, {kExit})));
  folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\nkernel-4.traceg\nwhat\n");
  const CheckReport report = check(folder.path());
  REQUIRE(report.problems.size() == 7);
  CHECK(report.problems[0].file == folder / "kernelslist.g");
  CHECK(line_and_text(report.problems[0]) == "5 'what' is neither a kernel file nor a call of the host program");
  CHECK(report.problems[1].file == folder / "kernel-1.traceg");
  CHECK(line_and_text(report.problems[1]) == "22 instruction line: the active mask is missing or malformed, expected 8 hex digits");
  CHECK(line_and_text(report.problems[2]) == "41 warp 7 in a block of 1 warps");
  CHECK(line_and_text(report.problems[3]) ==
        "54 instruction line: the number of destination registers is missing or malformed, expected 0 or 1");
  CHECK(report.problems[4].file == folder / "kernel-2.traceg");
  CHECK(report.problems[4].line == 3);
  CHECK(report.problems[5].file == folder / "kernelslist.g");
  CHECK(report.problems[5].line == 3);
  CHECK(report.problems[6].file == folder / "kernel-4.traceg");
  CHECK(report.problems[6].text == "1 of 3 CTAs are missing, first CTA 1");
  for (const Problem& problem : report.problems) CHECK_FALSE(problem.remedy.empty());
  CHECK(report.warnings.empty());
}

TEST_CASE("A CTA that appears twice is a problem") {
  const TemporaryFolder folder;
  const std::string path = folder.write("kernel-1.traceg", header() + cta("0,0,0", warp(0, {kExit})) + cta("0,0,0", warp(0, {kExit})));
  const CheckReport report = check(path);
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].text == "CTA 0 appears twice");
}

TEST_CASE("A file cut in the middle is one problem") {
  const TemporaryFolder folder;
  const std::string text = one_warp({kMov, kExit});
  const CheckReport report = check(folder.write("kernel-1.traceg", text.substr(0, text.find("EXIT"))));
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].line == kFirstInstructionLine + 1);
}

TEST_CASE("A file of nothing but mistakes is given up after twenty") {
  const TemporaryFolder folder;
  std::string text = header("(100,1,1)");
  for (unsigned i = 0; i < 100; ++i) text += cta("x", "");
  CHECK(check(folder.write("kernel-1.traceg", text)).problems.size() == kMostProblemsPerFile);
}

TEST_CASE("A path that is not there is the only problem") {
  const CheckReport report = check("/nowhere/kernelslist.g");
  REQUIRE(report.problems.size() == 1);
  CHECK(report.problems[0].text == "there is no such file");
}

TEST_CASE("The account counts warps, instructions, lanes, units, accesses and sectors") {
  const TemporaryFolder folder;
  const std::string text = header("(2,1,1)", "(64,1,1)") +
                           cta("0,0,0", warp(0, {kMov, "0010 0000ffff 1 R2 LDG.E.SYS 1 R4 4 1 0x1000 4 0",    // 64 B of one line: 2 sectors
                                                 "0020 00000003 0 STG.E.64.SYS 2 R4 R6 8 0 0x2078 0x207c 0",  // the second straddles lines
                                                 "0030 00000000 1 R2 LDG.E.SYS 1 R4 4 1 0x0 0 0", kExit}) +
                                            warp(1, {"0040 ffffffff 1 R2 LDS 1 R4 4 1 0x0 4 0"})) +
                           cta("1,0,0", warp(0, {"0050 000000ff 0 EXIT 0 0 0"}));
  const std::string path = folder.write("kernel-1.traceg", text);
  const std::vector<KernelInfo> kernels = info(path).kernels;
  REQUIRE(kernels.size() == 1);
  const KernelInfo& kernel = kernels[0];
  CHECK(kernel.name == "sample");
  CHECK(kernel.file == path);
  CHECK(kernel.grid.x == 2);
  CHECK(kernel.block.x == 64);
  CHECK(kernel.shared_bytes == 512);
  CHECK(kernel.registers_per_thread == 24);
  CHECK(kernel.file_bytes == text.size());
  CHECK(kernel.warps == 3);
  CHECK(kernel.warp_instructions == 5 + 1 + 1);
  CHECK(kernel.thread_instructions == (32 + 16 + 2 + 0 + 32) + 32 + 8);
  CHECK(kernel.by_unit[static_cast<unsigned>(Unit::alu)] == 1);
  CHECK(kernel.by_unit[static_cast<unsigned>(Unit::load)] == 2);
  CHECK(kernel.by_unit[static_cast<unsigned>(Unit::store)] == 1);
  CHECK(kernel.by_unit[static_cast<unsigned>(Unit::shared)] == 1);
  CHECK(kernel.by_unit[static_cast<unsigned>(Unit::exit)] == 2);
  CHECK(kernel.memory_instructions == 1 + 1);
  CHECK(kernel.accesses == 1 + 2);
  CHECK(kernel.sectors == 2 + 2);
  CHECK(std::string(kUnitNames[static_cast<unsigned>(Unit::exit)]) == "exit");
  CHECK(std::string(kUnitNames[static_cast<unsigned>(Unit::shuffle)]) == "shuffle");
  CHECK(std::string(kUnitNames[static_cast<unsigned>(Unit::conversion)]) == "conversion");
}

TEST_CASE("The account and the check count what a run would be warned of") {
  const TemporaryFolder folder;
  const std::string frob = "0010 ffffffff 0 FROB 1 R2 4 1 0x7fb2c0000000 4 0";
  const std::string path = folder.write("kernel-1.traceg", header("(2,1,1)") + cta("0,0,0", warp(0, {frob, kExit})) +
                                                               cta("1,0,0", warp(0, {frob, frob, "0020 ffffffff 0 FROC 0 0 0"})));
  const std::vector<std::pair<std::string, std::uint64_t>> warnings = {
      {"unknown opcode 'FROB', taken as a generic store (first at " + path + ":22)", 3},
      {"unknown opcode 'FROC', taken as an ALU instruction (first at " + path + ":35)", 1}};
  CHECK(info(path).warnings == warnings);
  CHECK(info(path).kernels.at(0).accesses == 3);
  CHECK(check(path).warnings == warnings);
  CHECK(check(path).problems.empty());
}

TEST_CASE("A check that refuses unknown opcodes names each instruction with one once") {
  const TemporaryFolder folder;
  const std::string frob = "0010 ffffffff 0 FROB 1 R2 4 1 0x7fb2c0000000 4 0", froc = "0020 ffffffff 0 FROC 0 0 0";
  const std::string path = folder.write("kernel-1.traceg", header("(3,1,1)") + cta("0,0,0", warp(0, {frob, froc})) +
                                                               cta("1,0,0", warp(0, {frob, froc})) + cta("2,0,0", warp(0, {frob, froc})));
  const CheckReport report = check(path, UnknownOpcodes::refused);
  REQUIRE(report.problems.size() == 2);
  CHECK(line_and_text(report.problems[0]) == "22 unknown opcode 'FROB'");
  CHECK(line_and_text(report.problems[1]) == "34 unknown opcode 'FROC'");
}

TEST_CASE("The account of a damaged trace is an input error") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(info(folder.write("kernel-1.traceg", header() + "#BEGIN_TB\n")), InputError);
}
