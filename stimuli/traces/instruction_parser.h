#pragma once
// Parses one instruction line of a trace into one packed instruction.
//
// Line: [tbx tby tbz warp] [source line] PC mask ndst [Rn] opcode nsrc [Rn ...] width [mode addresses ...] [imm].
// - The ids in front are those of tracer versions below 3; the source line is present where lineinfo is 1, imm from version 5 on.
// - PC and mask are hexadecimal. The mask is that of active lanes whose predicate holds; 0 accesses nothing but passes the load/store unit.
// - Width 0: no memory operand. The opcode gives the access size (`.64`, `.128`, `.U8`), else it is 4 bytes.
// - Mode 0: a hexadecimal address per active lane. Mode 1: base and decimal stride, for contiguous lanes. Mode 2: base, then decimal
//   differences, each from the address of the previous active lane.
// Version 6: registers also UR, P and UP, several destinations, [commit flag of GMMA] before the width, [imm2], and the operands and values of
// the files in version_6.
//
// From ndst to width, the text is the same each time a warp executes the same PC. This text is parsed once and only compared afterwards,
// which makes reading fast.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stimuli/traces/address_windows.h"
#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/kernel_header.h"
#include "stimuli/traces/opcode_table.h"
#include "stimuli/traces/packed_warp.h"
#include "stimuli/traces/version_6/bulk_operands.h"
#include "stimuli/traces/version_6/line_end.h"
#include "stimuli/traces/version_6/synchronization.h"
#include "stimuli/traces/warning_log.h"

namespace wharf::traces {

class InstructionParser {
 public:
  /// `source` gives the position of errors; all arguments must outlive the parser.
  InstructionParser(const KernelHeader& header, const LineSource& source, CodeTable& code, WarningLog& warnings, UnknownOpcodes unknown);

  /// The following lines belong to this CTA, which has this rank in its cluster.
  void begin_cta(const Dim3& cta, unsigned rank) {
    cta_ = cta, cluster_line_ = 0;
    windows_.begin_cta(rank, static_cast<unsigned>(header_.cluster.count()));
  }
  /// The following lines belong to this warp of the CTA. Tracers before version 3 repeat both in each line, and they must agree.
  void begin_warp(unsigned warp) { warp_ = warp, in_replay_ = has_load_groups_ = has_copy_groups_ = false; }
  /// Appends the instruction of `line` to `out`: one for each mbarrier that it uses, one for rows of a bulk copy that lie at one distance, one
  /// per 32 accesses of another bulk operation, none of a mark of a replay region. Throws TraceError.
  void parse(std::string_view line, WarpPacker& out);

  /// Of all lines so far: bytes that bulk copies of version 6 move, and regions that replay marks.
  std::uint64_t bulk_bytes() const { return bulk_bytes_; }
  std::uint64_t replay_regions() const { return replay_regions_; }
  /// Of the present CTA: see TracedCta.
  std::uint64_t cluster_line() const { return cluster_line_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // The memory of an access once its addresses are known: as the opcode says; one of the windows; none where the line has no addresses.
  enum Target : unsigned { as_named, to_shared, to_local, to_peer, no_addresses, kTargets };

  struct Line {  // one text between mask and addresses, seen at one PC
    std::uint32_t pc = 0;
    std::string text;
    Opcode opcode;
    std::uint64_t width = 0;
    StaticInstruction instruction;
    std::array<std::uint32_t, kTargets> numbers{kNone, kNone, kNone, kNone, kNone};
    WarningLog::Id opcode_warning = kNone;
    bool begins_replay = false, ends_replay = false;  // marks of the tracer, no instructions
    bool has_bulk_operands = false;
    bool copies = false;      // in bulk, by the copy engine
    bool is_counted = false;  // an asynchronous access to shared memory of the cluster, whose bytes an mbarrier counts
    bool needs_peer = false;  // such a copy, but the line has no operands
    bool leaves_out_registers = false;
    bool arrives_only = false;      // at a barrier of its CTA
    std::uint8_t destinations = 0;  // of any kind
    BulkCopy::Direction direction = BulkCopy::Direction::to_shared;
    MbarrierForm mbarrier;
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
    if (line.opcode.unit == Unit::tensor) return "a tensor instruction";
    return kind_of_access(line.opcode.memory, line.instruction.unit == Unit::load || line.instruction.destination != kNoRegister);
  }
  WarningLog::Id warning_about(const Line& line, std::string_view name);
  void parse_addresses(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void require_span(const Line& line, Address base, std::int64_t step, unsigned count) const;
  void parse_listed(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void parse_strided(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  std::string_view parse_difference(TextCursor& cursor, std::int64_t& delta, unsigned i, unsigned count) const;
  void parse_differences(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void parse_no_addresses(Line& line, LaneMask active, WarpPacker& out);
  void parse_bulk(Line& line, LaneMask active, TextCursor& cursor, WarpPacker& out);
  void add_copies(const Line& line, const BulkOperands& operands, WarpPacker& out);
  bool add_counted(const Line& line, LaneMask active, unsigned count, WarpPacker& out);
  void add_barrier(Line& line, LaneMask active, WarpPacker& out);
  void add_mbarriers(Line& line, LaneMask active, unsigned count, WarpPacker& out);
  std::uint32_t groups_left() const;
  void add_group_use(const Line& line, LaneMask active, WarpPacker& out);
  void add_use(const Line& line, LaneMask lanes, const MbarrierUse& use, WarpPacker& out);
  void require_cluster() {
    if (cluster_line_ == 0) cluster_line_ = source_.line_number();
  }
  void require_rank(unsigned rank);
  void refuse_peer() const;
  void begin_or_end_replay(const Line& line);
  void parse_end(TextCursor& cursor, bool open_list);
  void emit(Line& line, LaneMask active, unsigned count, WarpPacker& out);
  Target target_of(const Line& line, unsigned count) const;
  Target target_of_generic(unsigned count);
  std::uint32_t number_for(Line& line, Target target);

  const KernelHeader& header_;
  const LineSource& source_;
  CodeTable& code_;
  WarningLog& warnings_;
  const UnknownOpcodes unknown_;
  const bool leading_ids_, immediate_expected_;
  const bool version_6_;
  const bool waits_for_loads_;  // asynchronous ones: the GPU has them, and the lines have the immediates
  AddressWindows windows_;
  Dim3 cta_;
  unsigned warp_ = 0;
  bool in_replay_ = false;
  bool has_load_groups_ = false, has_copy_groups_ = false;  // of the present warp, so far
  unsigned immediates_seen_ = 0;                            // the most of a line
  std::uint64_t bulk_bytes_ = 0, replay_regions_ = 0, cluster_line_ = 0;
  LineEnd end_;                // of the present line
  unsigned wanted_value_ = 0;  // of its registers', the one to keep
  std::uint32_t previous_ = 0;
  std::vector<Line> lines_;
  std::unordered_map<std::uint32_t, std::uint32_t> first_at_pc_;
  std::array<Address, kLanes> addresses_;  // of the active lanes, in lane order
};

}  // namespace wharf::traces
