#pragma once
// The source of a kernel's CTAs: the text of its trace file, or the packed form next to it.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stimuli/traces/kernel_reader.h"

namespace wharf::traces {

/// A CTA and all that a reader of the file learns on the way to it. After the last CTA, what is learnt on the way to the file's end.
struct CtaStep {
  TracedCta cta;
  std::vector<StaticInstruction> code;  // instructions that are new to the kernel's code table, in the order of their numbers
  std::vector<Warning> warnings;
  std::uint64_t line = 0;      // of the trace file: the last one read
  std::uint64_t consumed = 0;  // bytes of the trace file
};

class KernelSource {
 public:
  virtual ~KernelSource() = default;
  virtual const KernelLaunch& launch() const = 0;
  /// Reads the next CTA in the order of the file; returns false at its end. Throws TraceError.
  virtual bool next(CtaStep& step) = 0;
  /// The FileHash of the trace file; called after next() has returned false.
  virtual std::string fingerprint() = 0;
};

/// Reads the text.
class TextKernel final : public KernelSource {
 public:
  /// Throws TraceError for a file that cannot be opened or a wrong header.
  explicit TextKernel(const std::string& path, UnknownOpcodes unknown = UnknownOpcodes::guessed)
      : reader_(path, warnings_, unknown), launch_(reader_.launch()) {}
  const KernelLaunch& launch() const override { return launch_; }
  bool next(CtaStep& step) override;
  std::string fingerprint() override { return reader_.fingerprint(); }
  /// Bytes of the file.
  std::uint64_t total_bytes() const { return reader_.source().total_bytes(); }

 private:
  WarningLog warnings_;
  KernelReader reader_;
  KernelLaunch launch_;
  std::size_t known_ = 0;  // instructions of the code table that have been handed out
};

/// The packed form where there is one of this file, else the text; always the text where unknown opcodes are refused. A packed form that does
/// not belong to the file, or that another version of the program has written, is a warning in the kernel's first step. Throws TraceError.
std::unique_ptr<KernelSource> open_kernel(const std::string& path, UnknownOpcodes unknown = UnknownOpcodes::guessed);

/// What a run accepts in a kernel.
struct KernelRules {
  UnknownOpcodes unknown_opcodes = UnknownOpcodes::guessed;
  bool clusters = true;  // the machine runs thread-block clusters and bulk copies
};

/// Throws TraceError where the machine cannot run the CTA.
void require_runnable(const std::string& path, const TracedCta& cta, const KernelRules& rules);

/// Reads all of a kernel. Throws TraceError for the first mistake, also for a CTA that is missing, appears twice or cannot run.
void require_whole_kernel(const std::string& path, const KernelRules& rules);

}  // namespace wharf::traces
