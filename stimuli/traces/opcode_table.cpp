#include "stimuli/traces/opcode_table.h"

#include <algorithm>
#include <array>

namespace wharf::traces {

namespace {

struct Row {
  Unit unit;
  Memory memory;
  std::string_view names;  // separated by blanks
};

// The opcodes of all families.
constexpr Row kCommon[] = {
    {Unit::fp32, Memory::none, "FADD FADD32I FCHK FCMP FFMA FFMA32I FMNMX FMUL FMUL32I FSEL FSET FSETP FSWZ FSWZADD"},
    {Unit::fp32, Memory::none, "HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HSET2 HSETP2"},
    {Unit::fp64, Memory::none, "DADD DFMA DMNMX DMUL DSET DSETP"},
    {Unit::sfu, Memory::none, "MUFU"},
    {Unit::alu, Memory::none, "BFE BFI BMSK BREV FLO IABS IADD IADD3 IADD32I ICMP IDP IDP4A IMAD IMADSP IMNMX IMUL IMUL32I ISCADD"},
    {Unit::alu, Memory::none, "ISCADD32I ISET ISETP LEA LOP LOP3 LOP32I POPC SHF SHL SHR VABSDIFF VABSDIFF4 XMAD"},
    {Unit::alu, Memory::none, "F2F F2I F2IP FRND I2F I2I I2IP"},
    {Unit::alu, Memory::none, "MOV MOV32I PRMT SEL SGXT SHFL"},
    {Unit::alu, Memory::none, "CSET CSETP PLOP3 PSET PSETP P2R R2P"},
    {Unit::alu, Memory::none, "B2R CS2R CSMTEST GETLMEMBASE LEPC NOP PMTRIG R2B S2R SETCTAID SETLMEMBASE VOTE VOTE_ALL MATCH QSPC"},
    {Unit::alu, Memory::none, "CCTL CCTLL CCTLT DEPBAR ERRBAR MEMBAR"},
    {Unit::alu, Memory::none, "LDC"},  // the constant cache is modelled as perfect
    {Unit::branch, Memory::none, "BPT BRA BREAK BRK BRX BSSY BSYNC CAL CALL CONT JCAL JMP JMX KILL LONGJMP NANOSLEEP PBK PCNT PEXIT"},
    {Unit::branch, Memory::none, "PLONGJMP PRET RET RTT SSY SYNC WARPSYNC YIELD BMOV RPCMOV"},
    {Unit::exit, Memory::none, "EXIT"},
    {Unit::barrier, Memory::none, "BAR"},
    {Unit::load, Memory::global, "LDG"},
    {Unit::store, Memory::global, "STG"},
    {Unit::atomic, Memory::global, "ATOMG RED"},
    {Unit::load, Memory::generic, "LD"},
    {Unit::store, Memory::generic, "ST"},
    {Unit::atomic, Memory::generic, "ATOM"},
    {Unit::load, Memory::local, "LDL"},
    {Unit::store, Memory::local, "STL"},
    {Unit::shared, Memory::shared, "LDS STS"},
    {Unit::shared_atomic, Memory::shared, "ATOMS"},
    {Unit::texture, Memory::global, "TEX TLD TLD4 TMML TXD TXQ SUATOM SULD SURED SUST SUQUERY"},
};

constexpr Row kKepler[] = {
    {Unit::alu, Memory::none, "ISAD RRO STP TEXDEPBAR VSHL VSHR"},
    {Unit::shared, Memory::shared, "LDSLK STSCUL STSUL"},
    {Unit::texture, Memory::global, "SUBFM SUCLAMP SUEAU SULDGA SUSTGA"},
};

constexpr Row kPascal[] = {
    {Unit::alu, Memory::none, "ISAD RRO TEXDEPBAR VADD VMAD VMNMX VSET VSETP VSHL VSHR"},
    {Unit::texture, Memory::global, "TEXS TLD4S TLDS"},
};

constexpr Row kVolta[] = {
    {Unit::tensor, Memory::none, "HMMA IMMA"},
};

constexpr Row kTuring[] = {
    {Unit::tensor, Memory::none, "BMMA"},
    {Unit::alu, Memory::none, "R2UR S2UR UBMSK UBREV UFLO UIADD3 UIMAD UISETP ULEA ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3"},
    {Unit::alu, Memory::none, "UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR VOTEU MOVM ULDC"},
    {Unit::branch, Memory::none, "BRXU JMXU"},
    {Unit::shared, Memory::shared, "LDSM"},
};

constexpr Row kAmpere[] = {
    {Unit::tensor, Memory::none, "DMMA"},
    {Unit::alu, Memory::none, "ARRIVES F2FP I2FP LDGDEPBAR REDUX UF2FP"},
    {Unit::fp32, Memory::none, "HMNMX2"},
    {Unit::load, Memory::async_copy, "LDGSTS"},
};

constexpr Row kHopper[] = {
    {Unit::tensor, Memory::none, "BGMMA HGMMA IGMMA QGMMA"},
    {Unit::alu, Memory::none, "ACQBULK ELECT ENDCOLLECTIVE FENCE SYNCS UCGABAR_ARV UCGABAR_WAIT VIADD VIADDMNMX VIMNMX"},
    {Unit::alu, Memory::none, "PREEXIT ULEPC USETMAXREG VHMNMX WARPGROUP WARPGROUPSET"},
    {Unit::shared, Memory::shared, "STSM"},
};

// The rows of a family, and those that it inherits: a younger family knows the opcodes of older ones, back to Volta.
struct RowSet {
  const Row* rows;
  std::size_t size;
};
template <std::size_t kSize>
constexpr RowSet set_of(const Row (&rows)[kSize]) {
  return {rows, kSize};
}

constexpr unsigned kSets = 5;
struct Family {
  unsigned newest_version;  // the newest `binary version` that uses this table
  std::array<RowSet, kSets> sets;
};

constexpr RowSet kNothing{nullptr, 0};
constexpr Family kFamilies[] = {
    {37, {set_of(kKepler), set_of(kCommon), kNothing, kNothing, kNothing}},
    {62, {set_of(kPascal), set_of(kCommon), kNothing, kNothing, kNothing}},
    {72, {set_of(kVolta), set_of(kCommon), kNothing, kNothing, kNothing}},
    {75, {set_of(kTuring), set_of(kVolta), set_of(kCommon), kNothing, kNothing}},
    {89, {set_of(kAmpere), set_of(kTuring), set_of(kVolta), set_of(kCommon), kNothing}},
    {90, {set_of(kHopper), set_of(kAmpere), set_of(kTuring), set_of(kVolta), set_of(kCommon)}},
};
constexpr const Family& kNewest = kFamilies[std::size(kFamilies) - 1];

const Family& family_of(unsigned version) {
  const auto* found =
      std::find_if(std::begin(kFamilies), std::end(kFamilies) - 1, [&](const Family& family) { return version <= family.newest_version; });
  return *found;
}

/// Removes the first word, up to `separator`, from `text`.
std::string_view take_word(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool names(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    if (take_word(list, ' ') == name) return true;
  }
  return false;
}

const Row* find_row(std::string_view name, const Family& family) {
  for (const RowSet& set : family.sets) {
    for (std::size_t i = 0; i < set.size; ++i) {
      if (names(set.rows[i].names, name)) return &set.rows[i];
    }
  }
  return nullptr;
}

/// Bytes per lane that a suffix sets; 0 where it sets none.
std::uint8_t bytes_of_suffix(std::string_view suffix) {
  if (suffix == "U8" || suffix == "S8") return 1;
  if (suffix == "U16" || suffix == "S16") return 2;
  if (suffix == "64" || suffix == "F64" || suffix == "U64" || suffix == "S64") return 8;
  if (suffix == "128" || suffix == "M88" || suffix == "MT88") return 16;  // a matrix row of LDSM is 16 B
  return 0;
}

}  // namespace

unsigned newest_binary_version() { return kNewest.newest_version; }

Opcode decode_opcode(std::string_view text, unsigned binary_version) {
  const std::string_view name = take_word(text, '.');
  Opcode opcode;
  const Row* row = find_row(name, family_of(binary_version));
  if (row == nullptr) {
    opcode.standing = Standing::of_another_family;
    for (const Family& family : kFamilies) {
      if (row == nullptr) row = find_row(name, family);
    }
  }
  if (row == nullptr) {
    opcode.standing = Standing::unknown;
    return opcode;
  }
  opcode.unit = row->unit;
  opcode.memory = row->memory;
  if (row->memory == Memory::none) return opcode;
  bool strong = false, beyond_the_sm = false, bypass = false;
  while (!text.empty()) {
    const std::string_view suffix = take_word(text, '.');
    if (const std::uint8_t bytes = bytes_of_suffix(suffix)) opcode.access_bytes = bytes;
    strong |= suffix == "STRONG";
    beyond_the_sm |= suffix == "GPU" || suffix == "SYS";
    bypass |= suffix == "BYPASS";
  }
  // Coherence beyond the SM bypasses its L1 (trace format, CM-5); a plain .SYS is the default scope and does not.
  const bool load_past_l1 = opcode.unit == Unit::load && opcode.memory != Memory::local && ((strong && beyond_the_sm) || bypass);
  if (load_past_l1 || opcode.unit == Unit::atomic) opcode.cache_op = CacheOp::bypass_l1;
  return opcode;
}

}  // namespace wharf::traces
