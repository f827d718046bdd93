#include "stimuli/spmd/spmd_stimulus.h"

#include <algorithm>
#include <stdexcept>

#include "model/base/archive.h"
#include "model/base/cluster_order.h"

namespace wharf::spmd {
namespace {

/// The compiler's name of a file, from the project's folder on; of a file elsewhere its last part.
std::string in_tree(const std::string& file) {
  const std::size_t here = file.rfind("stimuli/kernels/");
  return here != std::string::npos ? file.substr(here) : file.substr(file.rfind('/') + 1);
}

}  // namespace

SpmdStimulus::SpmdStimulus(const Translation& translation, const std::function<std::unique_ptr<Workload>(Memory&)>& make)
    : translation_(translation), workload_(make(memory_)) {}

const KernelLaunch* SpmdStimulus::next_kernel() {
  if (complete_) return nullptr;
  if (history_ != nullptr) history_->record({});
  started_.clear();
  const Kernel* kernel = workload_->next();
  if (history_ != nullptr) history_->take_snapshot();
  complete_ = kernel == nullptr && !workload_->waiting();
  if (kernel == nullptr) return nullptr;
  open_ = &start(*kernel);
  return &open_->launch;
}

const KernelLaunch* SpmdStimulus::next_concurrent(const RunningStreams& running) {
  const Kernel* kernel = workload_->next_concurrent(running);
  if (kernel == nullptr) return nullptr;
  if (history_ != nullptr) {
    history_->record(running);
    history_->take_snapshot();
  }
  const auto is_over = [&](const std::unique_ptr<Started>& earlier) { return earlier->launch.stream == kernel->launch.stream; };
  started_.erase(std::remove_if(started_.begin(), started_.end(), is_over), started_.end());
  return &start(*kernel).launch;
}

SpmdStimulus::Started& SpmdStimulus::start(const Kernel& kernel) {
  ++launched_;
  started_.push_back(std::make_unique<Started>(Started{&kernel, kernel.launch, std::make_shared<FinishedCtas>(0)}));
  Started& started = *started_.back();
  started.launch.source_file = in_tree(kernel.source_file);
  if (!started.launch.source_file.empty()) started.launch.pcs_a_line = Warp::pcs_a_line(kernel, translation_);
  return started;
}

void SpmdStimulus::open_kernel(const KernelLaunch& kernel) {
  for (const auto& started : started_)
    if (&started->launch == &kernel) open_ = started.get();
}

std::vector<std::unique_ptr<WarpStream>> SpmdStimulus::open_cta(std::uint64_t cta) {
  const Kernel& kernel = *open_->kernel;
  auto state = std::make_shared<Cta>();
  state->index = index_in(kernel.launch.grid, cta);
  const ClusterOrder order{kernel.launch.grid, kernel.launch.cluster};
  state->rank = order.rank_of(state->index);
  if (state->rank == 0) {
    opened_ = std::make_shared<Cluster>();
    opened_->number = order.cluster_of(state->index);
    opened_->shared.resize(kernel.launch.ctas_per_cluster(), std::vector<std::byte>(kernel.launch.shared_bytes));
  }
  state->cluster = opened_;
  state->running_warps = kernel.launch.warps_per_cta();
  std::vector<std::unique_ptr<WarpStream>> warps;
  warps.reserve(state->running_warps);
  for (unsigned i = 0; i < state->running_warps; ++i) {
    warps.push_back(std::make_unique<WarpFiber>(kernel, translation_, state, i, stacks_, open_->finished_ctas));
  }
  return warps;
}

bool SpmdStimulus::contents(LineAddress line, std::array<std::byte, kLineBytes>& bytes) const {
  memory_.read(line.byte_address(), bytes.data(), bytes.size());
  return true;
}

bool SpmdStimulus::store(Address address, const std::byte* from, std::size_t count) {
  std::byte* const to = memory_.find(address);
  const std::byte* const last = memory_.find(address + count - 1);
  if (to == nullptr || last == nullptr) return false;
  std::copy_n(from, count, to);
  return true;
}

double SpmdStimulus::progress() const {
  if (complete_) return 1.0;
  const auto kernels = static_cast<double>(workload_->launch_count());
  if (kernels == 0) return -1.0;
  double done = static_cast<double>(launched_ - started_.size());
  for (const auto& kernel : started_)
    done += static_cast<double>(*kernel->finished_ctas) / static_cast<double>(kernel->launch.grid.count());
  return done / kernels;
}

bool SpmdStimulus::check_results(std::string& why) const {
  if (!complete_) {
    why = "the run is not complete: only " + std::to_string(launched_) + " kernels were launched";
    return false;
  }
  return workload_->check(why);
}

bool SpmdStimulus::archive(Archive& file) {
  if (!file.loads()) {
    if (history_ == nullptr) throw std::logic_error("a stimulus is saved that has kept no history");
    ImageHistory::Changes last = history_->changes();
    file(history_->steps(), last);
    return true;
  }
  std::vector<ImageHistory::Step> before;
  ImageHistory::Changes last;
  file(before, last);
  for (const ImageHistory::Step& step : before) {
    ImageHistory::apply(step.changes, memory_);
    step.running.busy.empty() ? next_kernel() : next_concurrent(step.running);
  }
  ImageHistory::apply(last, memory_);
  return true;
}

}  // namespace wharf::spmd
