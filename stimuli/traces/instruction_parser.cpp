#include "stimuli/traces/instruction_parser.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace {

constexpr std::size_t kMostDistinctLines = 1 << 20;  // a million distinct instructions indicate a damaged file
constexpr std::size_t kLongestOpcode = 64;
constexpr unsigned kMostDestinations = 1, kMostSources = 4;
constexpr unsigned kMostRegisters = 16;  // version 6: destinations, and sources
constexpr std::uint64_t kWidest = 1024;
constexpr std::uint64_t kZeroRegister = 255;
constexpr const char* kRemedy = "correct the line or record the kernel again";

BulkCopy::Direction direction_of(const Opcode& opcode) {
  if (opcode.memory == Memory::shared) return BulkCopy::Direction::between_shared;
  if (opcode.memory != Memory::global) return BulkCopy::Direction::to_shared;
  return opcode.unit == Unit::store ? BulkCopy::Direction::to_global : BulkCopy::Direction::reduce_in_global;
}

}  // namespace

InstructionParser::InstructionParser(const KernelHeader& header, const LineSource& source, CodeTable& code, WarningLog& warnings,
                                     UnknownOpcodes unknown)
    : header_(header),
      source_(source),
      code_(code),
      warnings_(warnings),
      unknown_(unknown),
      leading_ids_(header.tracer_version < 3),
      immediate_expected_(header.tracer_version >= 5),
      version_6_(header.tracer_version >= 6),
      waits_for_loads_(header.tracer_version >= 5 && header.binary_version >= 80),
      windows_(header) {}

void InstructionParser::fail(const std::string& text, const std::string& remedy) const {
  throw TraceError(source_.name(), source_.line_number(), (source_.terminated() ? "" : "the file ends in the middle of a line: ") + text,
                   remedy);
}

void InstructionParser::malformed(std::string_view field, std::string_view expected) const {
  fail("instruction line: " + std::string(field) + " is missing or malformed, expected " + std::string(expected), kRemedy);
}

void InstructionParser::require(const WrongField& wrong) const {
  if (!wrong.name.empty()) malformed(wrong.name, wrong.expected);
}

void InstructionParser::parse(std::string_view text, WarpPacker& out) {
  TextCursor cursor(text);
  if (leading_ids_) parse_leading_ids(cursor);
  std::uint64_t source_line = 0, pc = 0, mask = 0;
  if (header_.line_numbers && !cursor.parse_unsigned(source_line, 0xFFFFFFFF)) malformed("the source line number", "a decimal number");
  if (!cursor.parse_hex(pc, 16) || pc > 0xFFFFFFFF) malformed("the PC", "hex digits up to ffffffff");
  if (!cursor.parse_hex(mask, 8)) malformed("the active mask", "8 hex digits");
  const auto active = static_cast<LaneMask>(mask);
  Line& line = lines_[find_line(static_cast<std::uint32_t>(pc), cursor)];
  if (line.opcode_warning != kNone) warnings_.count(line.opcode_warning);
  wanted_value_ = line.mbarrier.op == MbarrierOp::none ? 0 : line.destinations + 1;  // an mbarrier's is the second source
  if (line.needs_peer && active != 0) refuse_peer();
  if (line.begins_replay || line.ends_replay) {
    parse_end(cursor, false);
    begin_or_end_replay(line);
  } else if (line.has_bulk_operands) {
    parse_bulk(line, active, cursor, out);
  } else if (line.width != 0) {
    parse_addresses(line, active, cursor, out);
  } else {
    parse_end(cursor, false);
    if (version_6_ && line.instruction.unit == Unit::barrier) {
      add_barrier(line, active, out);
    } else if (line.mbarrier.op != MbarrierOp::none) {
      add_mbarriers(line, active, 0, out);
    } else if (line.opcode.memory == Memory::none) {
      out.add(number_for(line, as_named), active);
    } else {
      parse_no_addresses(line, active, out);
    }
  }
}

