// Opcodes to units, memories, sizes and cache operators.

#include <catch2/catch.hpp>
#include <string>

#include "stimuli/traces/opcode_table.h"

using namespace wharf;
using namespace wharf::traces;

namespace {

Opcode volta(const std::string& text) { return decode_opcode(text, 70); }

void check_unit(Unit unit, const std::vector<std::string>& opcodes, unsigned version = 70) {
  for (const std::string& text : opcodes) {
    CAPTURE(text);
    const Opcode opcode = decode_opcode(text, version);
    CHECK(opcode.unit == unit);
    CHECK(opcode.standing == Standing::known);
  }
}

}  // namespace

TEST_CASE("Volta opcodes go to the units of the public table") {
  check_unit(Unit::fp32,
             {"FADD", "FADD32I", "FCHK", "FFMA", "FFMA32I", "FMNMX", "FMUL", "FMUL32I", "FSEL", "FSET", "FSETP.GT.AND", "FSWZADD"});
  check_unit(Unit::fp32, {"HADD2", "HFMA2.MMA", "HMUL2", "HSET2", "HSETP2"});
  check_unit(Unit::sfu, {"MUFU.RCP", "MUFU.EX2"});
  check_unit(Unit::fp64, {"DADD", "DMUL", "DFMA", "DSETP.GT.AND", "DMNMX"});
  check_unit(Unit::tensor, {"HMMA.884.F32.F32.STEP0", "IMMA.8816.S8.S8"});
  check_unit(Unit::branch, {"BRA", "BRX", "JMP", "JMX", "BSSY", "BSYNC", "CALL.REL.NOINC", "RET.REL.NODEC", "BREAK", "WARPSYNC", "YIELD"});
  check_unit(Unit::exit, {"EXIT"});
  check_unit(Unit::barrier, {"BAR.SYNC", "BAR.RED.POPC"});
  check_unit(Unit::alu,
             {"IADD3.X", "LOP3.LUT", "ISETP.GE.AND", "MOV", "SHF.L.U32", "S2R", "LEA.HI.X.SX32", "SEL", "PRMT", "I2I", "P2R", "R2P"});
  check_unit(Unit::imad, {"IMAD.WIDE.U32", "IMAD.MOV.U32", "IDP.4A.S8.S8", "IMUL"});
  check_unit(Unit::conversion, {"I2F.U32.RP", "F2I.FTZ.U32.TRUNC.NTZ", "F2F.F64.F32", "FRND", "POPC", "FLO.U32", "BREV"});
  check_unit(Unit::fence, {"MEMBAR.SC.GPU", "MEMBAR.ALL.SYS", "MEMBAR.GL"});  // CM-30
  check_unit(Unit::alu, {"MEMBAR.SC.CTA", "MEMBAR.CTA", "DEPBAR.LE", "NOP", "CS2R", "VOTE.ANY", "LDC.64", "CCTL.IVALL"});
  check_unit(Unit::shuffle, {"SHFL.IDX", "SHFL.BFLY"});
  check_unit(Unit::load, {"LDG.E.SYS", "LD.E", "LDL"});
  check_unit(Unit::store, {"STG.E.SYS", "ST.E", "STL"});
  check_unit(Unit::atomic, {"ATOMG.E.ADD.STRONG.GPU", "ATOM.E.CAS", "RED.E.ADD.STRONG.GPU"});
  check_unit(Unit::shared, {"LDS.U.64", "STS.128"});
  check_unit(Unit::shared_atomic, {"ATOMS.ADD", "ATOMS.CAS.64"});
  check_unit(Unit::texture, {"TEX.SCR.LL", "TLD.LZ", "SULD.D.BA.2D"});
}

TEST_CASE("Younger families know the opcodes they brought and those before") {
  check_unit(Unit::alu, {"UMOV", "R2UR", "ULDC.64", "IADD3"}, 75);
  check_unit(Unit::shared, {"LDSM.16.M88.4"}, 75);
  check_unit(Unit::tensor, {"HMMA.16816.F32", "DMMA.884", "BMMA.168256"}, 80);
  check_unit(Unit::load, {"LDGSTS.E.BYPASS.128"}, 86);
  check_unit(Unit::alu, {"LDGDEPBAR", "DEPBAR.LE"}, 89);
  check_unit(Unit::tensor, {"HGMMA.64x256x16.F32", "HMMA.16816.F32"}, 90);
  check_unit(Unit::imad, {"XMAD.MRG"}, 61);
  check_unit(Unit::alu, {"IADD"}, 61);
  check_unit(Unit::branch, {"SSY", "SYNC"}, 35);
}

TEST_CASE("A family's opcode is of another family elsewhere but keeps its meaning, and a word is none") {
  CHECK(volta("LDGSTS.E").standing == Standing::of_another_family);
  CHECK(volta("LDGSTS.E").memory == Memory::async_copy);
  CHECK(decode_opcode("HGMMA", 80).standing == Standing::of_another_family);
  CHECK(decode_opcode("HGMMA", 80).unit == Unit::tensor);
  CHECK(volta("FROBNICATE.X").standing == Standing::unknown);
  CHECK(volta("FROBNICATE.X").unit == Unit::alu);
  CHECK(volta("LDGX").standing == Standing::unknown);
}

