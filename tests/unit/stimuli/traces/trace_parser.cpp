// Valid instruction lines and kernel headers.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;

namespace {

using Warnings = std::vector<std::pair<std::string, std::uint64_t>>;

constexpr const char* kPlace = " (first at kernel-1.traceg:22)";

KernelHeader header_of(const std::string& text, WarningLog& log) {
  const auto source = LineSource::from_memory("kernel-1.traceg", text);
  return read_kernel_header(*source, log);
}

std::vector<Address> active_addresses(const WarpInstruction& instruction) {
  std::vector<Address> out;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (instruction.active >> lane & 1) out.push_back(instruction.addresses[lane]);
  }
  return out;
}

}  // namespace

TEST_CASE("A kernel header gives every field of the launch") {
  WarningLog log;
  const KernelHeader read = header_of(header("(3,2,5)", "(64,4,2)"), log);
  CHECK(read.name == "sample");
  CHECK(read.id == 1);
  CHECK(read.grid.count() == 3 * 2 * 5);
  CHECK(read.block.count() == 64 * 4 * 2);
  CHECK(read.shared_bytes == 512);
  CHECK(read.registers_per_thread == 24);
  CHECK(read.binary_version == 70);
  CHECK(read.stream == 0);
  CHECK(read.shared_base == 0x00007f0000000000);
  CHECK(read.local_base == 0x00007f0800000000);
  CHECK(read.tool_version == "1.5.5");
  CHECK(read.tracer_version == 5);
  CHECK_FALSE(read.line_numbers);
  CHECK(log.list().empty());
}

TEST_CASE("A kernel's name stays as in the file") {
  WarningLog log;
  const std::string name = "void ns::kernel<float, 4>(float const*, int) [clone = 2]";
  CHECK(header_of(replaced(header(), "= sample", "= " + name), log).name == name);
}

TEST_CASE("Stream, base addresses, tool version, id and line info may be absent") {
  std::string text = header();
  for (const char* line : {"-kernel id = 1\n", "-cuda stream id = 0\n", "-shmem base_addr = 0x00007f0000000000\n",
                           "-local mem base_addr = 0x00007f0800000000\n", "-nvbit version = 1.5.5\n", "-enable lineinfo = 0\n"}) {
    text = replaced(text, line, "");
  }
  WarningLog log;
  const KernelHeader read = header_of(text, log);
  CHECK(read.shared_base == 0);
  CHECK(read.local_base == 0);
  CHECK(log.list().empty());
}

TEST_CASE("A tracer version counts up to its point") {
  WarningLog log;
  CHECK(header_of(header("(1,1,1)", "(32,1,1)", "1.2"), log).tracer_version == 1);
  CHECK(header_of(header("(1,1,1)", "(32,1,1)", "4"), log).tracer_version == 4);
}

TEST_CASE("Unknown header keys and newer versions are counted and the run goes on") {
  WarningLog log;
  const std::string text =
      replaced(header("(1,1,1)", "(32,1,1)", "7"), "-binary version = 70\n", "-binary version = 130\n-colour = blue\n");
  CHECK(header_of(text, log).binary_version == 130);
  CHECK(log.list() == Warnings{{"binary version 130 is newer than every opcode table, that of 121 is used (first at kernel-1.traceg:7)", 1},
                               {"unknown header field 'colour', ignored (first at kernel-1.traceg:8)", 1},
                               {"accelsim tracer version 7 is newer than 6, read as 6 (first at kernel-1.traceg:13)", 1}});
}

TEST_CASE("An instruction line gives pc, mask, registers and unit") {
  const WarpInstruction read = read_instruction("01a0 0000ffff 1 R12 FFMA 3 R1 R2 R254 0 0 ");
  CHECK(read.pc == 0x1a0);
  CHECK(read.active == 0x0000ffff);
  CHECK(read.unit == Unit::fp32);
  CHECK(read.destination == 12);
  CHECK(read.sources == std::array<RegisterId, 4>{1, 2, 254, kNoRegister});
  CHECK(read.repeat == 1);
}

TEST_CASE("The zero register R255 is not a register") {
  const WarpInstruction read = read_instruction("0000 ffffffff 1 R255 IADD3 3 R255 R3 R255 0 0");
  CHECK(read.destination == kNoRegister);
  CHECK(read.sources == std::array<RegisterId, 4>{kNoRegister, 3, kNoRegister, kNoRegister});
}