void InstructionParser::parse_leading_ids(TextCursor& cursor) const {
  std::uint64_t ids[4];
  for (std::uint64_t& id : ids) {
    if (!cursor.parse_unsigned(id, 0xFFFFFFFF)) malformed("a leading id", "CTA x, y, z and warp (tracer version < 3)");
  }
  if (ids[0] != cta_.x || ids[1] != cta_.y || ids[2] != cta_.z || ids[3] != warp_) {
    fail("the line's CTA and warp differ from those of the lines above it", "group the trace by CTA and warp before use");
  }
}

std::uint32_t InstructionParser::find_line(std::uint32_t pc, TextCursor& cursor) {
  cursor.skip_blanks();
  const auto left = static_cast<std::size_t>(cursor.end - cursor.at);
  const auto matches = [&](const Line& line) {
    const std::size_t size = line.text.size();
    return line.pc == pc && size <= left && std::memcmp(line.text.data(), cursor.at, size) == 0 &&
           (size == left || is_blank(cursor.at[size]));
  };
  std::uint32_t found = kNone;
  if (!lines_.empty()) {
    found = lines_[previous_].likely_next;
    if (!matches(lines_[found])) {
      const auto first = first_at_pc_.find(pc);
      found = first == first_at_pc_.end() ? kNone : first->second;
      while (found != kNone && !matches(lines_[found])) found = lines_[found].next_of_same_pc;
    }
  }
  if (found == kNone) found = add_line(pc, cursor);
  lines_[previous_].likely_next = found;
  previous_ = found;
  cursor.at += lines_[found].text.size();
  return found;
}

std::uint32_t InstructionParser::add_line(std::uint32_t pc, TextCursor cursor) {
  if (lines_.size() == kMostDistinctLines) fail("the kernel has more than a million different instructions", kRemedy);
  const char* begin = cursor.at;
  Line line;
  line.pc = pc;
  const std::string_view opcode = parse_fixed_part(cursor, line);
  line.text.assign(begin, cursor.at);
  line.opcode_warning = warning_about(line, opcode);
  const auto [first, is_new] = first_at_pc_.try_emplace(pc, kNone);
  line.next_of_same_pc = first->second;
  first->second = static_cast<std::uint32_t>(lines_.size());
  lines_.push_back(std::move(line));
  // After the line has been stored: a check that goes on reports each instruction once.
  if (unknown_ == UnknownOpcodes::refused && lines_.back().opcode.standing == Standing::unknown)
    fail("unknown opcode " + quoted(opcode), "leave strict opcodes out to have it taken as " + guessed_kind(lines_.back()));
  return first->second;
}

WarningLog::Id InstructionParser::warning_about(const Line& line, std::string_view name) {
  const auto id_of = [&](const std::string& text) { return warnings_.id_of(text, source_.name(), source_.line_number()); };
  if (line.opcode.standing == Standing::unknown) return id_of("unknown opcode " + quoted(name) + ", taken as " + guessed_kind(line));
  if (line.has_bulk_operands && !line.copies)
    return id_of("bulk operation " + quoted(name) + ", taken as accesses of up to 32 bytes a lane, and nothing waits for them");
  if (line.opcode.is_bulk && line.width != 0 && !line.copies)
    return id_of("bulk copy " + quoted(name) + ", whose size a trace does not hold, taken as " + std::to_string(line.opcode.access_bytes) +
                 " bytes a lane");
  const bool is_load = line.opcode.memory == Memory::async_copy;
  const bool is_modelled = is_load ? waits_for_loads_ : line.mbarrier.op != MbarrierOp::none || line.instruction.barrier.of_cluster;
  if (const std::string missing = missing_wait(name, line.opcode); !missing.empty() && !is_modelled) return id_of(missing);
  if (line.leaves_out_registers)
    return id_of("instruction with several destination or more than four source registers, the others are ignored");
  if (line.opcode.standing == Standing::known) return kNone;
  return id_of("opcode " + quoted(name) + " is not one of binary version " + std::to_string(header_.binary_version) +
               ", taken in another family's meaning");
}

