// Each possible mistake in a trace: it is found, and reported with its place and a remedy.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;

namespace {

void check_mistake(const std::string& text, std::uint64_t line, const std::string& what) {
  CAPTURE(what);
  const TraceError error = mistake_in(text);
  CHECK(error.file() == "kernel-1.traceg");
  CHECK(error.line() == line);
  CHECK_THAT(error.text(), Catch::Matchers::Contains(what));
  CHECK_FALSE(error.remedy().empty());
  CHECK(std::string(error.what()) == "kernel-1.traceg:" + std::to_string(line) + ": " + error.text() + "; " + error.remedy());
}

void check_line(const std::string& instruction, const std::string& what) {
  CAPTURE(instruction);
  check_mistake(one_warp({kMov, instruction}), kFirstInstructionLine + 1, what);
}

}  // namespace

TEST_CASE("An empty file has no kernel header") {
  WarningLog log;
  for (const std::string text : {"", "\n\n", "# a comment\n"}) {
    CHECK_THROWS_WITH(KernelReader(LineSource::from_memory("kernel-1.traceg", text), log), Catch::Matchers::Contains("no kernel header"));
  }
  check_mistake("#traces format = PC\n", 1, "no kernel header");
}

TEST_CASE("Each required header field must be there") {
  const auto without = [](const std::string& line) { return replaced(header(), line, ""); };
  check_mistake(without("-kernel name = sample\n"), 14, "header field 'kernel name' is missing");
  check_mistake(without("-grid dim = (1,1,1)\n"), 14, "header field 'grid dim' is missing");
  check_mistake(without("-block dim = (32,1,1)\n"), 14, "header field 'block dim' is missing");
  check_mistake(without("-shmem = 512\n"), 14, "header field 'shmem' is missing");
  check_mistake(without("-nregs = 24\n"), 14, "header field 'nregs' is missing");
  check_mistake(without("-binary version = 70\n"), 14, "header field 'binary version' is missing");
  check_mistake(without("-accelsim tracer version = 5\n"), 14, "header field 'accelsim tracer version' is missing");
}

TEST_CASE("Each header field must be well formed") {
  const auto with = [](const std::string& from, const std::string& to) { return replaced(header(), from, to); };
  check_mistake(with("= sample", "="), 1, "'kernel name' is '', expected a name");
  check_mistake(with("id = 1", "id = one"), 2, "'kernel id' is 'one'");
  check_mistake(with("(1,1,1)", "1,1,1"), 3, "'grid dim' is '1,1,1', expected (x,y,z)");
  check_mistake(with("(1,1,1)", "(1,1)"), 3, "'grid dim' is '(1,1)', expected (x,y,z)");
  check_mistake(with("(1,1,1)", "(1,1,1,1)"), 3, "expected (x,y,z)");
  check_mistake(with("(1,1,1)", "(1,-1,1)"), 3, "expected (x,y,z)");
  check_mistake(with("(1,1,1)", "(1,0,1)"), 3, "expected three numbers from 1 to 2147483647, 65535, 65535");
  check_mistake(with("(1,1,1)", "(4294967295,1,1)"), 3, "expected three numbers");
  check_mistake(with("(1,1,1)", "(99999999999999999999,1,1)"), 3, "expected (x,y,z)");
  check_mistake(with("(32,1,1)", "(0,1,1)"), 4, "expected three numbers from 1 to 1024, 1024, 64");
  check_mistake(with("(32,1,1)", "(1025,1,1)"), 4, "expected three numbers");
  check_mistake(with("(32,1,1)", "(1024,2,1)"), 4, "at most 1024 threads");
  check_mistake(with("= 512", "= lots"), 5, "'shmem' is 'lots'");
  check_mistake(with("= 512", "= 99999999999"), 5, "a number from 0 to 16777216");
  check_mistake(with("= 24", "= 257"), 6, "'nregs' is '257', expected a number from 0 to 256");
  check_mistake(with("= 24", "= -1"), 6, "'nregs'");
  check_mistake(with("= 70", "= sm_70"), 7, "'binary version'");
  check_mistake(with("0x00007f0000000000", "0xzz"), 9, "'shmem base_addr' is '0xzz', expected an address");
  check_mistake(with("0x00007f0800000000", ""), 10, "'local mem base_addr'");
  check_mistake(with("tracer version = 5", "tracer version = five"), 12, "'accelsim tracer version'");
  check_mistake(with("lineinfo = 0", "lineinfo = 2"), 13, "'enable lineinfo' is '2', expected a number from 0 to 1");
}

TEST_CASE("A header must not repeat a field, lack '=', hold other text or end early") {
  check_mistake(replaced(header(), "-nregs = 24\n", "-nregs = 24\n-nregs = 32\n"), 7, "'nregs' appears twice");
  check_mistake(replaced(header(), "-nregs = 24\n", "-nregs 24\n"), 6, "has no '='");
  check_mistake(replaced(header(), "-nregs = 24\n", "nregs = 24\n"), 6, "expected a header line");
  check_mistake(replaced(header(), "#traces format = ...\n", ""), 14, "the file ends inside the kernel header");
  check_mistake(std::string("\x7f"
                            "ELF\x02\x01\0\0\xff",
                            9) +
                    "\n",
                1, "expected a header line '-key = value', found '?ELF????");
}