TEST_CASE("Address mode 0 lists an address for each active lane") {
  const WarpInstruction read = read_instruction("0000 80000005 1 R4 LDG.E.SYS 1 R2 4 0 0x7fb2c0000000 0x10 0xfffffffffffffffc 0");
  CHECK(active_addresses(read) == std::vector<Address>{0x7fb2c0000000, 0x10, 0xfffffffffffffffc});
}

TEST_CASE("Address mode 0 also reads addresses without a prefix") {
  const WarpInstruction read = read_instruction("0000 00000003 1 R4 LDG.E.SYS 1 R2 4 0 7fb2c0000000 1A");
  CHECK(active_addresses(read) == std::vector<Address>{0x7fb2c0000000, 0x1a});
}

TEST_CASE("Address mode 1 steps by its stride, which may be zero or negative") {
  const auto stride = [](const std::string& text) {
    return active_addresses(read_instruction("0000 00000070 1 R4 LDG.E.SYS 1 R2 4 1 0x1000 " + text + " 0"));
  };
  CHECK(stride("4") == std::vector<Address>{0x1000, 0x1004, 0x1008});
  CHECK(stride("0") == std::vector<Address>{0x1000, 0x1000, 0x1000});
  CHECK(stride("-128") == std::vector<Address>{0x1000, 0x1000 - 128, 0x1000 - 256});
  CHECK(stride("00000000000000000000000004") == std::vector<Address>{0x1000, 0x1004, 0x1008});
  CHECK(stride("5000000000000") == std::vector<Address>{0x1000, 0x1000 + 5000000000000, 0x1000 + 10000000000000});
  const WarpInstruction gap = read_instruction("0000 00000005 1 R4 LDG.E.SYS 1 R2 4 1 0x1000 0 0");
  CHECK(active_addresses(gap) == std::vector<Address>{0x1000, 0x1000});
}

TEST_CASE("Address mode 2 adds each difference to the previous active lane") {
  const WarpInstruction read = read_instruction("0000 80000105 1 R4 LDG.E.SYS 1 R2 4 2 0x1000 8 -4 4096 0");
  CHECK(active_addresses(read) == std::vector<Address>{0x1000, 0x1008, 0x1004, 0x2004});
  const WarpInstruction one = read_instruction("0000 10000000 1 R4 LDG.E.SYS 1 R2 4 2 0x7fb2c00000e4 0");
  CHECK(active_addresses(one) == std::vector<Address>{0x7fb2c00000e4});
}

TEST_CASE("Tracers before version 3 repeat CTA and warp in each line") {
  const std::string body =
      header("(1,2,1)", "(64,1,1)", "2") + cta("0,1,0", warp(1, {"0 1 0 1 0040 0000000f 1 R4 LDG.E.SYS 1 R2 4 1 0x20 4"}));
  WarningLog log;
  KernelReader kernel(LineSource::from_memory("kernel-1.traceg", body), log);
  TracedCta traced;
  REQUIRE(kernel.next_cta(traced));
  CHECK(traced.number == 1);
  REQUIRE(traced.warps.size() == 2);
  PackedStream stream(kernel.code(), traced.warps[1]);
  CHECK(drain(stream).at(0).pc == 0x40);
}

TEST_CASE("Versions 3 and 4 have no immediate, and one is tolerated on any version") {
  const std::string version = GENERATE("3", "4", "5");
  const std::string tail = GENERATE("", " 7", " -1", " 18446744073709551615", " 0x3f800000");
  CAPTURE(version, tail);
  const WarpInstruction alu = read_instruction("0000 ffffffff 1 R1 MOV 0 0" + tail, version);
  CHECK(alu.destination == 1);
  const WarpInstruction load = read_instruction("0000 00000003 1 R4 LDG.E.SYS 1 R2 4 2 0x100 8" + tail, version);
  CHECK(active_addresses(load) == std::vector<Address>{0x100, 0x108});
}

TEST_CASE("Where line info is enabled, a source line leads each instruction") {
  const std::string text = replaced(one_warp({"117 0040 ffffffff 1 R1 MOV 0 0 0"}), "lineinfo = 0", "lineinfo = 1");
  CHECK(read_warp(text).instructions.at(0).pc == 0x40);
}