std::string_view InstructionParser::parse_fixed_part(TextCursor& cursor, Line& line) const {
  StaticInstruction& instruction = line.instruction;
  instruction.pc = line.pc;
  const bool has_destination = parse_destinations(cursor, line);
  const std::string_view opcode = parse_opcode(cursor);
  line.begins_replay = opcode == "REPLAY_START";
  line.ends_replay = opcode == "REPLAY_END";
  if (!line.begins_replay && !line.ends_replay) line.opcode = decode_opcode(opcode, header_.binary_version);
  parse_sources(cursor, line);
  std::uint64_t commits = 0;
  if (version_6_ && opcode.find("GMMA") != std::string_view::npos && !cursor.parse_unsigned(commits, 1))
    malformed("the commit flag of GMMA", "0 or 1");
  if (!cursor.parse_unsigned(line.width, kWidest)) malformed("the memory width", "0 or the bytes of a lane's access");
  if (line.opcode.standing == Standing::unknown && line.opcode.unit == Unit::alu && line.width != 0)
    line.opcode = access_of_unknown(opcode, has_destination, line.width);
  line.has_bulk_operands = version_6_ && line.opcode.is_bulk && line.width != 0;
  const bool prefetches = starts_with(opcode, "UBLKPF") || starts_with(opcode, "UTMAPF");
  line.copies = line.has_bulk_operands && !prefetches;
  line.direction = direction_of(line.opcode);
  const bool between_shared = line.opcode.is_bulk && line.opcode.memory == Memory::shared;
  line.is_counted = version_6_ && (starts_with(opcode, "REDAS") || starts_with(opcode, "STAS"));
  line.needs_peer = between_shared && !line.copies;
  line.arrives_only = starts_with(opcode, "BAR.ARV");
  if (version_6_) line.mbarrier = mbarrier_form_of(opcode);
  if (waits_for_loads_ && line.mbarrier.op == MbarrierOp::none) line.mbarrier.op = group_op_of(opcode);
  instruction.unit = line.opcode.unit;
  instruction.cache_op = line.opcode.cache_op;
  instruction.eviction = line.opcode.eviction;
  instruction.access_bytes = line.opcode.access_bytes;
  instruction.unit_cycles = line.opcode.unit_cycles;
  instruction.space = line.opcode.memory == Memory::local ? Space::local : Space::global;
  if (version_6_ && uses_cluster_barrier(opcode, instruction.barrier)) instruction.unit = Unit::barrier;
  // Version 6 lists the register that holds a barrier's number as its destination.
  if (version_6_ && instruction.unit == Unit::barrier && instruction.destination != kNoRegister)
    instruction.sources[0] = std::exchange(instruction.destination, kNoRegister);
  // An asynchronous copy writes to shared memory: no register waits for it.
  if (line.opcode.memory == Memory::async_copy) instruction.destination = kNoRegister;
  return opcode;
}

/// Returns whether the line names a destination.
bool InstructionParser::parse_destinations(TextCursor& cursor, Line& line) const {
  std::uint64_t count = 0, named = 0;
  if (!cursor.parse_unsigned(count, version_6_ ? kMostRegisters : kMostDestinations))
    malformed("the number of destination registers", version_6_ ? "0 to 16" : "0 or 1");
  for (std::uint64_t i = 0; i < count; ++i) {
    RegisterId number = kNoRegister;
    if (parse_register(cursor, number) && named++ == 0) line.instruction.destination = number;
  }
  line.destinations = static_cast<std::uint8_t>(count);
  line.leaves_out_registers |= named > kMostDestinations;
  return named != 0;
}

void InstructionParser::parse_sources(TextCursor& cursor, Line& line) const {
  std::uint64_t count = 0, named = 0;
  if (!cursor.parse_unsigned(count, version_6_ ? kMostRegisters : kMostSources))
    malformed("the number of source registers", version_6_ ? "0 to 16" : "0 to 4");
  for (std::uint64_t i = 0; i < count; ++i) {
    RegisterId number = kNoRegister;
    if (parse_register(cursor, number) && named++ < kMostSources) line.instruction.sources[named - 1] = number;
  }
  line.leaves_out_registers |= named > kMostSources;
}

