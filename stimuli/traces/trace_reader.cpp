#include "stimuli/traces/trace_reader.h"

#include <algorithm>
#include <filesystem>

#include "model/base/archive.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

TraceStimulus::TraceStimulus(const std::string& path, ReaderOptions options) : TraceStimulus(read_trace_list(path), options) {}

TraceStimulus::TraceStimulus(TraceList list, ReaderOptions options) : options_(options), list_(std::move(list)) {
  for (const ListedKernel& kernel : list_.kernels) {
    require_file(list_, kernel);
    sizes_.push_back(std::filesystem::file_size(kernel.path));
    total_bytes_ += sizes_.back();
    read_header(kernel.path);
  }
  warnings_.add(list_.warnings);
  fingerprints_.resize(list_.kernels.size());
  opened_.resize(list_.kernels.size());
}

TraceStimulus::~TraceStimulus() = default;

void TraceStimulus::read_header(const std::string& path) {
  WarningLog read_again;  // when the kernel runs
  std::optional<KernelLaunch>& launch = launches_.emplace_back();
  try {
    KernelReader kernel(path, read_again, UnknownOpcodes::guessed, LineSource::kSmallPiece);
    kernel.require_cta();
    launch = kernel.launch();
  } catch (const TraceError&) {
    if (!options_.skip_bad_kernels) throw;
  }
}

void TraceStimulus::skip(std::size_t kernel, const TraceError& error) {
  warnings_.warn("kernel skipped, because it cannot be read: " + error.text(), error.file(), error.line());
  bytes_done_ += sizes_[kernel];
  if (++skipped_ == list_.kernels.size())
    throw TraceError(list_.path, 0, "none of its " + std::to_string(skipped_) + " kernels can be read",
                     "record the trace again; 'wharf trace check' lists the mistakes");
}

const KernelLaunch* TraceStimulus::next_kernel() {
  close_kernel();
  started_.clear();
  while (order_.started() < list_.kernels.size()) {
    const std::size_t kernel = order_.start_first();
    if (open(kernel)) return started(kernel, launch_);
  }
  return nullptr;
}

const KernelLaunch* TraceStimulus::next_concurrent(const RunningStreams& running) {
  // The first kernel that is measured starts when all others have drained.
  const std::size_t end = order_.started() <= list_.warm_up ? list_.warm_up : list_.kernels.size();
  const auto stream_of = [this](std::size_t k) { return launches_[k] ? launches_[k]->stream : 0; };
  for (;;) {
    const std::size_t kernel = order_.start(end, running, stream_of);
    if (kernel == end) return nullptr;
    if (options_.skip_bad_kernels && !is_whole(kernel)) continue;
    started_.remove_if([&](const Started& earlier) { return earlier.launch.stream == stream_of(kernel); });
    return started(kernel, *launches_[kernel]);
  }
}

std::vector<KernelLaunch> TraceStimulus::known_launches() const {
  std::vector<KernelLaunch> known;
  for (const std::optional<KernelLaunch>& launch : launches_)
    if (launch) known.push_back(*launch);
  return known;
}

/// Reads the whole kernel ahead, while the CTAs of another kernel are being opened. Returns false for a kernel that is skipped.
bool TraceStimulus::is_whole(std::size_t kernel) {
  try {
    require_whole_kernel(list_.kernels[kernel].path, options_.rules);
    return true;
  } catch (const TraceError& error) {
    opened_[kernel] = true;
    skip(kernel, error);
  }
  return false;
}

const KernelLaunch* TraceStimulus::started(std::size_t kernel, const KernelLaunch& launch) {
  if (kernel < list_.warm_up) ++warm_up_;
  started_.push_back({kernel, as_run(kernel, launch)});
  return &started_.back().launch;
}

/// Where the machine runs no clusters, the CTAs of one start one by one.
KernelLaunch TraceStimulus::as_run(std::size_t kernel, KernelLaunch launch) {
  if (options_.rules.clusters || launch.ctas_per_cluster() == 1) return launch;
  launch.cluster = {};
  warnings_.warn("kernel in thread-block clusters, whose CTAs start one by one and wait for no other at the cluster's barrier",
                 list_.kernels[kernel].path, 1);
  return launch;
}

void TraceStimulus::open_kernel(const KernelLaunch& kernel) {
  for (const Started& started : started_) {
    if (&started.launch != &kernel || (in_kernel_ && started.number == number_)) continue;
    close_kernel();
    open(started.number);
  }
}

void TraceStimulus::close_kernel() {
  if (in_kernel_) bytes_done_ += sizes_[number_];
  in_kernel_ = false;
  early_.clear();
  early_bytes_ = line_ = consumed_ = 0;
  seen_ = {};
  end_checked_ = ended_ = false;
}