TEST_CASE("A binary version beyond the newest table uses that table") {
  CHECK(newest_binary_version() == 121);
  CHECK(decode_opcode("UTCHMMA", 130).standing == Standing::known);
  CHECK(decode_opcode("LDG.E.64", 130).access_bytes == 8);
}

TEST_CASE("The memory opcodes of Hopper go to their units and memories") {
  const auto is = [](const std::string& text, Unit unit, Memory memory) {
    for (const unsigned version : {90u, 100u, 103u, 120u}) {
      CAPTURE(text, version);
      const Opcode opcode = decode_opcode(text, version);
      CHECK(opcode.standing == Standing::known);
      CHECK(opcode.unit == unit);
      CHECK(opcode.memory == memory);
    }
  };
  is("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", Unit::atomic, Memory::global);
  is("LDGMC.E.ADD.F32.RN.STRONG.SYS", Unit::load, Memory::global);
  is("STAS.64", Unit::shared, Memory::shared);
  is("REDAS.ADD", Unit::shared_atomic, Memory::shared);
  is("STSM.16.M88.4", Unit::shared, Memory::shared);
  is("UTMALDG.2D", Unit::load, Memory::async_copy);
  is("UTMASTG.2D", Unit::store, Memory::global);
  is("UTMAREDG.2D.ADD", Unit::atomic, Memory::global);
  is("UTMAPF.L2.2D", Unit::load, Memory::async_copy);
  is("UBLKPF.L2", Unit::load, Memory::async_copy);
}

TEST_CASE("Products of the fifth generation of tensor cores take the unit's rate, known or not, and its other instructions the ALU's") {
  for (const unsigned version : {100u, 103u, 120u}) {
    check_unit(Unit::tensor, {"UTCHMMA", "UTCIMMA.2CTA", "UTCQMMA.WS", "UTCOMMA.BLOCK16"}, version);
    CHECK(decode_opcode("UTCHMMA.2CTA", version).unit_cycles == 0);
    check_unit(Unit::alu, {"UTCBAR", "UTCCP.T.S.128dp128bit", "UTCSHIFT", "UTCATOMSWS.AND"}, version);
    CHECK(decode_opcode("UTCXMMA.2CTA", version).unit == Unit::tensor);
    CHECK(decode_opcode("UTCXMMA.2CTA", version).standing == Standing::unknown);
    CHECK(decode_opcode("UXCXMMA", version).unit == Unit::alu);
  }
}

TEST_CASE("A bulk copy goes from its second memory to its first, around the L1") {
  const auto copy = [](const std::string& text) { return decode_opcode(text, 90); };
  CHECK(copy("UBLKCP.S.G").unit == Unit::load);
  CHECK(copy("UBLKCP.S.G").memory == Memory::async_copy);
  CHECK(copy("UBLKCP.S.G").cache_op == CacheOp::bypass_l1);
  CHECK(copy("UBLKCP.G.S").unit == Unit::store);
  CHECK(copy("UBLKCP.G.S").memory == Memory::global);
  CHECK(copy("UBLKCP.S.S").unit == Unit::shared);
  CHECK(copy("UBLKCP.S.S").cache_op == CacheOp::all);
  CHECK(copy("UBLKRED.G.S.ADD").unit == Unit::atomic);
  CHECK(copy("UBLKRED.S.S.ADD").unit == Unit::shared);
  CHECK(copy("UBLKCP.S.G").is_bulk);
  CHECK_FALSE(copy("LDGSTS.E.128").is_bulk);
}

TEST_CASE("Blackwell has opcodes of its own, and its tensor memory is none of the hierarchy") {
  check_unit(Unit::tensor, {"UTCHMMA.2CTA", "UTCQMMA", "OMMA.SF.16864", "QMMA.16832"}, 100);
  check_unit(Unit::alu, {"LDTM.x32", "STTM.x16", "UTCCP.T.S", "LDCU.64", "CREDUX.MAX", "LDT", "STT"}, 100);
  check_unit(Unit::fp32, {"FFMA2", "FADD2", "FMUL2"}, 100);
  check_unit(Unit::atomic, {"UREDGR.E.ADD", "REDG.E.ADD"}, 120);
  check_unit(Unit::store, {"USTGR.E.64"}, 103);
  check_unit(Unit::shared, {"UMEMSETS"}, 100);
  check_unit(Unit::shared_atomic, {"REDS.ADD"}, 120);
  CHECK(decode_opcode("LDTM.x32", 100).memory == Memory::none);
  CHECK(decode_opcode("LDTM.x32", 90).standing == Standing::of_another_family);
  CHECK(decode_opcode("LDG.E.ENL2.256", 100).access_bytes == 32);
}

