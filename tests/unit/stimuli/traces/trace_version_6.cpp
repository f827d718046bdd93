// Instruction lines of tracer version 6: registers, bulk copies, values; and clusters (MG-18).

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/stimuli/traces/trace_samples_6.h"

using namespace wharf;
using namespace wharf::traces;
using Catch::Contains;

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
  // Its shape says how long the tensor cores work.
  for (const auto& [shape, cycles] :
       {std::pair{"64x256x16", 128}, {"64x128x16", 64}, {"64x64x32", 32}, {"64x32x16", 24}, {"64x16x16", 20}, {"64x8x16", 18}})
    CHECK(instruction_of(std::string("0010 ffffffff 1 R24 HGMMA.") + shape + ".F32 2 R24 UR8 1 0 0 0 NoVal").unit_cycles == cycles);
  CHECK(instruction_of("0010 ffffffff 1 R24 QGMMA.F32 2 R24 UR8 1 0 0 0 NoVal").unit_cycles == 0);
  CHECK(instruction_of("0010 ffffffff 1 R24 HMMA.16816.F32 2 R24 R8 0 0 0 NoVal").unit_cycles == 0);
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

TEST_CASE("A bulk copy to shared memory is one instruction for rows at one distance") {
  const auto copies_in = [](const std::string& operands) {
    std::vector<BulkCopy> copies;
    const ReadWarp read = read_warp(kernel_of({"0050 ffffffff 0 UTMALDG.2D 2 UR8 UR4 16 0x408 0 " + operands + " 0 0 NoVal"}));
    CHECK(read.warnings.empty());
    for (const WarpInstruction& instruction : read.instructions) {
      CHECK(mbarrier_of(instruction).op == MbarrierOp::copy);
      copies.push_back(BulkCopy::of(instruction));
      CHECK(copies.back().mbarrier == 0x408);
      CHECK(copies.back().ranks == 1);
    }
    return copies;
  };
  // A tile of 4 rows of 128 B, 8 KiB apart.
  const std::vector<BulkCopy> tile = copies_in("512 0 4 0x7fb2c0000000 4 8192 8192 8192");
  REQUIRE(tile.size() == 1);
  CHECK(tile[0].from == 0x7fb2c0000000);
  CHECK(tile[0].rows == 4);
  CHECK(tile[0].row_bytes == 128);
  CHECK(tile[0].row_stride == 8192);
  CHECK(tile[0].filled == 0);
  // Rows behind each other are one.
  const std::vector<BulkCopy> whole = copies_in("4096 0 4 0x7fb2c0000000 2 2048");
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].rows == 1);
  CHECK(whole[0].row_bytes == 4096);
  // Two planes of two rows, and bytes out of bounds, which are written all the same.
  const std::vector<BulkCopy> planes = copies_in("320 64 3 4 0x10000 0x10100 0x20000 0x20100");
  REQUIRE(planes.size() == 2);
  CHECK(planes[1].from == 0x20000);
  CHECK(planes[0].to == 0);
  CHECK(planes[1].to == 128);
  CHECK(planes[1].row_stride == 0x100);
  CHECK(planes[0].filled + planes[1].filled == 64);
  CHECK(planes[0].bytes() + planes[1].bytes() == 320);
  const std::vector<BulkCopy> outside = copies_in("64 64 3 1 0x1000");
  REQUIRE(outside.size() == 1);
  CHECK(outside[0].read() == 0);
  CHECK(outside[0].filled == 64);
}

