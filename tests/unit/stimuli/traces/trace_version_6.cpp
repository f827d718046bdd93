// Instruction lines of tracer version 6: registers, bulk copies, values, replay regions; and clusters (MG-18).

#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/trace_container.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;
using Catch::Contains;

namespace {

constexpr std::uint64_t kFirstLine = 16 + 10;

/// One CTA, alone in its cluster, of one warp with these lines; the first stands in line kFirstLine.
std::string kernel_of(const std::vector<std::string>& lines) {
  return text_of(header_6("(1,1,1)", "(32,1,1)"), {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, {lines}}});
}

WarpInstruction instruction_of(const std::string& line) { return read_warp(kernel_of({line})).instructions.at(0); }

/// The addresses of all active lanes, in order.
std::vector<Address> addresses_of(const std::vector<WarpInstruction>& instructions) {
  std::vector<Address> addresses;
  for (const WarpInstruction& instruction : instructions)
    for (unsigned lane = 0; lane < lanes_in(instruction.active); ++lane) addresses.push_back(instruction.addresses[lane]);
  return addresses;
}

std::vector<Address> every(Address step, unsigned count, Address begin) {
  std::vector<Address> addresses(count, begin);
  for (unsigned i = 0; i < count; ++i) addresses[i] += step * i;
  return addresses;
}

/// Two CTAs of one cluster, each with this line.
std::string cluster_with(const std::string& line) {
  return text_of(header_6("(2,1,1)", "(32,1,1)"),
                 {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, {{line}}}, {{1, 0, 0}, {0, 0, 0}, {1, 0, 0}, 1, {{line}}}});
}

std::string warnings_of(const std::string& text) {
  WarningLog log;
  KernelReader kernel(LineSource::from_memory("kernel-1.traceg", text), log);
  std::string warnings;
  for (TracedCta cta; kernel.next_cta(cta);) {
  }
  for (const auto& [warning, count] : log.list()) warnings += warning + " x" + std::to_string(count) + "\n";
  return warnings;
}

}  // namespace

TEST_CASE("Version 6 names uniform and predicate registers, and nothing waits for them") {
  const WarpInstruction read = instruction_of("0010 ffffffff 3 P0 R7 UP1 ATOMG.E.ADD 6 R2 UR4 R3 P7 UP7 R4 4 1 0x1000 4 0 0 NoVal");
  CHECK(read.destination == 7);
  CHECK(read.sources == std::array<RegisterId, 4>{2, 3, 4, kNoRegister});
  CHECK(read_warp(kernel_of({"0010 ffffffff 1 R1 MOV 1 R2 0 0 0 NoVal"})).warnings.empty());
  CHECK_THAT(mistake_in(kernel_of({"0010 ffffffff 1 X1 MOV 0 0 0 0 NoVal"})).text(),
             Contains("expected R, UR, P or UP and a number up to 255"));
  CHECK_THAT(mistake_in(kernel_of({"0010 ffffffff 17 R1 MOV 0 0 0 0 NoVal"})).text(), Contains("expected 0 to 16"));
  CHECK_THAT(mistake_in(one_warp({"0010 ffffffff 1 UR1 MOV 0 0 0"})).text(), Contains("expected R0 to R255"));
}

TEST_CASE("Registers beyond one destination and four sources are left out with a counted warning") {
  const ReadWarp read = read_warp(kernel_of({"0010 ffffffff 2 R8 R9 IMAD 5 R1 R2 R3 R4 R5 0 0 0 NoVal"}));
  CHECK(read.instructions.at(0).destination == 8);
  CHECK(read.instructions.at(0).sources == std::array<RegisterId, 4>{1, 2, 3, 4});
  REQUIRE(read.warnings.size() == 1);
  CHECK_THAT(read.warnings[0].first, Contains("several destination or more than four source registers, the others are ignored"));
}

TEST_CASE("GMMA has a flag before its width in version 6") {
  CHECK(instruction_of("0010 ffffffff 1 R24 HGMMA.64x64x16.F32 2 R24 UR8 1 0 0 0 NoVal").unit == Unit::tensor);
  CHECK_THAT(mistake_in(kernel_of({"0010 ffffffff 1 R24 HGMMA.64x64x16 1 R24 2 0 0 0 NoVal"})).text(), Contains("the commit flag of GMMA"));
}

