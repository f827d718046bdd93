#include "stimuli/traces/ctas/read_ahead.h"

#include <algorithm>
#include <utility>

#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

ReadAhead::ReadAhead(std::vector<std::string> paths, std::uint64_t most_bytes, const KernelRules& rules, bool skip_bad)
    : paths_(std::move(paths)), most_bytes_(most_bytes), rules_(rules), skip_bad_(skip_bad), thread_([this] { read_all(); }) {}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    first_needed_ = paths_.size();
  }
  emptied_.notify_one();
  thread_.join();
}

ReadAhead::Step ReadAhead::next(std::size_t kernel) {
  std::unique_lock lock(mutex_);
  first_needed_ = std::max(first_needed_, kernel);
  for (;;) {
    filled_.wait(lock, [&] { return !steps_.empty(); });
    Step step = std::move(steps_.front());
    steps_.pop_front();
    const std::uint64_t before = bytes_;
    bytes_ -= step.read.cta.bytes();
    // Woken once for many steps, not for each.
    if (before > most_bytes_ / 2 && bytes_ <= most_bytes_ / 2) emptied_.notify_one();
    if (step.kernel < kernel) continue;
    if (step.kind == Step::Kind::error) std::rethrow_exception(step.error);
    return step;
  }
}

bool ReadAhead::put(Step step) {
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [&] { return bytes_ < most_bytes_ || step.kernel < first_needed_; });
  if (step.kernel < first_needed_) return false;
  bytes_ += step.read.cta.bytes();
  steps_.push_back(std::move(step));
  if (steps_.size() == 1) filled_.notify_one();
  return true;
}

void ReadAhead::read_all() {
  for (std::size_t kernel = 0; kernel < paths_.size(); ++kernel) {
    Step step;
    step.kind = Step::Kind::error;
    step.kernel = kernel;
    try {
      read_kernel(kernel);
      continue;
    } catch (...) {
      step.error = std::current_exception();
    }
    put(std::move(step));  // not in the handler, which would share the exception with the reader of the steps
  }
}

bool ReadAhead::is_whole(std::size_t kernel) {
  Step step;
  step.kind = Step::Kind::skipped;
  step.kernel = kernel;
  try {
    require_whole_kernel(paths_[kernel], rules_);
    return true;
  } catch (const TraceError&) {
    step.error = std::current_exception();
  }
  put(std::move(step));  // as in read_all()
  return false;
}

void ReadAhead::read_kernel(std::size_t kernel) {
  {
    const std::lock_guard lock(mutex_);
    if (kernel < first_needed_) return;
  }
  if (skip_bad_ && !is_whole(kernel)) return;
  const std::unique_ptr<KernelSource> source = open_kernel(paths_[kernel], rules_.unknown_opcodes);
  Step first;
  first.kind = Step::Kind::launch;
  first.kernel = kernel;
  first.launch = source->launch();
  if (!put(std::move(first))) return;
  for (;;) {
    Step step;
    step.kernel = kernel;
    step.kind = source->next(step.read) ? Step::Kind::cta : Step::Kind::end;
    const bool last = step.kind == Step::Kind::end;
    if (last) {
      step.read.cta = {};
      step.fingerprint = source->fingerprint();
    }
    if (!put(std::move(step)) || last) return;
  }
}

}  // namespace wharf::traces
