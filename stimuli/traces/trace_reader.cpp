#include "stimuli/traces/trace_reader.h"

#include <filesystem>

#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

TraceStimulus::TraceStimulus(const std::string& path, ReaderOptions options) : options_(options), list_(read_trace_list(path)) {
  for (const ListedKernel& kernel : list_.kernels) {
    require_file(list_, kernel);
    bytes_in_all_ += std::filesystem::file_size(kernel.path);
  }
}

TraceStimulus::~TraceStimulus() = default;

const KernelLaunch* TraceStimulus::next_kernel() {
  if (kernel_) bytes_done_ += kernel_->source().bytes_in_all();
  kernel_.reset();
  early_.clear();
  early_bytes_ = next_cta_ = read_ = 0;
  end_checked_ = false;
  if (next_ == list_.kernels.size()) return nullptr;
  kernel_ = std::make_unique<KernelReader>(LineSource::open(list_.kernels[next_].path), warnings_);
  ++next_;
  launch_ = kernel_->launch();
  return &launch_;
}

void TraceStimulus::fail(const std::string& text, const std::string& remedy) const {
  throw TraceError(kernel_->source().name(), kernel_->source().line_number(), text, remedy);
}

std::vector<std::unique_ptr<WarpStream>> TraceStimulus::open_cta(std::uint64_t cta) {
  if (!kernel_) throw InputError("CTA " + std::to_string(cta) + " wanted before the first or after the last kernel of the trace");
  if (cta >= launch_.grid.count())
    fail("CTA " + std::to_string(cta) + " wanted of a grid of " + std::to_string(launch_.grid.count()), "ask for CTAs of the grid");
  TracedCta traced = take_cta(cta);
  next_cta_ = cta + 1;
  if (read_ == launch_.grid.count() && !end_checked_) check_end();
  const std::shared_ptr<const CodeTable> code = kernel_->code();
  std::vector<std::unique_ptr<WarpStream>> streams;
  streams.reserve(traced.warps.size());
  for (PackedWarp& warp : traced.warps) streams.push_back(std::make_unique<PackedStream>(code, std::move(warp)));
  return streams;
}

TracedCta TraceStimulus::take_cta(std::uint64_t number) {
  const auto waiting = early_.find(number);
  if (waiting != early_.end()) {
    TracedCta cta = std::move(waiting->second);
    early_bytes_ -= cta.bytes();
    early_.erase(waiting);
    return cta;
  }
  for (TracedCta cta; kernel_->next_cta(cta);) {
    ++read_;
    if (cta.number == number) return cta;
    store_early(std::move(cta));
  }
  fail("CTA " + std::to_string(number) + " is missing from the file", "record or copy the file again");
}

void TraceStimulus::store_early(TracedCta cta) {
  const std::uint64_t number = cta.number;
  if (number < next_cta_) fail("CTA " + std::to_string(number) + " appears twice", "delete one of the two");
  early_bytes_ += cta.bytes();
  if (!early_.emplace(number, std::move(cta)).second) fail("CTA " + std::to_string(number) + " appears twice", "delete one of the two");
  if (early_bytes_ > options_.waiting_bytes) {
    fail("CTA " + std::to_string(next_cta_) + " stands too far behind the CTAs after it, which fill " +
             std::to_string(options_.waiting_bytes) + " bytes",
         "write the CTAs in linear order, x fastest");
  }
}

// Reads on after the last CTA, to find a damaged end or excess CTAs while the run can still be stopped.
void TraceStimulus::check_end() {
  end_checked_ = true;
  TracedCta extra;
  if (kernel_->next_cta(extra)) fail("CTA " + std::to_string(extra.number) + " appears twice", "delete one of the two");
}

double TraceStimulus::progress() const {
  if (bytes_in_all_ == 0) return 0.0;
  const std::uint64_t done = bytes_done_ + (kernel_ ? kernel_->source().bytes_consumed() : 0);
  return static_cast<double>(done) / static_cast<double>(bytes_in_all_);
}

}  // namespace wharf::traces
