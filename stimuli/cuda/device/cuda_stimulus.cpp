#include "stimuli/cuda/device/cuda_stimulus.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/base/hash.h"
#include "model/base/text.h"
#include "stimuli/functional_run.h"

namespace wharf::cuda {
namespace {

/// A hash of its kernel, geometry, arguments and attributes.
std::uint64_t hash_of(const LaunchRecord& launch) {
  return hash64(launch.attributes.acts() ? packed(launch.attributes) + packed(launch) : packed(launch));
}

}  // namespace

const KernelLaunch* CudaStimulus::next_kernel() {
  if (ended_) return nullptr;
  if (kernel_ != nullptr) {
    kernel_ = nullptr;
    source().complete_launch(device_.end_launch());
  }
  bool resets_persisting = false;  // by the program, before a launch without time
  while (const LaunchRecord* launch = source().next_launch()) {
    launches_.push_back(hash_of(*launch));
    resets_persisting |= launch->attributes.resets_persisting;
    ptx::KernelExecution& kernel = device_.begin_launch(*launch);
    if (is_timed(*launch)) {
      kernel_ = &kernel;
      launch_ = kernel.launch();
      launch_.name = readable_name(launch_.name);
      launch_.resets_persisting = resets_persisting;
      return &launch_;
    }
    std::uint64_t instructions = 0;
    const auto open_cta = [&](std::uint64_t cta) { return kernel.open_cta(cta); };
    if (!lists_ && !run_kernel_functionally(kernel.launch(), open_cta, instructions, [this] { return !must_stop(); })) break;
    source().complete_launch(device_.end_launch());
  }
  ended_ = true;
  end();
  if (choice_ && taken_ == 0 && !stopped()) choice_->require_kernels();
  return nullptr;
}

void CudaStimulus::archive_launches(Archive& file) {
  std::vector<std::uint64_t> launches = launches_;
  ptx::Warnings& warnings = device_.warnings();
  std::vector<std::pair<std::string, std::uint64_t>> warned(warnings.begin(), warnings.end());
  file(launches, warned);
  if (file.loads())
    for (const std::uint64_t hash : launches) repeat_launch(hash);
  device_.memory().archive(file);
  warnings = {warned.begin(), warned.end()};
}

void CudaStimulus::repeat_launch(std::uint64_t hash) {
  const LaunchRecord* launch = source().next_launch();
  launches_.push_back(launch == nullptr ? 0 : hash_of(*launch));
  if (launch == nullptr || launches_.back() != hash)
    throw InputError(
        "checkpoint: launch " + std::to_string(launches_.size()) +
        " of the program has another kernel, geometry, arguments or attributes than when it was saved; load it with the recording that was saved");
  is_timed(*launch);
  device_.begin_launch(*launch);
  source().complete_launch(device_.end_launch());
}

/// Counts the launch too.
bool CudaStimulus::is_timed(const LaunchRecord& launch) {
  if (!choice_ || choice_->selects(launch.kernel)) {
    ++taken_;
    return true;
  }
  const bool warms = warm_ && taken_ == 0;
  ++(warms ? warm_up_ : untimed_);
  return warms;
}

std::vector<std::pair<std::string, std::uint64_t>> CudaStimulus::warnings() const {
  std::vector<std::pair<std::string, std::uint64_t>> all(device_.warnings().begin(), device_.warnings().end());
  if (untimed_ != 0) all.emplace_back("a kernel that is not selected was executed without timing", untimed_);
  return all;
}

bool CudaStimulus::contents(LineAddress line, std::array<std::byte, kLineBytes>& bytes) const {
  device_.memory().read(line.byte_address(), bytes.data(), bytes.size());
  return true;
}

bool CudaStimulus::store(Address address, const std::byte* from, std::size_t count) {
  if (!memory_.contains(address, count)) return false;
  std::copy_n(from, count, DeviceMemory::at(address));
  return true;
}

RecordedStimulus::RecordedStimulus(const std::string& path, RecordedProgram::Mismatch on_mismatch)
    : CudaStimulus(kAllocationSpan, DeviceMemory::kUnshared, true),
      program_(path, memory_, device_, on_mismatch) {}  // the program had the memory that it used

const KernelLaunch* RecordedStimulus::next_kernel() {
  finished_ = fraction_read();
  return CudaStimulus::next_kernel();
}

void RecordedStimulus::list_launches() {
  CudaStimulus::list_launches();
  program_.compare_reads(false);
}

double RecordedStimulus::progress() const { return finished_ + (fraction_read() - finished_) * progress_of_kernel(); }

double RecordedStimulus::fraction_read() const {
  const RecordingReader& file = program_.file();
  return static_cast<double>(file.bytes_consumed()) / static_cast<double>(std::max<std::uint64_t>(file.total_bytes(), 1));
}

bool RecordedStimulus::archive(Archive& file) {
  std::uint64_t mismatches = program_.mismatches();
  file(mismatches);
  if (file.loads()) program_.compare_reads(false);
  archive_launches(file);
  if (file.loads()) program_.compare_reads(true, mismatches);
  return true;
}

std::vector<std::pair<std::string, std::uint64_t>> RecordedStimulus::warnings() const {
  auto all = CudaStimulus::warnings();
  if (program_.mismatches() != 0)
    all.emplace_back("the host reads something else than when the program was recorded, because of a race or of float atomics",
                     program_.mismatches());
  return all;
}

void require_kernels(const std::string& path, KernelChoice choice) {
  RecordingReader file(path);
  RecordKind kind;
  std::string body;
  while (file.next(kind, body)) {
    if (kind != RecordKind::launch) continue;
    try {
      choice.selects(unpacked<LaunchRecord>(body).kernel);
    } catch (const DamagedRecord& damage) {
      file.damaged(damage.what());
    }
  }
  choice.require_kernels();
}

}  // namespace wharf::cuda