TEST_CASE("The numbers of an instruction line must be numbers") {
  check_line("xyz ffffffff 1 R1 MOV 0 0 0", "the PC is missing or malformed");
  check_line("100000000 ffffffff 1 R1 MOV 0 0 0", "the PC is missing or malformed");
  check_line("0000 fffffffg 1 R1 MOV 0 0 0", "the active mask is missing or malformed, expected 8 hex digits");
  check_line("0000 1ffffffff 1 R1 MOV 0 0 0", "the active mask");
  check_line("0000", "the active mask");
  check_line("0000 ffffffff", "the number of destination registers");
  check_line("0000 ffffffff 2 R1 R2 MOV 0 0 0", "the number of destination registers is missing or malformed, expected 0 or 1");
  check_line("0000 ffffffff 1 R1 MOV 5 R1 R2 R3 R4 R5 0 0", "the number of source registers is missing or malformed, expected 0 to 4");
  check_line("0000 ffffffff 1 R1 MOV x 0", "the number of source registers");
  check_line("0000 ffffffff 1 R256 MOV 0 0 0", "a register is missing or malformed, expected R0 to R255");
  check_line("0000 ffffffff 1 MOV 0 0 0", "a register");
  check_line("0000 ffffffff 1 R1 MOV 2 R1 0 0", "a register");
  check_line("0000 ffffffff 1 R MOV 0 0 0", "a register");
  check_line("0000 ffffffff 1 R1", "the opcode");
  check_line("0000 ffffffff 1 R1 77 0 0 0", "the opcode");
  check_line("0000 ffffffff 1 R1 MOV 0", "the memory width");
  check_line("0000 ffffffff 1 R1 MOV 0 -4", "the memory width");
  check_line("0000 ffffffff 1 R1 MOV 0 99999", "the memory width");
  check_line("0000 ffffffff 1 R1 MOV 0 0 xyz", "the immediate is missing or malformed, expected a number");
  check_line("0000 ffffffff 1 R1 MOV 0 0 0 0", "text after the end of the instruction");
}

TEST_CASE("An address list must have as many members as the mask has lanes") {
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 0 0x10 0x20", "the address list has 2 addresses, the mask 3 lanes");
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 0 0x10 0x20 0", "the address list has 2 addresses, the mask 3 lanes");
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 0 0x10 0x20 0x30 0x40 0", "more addresses than the mask's 3 lanes");
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 0 10 20 30 40 0", "text after the end of the instruction");
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 0 10 20 0", "shorter than the mask");  // kMov has shown that immediates are written
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 2 0x10 4", "the address list has 2 addresses, the mask 3 lanes");
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 2 0x10 4 0", "shorter than the mask");
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 2 0x10 4 4 4 0", "an address list longer than the mask");
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 1 0x10", "the stride");
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 1 0x10 4 0 0", "text after the end");
}

TEST_CASE("Addresses that go round the end of 64 bits are refused in every address mode, and those that reach it are read") {
  const std::string load = "0000 00000003 1 R1 LDG.E.SYS 1 R2 4 ", one = "0000 00000001 1 R1 LDG.E.SYS 1 R2 4 ",
                    says = "the addresses go beyond 64 bits";
  check_line(load + "1 0xfffffffffffffffc 4 0", says);
  CHECK_NOTHROW(read_instruction(load + "1 0x1000 9223372036854775807 0"));
  check_line("0000 00000007 1 R1 LDG.E.SYS 1 R2 4 1 0x1000 9223372036854775807 0", says);
  check_line(load + "1 0x1000 -4097 0", says);
  check_line(one + "1 0xfffffffffffffffd 0 0", says);
  CHECK_NOTHROW(read_instruction(one + "1 0xfffffffffffffffc 9223372036854775807 0"));
  check_line(load + "0 0x10 0xffffffffffffffff 0", says);
  CHECK_NOTHROW(read_instruction(load + "0 0x10 0xfffffffffffffffc 0"));
  check_line(load + "2 0xfffffffffffffff8 8 0", says);
  check_line(load + "2 0x10 -17 0", says);
  check_line(one + "2 0xffffffffffffffff 0", says);
  check_line("0000 00000003 1 R1 LDL 1 R2 4 1 0xfffffffffffffffc 4 0", says);
}

