#pragma once
// Reads one kernel's trace file CTA by CTA, in the order of the file.
//
// Behind the header (kernel_header.h) each CTA is `#BEGIN_TB`, `thread block = x,y,z`, for each warp `warp = w`, `insts = n` and n lines of
// instruction_parser.h, and `#END_TB`.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stimuli/stimulus.h"
#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/instruction_parser.h"
#include "stimuli/traces/kernel_header.h"
#include "stimuli/traces/packed_warp.h"
#include "stimuli/traces/warning_log.h"

namespace wharf::traces {

/// One CTA of a trace. `warps` has one entry per warp of the block, or none where the file gives the CTA no warp.
struct TracedCta {
  std::uint64_t number = 0;  // linear, x fastest
  std::vector<PackedWarp> warps;
  /// First line of a bulk copy to shared memory, or of an access to another CTA of the cluster; 0: none. Only a machine with clusters runs it.
  std::uint64_t cluster_line = 0;
  /// Bytes of memory that its warps occupy.
  std::uint64_t bytes() const;
};

class KernelReader {
 public:
  /// Reads the header. `warnings` must outlive the reader. Throws TraceError.
  explicit KernelReader(const std::string& path, WarningLog& warnings, UnknownOpcodes unknown = UnknownOpcodes::guessed,
                        std::size_t piece = LineSource::kPiece);
  /// Reads from `source`. Its header must say how large clusters are, or each CTA is alone in its own.
  KernelReader(std::unique_ptr<LineSource> source, WarningLog& warnings, UnknownOpcodes unknown = UnknownOpcodes::guessed)
      : KernelReader(std::move(source), warnings, unknown, "") {}
  KernelReader(const KernelReader&) = delete;
  KernelReader& operator=(const KernelReader&) = delete;

  const KernelHeader& header() const { return header_; }
  KernelLaunch launch() const;
  const LineSource& source() const { return *source_; }
  /// See ByteSource::fingerprint().
  std::string fingerprint() { return source_->fingerprint(); }
  std::shared_ptr<const CodeTable> code() const { return code_; }
  const InstructionParser& parser() const { return parser_; }

  /// Throws TraceError where no CTA follows the header. Call it before the first next_cta().
  void require_cta();
  /// Reads the next CTA of the file; returns false at its end. Throws TraceError. CTAs may come in any order and repeatedly: the caller
  /// checks the order.
  bool next_cta(TracedCta& cta);
  /// After an error, skips to the next CTA, for a check that continues. Returns false at the end of the file.
  bool skip_to_next_cta();

 private:
  KernelReader(std::unique_ptr<LineSource> source, WarningLog& warnings, UnknownOpcodes unknown, const std::string& path);
  [[noreturn]] void fail(const std::string& text, const std::string& remedy) const;
  void require_begin(std::string_view line) const;
  bool next_text(std::string_view& line);
  void next_text_in_cta(std::string_view& line);
  std::uint64_t read_cta_number();
  void read_cluster();
  std::string_view cluster_value(std::string_view key);
  void read_warps(TracedCta& cta);
  void read_warp(TracedCta& cta, std::string_view line);
  std::uint64_t read_count();
  void read_instructions(std::uint64_t count);
  void warn(std::string_view text);

  std::unique_ptr<LineSource> source_;
  WarningLog& warnings_;
  KernelHeader header_;
  std::shared_ptr<CodeTable> code_;
  InstructionParser parser_;
  WarpPacker packer_;
  Dim3 place_;                   // of the present CTA
  std::vector<char> warp_seen_;  // of the present CTA
};

}  // namespace wharf::traces
