// Runs launches in order.
#include "stimuli/ptx/ptx_stimulus.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"

namespace wharf::ptx {

namespace {

std::vector<Module> parse_all(std::vector<SourceText> texts) {
  std::vector<Module> modules;
  for (SourceText& text : texts) modules.push_back(parse_module(std::move(text)));
  return modules;
}

}  // namespace

PtxStimulus::PtxStimulus(std::vector<SourceText> modules, DeviceMemory& memory, std::vector<LaunchRequest> launches, const Options& options,
                         std::function<void(const std::string&)> print)
    : memory_(memory), program_(parse_all(std::move(modules)), memory, options), launches_(std::move(launches)), print_(std::move(print)) {}

void PtxStimulus::end_kernel() {
  if (kernel_ == nullptr) return;
  if (print_) print_(kernel_->output());
  kernel_.reset();
}

const KernelLaunch* PtxStimulus::next_kernel() {
  end_kernel();
  if (next_ == launches_.size()) return nullptr;
  kernel_ = std::make_unique<KernelExecution>(program_, memory_, textures_, launches_[next_], next_, warnings_, options_);
  ++next_;
  return &kernel_->launch();
}

bool PtxStimulus::contents(LineAddress line, std::array<std::byte, kLineBytes>& bytes) const {
  memory_.read(line.byte_address(), bytes.data(), bytes.size());
  return true;
}

bool PtxStimulus::store(Address address, const std::byte* from, std::size_t count) {
  if (memory_.find(address) == nullptr || memory_.find(address + count - 1) != memory_.find(address)) return false;
  std::copy_n(from, count, memory_.at(address));
  return true;
}

bool PtxStimulus::archive(Archive& file) {
  std::vector<std::pair<std::string, std::uint64_t>> warned(warnings_.begin(), warnings_.end());
  file(next_, warned);
  if (next_ > launches_.size())
    throw InputError("checkpoint: there are fewer launches than when it was saved; load it with that launch file");
  memory_.archive(file);
  warnings_ = {warned.begin(), warned.end()};
  return true;
}

std::vector<KernelLaunch> PtxStimulus::known_launches() const {
  std::vector<KernelLaunch> launches;
  Warnings none;
  for (std::size_t i = 0; i < launches_.size(); ++i)
    launches.push_back(KernelExecution(program_, memory_, textures_, launches_[i], i, none).launch());
  return launches;
}

double PtxStimulus::progress() const {
  if (launches_.empty()) return 1.0;
  const double finished = static_cast<double>(next_) - (kernel_ != nullptr ? 1.0 - kernel_->progress() : 0.0);
  return finished / static_cast<double>(launches_.size());
}

}  // namespace wharf::ptx