TEST_CASE("Behind the addresses come up to two immediates and the values of the registers") {
  const std::string load = "0010 00000003 1 R4 LDG.E 1 R2 4 2 0x1000 64", lanes = " 32" + [] {
    std::string values;
    for (unsigned lane = 0; lane < 32; ++lane) values += " ff" + std::to_string(lane);
    return values;
  }();
  for (const std::string& end : std::vector<std::string>{"", " 0", " 0 0", " 0x10 -3 NoVal", " 0 0 Val 1 7fb2c0000000" + lanes}) {
    CAPTURE(end);
    CHECK(addresses_of({instruction_of(load + end)}) == std::vector<Address>{0x1000, 0x1040});
  }
  const struct {
    const char *end, *text;
  } kBad[] = {{" 0 0 0", "what follows the immediates is missing or malformed, expected Val or NoVal"},
              {" 0 0 Nothing", "what follows the immediates is missing or malformed, expected Val or NoVal"},
              {" 0 0 NoVal 1 4", "text after the end of the instruction"},
              {" 0 0 Val 2 1 1", "the number of a register's values is missing or malformed, expected 1 or 32"},
              {" 0 0 Val 1", "a register's value is missing or malformed, expected hex digits"},
              {" 0 0 Val 32 1 2 3", "a register's value is missing or malformed, expected hex digits"}};
  for (const auto& bad : kBad) CHECK_THAT(mistake_in(kernel_of({load + bad.end})).text(), Contains(bad.text));
}

TEST_CASE("A list of differences that is one short is found where earlier lines have two immediates") {
  const std::string move = "0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal";
  CHECK_THAT(mistake_in(kernel_of({move, "0010 00000007 1 R4 LDG.E 1 R2 4 2 0x1000 64 0 0 NoVal"})).text(),
             Contains("the address list is shorter than the mask, or the immediate is missing"));
}

TEST_CASE("BAR names its barrier and how many threads meet there, in two immediates or in a register and one") {
  const struct {
    const char* line;
    BarrierUse use;
  } kForms[] = {{"0 BAR.SYNC.DEFER_BLOCKING 0 0 0 0 NoVal", {0, 0, false, false}},
                {"0 BAR.SYNC.DEFER_BLOCKING 0 0 3 256 NoVal", {3, 8, false, false}},
                {"0 BAR.ARV 0 0 15 1024 NoVal", {15, 32, true, false}},
                {"0 BAR.RED.POPC.DEFER_BLOCKING 1 P0 0 2 0 Val 1 1", {2, 0, false, false}},
                {"1 R4 BAR.SYNC.DEFER_BLOCKING 0 0 128 0 Val 1 5", {5, 4, false, false}},
                {"1 UR4 BAR.ARV 0 0 64 0 Val 1 0x1", {1, 2, true, false}},
                {"0 BAR.SYNC 0 0", {0, 0, false, false}}};
  for (const auto& form : kForms) {
    CAPTURE(form.line);
    const WarpInstruction read = instruction_of(std::string("0010 ffffffff ") + form.line);
    CHECK(read.unit == Unit::barrier);
    CHECK(read.destination == kNoRegister);
    CHECK(read.barrier.number == form.use.number);
    CHECK(read.barrier.warps == form.use.warps);
    CHECK(read.barrier.arrives_only == form.use.arrives_only);
    CHECK_FALSE(read.barrier.of_cluster);
  }
  // Each execution has its own number, and the instruction reads the register that holds it.
  const std::vector<WarpInstruction> two =
      read_warp(kernel_of({"0010 ffffffff 1 R4 BAR.SYNC 0 0 64 0 Val 1 5", "0010 ffffffff 1 R4 BAR.SYNC 0 0 64 0 Val 1 6"})).instructions;
  CHECK(two[0].barrier.number == 5);
  CHECK(two[1].barrier.number == 6);
  CHECK(two[0].sources[0] == 4);
}

