#pragma once
// Parses one instruction line of a trace into one packed instruction.
//
// Line: [tbx tby tbz warp] [source line] PC mask ndst [Rn] opcode nsrc [Rn ...] width [mode addresses ...] [imm].
// - The ids in front are those of tracer versions below 3; the source line is present where lineinfo is 1, imm from version 5 on.
// - PC and mask are hexadecimal. The mask is that of active lanes whose predicate holds; 0 accesses nothing but passes the load/store unit.
// - Width 0: no memory operand. The opcode gives the access size (`.64`, `.128`, `.U8`), else it is 4 bytes.
// - Mode 0: a hexadecimal address per active lane. Mode 1: base and decimal stride, for contiguous lanes. Mode 2: base, then decimal
//   differences, each from the address of the previous active lane.
// Version 6: registers also UR, P and UP, several destinations, [commit flag of GMMA] before the width, the operands and values of version_6.h,
// and [imm2].
//
// From ndst to width, the text is the same each time a warp executes the same PC. This text is parsed once and only compared afterwards,
// which makes reading fast.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/kernel_header.h"
#include "stimuli/traces/opcode_table.h"
#include "stimuli/traces/packed_warp.h"
#include "stimuli/traces/version_6.h"
#include "stimuli/traces/warning_log.h"

namespace wharf::traces {

class InstructionParser {
 public:
  /// `source` gives the position of errors; all arguments must outlive the parser.
  InstructionParser(const KernelHeader& header, const LineSource& source, CodeTable& code, WarningLog& warnings, UnknownOpcodes unknown);

  /// The following lines belong to this warp. Tracers before version 3 repeat it in each line, and it must agree.
  /// `rank`: of the CTA in its cluster.
  void begin_warp(const Dim3& cta, unsigned warp, unsigned rank = 0) {
    cta_ = cta, warp_ = warp;
    own_window_ = rank * kWindowBytes;
  }
  /// Appends the instruction of `line` to `out`; of a bulk copy one per 32 accesses, of a mark of a replay region none. Throws TraceError.
  void parse(std::string_view line, WarpPacker& out);

  /// Of all lines so far: bytes that bulk copies of version 6 move, and regions that replay marks.
  std::uint64_t bulk_bytes() const { return bulk_bytes_; }
  std::uint64_t replay_regions() const { return replay_regions_; }
  /// Number of the first line that accesses the shared memory of another CTA of its cluster, if there is one; 0 for none.
  std::uint64_t peer_access_line() const { return peer_access_line_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr Address kWindowBytes = 16 << 20;  // of shared and of local memory in the generic address space
  // The memory of an access once its addresses are known: as the opcode says; one of three windows for a generic access; none where the
  // line has no addresses.
  enum Target : unsigned { as_named, to_shared, to_local, no_addresses, kTargets };

  struct Line {  // one text between mask and addresses, seen at one PC
    std::uint32_t pc = 0;
    std::string text;
    Opcode opcode;
    std::uint64_t width = 0;
    StaticInstruction instruction;
    std::array<std::uint32_t, kTargets> numbers{kNone, kNone, kNone, kNone};
    WarningLog::Id opcode_warning = kNone;
    bool begins_replay = false, ends_replay = false;  // marks of the tracer, no instructions
    bool has_bulk_operands = false;
    bool accesses_peer = false;
    bool leaves_out_registers = false;
    bool has_destination = false;  // of any kind
    bool arrives_only = false;     // at a barrier of its CTA
    std::uint32_t next_of_same_pc = kNone;
    std::uint32_t likely_next = 0;
  };

  [[noreturn]] void fail(const std::string& text, const std::string& remedy) const;
  [[noreturn]] void malformed(std::string_view field, std::string_view expected) const;
  void require(const WrongField& wrong) const;
  void parse_leading_ids(TextCursor& cursor) const;
  std::uint32_t find_line(std::uint32_t pc, TextCursor& cursor);
  std::uint32_t add_line(std::uint32_t pc, TextCursor cursor);
  bool parse_register(TextCursor& cursor, RegisterId& number) const;
  bool parse_destinations(TextCursor& cursor, Line& line) const;
  void parse_sources(TextCursor& cursor, Line& line) const;
  std::string_view parse_opcode(TextCursor& cursor) const;
  /// Fills `line` from ndst to width, and returns the opcode's text.
  std::string_view parse_fixed_part(TextCursor& cursor, Line& line) const;
  /// The guessed kind of an unknown opcode: "a global load", "an ALU instruction".
  static std::string guessed_kind(const Line& line) {
    return kind_of_access(line.opcode.memory, line.instruction.unit == Unit::load || line.instruction.destination != kNoRegister);
  }
  WarningLog::Id warning_about(const Line& line, std::string_view name);
  void parse_addresses(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void require_span(const Line& line, Address base, std::int64_t step, unsigned count) const;
  void parse_listed(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void parse_strided(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void parse_differences(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void parse_no_addresses(Line& line, LaneMask active, WarpPacker& out);
  void parse_bulk_copy(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void add_barrier(Line& line, LaneMask active, WarpPacker& out);
  void count_replay(const Line& line);
  void parse_end(TextCursor& cursor, bool open_list);
  void find_peer_access(const Line& line, const Address* addresses, std::size_t count);
  void emit(Line& line, LaneMask active, unsigned count, WarpPacker& out);
  Target target_of(const Line& line, unsigned count);
  Target window_of(Address address) const;
  Address stack_offset(Address address) const;
  /// Offset in the CTA's shared memory of an address there, with the window of its rank or without.
  Address shared_offset(Address address) const { return address - own_window_ < kWindowBytes ? address - own_window_ : address; }
  std::uint32_t number_for(Line& line, Target target);

  const KernelHeader& header_;
  const LineSource& source_;
  CodeTable& code_;
  WarningLog& warnings_;
  const UnknownOpcodes unknown_;
  const bool leading_ids_, immediate_expected_;
  const bool version_6_;
  Dim3 cta_;
  unsigned warp_ = 0;
  Address own_window_ = 0;        // from the first one of shared memory on, that of the CTA's rank
  unsigned immediates_seen_ = 0;  // the most of a line
  std::uint64_t bulk_bytes_ = 0, replay_regions_ = 0, peer_access_line_ = 0;
  LineEnd end_;  // of the present line
  std::uint32_t previous_ = 0;
  std::vector<Line> lines_;
  std::unordered_map<std::uint32_t, std::uint32_t> first_at_pc_;
  std::array<Address, kLanes> addresses_;  // of the active lanes, in lane order
};

}  // namespace wharf::traces
