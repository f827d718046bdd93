#include "stimuli/traces/recording/recording_stimulus.h"

#include <array>
#include <map>

#include "model/base/barriers/mbarriers.h"
#include "model/base/bits.h"
#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::traces {

namespace {

StaticInstruction fixed_part(const WarpInstruction& instruction) {
  StaticInstruction fixed;
  fixed.pc = instruction.pc;
  fixed.unit = instruction.unit;
  fixed.space = instruction.space;
  fixed.cache_op = instruction.cache_op;
  fixed.eviction = instruction.eviction;
  fixed.access_bytes = instruction.access_bytes;
  fixed.destination = instruction.destination;
  fixed.sources = instruction.sources;
  return fixed;
}

}  // namespace

/// The kernel being recorded: its code table, and the CTAs that have begun and are not yet written.
class RecordingStimulus::Recording {
 public:
  Recording(const std::string& folder, TraceForm form) : writer_(folder, form) {}

  void begin_kernel(const KernelLaunch& launch) {
    if (launch.l2_window.bytes != 0 || launch.resets_persisting)
      throw SimulationError("kernel '" + readable_name(launch.name) +
                            "': a trace cannot hold an access-policy window or a reset of persisting lines; record without them");
    if (launch.ctas_per_cluster() > 1)
      throw SimulationError(
          "kernel '" + readable_name(launch.name) +
          "': a trace cannot hold thread-block clusters, because it has no addresses of other CTAs' shared memory; record "
          "without this kernel");
    writer_.begin_kernel(launch);
    launch_ = launch;
    code_ = std::make_shared<CodeTable>();
    ctas_.clear();
  }
  void end_kernel() { writer_.end_kernel(); }

  void begin_cta(std::uint64_t cta, std::size_t warps) {
    ctas_[cta] = {std::vector<PackedWarp>(warps), warps};
    write_complete();
  }
  void end_warp(std::uint64_t cta, std::size_t warp, PackedWarp packed) {
    Cta& running = ctas_[cta];
    running.warps[warp] = std::move(packed);
    if (--running.running == 0) write_complete();
  }
  void add(const WarpInstruction& instruction, WarpPacker& out) {
    if (instruction.unit == Unit::barrier && MbarrierUse::is_by(instruction.barrier))
      throw SimulationError("kernel '" + readable_name(launch_.name) +
                            "': a trace cannot hold mbarriers, bulk copies and waits for asynchronous copies; record without this kernel");
    if (instruction.unit == Unit::barrier && (instruction.barrier.warps != 0 || instruction.barrier.arrives_only))
      throw SimulationError("kernel '" + readable_name(launch_.name) +
                            "': a trace cannot hold a barrier that some warps of the CTA skip or pass; record without this kernel");
    const std::uint32_t number = code_->intern(fixed_part(instruction));
    std::uint32_t part = number;  // of a product: its parts but the last have no result
    if (instruction.unit == Unit::tensor && instruction.repeat > 1) {
      StaticInstruction without = fixed_part(instruction);
      without.destination = kNoRegister;
      part = code_->intern(without);
    }
    const bool addressed = has_addresses(instruction.unit) && instruction.active != 0;
    unsigned count = 0;
    if (addressed) {
      for (const unsigned lane : set_bits(instruction.active)) addresses_[count++] = recorded_address(instruction, lane);
    }
    for (unsigned i = 0; i < instruction.repeat; ++i) {
      if (addressed) {
        out.add_listed(number, instruction.active, addresses_.data(), count);
      } else {
        out.add(i + 1 < instruction.repeat ? part : number, instruction.active);
      }
    }
  }

 private:
  /// Local memory is recorded as offsets in the thread's stack (CM-43).
  Address recorded_address(const WarpInstruction& instruction, unsigned lane) const {
    const Address address = instruction.addresses[lane];
    return instruction.space == Space::local ? launch_.stack_offset(address, instruction.access_bytes) : address;
  }
  struct Cta {
    std::vector<PackedWarp> warps;
    std::size_t running = 0;
  };
  void write_complete() {
    for (auto next = ctas_.begin(); next != ctas_.end() && next->first == writer_.ctas_written() && next->second.running == 0;
         next = ctas_.erase(next)) {
      writer_.write_cta(code_, next->second.warps);
    }
  }

  TraceWriter writer_;
  KernelLaunch launch_;
  std::shared_ptr<CodeTable> code_;
  std::map<std::uint64_t, Cta> ctas_;
  std::array<Address, kLanes> addresses_;
};

class RecordingStimulus::RecordingStream final : public WarpStream {
 public:
  RecordingStream(std::unique_ptr<WarpStream> inner, std::shared_ptr<Recording> recording, std::uint64_t cta, std::size_t warp)
      : inner_(std::move(inner)), recording_(std::move(recording)), cta_(cta), warp_(warp) {}
  // The end is recorded when the SM sees it: looking ahead could run a warp past a barrier that other warps have not reached.
  const WarpInstruction* peek() override {
    const WarpInstruction* next = inner_->peek();
    if (next == nullptr && !ended_) {
      ended_ = true;
      recording_->end_warp(cta_, warp_, packer_.finish());
    }
    return next;
  }
  void advance() override {
    recording_->add(*inner_->peek(), packer_);
    inner_->advance();
  }
  void time_out() override { inner_->time_out(); }

 private:
  std::unique_ptr<WarpStream> inner_;
  std::shared_ptr<Recording> recording_;
  std::uint64_t cta_;
  std::size_t warp_;
  bool ended_ = false;
  WarpPacker packer_;
};

RecordingStimulus::RecordingStimulus(std::unique_ptr<Stimulus> inner, const std::string& folder, TraceForm form)
    : inner_(std::move(inner)), recording_(std::make_shared<Recording>(folder, form)) {}

RecordingStimulus::~RecordingStimulus() = default;

const KernelLaunch* RecordingStimulus::next_kernel() {
  finish();
  const KernelLaunch* launch = inner_->next_kernel();
  if (launch != nullptr) recording_->begin_kernel(*launch);
  return launch;
}

std::vector<std::unique_ptr<WarpStream>> RecordingStimulus::open_cta(std::uint64_t cta) {
  auto streams = inner_->open_cta(cta);
  recording_->begin_cta(cta, streams.size());
  for (std::size_t warp = 0; warp < streams.size(); ++warp) {
    streams[warp] = std::make_unique<RecordingStream>(std::move(streams[warp]), recording_, cta, warp);
  }
  return streams;
}

void RecordingStimulus::finish() { recording_->end_kernel(); }

}  // namespace wharf::traces
