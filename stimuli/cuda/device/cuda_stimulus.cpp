#include "stimuli/cuda/device/cuda_stimulus.h"

#include <algorithm>

namespace wharf::cuda {

const KernelLaunch* CudaStimulus::next_kernel() {
  if (ended_) return nullptr;
  if (kernel_ != nullptr) {
    kernel_ = nullptr;
    source().complete_launch(device_.end_launch());
  }
  const LaunchRecord* launch = source().next_launch();
  if (launch == nullptr) {
    ended_ = true;
    end();
    return nullptr;
  }
  kernel_ = &device_.begin_launch(*launch);
  launch_ = kernel_->launch();
  launch_.name = readable_name(launch_.name);
  return &launch_;
}

std::vector<std::pair<std::string, std::uint64_t>> CudaStimulus::warnings() const {
  return {device_.warnings().begin(), device_.warnings().end()};
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
    : CudaStimulus(kAllocationSpan), program_(path, memory_, device_, on_mismatch) {}  // the program had the memory that it used

const KernelLaunch* RecordedStimulus::next_kernel() {
  finished_ = fraction_read();
  return CudaStimulus::next_kernel();
}

double RecordedStimulus::progress() const { return finished_ + (fraction_read() - finished_) * progress_of_kernel(); }

double RecordedStimulus::fraction_read() const {
  const RecordingReader& file = program_.file();
  return static_cast<double>(file.bytes_consumed()) / static_cast<double>(std::max<std::uint64_t>(file.bytes_in_all(), 1));
}

std::vector<std::pair<std::string, std::uint64_t>> RecordedStimulus::warnings() const {
  auto all = CudaStimulus::warnings();
  if (program_.mismatches() != 0)
    all.emplace_back("the host reads something else than when the program was recorded, because of a race or of float atomics", program_.mismatches());
  return all;
}

}  // namespace wharf::cuda