TEST_CASE("An unknown opcode with addresses is a load where it has a destination, else a store, of the memory that it spells") {
  const auto is = [](const std::string& text, bool has_destination, Unit unit, Memory memory) {
    CAPTURE(text, has_destination);
    const Opcode opcode = access_of_unknown(text, has_destination, 4);
    CHECK(opcode.standing == Standing::unknown);
    CHECK(opcode.unit == unit);
    CHECK(opcode.memory == memory);
  };
  is("LDGX.E", true, Unit::load, Memory::global);
  is("STGX.E", false, Unit::store, Memory::global);
  is("REDGX.E.ADD", false, Unit::store, Memory::global);
  is("ATOMGX.E.ADD", true, Unit::load, Memory::global);
  is("ULDGX", true, Unit::load, Memory::global);
  is("LDLX", true, Unit::load, Memory::local);
  is("STLX", false, Unit::store, Memory::local);
  is("LDSX", true, Unit::shared, Memory::shared);
  is("STSX.64", false, Unit::shared, Memory::shared);
  is("ATOMSX", true, Unit::shared, Memory::shared);
  is("LDX.E", true, Unit::load, Memory::generic);
  is("FROB", false, Unit::store, Memory::generic);
  is("U", false, Unit::store, Memory::generic);
}

TEST_CASE("The size of an unknown access is its suffix's, else the width's where a lane can have that, else four bytes") {
  const auto bytes = [](const std::string& text, std::uint64_t width) { return int{access_of_unknown(text, true, width).access_bytes}; };
  CHECK(bytes("LDGX.E.128", 4) == 16);
  CHECK(bytes("LDGX.E", 8) == 8);
  CHECK(bytes("LDGX.E", 32) == 32);
  CHECK(bytes("LDGX.E", 12) == 4);
  CHECK(bytes("LDGX.E", 512) == 4);
  CHECK(access_of_unknown("LDGX.E.STRONG.GPU", true, 4).cache_op == CacheOp::bypass_l1);
  CHECK(access_of_unknown("LDGX.E", true, 4).cache_op == CacheOp::all);
}

TEST_CASE("The access size is the opcode's suffix, else four bytes") {
  CHECK(volta("LDG.E.SYS").access_bytes == 4);
  CHECK(volta("LDG.E.U8.SYS").access_bytes == 1);
  CHECK(volta("LDG.E.S8.SYS").access_bytes == 1);
  CHECK(volta("STG.E.U16.SYS").access_bytes == 2);
  CHECK(volta("LDS.S16").access_bytes == 2);
  CHECK(volta("LDG.E.64.STRONG.GPU").access_bytes == 8);
  CHECK(volta("LDG.E.128.SYS").access_bytes == 16);
  CHECK(volta("RED.E.ADD.F64.RN.STRONG.GPU").access_bytes == 8);
  CHECK(decode_opcode("LDG.E.LTC128B.64", 80).access_bytes == 8);
  CHECK(volta("DADD.64").access_bytes == 4);  // no memory, no size
}

TEST_CASE("EF and LU are evict-first for L2, EL is evict-last, and NA concerns the L1 alone (LR-2)") {
  CHECK(decode_opcode("LDG.E.EF.128", 80).eviction == Eviction::first);
  CHECK(decode_opcode("LDG.E.LU", 80).eviction == Eviction::first);
  CHECK(decode_opcode("STG.E.EF.64", 80).eviction == Eviction::first);
  CHECK(decode_opcode("LDG.E.EL.CONSTANT", 80).eviction == Eviction::last);
  CHECK(decode_opcode("LDG.E.NA", 80).eviction == Eviction::unhinted);
  CHECK(decode_opcode("LDG.E.SYS", 70).eviction == Eviction::unhinted);
}

TEST_CASE("Strong loads beyond the SM and all global atomics bypass the L1, a plain SYS load does not") {
  CHECK(volta("LDG.E.SYS").cache_op == CacheOp::all);
  CHECK(volta("LDG.E").cache_op == CacheOp::all);
  CHECK(volta("LDG.E.STRONG.SM").cache_op == CacheOp::all);
  CHECK(volta("LDG.E.STRONG.GPU").cache_op == CacheOp::bypass_l1);
  CHECK(volta("LDG.E.STRONG.SYS").cache_op == CacheOp::bypass_l1);
  CHECK(volta("LD.E.STRONG.GPU").cache_op == CacheOp::bypass_l1);
  CHECK(volta("STG.E.STRONG.GPU").cache_op == CacheOp::all);
  CHECK(volta("ATOMG.E.ADD").cache_op == CacheOp::bypass_l1);
  CHECK(volta("RED.E.ADD.STRONG.SM").cache_op == CacheOp::bypass_l1);
  CHECK(volta("ATOMS.ADD").cache_op == CacheOp::all);
  CHECK(volta("LDL").cache_op == CacheOp::all);
}