TEST_CASE("Waits of a trace that are not modelled are counted warnings") {
  const struct {
    const char *line, *warning;
  } kWaits[] = {
      {"1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x400 0 0 0 Val 1 1 1 400 1 0", "'SYNCS.PHASECHK.TRANS64.TRYWAIT' does not wait"},
      {"0 UCGABAR_WAIT 0 0 0 0 NoVal", "'UCGABAR_WAIT' does not wait, because such barriers of traces are not modelled"},
      {"0 ARRIVES.LDGSTSBAR.64.ARVCNT 1 R2 8 1 0x400 0 0 0 NoVal", "'ARRIVES.LDGSTSBAR.64.ARVCNT' does not wait"},
      {"0 LDGSTS.E.BYPASS.128 2 R2 R4 16 1 0x1000 16 0 0 NoVal", "asynchronous copy 'LDGSTS.E.BYPASS.128', for whose data nothing waits"}};
  for (const auto& wait : kWaits) {
    const std::string line = std::string("0010 ffffffff ") + wait.line;
    const ReadWarp read = read_warp(kernel_of({line, line}));
    CAPTURE(line);
    REQUIRE(read.warnings.size() == 1);
    CHECK_THAT(read.warnings[0].first, Contains(wait.warning));
    CHECK(read.warnings[0].second == 2);
  }
  CHECK(read_warp(kernel_of({"0010 ffffffff 0 SYNCS.EXCH.64 2 UR4 UR6 8 1 0x400 0 0 0 Val 1 400 1 1ffffe",
                             "0020 ffffffff 0 DEPBAR.LE 0 0 0 0 NoVal"}))
            .warnings.empty());
}

TEST_CASE("A warp whose predicate does not hold takes no part in a barrier") {
  CHECK(instruction_of("0010 00000000 0 BAR.SYNC 0 0 1 64 NoVal").unit == Unit::alu);
}

TEST_CASE("A barrier that no GPU has is refused") {
  const auto mistake = [](const std::string& line) { return mistake_in(kernel_of({"0010 ffffffff " + line})).text(); };
  CHECK_THAT(mistake("0 BAR.SYNC 0 0 16 0 NoVal"), Contains("the number of the barrier is missing or malformed, expected 0 to 15"));
  CHECK_THAT(mistake("1 R4 BAR.SYNC 0 0 64 0 Val 1 10"), Contains("the number of the barrier"));
  CHECK_THAT(mistake("0 BAR.SYNC 0 0 1 100 NoVal"),
             Contains("the count of threads of the barrier is missing or malformed, expected a multiple of 32 up to 1024"));
  CHECK_THAT(mistake("0 BAR.SYNC 0 0 1 1056 NoVal"), Contains("the count of threads of the barrier"));
  CHECK_THAT(mistake("0 BAR.SYNC 0 0 -1 0 NoVal"), Contains("the number of the barrier"));
}

TEST_CASE("A bulk copy is accesses of up to 32 bytes from each of its addresses on, past the L1") {
  const ReadWarp read =
      read_warp(kernel_of({"0050 00000001 0 UTMALDG.2D.MULTICAST 2 UR8 UR4 16 0x400 1 0x3 4096 0 4 0x7fb2c0000000 2 4096 0 0 NoVal"}));
  REQUIRE(read.instructions.size() == 4096 / 32 / 32);
  for (const WarpInstruction& instruction : read.instructions) {
    CHECK(instruction.unit == Unit::load);
    CHECK(instruction.cache_op == CacheOp::bypass_l1);
    CHECK(instruction.access_bytes == 32);
    CHECK(instruction.active == kAllLanes);
    CHECK(instruction.destination == kNoRegister);
  }
  std::vector<Address> expected = every(32, 2048 / 32, 0x7fb2c0000000);
  const std::vector<Address> second = every(32, 2048 / 32, 0x7fb2c0001000);
  expected.insert(expected.end(), second.begin(), second.end());
  CHECK(addresses_of(read.instructions) == expected);
  REQUIRE(read.warnings.size() == 1);
  CHECK_THAT(read.warnings[0].first,
             Contains("bulk copy 'UTMALDG.2D.MULTICAST', taken as accesses of up to 32 bytes a lane, and nothing waits"));
}

