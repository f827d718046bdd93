#include "stimuli/traces/opcode_table.h"

#include <algorithm>
#include <array>

#include "stimuli/traces/bytes/text_cursor.h"

namespace wharf::traces {

namespace {

struct Row {
  Unit unit;
  Memory memory;
  std::string_view names;  // separated by blanks
  bool is_bulk = false;    // see Opcode
};

// The opcodes of all families.
constexpr Row kCommon[] = {
    {Unit::fp32, Memory::none, "FADD FADD32I FCHK FCMP FFMA FFMA32I FMNMX FMUL FMUL32I FSEL FSET FSETP FSWZ FSWZADD"},
    {Unit::fp32, Memory::none, "HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HSET2 HSETP2"},
    {Unit::fp64, Memory::none, "DADD DFMA DMNMX DMUL DSET DSETP"},
    {Unit::sfu, Memory::none, "MUFU"},
    {Unit::alu, Memory::none, "BFE BFI BMSK IABS IADD IADD3 IADD32I ICMP IMNMX ISCADD"},
    {Unit::alu, Memory::none, "ISCADD32I ISET ISETP LEA LOP LOP3 LOP32I SHF SHL SHR VABSDIFF VABSDIFF4"},
    {Unit::imad, Memory::none, "IDP IDP4A IMAD IMADSP IMUL IMUL32I XMAD"},
    {Unit::alu, Memory::none, "F2IP I2I I2IP"},
    {Unit::conversion, Memory::none, "BREV F2F F2I FLO FRND I2F POPC"},
    {Unit::alu, Memory::none, "MOV MOV32I PRMT SEL SGXT"},
    {Unit::shuffle, Memory::none, "SHFL"},
    {Unit::alu, Memory::none, "CSET CSETP PLOP3 PSET PSETP P2R R2P"},
    {Unit::alu, Memory::none, "B2R CS2R CSMTEST GETLMEMBASE LEPC NOP PMTRIG R2B S2R SETCTAID SETLMEMBASE VOTE VOTE_ALL MATCH QSPC"},
    {Unit::alu, Memory::none, "CCTL CCTLL CCTLT DEPBAR ERRBAR"},
    {Unit::fence, Memory::none, "MEMBAR"},
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
    {Unit::tensor, Memory::none, "DMMA"},       {Unit::alu, Memory::none, "ARRIVES F2FP I2FP LDGDEPBAR UF2FP"},
    {Unit::shuffle, Memory::none, "REDUX"},     {Unit::fp32, Memory::none, "HMNMX2"},
    {Unit::load, Memory::async_copy, "LDGSTS"},
};

// Hopper and Blackwell: public opcode tables (Accel-Sim's for Hopper) and, where those lack one, what its name says; bulk copies as in
// modern_gpus.md. Distributed shared memory counts as the SM's own. A prefetch is a load for which no instruction waits.
constexpr Row kHopper[] = {
    {Unit::tensor, Memory::none, "BGMMA HGMMA IGMMA QGMMA"},
    {Unit::alu, Memory::none,
     "ACQBULK CGAERRBAR ELECT ENDCOLLECTIVE FENCE SYNCS UCGABAR_ARV UCGABAR_GET UCGABAR_SET UCGABAR_WAIT UCLEA VIADD"},
    {Unit::alu, Memory::none,
     "PREEXIT ULEPC USETMAXREG USETSHMSZ UTMACCTL UTMACMDFLUSH VHMNMX VIADDMNMX VIMNMX VIMNMX3 WARPGROUP WARPGROUPSET"},
    {Unit::load, Memory::global, "LDGMC"},
    {Unit::atomic, Memory::global, "REDG"},
    {Unit::shared, Memory::shared, "STAS STSM"},
    {Unit::shared_atomic, Memory::shared, "REDAS"},
    {Unit::load, Memory::async_copy, "UBLKCP UBLKPF UTMALDG UTMAPF", true},
    {Unit::store, Memory::global, "UTMASTG", true},
    {Unit::atomic, Memory::global, "UBLKRED UTMAREDG", true},
};

// Tensor memory (LDT, STT, UTCCP ...) is part of the SM and outside the memory hierarchy. The shapes of UTC products are not in their names.
constexpr Row kBlackwell[] = {
    {Unit::tensor, Memory::none, "OMMA QMMA UTCHMMA UTCIMMA UTCOMMA UTCQMMA"},
    {Unit::alu, Memory::none, "LDT LDTM STT STTM UTCATOMSWS UTCBAR UTCCP UTCSHIFT"},
    {Unit::alu, Memory::none, "ACQSHMINIT CREDUX CS2UR LDCU UGETNEXTWORKID UVIRTCOUNT"},
    {Unit::alu, Memory::none,
     "UF2F UF2I UF2IP UFADD UFFMA UFMNMX UFMUL UFRND UFSEL UFSET UFSETP UI2F UI2FP UI2I UI2IP UIABS UIMNMX UVIADD UVIMNMX"},
    {Unit::fp32, Memory::none, "FADD2 FFMA2 FHADD FHFMA FMNMX3 FMUL2"},
    {Unit::store, Memory::global, "USTGR"},
    {Unit::atomic, Memory::global, "UREDGR"},
    {Unit::shared, Memory::shared, "UMEMSETS"},
    {Unit::shared_atomic, Memory::shared, "REDS"},
};

struct Family {
  unsigned newest_version;  // the newest `binary version` that uses this table
  unsigned oldest;          // index of the oldest family whose opcodes it knows as well
  const Row* begin;
  const Row* end;
};

template <std::size_t kSize>
constexpr Family family(unsigned newest_version, unsigned oldest, const Row (&rows)[kSize]) {
  return {newest_version, oldest, rows, rows + kSize};
}

constexpr unsigned kFirstOfVolta = 2;
constexpr Family kFamilies[] = {
    family(37, 0, kKepler),
    family(62, 1, kPascal),
    family(72, kFirstOfVolta, kVolta),
    family(75, kFirstOfVolta, kTuring),
    family(89, kFirstOfVolta, kAmpere),
    family(90, kFirstOfVolta, kHopper),
    family(121, kFirstOfVolta, kBlackwell),
};
constexpr unsigned kNewest = std::size(kFamilies) - 1;

unsigned family_of(unsigned version) {
  unsigned family = 0;
  while (family != kNewest && version > kFamilies[family].newest_version) ++family;
  return family;
}

/// Removes the first word, up to `separator`, from `text`.
std::string_view pop_word(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool names(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    if (pop_word(list, ' ') == name) return true;
  }
  return false;
}

const Row* find_among(std::string_view name, const Row* begin, const Row* end) {
  const Row* found = std::find_if(begin, end, [&](const Row& row) { return names(row.names, name); });
  return found == end ? nullptr : found;
}

const Row* find_row(std::string_view name, unsigned family) {
  for (unsigned of = family + 1; of-- > kFamilies[family].oldest;)
    if (const Row* row = find_among(name, kFamilies[of].begin, kFamilies[of].end)) return row;
  return find_among(name, std::begin(kCommon), std::end(kCommon));
}

const Row* find_in_any_family(std::string_view name) {
  for (const Family& family : kFamilies)
    if (const Row* row = find_among(name, family.begin, family.end)) return row;
  return nullptr;
}

/// Bytes per lane that a suffix sets; 0 where it sets none.
std::uint8_t bytes_of_suffix(std::string_view suffix) {
  if (suffix == "U8" || suffix == "S8") return 1;
  if (suffix == "U16" || suffix == "S16") return 2;
  if (suffix == "64" || suffix == "F64" || suffix == "U64" || suffix == "S64") return 8;
  if (suffix == "128" || suffix == "M88" || suffix == "MT88") return 16;  // a matrix row of LDSM is 16 B
  if (suffix == "256") return 32;
  return 0;
}

/// What a suffix says about L2's eviction (LR-2); unhinted where it says nothing.
Eviction eviction_of_suffix(std::string_view suffix) {
  if (suffix == "EF" || suffix == "LU") return Eviction::first;
  return suffix == "EL" ? Eviction::last : Eviction::unhinted;
}

/// A bulk copy names its target and its source: "S.G" goes from global to shared memory.
void place_bulk_copy(Opcode& opcode, char target, char source) {
  if (target == 'S' && source == 'S') {
    opcode.unit = Unit::shared;
    opcode.memory = Memory::shared;
  } else if (target == 'G' && opcode.unit == Unit::load) {
    opcode.unit = Unit::store;
    opcode.memory = Memory::global;
  }
}

/// The properties of an access that its suffixes give.
void apply_suffixes(Opcode& opcode, std::string_view text) {
  bool strong = false, beyond_sm = false, bypass = opcode.is_bulk;
  char ends[2] = {};
  while (!text.empty()) {
    const std::string_view suffix = pop_word(text, '.');
    if (const std::uint8_t bytes = bytes_of_suffix(suffix)) opcode.access_bytes = bytes;
    if (const Eviction eviction = eviction_of_suffix(suffix); eviction != Eviction::unhinted) opcode.eviction = eviction;
    strong |= suffix == "STRONG";
    beyond_sm |= suffix == "GPU" || suffix == "SYS";
    bypass |= suffix == "BYPASS";
    if ((suffix == "S" || suffix == "G") && ends[1] == 0) ends[ends[0] != 0] = suffix.front();
  }
  if (opcode.is_bulk) place_bulk_copy(opcode, ends[0], ends[1]);
  // Coherence beyond the SM bypasses its L1 (trace format, CM-5); a plain .SYS is the default scope and does not.
  const bool load_past_l1 = opcode.unit == Unit::load && opcode.memory != Memory::local && ((strong && beyond_sm) || bypass);
  if (load_past_l1 || opcode.unit == Unit::atomic) opcode.cache_op = CacheOp::bypass_l1;
}

/// Cycles for which a matrix product of a warp group (GMMA) occupies the tensor core of each of its warps, by the N of its shape MxNxK; 0
/// where the opcode has no shape. Public simulator configuration for Hopper: N / 2 from 64 on, then 24, 20 and 18 for 32, 16 and 8.
std::uint8_t cycles_of_product(std::string_view text) {
  constexpr std::uint64_t kLargestN = 256, kFullRate = 64;
  while (!text.empty()) {
    std::string_view shape = pop_word(text, '.');
    std::uint64_t m = 0, n = 0;
    TextCursor rows(pop_word(shape, 'x')), columns(pop_word(shape, 'x'));
    const bool has_shape = rows.parse_unsigned(m, kLargestN) && columns.parse_unsigned(n, kLargestN) && !shape.empty();
    if (has_shape) return static_cast<std::uint8_t>(n >= kFullRate ? n / 2 : 16 + n / 4);
  }
  return 0;
}

/// The memory that a name of the common form tells: a verb and a letter, with a U in front on the uniform data path.
Memory memory_of_name(std::string_view name) {
  if (name.front() == 'U') name.remove_prefix(1);
  for (const std::string_view verb : {"LD", "ST", "RED", "ATOM"}) {
    if (name.size() <= verb.size() || name.substr(0, verb.size()) != verb) continue;
    switch (name[verb.size()]) {
      case 'G':
        return Memory::global;
      case 'L':
        return Memory::local;
      case 'S':
        return Memory::shared;
      default:
        break;
    }
  }
  return Memory::generic;
}

/// Bytes per lane of an access without a suffix that says it, as an instruction line's width has them.
std::uint8_t bytes_of_width(std::uint64_t width) {
  constexpr std::uint64_t kWidest = 32;
  const bool is_power_of_two = width != 0 && (width & (width - 1)) == 0;
  return is_power_of_two && width <= kWidest ? static_cast<std::uint8_t>(width) : Opcode().access_bytes;
}

}  // namespace

unsigned newest_binary_version() { return kFamilies[kNewest].newest_version; }

Opcode decode_opcode(std::string_view text, unsigned binary_version) {
  const std::string_view name = pop_word(text, '.');
  Opcode opcode;
  const Row* row = find_row(name, family_of(binary_version));
  if (row == nullptr) {
    row = find_in_any_family(name);
    opcode.standing = row == nullptr ? Standing::unknown : Standing::of_another_family;
  }
  if (row == nullptr) {
    if (name.substr(0, 3) == "UTC") opcode.unit = Unit::tensor;  // of the fifth generation of tensor cores
    return opcode;
  }
  opcode.unit = row->unit;
  opcode.memory = row->memory;
  opcode.is_bulk = row->is_bulk;
  if (row->memory != Memory::none) apply_suffixes(opcode, text);
  if (opcode.unit == Unit::fence && text.find("CTA") != std::string_view::npos) opcode.unit = Unit::alu;  // nothing has to leave the SM
  if (name.find("GMMA") != std::string_view::npos) opcode.unit_cycles = cycles_of_product(text);
  return opcode;
}

Opcode access_of_unknown(std::string_view text, bool has_destination, std::uint64_t width) {
  Opcode opcode;
  opcode.standing = Standing::unknown;
  opcode.memory = memory_of_name(pop_word(text, '.'));
  opcode.unit = opcode.memory == Memory::shared ? Unit::shared : has_destination ? Unit::load : Unit::store;
  opcode.access_bytes = bytes_of_width(width);
  apply_suffixes(opcode, text);
  return opcode;
}

std::string missing_wait(std::string_view text, const Opcode& opcode) {
  if (opcode.memory == Memory::async_copy && !opcode.is_bulk)
    return "asynchronous copy '" + std::string(text) + "', for whose data nothing waits in traces before tracer version 5";
  for (const std::string_view waits : {"SYNCS.PHASECHK", "UCGABAR_WAIT", "ARRIVES.LDGSTSBAR"})
    if (text.substr(0, waits.size()) == waits)
      return "'" + std::string(text) + "' does not wait, because traces before tracer version 6 do not say for what";
  return "";
}

std::string kind_of_access(Memory memory, bool is_load) {
  const std::string access = is_load ? " load" : " store";
  switch (memory) {
    case Memory::none:
    case Memory::async_copy:
      break;
    case Memory::global:
      return "a global" + access;
    case Memory::local:
      return "a local" + access;
    case Memory::shared:
      return "a shared" + access;
    case Memory::generic:
      return "a generic" + access;
  }
  return "an ALU instruction";
}

}  // namespace wharf::traces