TEST_CASE("A bulk copy goes to the CTAs of its mask, or to that of its mbarrier's address") {
  const auto ranks_of = [](const std::string& operands) {
    const OfRank1 read = of_rank_1("0050 00000001 0 UBLKCP.S.G 2 UR8 UR4 16 " + operands + " 64 0 3 1 0x1000 0 0 NoVal");
    CHECK(read.needs_cluster);
    CHECK(mbarrier_of(read.instructions.at(0)).at == 0x400);
    return BulkCopy::of(read.instructions[0]).ranks;
  };
  CHECK(ranks_of("0x400 1 0x3") == 0b11);
  CHECK(ranks_of("0x400 1 0x1") == 0b01);
  CHECK(ranks_of("0x400 0") == 0b10);
  CHECK(ranks_of("0x1000400 0") == 0b10);
  CHECK(mistake_in(cluster_with("0050 00000001 0 UBLKCP.S.G 2 UR8 UR4 16 0x400 1 0x4 64 0 3 1 0x1000 0 0 NoVal")).text() ==
        "rank 2 in a cluster of 2 CTAs");
}

TEST_CASE("A bulk operation that is no copy to shared memory is accesses of up to 32 bytes from each of its addresses on, past the L1") {
  const ReadWarp read = read_warp(kernel_of({"0050 00000001 0 UTMAPF.2D 2 UR8 UR4 16 0x0 0 4096 0 4 0x7fb2c0000000 2 4096 0 0 NoVal"}));
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
  CHECK_THAT(read.warnings[0].first, Contains("bulk operation 'UTMAPF.2D', taken as accesses of up to 32 bytes a lane, and nothing waits"));
}

TEST_CASE("Bytes of a bulk operation that are out of bounds are not accessed, and its accesses are aligned") {
  const auto read = [](const std::string& operands) {
    return read_warp(kernel_of({"0050 00000001 0 UBLKPF.L2 2 UR8 UR4 16 0x400 0 " + operands + " 0 0 NoVal"})).instructions;
  };
  std::vector<WarpInstruction> three = read("512 128 3 3 0x10000 0x20000 0x30000");
  REQUIRE(three.size() == 1);
  CHECK(three[0].unit == Unit::load);
  CHECK(three[0].active == 0xfff);
  CHECK(addresses_of(three) ==
        std::vector<Address>{0x10000, 0x10020, 0x10040, 0x10060, 0x20000, 0x20020, 0x20040, 0x20060, 0x30000, 0x30020, 0x30040, 0x30060});
  std::vector<WarpInstruction> odd = read("48 0 3 1 0x10010");
  CHECK(odd.at(0).access_bytes == 16);
  CHECK(addresses_of(odd) == std::vector<Address>{0x10010, 0x10020, 0x10030});
}

TEST_CASE("A bulk store or reduction is a copy of rows to global memory, without what is out of bounds") {
  const auto copies_in = [](const std::string& opcode, const std::string& operands) {
    std::vector<BulkCopy> copies;
    const ReadWarp read = read_warp(kernel_of({"0050 00000001 0 " + opcode + " 2 UR8 UR4 16 0x0 0 " + operands + " 0 0 NoVal"}));
    CHECK(read.warnings.empty());
    for (const WarpInstruction& instruction : read.instructions) {
      CHECK(mbarrier_of(instruction).op == MbarrierOp::copy);
      copies.push_back(BulkCopy::of(instruction));
      CHECK(copies.back().ranks == 0);
      CHECK(copies.back().filled == 0);
    }
    return copies;
  };
  const std::vector<BulkCopy> rows = copies_in("UTMASTG.2D", "512 128 3 3 0x10000 0x20000 0x30000");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].direction == BulkCopy::Direction::to_global);
  CHECK(rows[0].from == 0);
  CHECK(rows[0].to == 0x10000);
  CHECK(rows[0].rows == 3);
  CHECK(rows[0].row_bytes == 128);
  CHECK(rows[0].row_stride == 0x10000);
  const std::vector<BulkCopy> planes = copies_in("UBLKCP.G.S", "256 0 3 4 0x10000 0x10100 0x20000 0x20100");
  REQUIRE(planes.size() == 2);
  CHECK(planes[1].from == 128);
  CHECK(planes[1].to == 0x20000);
  for (const char* opcode : {"UTMAREDG.2D.ADD", "UBLKRED.G.S.ADD"})
    CHECK(copies_in(opcode, "32 0 3 1 0x1000").at(0).direction == BulkCopy::Direction::reduce_in_global);
}