TEST_CASE("Bytes of a bulk copy that are out of bounds are not accessed, and its accesses are aligned") {
  const auto read = [](const std::string& operands) {
    return read_warp(kernel_of({"0050 00000001 0 UBLKCP.G.S 2 UR8 UR4 16 0x400 0 " + operands + " 0 0 NoVal"})).instructions;
  };
  std::vector<WarpInstruction> three = read("512 128 3 3 0x10000 0x20000 0x30000");
  REQUIRE(three.size() == 1);
  CHECK(three[0].unit == Unit::store);
  CHECK(three[0].active == 0xfff);
  CHECK(addresses_of(three) ==
        std::vector<Address>{0x10000, 0x10020, 0x10040, 0x10060, 0x20000, 0x20020, 0x20040, 0x20060, 0x30000, 0x30020, 0x30040, 0x30060});
  std::vector<WarpInstruction> odd = read("48 0 3 1 0x10010");
  CHECK(odd.at(0).access_bytes == 16);
  CHECK(addresses_of(odd) == std::vector<Address>{0x10010, 0x10020, 0x10030});
}

TEST_CASE("A bulk copy without addresses or with an empty mask accesses nothing, and is counted") {
  for (const std::string& line : {std::string("0050 00000001 0 UTMALDG.2D 1 UR8 16 0x400 0 0 0 4 0x0 0 0 0 NoVal"),
                                  std::string("0050 00000001 0 UTMALDG.2D 1 UR8 16 0x400 0 64 64 3 1 0x1000 0 0 NoVal"),
                                  std::string("0050 00000000 0 UTMALDG.2D 1 UR8 16 0x400 0 64 0 3 1 0x1000 0 0 NoVal")}) {
    const ReadWarp read = read_warp(kernel_of({line}));
    CHECK(read.instructions.size() == 1);
    CHECK((read.instructions[0].active == 0 || read.instructions[0].unit == Unit::alu));
    CHECK(read.warnings.size() == 2);
  }
}

TEST_CASE("Each operand of a bulk copy must be well formed") {
  const struct {
    const char *operands, *text;
  } kBad[] = {{"zz", "the mbarrier address is missing"},
              {"0x400 2", "the multicast flag is missing or malformed, expected 0 or 1"},
              {"0x400 1 0x10000", "the mask of CTAs"},
              {"0x400 0 1048577", "the bytes of the bulk copy is missing or malformed, expected a number up to 1048576"},
              {"0x400 0 64 65", "the bytes out of bounds"},
              {"0x400 0 64 0 2", "the address mode of the bulk copy is missing or malformed, expected 3 (list) or 4"},
              {"0x400 0 64 0 3 65", "the number of addresses of the bulk copy"},
              {"0x400 0 64 0 3 2 0x1000", "an address of the bulk copy"},
              {"0x400 0 64 0 4 0x1000 2", "an address difference is missing"},
              {"0x400 0 64 0 3 1 0xffffffffffffffe0", "an address of the bulk copy"}};
  for (const auto& bad : kBad)
    CHECK_THAT(mistake_in(kernel_of({std::string("0050 00000001 0 UTMALDG 1 UR8 16 ") + bad.operands})).text(), Contains(bad.text));
}

TEST_CASE("A replay region is executed once, its marks are not instructions, and it is counted") {
  const ReadWarp read = read_warp(kernel_of({"0000 ffffffff 0 REPLAY_START 0 0 0 0 NoVal", "0010 ffffffff 0 NOP 0 0 0 0 NoVal",
                                             "0020 ffffffff 0 REPLAY_END 0 0 0 0 NoVal", "0030 ffffffff 0 EXIT 0 0 0 0 NoVal"}));
  REQUIRE(read.instructions.size() == 2);
  CHECK(read.instructions[0].pc == 0x10);
  CHECK(read.instructions[1].pc == 0x30);
  REQUIRE(read.warnings.size() == 1);
  CHECK_THAT(read.warnings[0].first, Contains("region between REPLAY_START and REPLAY_END, executed once as recorded"));
}

TEST_CASE("A kernel with clusters is warned of once, and one whose clusters have one CTA is not") {
  const std::string load = "0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0 0 NoVal";
  CHECK(warnings_of(kernel_of({load})).empty());
  CHECK(warnings_of(cluster_with(load)) ==
        "thread-block clusters are not modelled: their CTAs start one by one, and cluster barriers wait for nobody (first at "
        "kernel-1.traceg:35) x1\n");
}