TEST_CASE("Two texts at one pc are two instructions") {
  const auto read = read_warp(one_warp({"0000 ffffffff 1 R1 MOV 0 0 0", "0000 ffffffff 1 R11 MOV 0 0 0", "0000 ffffffff 1 R1 MOV 1 R2 0 0",
                                        "0000 ffffffff 1 R1 MOV 0 0 0"}))
                        .instructions;
  CHECK(read.at(0).destination == 1);
  CHECK(read.at(1).destination == 11);
  CHECK(read.at(2).sources[0] == 2);
  CHECK(read.at(3).destination == 1);
  CHECK(read.at(3).sources[0] == kNoRegister);
}

TEST_CASE("Generic accesses go to shared or local memory inside their windows of 16 MB, else to global memory") {
  const auto read = [](const std::string& opcode, const std::string& address) {
    return read_instruction("0000 00000003 1 R4 " + opcode + " 1 R2 4 1 " + address + " 4 0");
  };
  const WarpInstruction shared = read("LD.E", "0x7f0000000040");
  CHECK(shared.unit == Unit::shared);
  CHECK(active_addresses(shared) == std::vector<Address>{0x40, 0x44});  // offsets, as in LDS
  CHECK(read("LD.E", "0x7f0000fffff8").unit == Unit::shared);
  CHECK(read("LD.E", "0x7f0001000000").unit == Unit::load);
  const WarpInstruction local = read("ST.E", "0x7f0800000100");
  CHECK(local.unit == Unit::store);
  CHECK(local.space == Space::local);
  CHECK(active_addresses(local) == std::vector<Address>{0x100, 0x104});  // offsets in a thread's stack
  const WarpInstruction global = read("LD.E", "0x7fb2c0000000");
  CHECK(global.unit == Unit::load);
  CHECK(global.space == Space::global);
  CHECK(read("ATOM.E.ADD", "0x7f0000000040").unit == Unit::shared_atomic);
  CHECK(read("ATOM.E.ADD", "0x7fb2c0000000").unit == Unit::atomic);
}

TEST_CASE("Without base addresses every generic access is global") {
  std::string text = one_warp({"0000 00000001 1 R4 LD.E 1 R2 4 1 0x40 0 0"});
  text = replaced(text, "-shmem base_addr = 0x00007f0000000000\n", "");
  text = replaced(text, "-local mem base_addr = 0x00007f0800000000\n", "");
  CHECK(read_warp(text).instructions.at(0).unit == Unit::load);
}

TEST_CASE("A generic access to several memories goes where its first lane goes, and is counted") {
  const ReadWarp read = read_warp(one_warp({"0000 00000003 1 R4 LD.E 1 R2 4 0 0x7fb2c0000000 0x7f0000000040 0"}));
  CHECK(read.instructions.at(0).unit == Unit::load);
  CHECK(read.warnings ==
        Warnings{{std::string("generic access to several memories, all lanes go where the first active lane goes") + kPlace, 1}});
}

TEST_CASE("Local opcodes access local space") {
  CHECK(read_instruction("0000 00000001 1 R4 LDL 1 R2 4 1 0x7f0800000000 0 0").space == Space::local);
  CHECK(read_instruction("0000 00000001 0 STL 2 R2 R3 4 1 0x7f0800000000 0 0").space == Space::local);
  // A stack offset, with or without the window's base.
  CHECK(active_addresses(read_instruction("0000 00000003 1 R4 LDL 1 R2 4 1 0xfffc40 0 0")) == std::vector<Address>{0xfffc40, 0xfffc40});
  CHECK(active_addresses(read_instruction("0000 00000003 1 R4 LDL 1 R2 4 1 0x7f0800000040 0 0")) == std::vector<Address>{0x40, 0x40});
}

TEST_CASE("An asynchronous copy is a load that no register waits for") {
  const std::string text =
      replaced(one_warp({"0000 00000001 1 R4 LDGSTS.E.BYPASS.128 1 R2 16 1 0x100 0 0"}), "version = 70", "version = 80");
  const WarpInstruction read = read_warp(text).instructions.at(0);
  CHECK(read.unit == Unit::load);
  CHECK(read.destination == kNoRegister);
  CHECK(read.access_bytes == 16);
  CHECK(read.cache_op == CacheOp::bypass_l1);
}

TEST_CASE("Constant loads are ALU instructions, with or without addresses") {
  CHECK(read_instruction("0000 ffffffff 1 R4 LDC 1 R2 0 0").unit == Unit::alu);
  CHECK(read_instruction("0000 00000003 1 R4 LDC 1 R2 4 1 0x100 4 0").unit == Unit::alu);
}