TEST_CASE("A bulk copy between shared memories goes to the CTA of its mbarrier's address, which has the rank") {
  for (const unsigned rank : {0u, 1u}) {
    const OfRank1 read = of_rank_1("0050 00000001 0 UBLKCP.S.S 2 UR8 UR4 16 0x" + std::to_string(rank) + "000400 0 96 0 3 0 0 0 NoVal");
    const BulkCopy copy = BulkCopy::of(read.instructions.at(0));
    CHECK(copy.direction == BulkCopy::Direction::between_shared);
    CHECK(copy.ranks == 1u << rank);
    CHECK(copy.mbarrier == 0x400);
    CHECK(copy.bytes() == 96);
    CHECK(read.needs_cluster);
  }
  CHECK(mistake_in(cluster_with("0050 00000001 0 UBLKCP.S.S 2 UR8 UR4 16 0x2000400 0 64 0 3 0 0 0 NoVal")).text() ==
        "rank 2 in a cluster of 2 CTAs");
}

TEST_CASE("A bulk operation without bytes or addresses or with an empty mask accesses nothing, and is counted") {
  const struct {
    const char* line;
    std::size_t warnings;  // of a prefetch two, of which one is of the bulk operation
  } kNothing[] = {{"0050 00000001 0 UTMALDG.2D 1 UR8 16 0x400 0 0 0 4 0x0 0 0 0 NoVal", 1},
                  {"0050 00000001 0 UTMASTG.2D 1 UR8 16 0x400 0 64 64 3 1 0x1000 0 0 NoVal", 1},
                  {"0050 00000001 0 UTMAPF.2D 1 UR8 16 0x400 0 64 64 3 1 0x1000 0 0 NoVal", 2},
                  {"0050 00000000 0 UTMALDG.2D 1 UR8 16 0x400 0 64 0 3 1 0x1000 0 0 NoVal", 1}};
  for (const auto& nothing : kNothing) {
    const ReadWarp read = read_warp(kernel_of({nothing.line}));
    CAPTURE(nothing.line);
    CHECK(read.instructions.size() == 1);
    CHECK((read.instructions[0].active == 0 || read.instructions[0].unit == Unit::alu));
    CHECK(read.warnings.size() == nothing.warnings);
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

TEST_CASE("An access to the shared memory of another CTA of the cluster names that CTA, and without a cluster is the own memory's") {
  const struct {
    const char* access;
    Unit unit;
    Address first;
  } kPeers[] = {{"0 STS 2 R2 R4 4 1 0x2000040 4", Unit::shared, 0},  // of no rank
                {"1 R2 LDS 1 R4 4 1 0x40 4", Unit::shared, 0},       // the own
                {"1 R2 LD.E 1 R4 4 1 0x7f0000000040 4", Unit::shared, cluster_address(0, 0x40)},
                {"0 ST.E 2 R2 R4 4 1 0x7f0000000040 4", Unit::shared, cluster_address(0, 0x40)},
                {"1 R2 ATOM.E.ADD 2 R2 R4 4 1 0x7f0000000040 4", Unit::shared_atomic, cluster_address(0, 0x40)}};
  for (const auto& peer : kPeers) {
    CAPTURE(peer.access);
    const std::string line = std::string("0010 00000003 ") + peer.access + " 0 0 NoVal";
    const OfRank1 read = of_rank_1(line);
    CHECK(read.instructions.at(0).unit == peer.unit);
    const bool leaves = std::string(peer.access).find("0x7f") != std::string::npos;
    CHECK(read.needs_cluster == leaves);
    CHECK((read.instructions[0].space == Space::cluster) == leaves);
    if (leaves) CHECK(read.instructions[0].addresses[0] == peer.first);
    if (leaves) CHECK(read.instructions[0].addresses[1] == peer.first + 4);
    CHECK(warnings_of(kernel_of({line})).empty());
  }
  // Lanes may name several CTAs, the own one too.
  const OfRank1 both = of_rank_1("0010 00000007 1 R2 LD.E 1 R4 4 0 0x7f0001000040 0x7f0000000080 0x7f0001000044 0 0 NoVal");
  CHECK(both.instructions.at(0).space == Space::cluster);
  CHECK(both.instructions[0].addresses[0] == cluster_address(1, 0x40));
  CHECK(both.instructions[0].addresses[1] == cluster_address(0, 0x80));
  CHECK(both.instructions[0].addresses[2] == cluster_address(1, 0x44));
}

TEST_CASE("An asynchronous store names its mbarrier in the upper half of its address, and lanes of one mbarrier are one instruction") {
  // Lanes 0 and 2 count at 0x80, lane 1 at 0x88, all in the CTA of rank 0.
  const OfRank1 read = of_rank_1("0010 00000007 0 STAS.64 2 R2 R4 8 0 0x8000000040 0x8800000048 0x8000000050 0 0 NoVal");
  REQUIRE(read.instructions.size() == 2);
  CHECK(read.needs_cluster);
  for (const WarpInstruction& store : read.instructions) {
    CHECK(store.unit == Unit::shared);
    CHECK(store.space == Space::cluster);
    CHECK(store.access_bytes == 8);
    CHECK(store.destination == kNoRegister);
  }
  CHECK(read.instructions[0].mbarrier == 0x80);
  CHECK(read.instructions[0].active == 0b101);
  CHECK(read.instructions[0].addresses[0] == cluster_address(0, 0x40));
  CHECK(read.instructions[0].addresses[2] == cluster_address(0, 0x50));
  CHECK(read.instructions[1].mbarrier == 0x88);
  CHECK(read.instructions[1].addresses[1] == cluster_address(0, 0x48));
  const OfRank1 own = of_rank_1("0010 ffffffff 0 REDAS.ADD 2 R2 R4 4 1 0x0100008001000040 4 0 0 NoVal");
  CHECK(own.instructions.at(0).unit == Unit::shared_atomic);
  CHECK(own.instructions[0].mbarrier == 0x80);
  CHECK(own.instructions[0].addresses[31] == cluster_address(1, 0x40 + 31 * 4));
  // A store that no mbarrier counts follows without one.
  const OfRank1 plain = of_rank_1("0010 00000001 0 ST.E 2 R2 R4 4 1 0x7f0000000040 4 0 0 NoVal");
  CHECK(plain.instructions.at(0).mbarrier == kNoMbarrier);
  // Alone, the CTA is the one of rank 0.
  CHECK(instruction_of("0010 00000001 0 STAS 2 R2 R4 4 1 0x8000000040 4 0 0 NoVal").mbarrier == 0x80);
}

TEST_CASE("An asynchronous store whose mbarrier is elsewhere, or to no CTA of the cluster, is refused") {
  const auto text_of_mistake = [](const std::string& address) {
    return mistake_in(cluster_with("0010 00000001 0 STAS 2 R2 R4 4 1 " + address + " 4 0 0 NoVal")).text();
  };
  CHECK(text_of_mistake("0x0100008000000040") == "an asynchronous store to the CTA of rank 0, whose mbarrier is in that of rank 1");
  CHECK(text_of_mistake("0x0200008002000040") == "rank 2 in a cluster of 2 CTAs");
}

TEST_CASE("UTCBAR arrives once at the mbarrier of its line, which must be a single one") {
  const MbarrierUse use = mbarrier_of(instruction_of("0010 00000001 0 UTCBAR 1 UR4 8 1 0x80 0 0 0 NoVal"));
  CHECK(use.op == MbarrierOp::arrive);
  CHECK(use.at == cluster_address(0, 0x80));
  CHECK(use.value == 1);
  CHECK(use.bytes == 0);
  CHECK(mistake_in(kernel_of({"0010 00000001 0 UTCBAR.2CTA.MULTICAST 2 UR4 UR6 8 1 0x80 0 0 0 NoVal"})).text() ==
        "an arrival at the mbarriers of several CTAs, which the line does not name");
  CHECK(mistake_in(kernel_of({"0010 00000001 0 UTCBAR 1 UR4 0 0 0 NoVal"})).text() == "an instruction for an mbarrier has no address");
}

TEST_CASE("Unknown instructions of the tensor cores are theirs, with a warning") {
  const std::string line = "0010 00000001 0 UTCXMMA.2CTA 2 UR4 UR6 8 1 0x80 0 0 0 NoVal";
  CHECK(instruction_of(line).unit == Unit::tensor);
  CHECK(warnings_of(kernel_of({line})).find("unknown opcode 'UTCXMMA.2CTA', taken as a tensor instruction") != std::string::npos);
}

TEST_CASE("An asynchronous access to another CTA without its mbarrier is refused, and without a cluster is the own memory's") {
  for (const char* access : {"STAS 2 R2 R4 4 1 0x40 4", "REDAS.ADD 2 R2 R4 4 1 0x40 4", "UBLKCP.S.S 2 UR2 UR4 0"}) {
    const std::string line = std::string("0010 ffffffff 0 ") + access + " 0 0 NoVal";
    CAPTURE(line);
    const TraceError refused = mistake_in(cluster_with(line));
    CHECK(refused.line() == kFirstLine + 1);
    CHECK(refused.text() ==
          "asynchronous access to the shared memory of another CTA of the cluster, without the mbarrier that counts its bytes");
    CHECK_NOTHROW(warnings_of(kernel_of({line})));
  }
}

TEST_CASE("A CTA names its own shared memory by the window of its rank or by the first one") {
  for (const char* access : {"1 R2 LDS 1 R4 4 1 0x40 4", "1 R2 LDS 1 R4 4 1 0x1000040 4", "1 R2 LDS 1 R4 4 2 0x1000040 4",
                             "1 R2 LD.E 1 R4 4 2 0x7f0001000040 4"}) {
    CAPTURE(access);
    const OfRank1 read = of_rank_1(std::string("0010 00000003 ") + access + " 0 0 NoVal");
    CHECK_FALSE(read.needs_cluster);
    CHECK(read.instructions.at(0).unit == Unit::shared);
    CHECK(read.instructions[0].space == Space::global);
    CHECK(read.instructions[0].addresses[0] == 0x40);
    CHECK(read.instructions[0].addresses[1] == 0x44);
  }
}

TEST_CASE("The lines of a cluster must be complete and of at most 16 CTAs") {
  const std::string good = kernel_of({"0010 ffffffff 0 EXIT 0 0 0 0 NoVal"});
  const struct {
    const char *from, *to, *text;
  } kBad[] = {{"cluster id = 0,0,0", "cluster id = 0,0", "cluster coordinates '0,0' are not x,y,z"},
              {"cluster id = 0,0,0\n", "", "expected 'warp = w' or #END_TB, found 'cluster cta = 0,0,0'"},
              {"cluster cta = 0,0,0\n", "", "expected 'cluster cta = x,y,z', found 'cluster rank = 0'"},
              {"cluster cta = 0,0,0", "cluster cta = 0,x,0", "the place in the cluster '0,x,0' is not x,y,z"},
              {"cluster cta = 0,0,0", "cluster cta = 1,0,0",
               "the cluster of the CTA is not the one of its place in the grid, with clusters of 1,1,1 CTAs"},
              {"cluster id = 0,0,0", "cluster id = 0,1,0",
               "the cluster of the CTA is not the one of its place in the grid, with clusters of 1,1,1 CTAs"},
              {"cluster rank = 0", "cluster rank = 1",
               "the cluster of the CTA is not the one of its place in the grid, with clusters of 1,1,1 CTAs"},
              {"cluster rank = 0\n", "", "expected 'cluster rank = n', found 'warp = 0'"},
              {"cluster rank = 0", "cluster rank = 16", "cluster rank '16' is not 0 to 15"}};
  for (const auto& bad : kBad) CHECK(mistake_in(replaced(good, bad.from, bad.to)).text() == bad.text);
}