TEST_CASE("An access to the shared memory of another CTA of the cluster is refused, and without a cluster is the own memory's") {
  for (const char* access : {"STAS 2 R2 R4 4 1 0x40 4", "REDAS.ADD 2 R2 R4 4 1 0x40 4", "UBLKCP.S.S 2 UR2 UR4 16 0x400 0 64 0 3 1 0x400",
                             "STS 2 R2 R4 4 1 0x1000040 4", "STS 2 R2 R4 4 1 0xffffc0 4", "ATOMS.ADD 2 R2 R4 4 1 0x1000040 0",
                             "ST.E 2 R2 R4 4 1 0x7f0001000040 4"}) {
    const std::string line = std::string("0010 ffffffff 0 ") + access + " 0 0 NoVal";
    CAPTURE(line);
    const TraceError refused = mistake_in(cluster_with(line));
    CHECK(refused.line() == kFirstLine);
    CHECK(refused.text() == "access to the shared memory of another CTA of the cluster, which is not modelled");
    CHECK_NOTHROW(warnings_of(kernel_of({line})));
  }
  for (const char* access : {"STS 2 R2 R4 4 1 0x40 4", "ST.E 2 R2 R4 4 1 0x7f0800000040 4", "STG.E 2 R2 R4 4 1 0x1000040 4"})
    CHECK_NOTHROW(warnings_of(cluster_with(std::string("0010 ffffffff 0 ") + access + " 0 0 NoVal")));
}

TEST_CASE("A CTA names its own shared memory by the window of its rank or by the first one") {
  const auto kernel = [](const std::string& access) {
    const std::string line = "0010 00000003 " + access + " 0 0 NoVal", other = "0010 ffffffff 0 EXIT 0 0 0 0 NoVal";
    return text_of(header_6("(2,1,1)", "(32,1,1)"),
                   {{{1, 0, 0}, {0, 0, 0}, {1, 0, 0}, 1, {{line}}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, {{other}}}});
  };
  for (const char* access : {"1 R2 LDS 1 R4 4 1 0x40 4", "1 R2 LDS 1 R4 4 1 0x1000040 4", "1 R2 LDS 1 R4 4 2 0x1000040 4",
                             "1 R2 LD.E 1 R4 4 2 0x7f0001000040 4"}) {
    CAPTURE(access);
    CHECK_NOTHROW(warnings_of(kernel(access)));
    const WarpInstruction read = read_warp(kernel(access)).instructions.at(0);
    CHECK(read.unit == Unit::shared);
    CHECK(read.addresses[0] == 0x40);
    CHECK(read.addresses[1] == 0x44);
  }
  for (const char* access : {"1 R2 LDS 1 R4 4 1 0x2000040 4", "1 R2 LD.E 1 R4 4 2 0x7f0000000040 4"})
    CHECK_THAT(mistake_in(kernel(access)).text(), Contains("access to the shared memory of another CTA of the cluster"));
}

TEST_CASE("The lines of a cluster must be complete and of at most 16 CTAs") {
  const std::string good = kernel_of({"0010 ffffffff 0 EXIT 0 0 0 0 NoVal"});
  const struct {
    const char *from, *to, *text;
  } kBad[] = {{"cluster id = 0,0,0", "cluster id = 0,0", "cluster coordinates '0,0' are not x,y,z"},
              {"cluster id = 0,0,0\n", "", "expected 'warp = w' or #END_TB, found 'cluster cta = 0,0,0'"},
              {"cluster cta = 0,0,0\n", "", "expected 'cluster cta = x,y,z', found 'cluster rank = 0'"},
              {"cluster cta = 0,0,0", "cluster cta = 16,0,0", "the place in the cluster '16,0,0' is not x,y,z of up to 15"},
              {"cluster rank = 0\n", "", "expected 'cluster rank = n', found 'warp = 0'"},
              {"cluster rank = 0", "cluster rank = 16", "cluster rank '16' is not 0 to 15"}};
  for (const auto& bad : kBad) CHECK(mistake_in(replaced(good, bad.from, bad.to)).text() == bad.text);
}