/// Returns false for a uniform or a predicate register, which version 6 adds: nothing waits for those here, as without them.
bool InstructionParser::parse_register(TextCursor& cursor, RegisterId& number) const {
  const std::string_view word = cursor.word();
  const bool is_uniform = version_6_ && word.substr(0, 1) == "U";
  const std::string_view name = word.substr(is_uniform ? 1 : 0);
  const bool is_predicate = version_6_ && name.substr(0, 1) == "P";
  std::uint64_t digits = 0;
  TextCursor rest(name.substr(name.empty() ? 0 : 1));
  if (name.empty() || !(name.front() == 'R' || is_predicate) || !rest.parse_unsigned(digits, kZeroRegister))
    malformed("a register", version_6_ ? "R, UR, P or UP and a number up to 255" : "R0 to R255");
  number = digits == kZeroRegister ? kNoRegister : static_cast<RegisterId>(digits);
  return !is_uniform && !is_predicate;
}

std::string_view InstructionParser::parse_opcode(TextCursor& cursor) const {
  const std::string_view word = cursor.word();
  if (word.empty() || !is_letter(word.front()) || word.size() > kLongestOpcode) malformed("the opcode", "a word such as LDG.E.SYS");
  return word;
}

// Texture instructions and some others have no addresses in a trace. Their accesses are unknown, and the run continues without them.
void InstructionParser::parse_no_addresses(Line& line, LaneMask active, WarpPacker& out) {
  if (active == 0) {
    warnings_.warn("memory instruction with an empty mask, nothing is accessed", source_.name(), source_.line_number());
    out.add(number_for(line, as_named), active);
    return;
  }
  warnings_.warn("memory instruction without addresses, taken as an ALU instruction", source_.name(), source_.line_number());
  out.add(number_for(line, no_addresses), active);
}

void InstructionParser::parse_addresses(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out) {
  std::uint64_t mode = 0;
  if (!cursor.parse_unsigned(mode, 2)) malformed("the address mode", "0 (list), 1 (base and stride) or 2 (base and differences)");
  if (active == 0 && line.opcode.memory != Memory::none) {
    warnings_.warn("memory instruction with an empty mask, nothing is accessed", source_.name(), source_.line_number());
  }
  switch (mode) {
    case 0:
      parse_listed(line, active, cursor, out);
      break;
    case 1:
      parse_strided(line, active, cursor, out);
      break;
    default:
      parse_differences(line, active, cursor, out);
      break;
  }
}

/// The accesses of `count` lanes from `base` on must lie in the 64 bits of an address, the last byte of each included.
void InstructionParser::require_span(const Line& line, Address base, std::int64_t step, unsigned count) const {
  using Wide = __int128;
  const Wide last = Wide{base} + Wide{step} * (count == 0 ? 0 : count - 1);
  const Wide beyond = (Wide{1} << 64) - line.instruction.access_bytes;
  if (count != 0 && (base > beyond || last < 0 || last > beyond)) fail("the addresses go beyond 64 bits", kRemedy);
}

void InstructionParser::parse_listed(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out) {
  const unsigned count = lanes_in(active);
  bool first_prefixed = false;
  for (unsigned i = 0; i < count; ++i) {
    bool prefixed = false;
    const bool missing = cursor.done();
    const bool good = cursor.parse_address(addresses_[i], prefixed);
    if (i == 0) first_prefixed = prefixed;
    // A bare number after addresses with 0x is the immediate.
    if (missing || (good && prefixed != first_prefixed)) {
      fail("the address list has " + std::to_string(i) + " addresses, the mask " + std::to_string(count) + " lanes", kRemedy);
    }
    if (!good) malformed("an address", "hex digits");
    require_span(line, addresses_[i], 0, 1);
  }
  cursor.skip_blanks();
  if (cursor.end - cursor.at > 1 && cursor.at[0] == '0' && (cursor.at[1] == 'x' || cursor.at[1] == 'X')) {
    fail("the address list has more addresses than the mask's " + std::to_string(count) + " lanes", kRemedy);
  }
  parse_end(cursor, !first_prefixed);
  emit(line, active, count, out);
}

