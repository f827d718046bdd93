#pragma once
// A recorded trace as a stimulus. Reads what the resident CTAs need, and a bounded part ahead of them.
//
// Not modelled: memory copies between host and device; the constant cache (its loads are ALU instructions); the shared-memory side of
// LDGSTS; textures whose addresses the tracer does not record (ALU instructions, counted).

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/known_launches.h"
#include "stimuli/launch_order.h"
#include "stimuli/stimulus.h"
#include "stimuli/traces/ctas/read_ahead.h"
#include "stimuli/traces/ctas/seen_ctas.h"
#include "stimuli/traces/trace_error.h"
#include "stimuli/traces/trace_list.h"
#include "stimuli/traces/warning_log.h"

namespace wharf::traces {

struct ReaderOptions {
  /// Where a file does not list its CTAs in linear order, CTAs read before their turn wait in memory, in at most this many bytes.
  std::uint64_t waiting_bytes = 64 << 20;
  /// The limit for a kernel whose clusters span several rows of the grid. Its CTAs start in another order than the linear one, so many wait.
  std::uint64_t waiting_cluster_bytes = std::uint64_t{2} << 30;
  /// Packed bytes of CTAs that may be read ahead of the run.
  std::uint64_t ahead_bytes = 8 << 20;
  KernelRules rules = {};
  /// Kernels that cannot be read are passed over with a warning, as a whole: each is read once before it starts.
  bool skip_bad_kernels = false;
};

class TraceStimulus final : public Stimulus, public KnownLaunches {
 public:
  /// `path` is a kernelslist.g, a folder with one, or a kernel file. Reads the headers of all kernels. Throws InputError where a kernel file is
  /// missing, or has a wrong header (unless that kernel is to be skipped) or no CTA.
  explicit TraceStimulus(const std::string& path, ReaderOptions options = ReaderOptions());
  /// The kernels of `list`, which need not be all of its file.
  explicit TraceStimulus(TraceList list, ReaderOptions options = ReaderOptions());
  ~TraceStimulus() override;

  const KernelLaunch* next_kernel() override;
  const KernelLaunch* next_concurrent(const RunningStreams& running) override;
  void open_kernel(const KernelLaunch& kernel) override;
  std::vector<KernelLaunch> known_launches() const override;
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override;
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override { return warnings_.list(); }
  bool is_recorded() const override { return true; }
  double progress() const override;
  bool archive(Archive& file) override;

  /// The FileHash of each kernel file, in the list's order: of those read to their end as they were read, the others are read now.
  std::vector<std::string> kernel_fingerprints() const;
  const TraceList& list() const { return list_; }
  /// Number of kernels that have started and are not measured.
  std::size_t warm_up() const { return warm_up_; }

 private:
  /// A kernel that has started. It stays until another kernel of its stream starts, or all kernels have drained.
  struct Started {
    std::size_t number;  // index in list_.kernels
    KernelLaunch launch;
  };
  const KernelLaunch* started(std::size_t kernel, const KernelLaunch& launch);
  void close_kernel();
  bool open(std::size_t kernel);
  bool next_step(CtaStep& step);
  KernelLaunch as_run(std::size_t kernel, KernelLaunch launch);
  TracedCta find_cta(std::uint64_t number);
  void store_early(TracedCta cta, std::uint64_t wanted);
  void check_end();
  void read_header(const std::string& path);
  void skip(std::size_t kernel, const TraceError& error);
  bool is_whole(std::size_t kernel);
  [[noreturn]] void fail(const std::string& text, const std::string& remedy) const;

  ReaderOptions options_;
  WarningLog warnings_;
  TraceList list_;
  LaunchOrder order_;
  std::list<Started> started_;
  std::size_t warm_up_ = 0;
  std::unique_ptr<ReadAhead> ahead_;
  std::vector<std::size_t> reading_;                   // the kernels that ahead_ reads, in its order
  std::size_t position_ = 0;                           // in reading_, of the open kernel
  std::vector<std::string> fingerprints_;              // of the kernel files; empty for one that was not read to its end
  std::vector<bool> opened_;                           // [kernel]: has been, so that its file is not read again
  std::vector<std::uint64_t> sizes_;                   // of the kernel files, bytes
  std::vector<std::optional<KernelLaunch>> launches_;  // [kernel]; none where its header cannot be read
  std::size_t skipped_ = 0;                            // kernels
  // Of the open kernel:
  bool in_kernel_ = false;
  std::size_t number_ = 0;  // index in list_.kernels
  KernelLaunch launch_;
  std::shared_ptr<CodeTable> code_;
  std::uint64_t line_ = 0, consumed_ = 0;  // of the present file: the last line of the latest CTA, and the bytes up to there
  bool ended_ = false;                     // the file has no more CTAs, or a mistake
  SeenCtas seen_;                          // in the file
  bool end_checked_ = false;
  std::map<std::uint64_t, TracedCta> early_;  // read before their turn; empty for files in linear order
  std::uint64_t early_bytes_ = 0;
  std::uint64_t bytes_done_ = 0, total_bytes_ = 0;  // of the kernel files, for progress()
};

}  // namespace wharf::traces