/// Kernels are read ahead in the list's order. Where another one is opened, reading begins again with that. Returns false for a kernel that is
/// skipped.
bool TraceStimulus::open(std::size_t kernel) {
  opened_[kernel] = true;
  if (ahead_ == nullptr || ++position_ >= reading_.size() || reading_[position_] != kernel) {
    ahead_.reset();
    reading_ = {kernel};
    for (std::size_t other = 0; other < opened_.size(); ++other)
      if (!opened_[other]) reading_.push_back(other);
    position_ = 0;
    std::vector<std::string> paths;
    for (const std::size_t read : reading_) paths.push_back(list_.kernels[read].path);
    ahead_ = std::make_unique<ReadAhead>(std::move(paths), options_.ahead_bytes, options_.rules, options_.skip_bad_kernels);
  }
  const ReadAhead::Step step = ahead_->next(position_);
  if (step.kind == ReadAhead::Step::Kind::skipped) {
    try {
      std::rethrow_exception(step.error);
    } catch (const TraceError& error) {
      skip(kernel, error);
    }
    return false;
  }
  number_ = kernel;
  launch_ = step.launch;
  code_ = std::make_shared<CodeTable>();
  in_kernel_ = true;
  return true;
}

void TraceStimulus::fail(const std::string& text, const std::string& remedy) const {
  throw TraceError(list_.kernels[number_].path, line_, text, remedy);
}

/// Reads the next CTA of the file; returns false at its end.
bool TraceStimulus::next_step(CtaStep& step) {
  if (ended_) return false;
  ended_ = true;  // where the next line throws
  ReadAhead::Step read = ahead_->next(position_);
  ended_ = read.kind == ReadAhead::Step::Kind::end;
  step = std::move(read.read);
  code_->append(step.code);
  warnings_.add(step.warnings);
  line_ = step.line;
  consumed_ = step.consumed;
  require_runnable(list_.kernels[number_].path, step.cta, options_.rules);
  if (ended_) fingerprints_[number_] = read.fingerprint;
  return !ended_;
}

std::vector<std::string> TraceStimulus::kernel_fingerprints() const {
  std::vector<std::string> fingerprints = fingerprints_;
  for (std::size_t kernel = 0; kernel < fingerprints.size(); ++kernel)
    if (fingerprints[kernel].empty()) fingerprints[kernel] = open_bytes(list_.kernels[kernel].path)->fingerprint();
  return fingerprints;
}

std::vector<std::unique_ptr<WarpStream>> TraceStimulus::open_cta(std::uint64_t cta) {
  if (!in_kernel_) throw InputError("CTA " + std::to_string(cta) + " wanted before the first or after the last kernel of the trace");
  if (cta >= launch_.grid.count())
    fail("CTA " + std::to_string(cta) + " wanted of a grid of " + std::to_string(launch_.grid.count()), "ask for CTAs of the grid");
  TracedCta traced = find_cta(cta);
  if (seen_.count() == launch_.grid.count() && !end_checked_) check_end();
  std::vector<std::unique_ptr<WarpStream>> streams;
  streams.reserve(traced.warps.size());
  for (PackedWarp& warp : traced.warps)
    streams.push_back(std::make_unique<PackedStream>(code_, std::move(warp), launch_.ctas_per_cluster()));
  return streams;
}

TracedCta TraceStimulus::find_cta(std::uint64_t number) {
  const auto waiting = early_.find(number);
  if (waiting != early_.end()) {
    TracedCta cta = std::move(waiting->second);
    early_bytes_ -= cta.bytes();
    early_.erase(waiting);
    return cta;
  }
  for (CtaStep step; next_step(step);) {
    if (!seen_.add(step.cta.number)) throw duplicate_cta(list_.kernels[number_].path, line_, step.cta.number);
    if (step.cta.number == number) return std::move(step.cta);
    store_early(std::move(step.cta), number);
  }
  fail("CTA " + std::to_string(number) + " is missing from the file", kRecordAgain);
}

void TraceStimulus::store_early(TracedCta cta, std::uint64_t wanted) {
  const std::uint64_t number = cta.number;
  early_bytes_ += cta.bytes();
  early_.emplace(number, std::move(cta));
  const bool by_rows = launch_.cluster.count() != launch_.cluster.x;
  const std::uint64_t most = by_rows ? std::max(options_.waiting_bytes, options_.waiting_cluster_bytes) : options_.waiting_bytes;
  if (early_bytes_ > most) {
    fail("CTA " + std::to_string(wanted) + " comes too late: the CTAs in front of it in the file fill " + std::to_string(most) + " bytes",
         "write the CTAs in linear order, x fastest");
  }
}

// Reads on after the last CTA, to find a damaged end or excess CTAs while the run can still be stopped.
void TraceStimulus::check_end() {
  end_checked_ = true;
  CtaStep extra;
  if (next_step(extra)) throw duplicate_cta(list_.kernels[number_].path, line_, extra.cta.number);
}

double TraceStimulus::progress() const {
  if (total_bytes_ == 0) return 0.0;
  const std::uint64_t done = bytes_done_ + consumed_;
  return static_cast<double>(done) / static_cast<double>(total_bytes_);
}

bool TraceStimulus::archive(Archive& file) {
  file(order_, warm_up_, in_kernel_, number_, bytes_done_, fingerprints_, warnings_);
  if (order_.started() > list_.kernels.size())
    throw InputError("checkpoint: the trace has fewer kernels than the one that was saved; load it with that trace");
  std::fill_n(opened_.begin(), order_.started(), true);
  return true;
}

}  // namespace wharf::traces