void InstructionParser::parse_strided(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out) {
  Address base = 0;
  std::int64_t stride = 0;
  bool prefixed = false;
  if (!cursor.parse_address(base, prefixed)) malformed("the base address", "hex digits");
  if (!cursor.parse_signed(stride)) malformed("the stride", "a decimal number");
  parse_end(cursor, false);
  if (stride != 0 && !is_contiguous(active)) {
    fail("base and stride given for a mask with gaps", "write such an access with address mode 0 or 2");
  }
  const unsigned count = lanes_in(active);
  require_span(line, base, stride, count);
  // For other CTAs of the cluster.
  const bool may_leave = line.is_counted || (windows_.ctas() != 1 && line.opcode.memory == Memory::shared);
  if (active != 0 && line.opcode.memory != Memory::none && line.opcode.memory != Memory::generic && !may_leave) {
    if (line.opcode.memory == Memory::local) base = windows_.stack_offset(base);
    if (line.opcode.memory == Memory::shared) base = windows_.shared_offset(base);
    out.add_strided(number_for(line, as_named), active, base, stride);
    return;
  }
  for (unsigned i = 0; i < count; ++i) addresses_[i] = base + static_cast<Address>(stride) * i;
  emit(line, active, count, out);
}

void InstructionParser::parse_differences(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out) {
  const unsigned count = lanes_in(active);
  bool prefixed = false;
  // With an empty mask the base may be missing; the next word, if any, is then the immediate.
  cursor.skip_blanks();
  const bool has_base = count != 0 || (cursor.end - cursor.at > 1 && cursor.at[1] == 'x');
  if (has_base && !cursor.parse_address(addresses_[0], prefixed)) malformed("the base address", "hex digits");
  if (count == 1) require_span(line, addresses_[0], 0, 1);
  std::int64_t delta = 0;
  std::string_view text;  // of `delta`: most are like the one before
  for (unsigned i = 1; i < count; ++i) {
    if (text.empty() || !cursor.take_again(text)) text = parse_difference(cursor, delta, i, count);
    addresses_[i] = addresses_[i - 1] + static_cast<Address>(delta);
    const bool far_from_the_end = ((addresses_[i - 1] | addresses_[i]) >> 62) == 0;  // both, so that the sum has not wrapped around either
    if (!far_from_the_end) require_span(line, addresses_[i - 1], delta, 2);
  }
  parse_end(cursor, count > 1);
  emit(line, active, count, out);
}

/// Takes the difference of lane `i` of `count` to the lane before; returns its text.
std::string_view InstructionParser::parse_difference(TextCursor& cursor, std::int64_t& delta, unsigned i, unsigned count) const {
  if (cursor.done())
    fail("the address list has " + std::to_string(i) + " addresses, the mask " + std::to_string(count) + " lanes", kRemedy);
  const char* begin = cursor.at;
  if (!cursor.parse_signed(delta)) malformed("an address difference", "a decimal number");
  return {begin, static_cast<std::size_t>(cursor.at - begin)};
}

// `open_list`: the line ended with a list whose last member cannot be told from an immediate. If earlier lines of the file had more immediates,
// the list is one member short.
void InstructionParser::parse_end(TextCursor& cursor, bool open_list) {
  end_.value = {};
  end_.immediates = 0;
  end_.has_register = false;
  unsigned& immediates = end_.immediates;
  for (const unsigned most = version_6_ ? 2 : 1; immediates < most && !cursor.done(); ++immediates) {
    if (version_6_ && is_letter(*cursor.at)) break;
    if (!cursor.parse_immediate(end_.value[immediates])) malformed("the immediate", "a number");
  }
  if (open_list && immediates < immediates_seen_) fail("the address list is shorter than the mask, or the immediate is missing", kRemedy);
  if (!open_list && immediate_expected_) immediates_seen_ = std::max(immediates_seen_, immediates);
  if (version_6_) require(parse_values(cursor, wanted_value_, end_));
  if (!cursor.done()) fail("text after the end of the instruction: an address list longer than the mask, or a damaged line", kRemedy);
}

