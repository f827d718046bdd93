#include "platforms/cli/bench/bench_hierarchy.h"

#include "model/base/error.h"
#include "model/monitor/kernel_failure.h"

namespace wharf::cli {
namespace {

constexpr std::uint64_t kOwnBase = 1u << 25, kRegionBase = 1u << 26, kFreshBase = 1u << 27;  // line numbers

std::string numbered(const char* name, unsigned i) { return name + std::to_string(i); }

}  // namespace

// The L1 announces an answer at most data_cycles or fill_cycles before it arrives, plus a cycle for the hop.
LineDriver::LineDriver(sc_core::sc_module_name name, const LineMix& mix, const L1Params& l1, unsigned number, unsigned drivers,
                       ClockDomain& clock, PayloadPool& pool)
    : sc_module(name),
      clock_(clock),
      block_(clock.add(*this)),
      places_(mix.outstanding),
      left_(mix.transactions),
      downstream_("downstream", *this, 0),
      pool_(pool),
      l1_below_(mix.l1_percent),
      l2_below_(std::uint64_t{mix.l1_percent} + mix.l2_percent),
      // Neighbouring drivers stream through neighbouring lines, as a grid-stride loop does. The stride is odd, so that every set gets its
      // share.
      lines_{{{kOwnBase + std::uint64_t{number} * mix.l1_lines, mix.l1_lines, 0},
              {kRegionBase, mix.l2_lines, 0},
              {kFreshBase + number, 0, drivers | 1}}},
      rng_(1, number) {
  if (std::max(l1.data_cycles, l1.fill_cycles) + 1 >= kAhead)
    throw InputError("the bench of the hierarchy: l1.data_cycles and l1.fill_cycles must be less than " + std::to_string(kAhead - 1));
  next_.id = std::uint64_t{number} << 48;
  next_.sm = static_cast<std::uint16_t>(number);
  prepare_next();
  clock_.wake(block_, 1);
}

void LineDriver::act(Cycle now) {
  std::uint8_t& returned = returning_[now % kAhead];
  places_ += returned;
  returned = 0;
  if (places_ == 0 || blocked_ || left_ == 0) return;
  --places_;
  --left_;
  Payload& load = pool_.acquire(next_);
  load.transaction().access.issue_cycle = now + 1;
  blocked_ = downstream_.send(load, clock_.delay(1)) == Acceptance::pending;
  prepare_next();
  if (places_ != 0 && !blocked_) clock_.wake(block_, now + 1);
}

/// Fills the access some time before it leaves: an access copied right after it is written would stall until its fields are stored.
void LineDriver::prepare_next() {
  ++next_.id;
  next_.line = next_line();
}

/// Uses one draw per load: its upper half selects the kind, its lower half the line.
LineAddress LineDriver::next_line() {
  const std::uint64_t draw = rng_.next(), low = draw & 0xFFFF'FFFF;
  const std::uint64_t percent = (draw >> 32) * 100 >> 32;
  // The kind is unpredictable, so it is selected without branches.
  const unsigned kind = (percent >= l1_below_) + (percent >= l2_below_);
  Lines& lines = lines_[kind];
  const std::uint64_t line = lines.first + (low * lines.count >> 32);
  lines.first += lines.stride;
  return {line};
}

void LineDriver::request_accepted(unsigned, Picoseconds at) {
  blocked_ = false;
  clock_.wake(block_, std::max(clock_.cycle_at(at), clock_.now() + 1));
}

bool LineDriver::response(unsigned, Payload& payload, Picoseconds at) {
  const Cycle cycle = clock_.cycle_at(at);
  ++returning_[cycle % kAhead];
  ++answered_;
  payload.release();
  clock_.wake(block_, cycle);
  return true;
}

HierarchyBench::HierarchyBench(const GpuParams& params, const LineMix& mix)
    : params_(params),
      mix_(mix),
      addresses_(params.addresses()),
      directory_(params.sms, params.l1.sectored),
      interconnect_(std::make_unique<Interconnect>(params.network, params.sms, params.slices(), TrafficPlan{},
                                                   clock("network_clock", params.clock_mhz.network), registry_)) {
  if (params.l2.partition.on()) throw InputError("the bench of the hierarchy has no entry slices: set l2.partitions to 1");
  build_sm_side();
  build_memory_side();
}

/// Returns one domain for all clocks of a frequency, because their edges coincide.
ClockDomain& HierarchyBench::clock(const char* name, std::uint32_t mhz) {
  for (const auto& existing : clocks_)
    if (existing->mhz() == mhz) return *existing;
  clocks_.push_back(std::make_unique<ClockDomain>(name, mhz, ClockOptions{}));
  return *clocks_.back();
}

void HierarchyBench::build_sm_side() {
  ClockDomain& core = clock("core_clock", params_.clock_mhz.core);
  const L1Cache::Environment environment{core, pool_, registry_, &directory_, &directory_commit_, false, 0};
  const SmNic::Route route{SmNic::to_l2({*addresses_, params_.sms, params_.slices()}), interconnect_->flit_bytes()};
  for (unsigned i = 0; i < params_.sms; ++i)
    drivers_.push_back(std::make_unique<LineDriver>(numbered("driver", i).c_str(), mix_, params_.l1, i, params_.sms, core, pool_));
  for (unsigned i = 0; i < params_.sms; ++i) {
    caches_.push_back(
        std::make_unique<L1Cache>(numbered("l1_cache", i).c_str(), params_.l1, params_.transaction, i, /*ports=*/1, environment));
    sm_nics_.push_back(std::make_unique<SmNic>(numbered("sm_nic", i).c_str(), params_.packets, i, i, route, registry_));
    drivers_[i]->downstream().bind(caches_[i]->upstream(0));
    caches_[i]->downstream(0).bind(sm_nics_[i]->upstream());
    sm_nics_[i]->request().bind(interconnect_->input(i, Traffic::to_l2));
    interconnect_->output(i, Traffic::from_l2).bind(sm_nics_[i]->reply());
  }
}

void HierarchyBench::build_memory_side() {
  const L2Slice::Environment of_slices{clock("l2_clock", params_.clock_mhz.l2), pool_, registry_, *addresses_, false, nullptr};
  const DramChannel::Environment of_channels{clock("dram_clock", params_.clock_mhz.dram), registry_, *addresses_,
                                             params_.slices_per_channel, false};
  for (unsigned i = 0; i < params_.channels; ++i)
    channels_.push_back(std::make_unique<DramChannel>(numbered("dram_channel", i).c_str(), params_.dram.of_channel(i, params_.channels),
                                                      params_.dram_link_places(), i, of_channels));
  for (unsigned i = 0; i < params_.slices(); ++i) {
    const unsigned node = params_.sms + i;
    slices_.push_back(std::make_unique<L2Slice>(numbered("l2_slice", i).c_str(), params_.l2, params_.transaction, i, of_slices));
    l2_nics_.push_back(
        std::make_unique<L2Nic>(numbered("l2_nic", i).c_str(), params_.packets, node, i, interconnect_->flit_bytes(), registry_));
    interconnect_->output(node, Traffic::to_l2).bind(l2_nics_[i]->request());
    l2_nics_[i]->downstream().bind(slices_[i]->upstream());
    l2_nics_[i]->reply().bind(interconnect_->input(node, Traffic::from_l2));
    slices_[i]->downstream().bind(channels_[i / params_.slices_per_channel]->upstream(i % params_.slices_per_channel));
  }
}

void HierarchyBench::run() {
  run_kernel();
  if (pool_.alive() != 0)
    throw SimulationError("deadlock: the hierarchy makes no progress with " + std::to_string(pool_.alive()) + " transactions in it");
  for (const std::string& law : registry_.broken_laws())
    throw SimulationError("the hierarchy has drained, but a law does not hold: " + law);
}

std::uint64_t HierarchyBench::transactions() const {
  std::uint64_t answered = 0;
  for (const auto& driver : drivers_) answered += driver->answered();
  return answered;
}

}  // namespace wharf::cli