TEST_CASE("Addresses, strides and differences must be numbers of 64 bits") {
  check_line("0000 00000001 1 R1 LDG.E.SYS 1 R2 4 3 0x10 0", "the address mode");
  check_line("0000 00000001 1 R1 LDG.E.SYS 1 R2 4", "the address mode");
  check_line("0000 00000001 1 R1 LDG.E.SYS 1 R2 4 0 0xgg 0", "an address is missing or malformed, expected hex digits");
  check_line("0000 00000001 1 R1 LDG.E.SYS 1 R2 4 0 0x10000000000000000 0", "an address");
  check_line("0000 00000001 1 R1 LDG.E.SYS 1 R2 4 1 0x 4 0", "the base address");
  check_line("0000 00000001 1 R1 LDG.E.SYS 1 R2 4 1 0x10 0x4 0", "the stride");
  check_line("0000 00000001 1 R1 LDG.E.SYS 1 R2 4 1 0x10 9223372036854775808 0", "the stride");
  check_line("0000 00000001 1 R1 LDG.E.SYS 1 R2 4 1 0x10 18446744073709551621 0", "the stride");  // 2^64 + 5
  check_line("0000 00000003 1 R1 LDG.E.SYS 1 R2 4 2 0x10 - 0", "an address difference");
  check_line("0000 00000005 1 R1 LDG.E.SYS 1 R2 4 1 0x10 4 0", "base and stride given for a mask with gaps");
}

TEST_CASE("Leading ids must agree with the lines above") {
  check_mistake(one_warp({"0 0 0 1 0000 ffffffff 1 R1 MOV 0 0"}, "2"), kFirstInstructionLine, "differ from those of the lines above it");
  check_mistake(one_warp({"0000 ffffffff 1 R1 MOV 0 0"}, "2"), kFirstInstructionLine, "a leading id");
}

TEST_CASE("An instruction count must agree with the lines that follow") {
  const std::string good = one_warp({kMov, kExit});
  check_mistake(replaced(good, "insts = 2", "insts = 3"), kFirstInstructionLine + 3, "insts = 3, but only 2 instructions follow");
  check_mistake(replaced(good, "insts = 2", "insts = 1"), kFirstInstructionLine + 1,
                "expected 'warp = w' or #END_TB, found '0010 ffffffff");
  check_mistake(replaced(good, "insts = 2", "insts = 100000001"), kFirstInstructionLine - 1, "is not a number up to 100000000");
  check_mistake(replaced(good, "insts = 2", "insts = -2"), kFirstInstructionLine - 1, "instruction count '-2'");
  check_mistake(replaced(good, "insts = 2\n", ""), kFirstInstructionLine - 1, "expected 'insts = n'");
}

TEST_CASE("Warps must be of their block, once each") {
  check_mistake(header() + cta("0,0,0", warp(1, {kExit})), 20, "warp 1 in a block of 1 warps");
  check_mistake(header() + cta("0,0,0", warp(0, {kExit}) + warp(0, {kExit})), 24, "warp 0 appears twice in its CTA");
  check_mistake(replaced(one_warp({kExit}), "warp = 0", "warp = x"), 20, "warp id 'x' is not a number");
}

TEST_CASE("CTAs must be of their grid and between their marks") {
  check_mistake(header("(2,2,2)") + cta("0,2,0", warp(0, {kExit})), 18, "CTA 0,2,0 is outside the grid");
  check_mistake(header() + cta("0,0", warp(0, {kExit})), 18, "CTA coordinates '0,0' are not x,y,z");
  check_mistake(replaced(one_warp({kExit}), "#BEGIN_TB", "BEGIN"), 16, "expected #BEGIN_TB, found 'BEGIN'");
  check_mistake(replaced(one_warp({kExit}), "thread block = ", "block "), 18, "expected 'thread block = x,y,z'");
  check_mistake(replaced(one_warp({kExit}), "#END_TB\n", "end\n"), 24, "expected 'warp = w' or #END_TB, found 'end'");
}

TEST_CASE("A file cut at any byte of its CTA is a mistake at or after the cut's line") {
  const std::string whole = one_warp({kMov, "0010 00000007 1 R1 LDG.E.SYS 1 R2 4 2 0x10 4 4 0", kExit});
  const std::size_t body = whole.find("#BEGIN_TB"), end = whole.find("#END_TB") + 7;
  // A cut in the first mark leaves a comment. Then the CTA is missing, and the reader of all CTAs reports it.
  for (std::size_t size = body + std::string("#BEGIN_TB").size(); size < end; ++size) {
    CAPTURE(size);
    const std::string cut = whole.substr(0, size);
    const TraceError error = mistake_in(cut);
    CHECK(error.line() == static_cast<std::uint64_t>(std::count(cut.begin(), cut.end(), '\n')) + (cut.back() != '\n'));
    CHECK_THAT(error.text(), Catch::Matchers::StartsWith("the file ends "));
  }
}

TEST_CASE("Binary bytes are shown as question marks and cut") {
  CHECK(traces::quoted(std::string("a\0b\xff\n", 5)) ==
        "'a?b?"
        "?'");
  CHECK(traces::quoted(std::string(100, 'x')) == "'" + std::string(60, 'x') + "...'");
}