void InstructionParser::emit(Line& line, LaneMask active, unsigned count, WarpPacker& out) {
  if (line.mbarrier.op != MbarrierOp::none) return add_mbarriers(line, active, count, out);
  if (line.is_counted && count != 0 && add_counted(line, active, count, out)) return;
  if (count == 0 || line.opcode.memory == Memory::none) {
    out.add(number_for(line, as_named), active);
    return;
  }
  const bool is_generic = line.opcode.memory == Memory::generic;
  const Target target = is_generic ? target_of_generic(count) : target_of(line, count);
  if (target == to_peer) require_cluster();
  for (unsigned i = 0; i < count; ++i) {
    Address& address = addresses_[i];
    if (is_generic && (target == to_shared || target == to_peer)) address = windows_.shared_part(address);
    if (target == to_peer)
      address = windows_.in_cluster(address, is_generic);
    else if (target == to_shared)
      address = windows_.shared_offset(address);
    else if (target == to_local)
      address = windows_.stack_offset(address);
  }
  out.add_listed(number_for(line, is_generic || target == to_peer ? target : as_named), active, addresses_.data(), count);
}

InstructionParser::Target InstructionParser::target_of(const Line& line, unsigned count) const {
  if (line.opcode.memory == Memory::local) return to_local;
  if (line.opcode.memory != Memory::shared) return as_named;
  const auto is_of_peer = [&](Address address) { return windows_.is_of_peer(address, false); };
  const bool leaves = windows_.ctas() != 1 && std::any_of(addresses_.begin(), addresses_.begin() + count, is_of_peer);
  return leaves ? to_peer : to_shared;
}

/// The first active lane decides the memory, because an instruction of the model accesses one. That of other CTAs of the cluster may be the
/// own CTA's in some lanes.
InstructionParser::Target InstructionParser::target_of_generic(unsigned count) {
  constexpr Target kTargets[] = {as_named, to_shared, to_peer, to_local};  // by AddressWindows::Place
  const auto target_at = [&](unsigned i) { return kTargets[static_cast<unsigned>(windows_.place_of(addresses_[i]))]; };
  const auto is_shared = [](Target target) { return target == to_shared || target == to_peer; };
  Target target = target_at(0);
  bool differs = false;
  for (unsigned i = 1; i < count; ++i) {
    const Target other = target_at(i);
    if (is_shared(target) && other == to_peer) target = to_peer;
    differs |= other != target && !(is_shared(other) && is_shared(target));
  }
  if (differs)
    warnings_.warn("generic access to several memories, all lanes go where the first active lane goes", source_.name(),
                   source_.line_number());
  return target;
}

std::uint32_t InstructionParser::number_for(Line& line, Target target) {
  if (line.numbers[target] != kNone) return line.numbers[target];
  StaticInstruction instruction = line.instruction;
  if (target == to_shared || target == to_peer) {
    const bool is_atomic = instruction.unit == Unit::atomic || instruction.unit == Unit::shared_atomic;
    instruction.unit = is_atomic ? Unit::shared_atomic : Unit::shared;
    instruction.space = target == to_peer ? Space::cluster : Space::global;
    instruction.cache_op = CacheOp::all;
  } else if (target == to_local) {
    instruction.space = Space::local;
    if (instruction.unit != Unit::atomic) instruction.cache_op = CacheOp::all;
  } else if (target == no_addresses) {
    instruction.unit = Unit::alu;
    instruction.space = Space::global;
    instruction.cache_op = CacheOp::all;
    instruction.access_bytes = 4;
  }
  line.numbers[target] = code_.intern(instruction);
  return line.numbers[target];
}

}  // namespace wharf::traces