TEST_CASE("EXIT in the middle of a warp is one instruction among others") {
  const auto read = read_warp(one_warp({kMov, "0010 00000000 0 EXIT 0 0 0", "0020 0000ffff 0 EXIT 0 0 0", kMov, kExit})).instructions;
  REQUIRE(read.size() == 5);
  CHECK(read[1].unit == Unit::exit);
  CHECK(read[1].active == 0);
  CHECK(read[2].active == 0xffff);
  CHECK(read[4].unit == Unit::exit);
}

TEST_CASE("Unknown opcodes without addresses are counted one by one and taken as ALU instructions") {
  const ReadWarp read = read_warp(one_warp({"0000 ffffffff 1 R1 FROB.X 0 0 0", kMov, "0000 ffffffff 1 R1 FROB.X 0 0 0"}));
  CHECK(read.instructions.at(0).unit == Unit::alu);
  CHECK(read.warnings == Warnings{{std::string("unknown opcode 'FROB.X', taken as an ALU instruction") + kPlace, 2}});
}

TEST_CASE("Unknown opcodes with a width and addresses access memory, and are counted by what they are taken as") {
  const ReadWarp read = read_warp(
      one_warp({"0000 ffffffff 0 REDX.E.ADD 2 R2 R4 4 1 0x7fb2c0000000 4 0", "0010 ffffffff 1 R4 LDGX.E.64 1 R2 8 1 0x7fb2c0000000 8 0",
                "0020 ffffffff 1 R4 LDX.E 1 R2 4 1 0x7f0000000040 4 0", "0030 00000001 0 STLX 2 R2 R3 4 1 0x7f0800000040 0 0",
                "0040 ffffffff 1 R4 LDGX.E.64 1 R2 0 0", "0050 00000000 0 FROB 1 R2 4 0 0"}));
  REQUIRE(read.instructions.size() == 6);
  CHECK(read.instructions[0].unit == Unit::store);
  CHECK(active_addresses(read.instructions[0]).at(31) == 0x7fb2c000007c);
  CHECK(read.instructions[1].unit == Unit::load);
  CHECK(read.instructions[1].destination == 4);
  CHECK(read.instructions[1].access_bytes == 8);
  CHECK(read.instructions[2].unit == Unit::shared);  // in the window of shared memory
  CHECK(active_addresses(read.instructions[2]).at(1) == 0x44);
  CHECK(read.instructions[3].space == Space::local);
  CHECK(active_addresses(read.instructions[3]) == std::vector<Address>{0x40});
  CHECK(read.instructions[4].unit == Unit::alu);
  CHECK(read.instructions[5].unit == Unit::store);
  CHECK(read.instructions[5].active == 0);
  const auto at = [](unsigned line) { return " (first at kernel-1.traceg:" + std::to_string(kFirstInstructionLine + line) + ")"; };
  CHECK(read.warnings == Warnings{{"unknown opcode 'REDX.E.ADD', taken as a generic store" + at(0), 1},
                                  {"unknown opcode 'LDGX.E.64', taken as a global load" + at(1), 1},
                                  {"unknown opcode 'LDX.E', taken as a generic load" + at(2), 1},
                                  {"unknown opcode 'STLX', taken as a local store" + at(3), 1},
                                  {"unknown opcode 'LDGX.E.64', taken as an ALU instruction" + at(4), 1},
                                  {"unknown opcode 'FROB', taken as a generic store" + at(5), 1},
                                  {"memory instruction with an empty mask, nothing is accessed" + at(5), 1}});
}

TEST_CASE("A bulk copy is counted, because a trace does not hold its size") {
  const std::string copy = "0000 00000001 0 UBLKCP.S.G 2 R2 R4 16 1 0x7fb2c0000000 0 0";
  const ReadWarp read = read_warp(replaced(one_warp({copy, copy}), "version = 70", "version = 90"));
  CHECK(read.instructions.at(0).unit == Unit::load);
  CHECK(read.instructions.at(0).cache_op == CacheOp::bypass_l1);
  CHECK(read.warnings ==
        Warnings{{std::string("bulk copy 'UBLKCP.S.G', whose size a trace does not hold, taken as 4 bytes a lane") + kPlace, 2}});
}

