#include "platforms/memory/hosted_memory.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/error.h"
#include "platforms/frame/gpu_frame.h"

namespace wharf {

namespace {

constexpr Cycle kFirstCycle = 16;  // the core cycle that is the host's 0: the first kernel boundary is over
constexpr Cycle kStep = 10'000;    // most cycles between looks at what has come to an end

/// SystemC elaborates once, and what it has elaborated cannot be taken down again.
void claim_process() {
  static bool claimed = false;
  if (claimed)
    throw InputError(
        "this process has created a memory system already, and SystemC has one simulation a process; "
        "give each its own process (fork before the first is created)");
  claimed = true;
}

GpuParams hosted(GpuParams params) {
  const auto refuse = [](const std::string& key, const std::string& what, const std::string& remedy) {
    throw InputError(fmt::format("{}: {}, and the cores are the host's; set {}", key, what, remedy));
  };
  if (params.sm.warp_filter != "none") refuse("sm.warp_filter", "chooses among the warps of an SM", "sm.warp_filter: none");
  if (params.sm.prediction.on()) refuse("sm.prediction", "SMs learn from their CTAs", "sm.prediction.scheme: none");
  if (params.data == DataKept::bytes) refuse("data", "bytes need a memory of the model's", "data: none");
  if (params.cache_sms() != 0)
    refuse("morpheus", "gives SMs to the extended LLC that the host would count as its own", "platform: private");
  params.front_end.kernel_launch_cycles = 1;  // a boundary has no CTAs, and its kernel must not end in the cycle it begins in
  claim_process();
  return params;
}

RunOptions hosted(RunOptions options) {
  options.hosted = true;
  return options;
}

}  // namespace

const KernelLaunch* BoundaryStimulus::next_kernel() {
  if (left_ == 0) return nullptr;
  --left_;
  kernel_.name = "boundary";
  kernel_.grid = {0, 1, 1};
  return &kernel_;
}

HostedMemory::HostedMemory(const GpuParams& params, RunOptions options, OnAnswer on_answer, const BindCore& bind_core)
    : params_(hosted(params)), on_answer_(std::move(on_answer)), simulation_(params_, stimulus_, hosted(std::move(options))) {
  GpuFrame& frame = simulation_.frame();
  for (unsigned sm = 0; sm < params_.sms; ++sm) {
    ports_.emplace_back();
    if (bind_core && bind_core(sm, frame.entry(sm))) continue;
    ports_.back() = std::make_unique<MemoryPort>(("memory_port" + std::to_string(sm)).c_str(), sm, frame.core_clock(), frame.pool(),
                                                 frame.entry(sm), answers_);
  }
  simulation_.advance(kFirstCycle);
  pass_boundary();
  begin_ = simulation_.frame().core_clock().present_cycle();
  begin_counts_ = simulation_.snapshot();
}

HostedMemory::~HostedMemory() = default;

Cycle HostedMemory::cycle() const { return (end_ ? end_->end_cycle : simulation_.frame().core_clock().present_cycle()) - begin_; }

/// Advances by `most` core cycles, but no further than the kernel's next event or the next answer on its way.
void HostedMemory::step(Cycle most) {
  const Cycle now = simulation_.frame().core_clock().present_cycle();
  for (const MemoryPort::Answer& answer : answers_) most = std::min(most, answer.cycle - now);
  simulation_.step(most);
}

void HostedMemory::pass_boundary() {
  while (!stimulus_.given() || !simulation_.frame().front_end().idle()) step(kStep);
}

bool HostedMemory::offer(unsigned core, Access access, Address address, std::uint32_t bytes, std::uint64_t tag) {
  if (core >= ports_.size()) throw InputError(fmt::format("core {}: there are {} (`sms`), counted from 0", core, ports_.size()));
  if (ports_[core] == nullptr) throw InputError(fmt::format("core {}: the host has bound an initiator of its own there", core));
  const unsigned block = transaction_bytes();
  if (bytes == 0 || bytes > block || address / block != (address + (bytes - 1)) / block)
    throw InputError(fmt::format("{} bytes at {:#x}: a request has 1 to {} bytes within an aligned block of {}; make one for each block",
                                 bytes, address, block, block));
  if (access.warp >= params_.sm.warps)
    throw InputError(fmt::format("warp {}: an SM has {} (`sm.warps`), counted from 0", access.warp, params_.sm.warps));
  access.line = LineAddress::of(address);
  access.sectors = access.covered = 0;
  const auto first = static_cast<unsigned>(address % kLineBytes), last = first + bytes - 1;
  for (unsigned sector = first / kSectorBytes; sector <= last / kSectorBytes; ++sector) {
    const auto bit = static_cast<SectorMask>(1u << sector);
    access.sectors |= bit;
    const bool whole = first <= sector * kSectorBytes && last + 1 >= (sector + 1) * kSectorBytes;
    if (access.kind == AccessKind::store && whole) access.covered |= bit;
  }
  if (access.kind == AccessKind::store && sector_count(access.sectors) == 1)
    access.written_bytes = static_cast<std::uint32_t>(((std::uint64_t{1} << bytes) - 1) << first % kSectorBytes);
  if (!ports_[core]->offer(access, tag)) return false;
  ++in_flight_;
  return true;
}

/// Delivers the answers that are here by now, in order of cycle, core and request. Returns true where there were any.
bool HostedMemory::deliver() {
  const Cycle now = simulation_.frame().core_clock().present_cycle();
  const auto due = std::stable_partition(answers_.begin(), answers_.end(), [now](const auto& answer) { return answer.cycle > now; });
  std::vector<MemoryPort::Answer> delivered(due, answers_.end());
  answers_.erase(due, answers_.end());
  std::sort(delivered.begin(), delivered.end(), [](const auto& a, const auto& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.access.id < b.access.id;  // ids ascend by core
  });
  in_flight_ -= delivered.size();
  for (MemoryPort::Answer& answer : delivered) {
    answer.cycle -= begin_;
    on_answer_(answer);
  }
  return !delivered.empty();
}

bool HostedMemory::advance(Cycle to) {
  if (const Cycle last = simulation_.frame().core_clock().last_cycle() - begin_; to > last)
    throw InputError(fmt::format("cycle {}: simulated time ends at cycle {}; advance in the cycles before it", to, last));
  while (cycle() < to) {
    step(to - cycle());
    if (deliver() && cycle() < to) return false;
  }
  return true;
}

bool HostedMemory::kernel_boundary() {
  if (in_flight_ != 0) return false;
  stimulus_.add();
  simulation_.resume();
  pass_boundary();
  return true;
}

void HostedMemory::finish() {
  while (in_flight_ != 0) advance(cycle() + kStep);
  while (!simulation_.frame().leftovers().empty()) step(kStep);  // writes on their way to memory
  end_ = counted();  // the simulation runs on below, but nothing happens there that a rate may count
  stimulus_.close();
  simulation_.resume();
  simulation_.run();
}

Interval HostedMemory::counted() {
  if (end_) return *end_;
  Interval interval;
  interval.begin_cycle = begin_;
  interval.end_cycle = begin_ + cycle();
  interval.begin_ps = simulation_.frame().core_clock().edge(begin_);
  interval.end_ps = simulation_.frame().core_clock().edge(interval.end_cycle);
  interval.begin = begin_counts_;
  interval.end = simulation_.snapshot();
  return interval;
}

}  // namespace wharf