TEST_CASE("Where unknown opcodes are refused, the first is a mistake that says what it would be taken as") {
  const auto read_strictly = [](const std::string& line) {
    WarningLog log;
    KernelReader kernel(LineSource::from_memory("kernel-1.traceg", one_warp({kMov, line})), log, UnknownOpcodes::refused);
    TracedCta traced;
    kernel.next_cta(traced);
  };
  CHECK_THROWS_WITH(read_strictly("0000 ffffffff 0 REDX.E.ADD 2 R2 R4 4 1 0x7fb2c0000000 4 0"),
                    "kernel-1.traceg:23: unknown opcode 'REDX.E.ADD'; leave strict opcodes out to have it taken as a generic store");
  CHECK_THROWS_WITH(read_strictly("0000 ffffffff 1 R1 FROB 0 0 0"), Catch::Matchers::Contains("to have it taken as an ALU instruction"));
  CHECK_NOTHROW(read_strictly("0000 ffffffff 0 HGMMA 0 0 0"));  // known, though in another family
}

TEST_CASE("An opcode of another family is counted and keeps its meaning") {
  const ReadWarp read = read_warp(one_warp({"0000 00000001 0 LDGMC.E 1 R2 4 1 0x100 0 0"}));
  CHECK(read.instructions.at(0).unit == Unit::load);
  CHECK(read.warnings ==
        Warnings{{std::string("opcode 'LDGMC.E' is not one of binary version 70, taken in another family's meaning") + kPlace, 1}});
}

TEST_CASE("A memory instruction with an empty mask is counted and accesses nothing") {
  const std::string tail = GENERATE("0 0", "4 0 0", "4 1 0x0 0 0", "4 2 0x0 0", "4 2 0", "4 0");
  CAPTURE(tail);
  const ReadWarp read = read_warp(one_warp({"0000 00000000 1 R1 LDG.E.SYS 1 R2 " + tail}));
  CHECK(read.instructions.at(0).unit == Unit::load);
  CHECK(read.instructions.at(0).active == 0);
  CHECK(read.warnings == Warnings{{std::string("memory instruction with an empty mask, nothing is accessed") + kPlace, 1}});
}

TEST_CASE("A memory instruction without addresses is counted and taken as an ALU instruction") {
  const ReadWarp read = read_warp(one_warp({"0000 ffffffff 1 R1 TEX.SCR.LL 1 R2 0 0"}));
  CHECK(read.instructions.at(0).unit == Unit::alu);
  CHECK(read.instructions.at(0).destination == 1);
  CHECK(read.warnings == Warnings{{std::string("memory instruction without addresses, taken as an ALU instruction") + kPlace, 1}});
}

TEST_CASE("CTAs without warps and warps without instructions are counted") {
  WarningLog log;
  const std::string text = header("(2,1,1)", "(96,1,1)") + cta("0,0,0", "") + cta("1,0,0", warp(0, {kExit}) + warp(1, {}));
  KernelReader kernel(LineSource::from_memory("kernel-1.traceg", text), log);
  TracedCta traced;
  REQUIRE(kernel.next_cta(traced));
  CHECK(traced.warps.empty());
  REQUIRE(kernel.next_cta(traced));
  REQUIRE(traced.warps.size() == 3);
  CHECK(traced.warps[0].instructions == 1);
  CHECK(traced.warps[1].instructions == 0);
  CHECK(traced.warps[2].instructions == 0);
  CHECK_FALSE(kernel.next_cta(traced));
  CHECK(log.list() ==
        Warnings{{"CTA without warps (first at kernel-1.traceg:20)", 1}, {"warp without instructions (first at kernel-1.traceg:33)", 2}});
}

TEST_CASE("Warps may stand in any order, with blank lines and comments between") {
  const std::string text = header("(1,1,1)", "(64,1,1)") + "# a note\n#BEGIN_TB\nthread block = 0,0,0\n\n\n" +
                           replaced(warp(1, {kMov, "", kExit}), "insts = 3", "insts = 2") + warp(0, {kExit}) + "#END_TB\n";
  WarningLog log;
  KernelReader kernel(LineSource::from_memory("kernel-1.traceg", text), log);
  TracedCta traced;
  REQUIRE(kernel.next_cta(traced));
  CHECK(traced.warps.at(0).instructions == 1);
  CHECK(traced.warps.at(1).instructions == 2);
}

TEST_CASE("The log of warnings does not grow with garbage") {
  WarningLog log;
  for (unsigned i = 0; i < 1000; ++i) log.warn("kind " + std::to_string(i), "file", i);
  log.warn("kind 3", "file", 1000);
  const auto list = log.list();
  REQUIRE(list.size() == 65);
  CHECK(list[3].second == 2);
  CHECK(list[64] == std::pair<std::string, std::uint64_t>{"further warnings of other kinds (first at file:64)", 1000 - 64});
}
