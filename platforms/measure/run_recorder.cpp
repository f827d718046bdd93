#include "platforms/measure/run_recorder.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/monitor/kernel_failure.h"
#include "platforms/frame/gpu_frame.h"

namespace wharf {

namespace {
/// Lists every cause of a lost issue slot with its counter. For a wait for a load, the cause is the stage of that load.
std::vector<std::pair<std::string, std::string>> lost_slots(unsigned stages) {
  std::vector<std::pair<std::string, std::string>> causes;
  for (const char* cause : kSlotCauseNames)
    if (cause != std::string_view("issued")) causes.emplace_back(cause, std::string("sm.slots.") + cause);
  for (unsigned i = 0; i < stages; ++i)
    causes.emplace_back(std::string("load in ") + kStageNames[i], std::string("sm.slots.load.in_") + kStageNames[i]);
  return causes;
}

constexpr const char *kOwnL1 = "sm.sectors.own_l1", *kOtherL1 = "sm.sectors.other_l1", *kL2Bytes = "nic.l2.reply_bytes",
                     *kDramReads = "dram.reads";
}  // namespace

RunRecorder::RunRecorder(sc_core::sc_module_name name, const GpuParams& params, const RunOptions& options, stats::Registry& registry)
    : sc_module(name),
      params_(params),
      options_(options),
      registry_(registry),
      run_(registry, "run"),
      net_(registry, "net"),
      directory_group_(registry, "directory"),
      core_cycles_(run_, "core_cycles", "core cycles counted", stats::Unit::cycles),
      dram_cycles_(run_, "dram_cycles", "DRAM command clocks counted", stats::Unit::cycles),
      net_cycles_(net_, "cycles", "network cycles counted", stats::Unit::cycles),
      copies_sampled_(directory_group_, "copies_sampled", "copies of lines in L1s, summed over samples", stats::Unit::count),
      lines_sampled_(directory_group_, "lines_sampled", "different lines in L1s, summed over samples", stats::Unit::count),
      replicated_sampled_(directory_group_, "replicated_sampled", "lines in two L1s or more, summed over samples", stats::Unit::count),
      samples_(directory_group_, "samples", "samples taken, one every 10,000 core cycles (SL-37)", stats::Unit::count),
      copies_(directory_group_, "copies", "L1s that hold a line, of each line at each sample", stats::Unit::count),
      timeline_(options.timeline_file, params.clock_mhz.core),
      together_(params.front_end.runs_kernels_together()) {
  if (params.facts().first_network.clock_mhz != 0)
    noc1_cycles_ = std::make_unique<stats::Counter>(net_, "noc1_cycles", "cycles of NoC#1 counted", stats::Unit::cycles);
  if (params.l2.partition.copies()) l2_copies_ = std::make_unique<L2CopySamples>(registry);
  SC_METHOD(record);
  sensitive << due_;
  dont_initialize();
}

void RunRecorder::attach(GpuFrame& frame, const ChipEnergy& energy) {
  frame_ = &frame;
  energy_ = &energy;
  block_ = frame.core_clock().add(*this);
  frame.core_clock().wake(block_, next_sample_);
  if (l2_copies_ != nullptr) l2_copies_->attach();
  std::vector<std::string> names = energy.counters();
  names.insert(names.end(), {kOwnL1, kOtherL1, kL2Bytes, kDramReads});
  // Only if somebody will see them, because they are many.
  if (options_.cycle_stack && timeline_.recorded())
    for (const auto& [cause, counter] : lost_slots(stages_of(params_.l2.partition.on()))) names.push_back(counter);
  sampled_ = std::make_unique<CounterTotals>(registry_, names);
  if (options_.cycle_stack) stages_ = std::make_unique<StageTotals>(registry_, frame.sms(), stages_of(params_.l2.partition.on()));
  warps_ = std::make_unique<WarpsOverTime>(params_, registry_);
  parts_ = std::make_unique<PartsOverTime>(registry_, params_, kSampleCycles);
  registry_.table("bandwidth", "bytes that L1 caches, L2 slices and DRAM channels gave per core cycle, from each core cycle on",
                  [this] { return bandwidth(); });
  registry_.table("energy_over_time", "mean power of each structure in W, from each core cycle on", [this] { return power(); });
  registry_.table(
      "parts_over_time",
      "thousandths of its cycles in which each L2 slice took an access and each DRAM channel moved data, from each core cycle on",
      [this] { return parts_->rows(); });
}

/// Brings counters of time up to the present before reading them.
TimeCurve::Totals RunRecorder::totals() {
  frame_->catch_up();
  return sampled_->now();
}

void RunRecorder::end_curves(Cycle now) {
  curve_.end(now, totals());
  parts_->end(now);
  warps_->end(thread_instructions(), now);
}

stats::TableRows RunRecorder::bandwidth() const {
  stats::TableRows table{{"cycle", "l1", "l2", "dram"}, {}};
  for (const TimeCurve::Interval& interval : curve_.intervals()) {
    const auto rate = [&](std::uint64_t bytes) { return static_cast<double>(bytes) / static_cast<double>(interval.end - interval.begin); };
    const auto total = [&](const char* name) { return sampled_->of(name, interval.totals); };
    table.rows.push_back({interval.begin, rate((total(kOwnL1) + total(kOtherL1)) * kSectorBytes), rate(total(kL2Bytes)),
                          rate(total(kDramReads) * params_.dram.burst_bytes)});
  }
  return table;
}

stats::TableRows RunRecorder::power() const {
  stats::TableRows table{{"cycle"}, {}};
  table.columns.insert(table.columns.end(), energy::kStructureNames.begin(), energy::kStructureNames.end());
  for (const TimeCurve::Interval& interval : curve_.intervals()) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(interval.begin);
    const Cycle cycles = interval.end - interval.begin;
    for (const double nj : energy_->breakdown(cycles, sampled_->reader(interval.totals)).nj) row.emplace_back(nj / energy_->ns(cycles));
  }
  return table;
}

double RunRecorder::energy_over_time() const {
  double nj = 0.0;
  for (const TimeCurve::Interval& interval : curve_.intervals())
    nj += energy_->breakdown(interval.end - interval.begin, sampled_->reader(interval.totals)).total;
  return nj;
}

std::uint64_t RunRecorder::thread_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : frame_->sms()) sum += sm->logic().thread_instructions();
  return sum;
}

std::uint64_t RunRecorder::warp_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& sm : frame_->sms()) sum += sm->logic().warp_instructions();
  return sum;
}

/// Brings counters of time up to the present before reading them.
stats::Snapshot RunRecorder::snapshot(Cycle now) {
  const Picoseconds time = frame_->core_clock().edge(now);
  const auto clocks = [time](std::uint32_t mhz) { return time * mhz / 1'000'000; };
  core_cycles_ += now - core_cycles_.value();
  dram_cycles_ += clocks(params_.clock_mhz.dram) - dram_cycles_.value();
  net_cycles_ += clocks(params_.clock_mhz.network) - net_cycles_.value();
  if (noc1_cycles_ != nullptr) *noc1_cycles_ += clocks(params_.facts().first_network.clock_mhz) - noc1_cycles_->value();
  frame_->catch_up();
  if (stages_ != nullptr) stages_->catch_up();
  return registry_.snapshot();
}

void RunRecorder::close(Interval& interval, Cycle now, const stats::KeptSnapshot& at) {
  interval.end_cycle = now;
  interval.end_ps = frame_->core_clock().edge(now);
  interval.end = at;
  if (!interval.spans.empty()) close(interval.spans.back(), now, at);
}

void RunRecorder::begin_span(Interval& kernel, Cycle now, const stats::KeptSnapshot& at) {
  if (!kernel.spans.empty()) close(kernel.spans.back(), now, at);
  Interval& span = kernel.spans.emplace_back();
  span.begin_cycle = now;
  span.begin_ps = frame_->core_clock().edge(now);
  span.begin = at;
}

const std::vector<std::uint64_t>& RunRecorder::span_starts(std::size_t kernel) const {
  static const std::vector<std::uint64_t> kNoStarts;
  return kernel < options_.span_starts.size() ? options_.span_starts[kernel] : kNoStarts;
}

bool RunRecorder::cta_started(std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, Cycle now) {
  timeline_.cta_started(sm, slot, cta, now);
  const std::vector<std::uint64_t>& starts = span_starts(kernels_.size() - 1);
  if (!std::binary_search(starts.begin(), starts.end(), cta + 1)) return true;
  span_begins_ = true;
  due_at_ = now;
  due_.notify(sc_core::SC_ZERO_TIME);
  return false;
}

void RunRecorder::kernel_started(const KernelLaunch& kernel, unsigned place, Cycle now) {
  if (!started_) {
    started_ = true;
    frame_->watchdog().arm();
  }
  const L2Window& window = kernel.l2_window;
  const bool acts = params_.l2.persisting_ways(kernel.persisting_limit) != 0 || window.on_hit != Eviction::last ||
                    (window.on_miss == Eviction::first && window.hit_ratio < 1);
  if (window.bytes != 0 && !(params_.l2.hints && acts)) ++idle_l2_windows_;
  if (together_ && frame_->golden() != nullptr) frame_->golden()->kernel_started(place);
  starting_.push_back({&kernel, place});
  due_at_ = now;
  due_.notify(sc_core::SC_ZERO_TIME);
}

void RunRecorder::kernel_ended(const KernelLaunch& kernel, unsigned place, bool last, Cycle now) {
  const std::size_t ended = together_ ? end_together(place, now) : kernels_.size() - 1;
  if (!together_) timeline_.kernel(kernel.name, kernels_.back().begin_cycle, now);
  ending_.push_back(ended);
  if (last && frame_->golden() != nullptr) frame_->golden()->kernel_boundary();
  if (last && frame_->contents() != nullptr) frame_->contents()->forget();
  last_ends_ |= last;
  due_at_ = now;
  due_.notify(sc_core::SC_ZERO_TIME);
}

/// Returns the kernel's index in kernels_.
std::size_t RunRecorder::end_together(unsigned place, Cycle now) {
  const std::size_t index = at_.at(place);
  at_.erase(place);
  Interval& kernel = kernels_[index];
  kernel.own = frame_->front_end().ledger().counts(place);
  timeline_.kernel_together(kernel.name, place, kernel.begin_cycle, now);
  if (frame_->golden() != nullptr) frame_->golden()->kernel_ended(place);
  return index;
}

void RunRecorder::act(Cycle now) {
  if (now < next_sample_ || frame_->front_end().done()) return;
  next_sample_ = now + kSampleCycles;
  frame_->core_clock().wake(block_, next_sample_);
  if (!in_kernel_) return;  // nothing happens between kernels that a host launches
  sample_ = true;
  due_at_ = now;
  due_.notify(sc_core::SC_ZERO_TIME);
}

void RunRecorder::record() {
  // Blocks act in the first delta cycle of an instant. Networks without latency deliver in the second, which is also the first call of
  // record(). So the record is made one delta cycle later.
  if (!std::exchange(delivered_, true)) return due_.notify(sc_core::SC_ZERO_TIME);
  delivered_ = false;
  if (!ending_.empty() || !starting_.empty()) {
    const stats::KeptSnapshot at = snapshot(due_at_);
    for (const std::size_t ended : ending_) close(kernels_[ended], due_at_, at);
    if (last_ends_) {
      close(whole_, due_at_, at);
      end_curves(due_at_);
      in_kernel_ = false;
    }
    for (const Starting& kernel : starting_) start(kernel, due_at_, at);
  }
  if (span_begins_) {
    begin_span(kernels_.back(), due_at_, snapshot(due_at_));
    try {
      if (options_.before_span) options_.before_span();
    } catch (const InputError&) {
      pause_with_error();
    }
  }
  // Only here, after the edge, is it certain that the run did not end in this cycle.
  if (sample_ && !frame_->front_end().done()) {
    if (due_at_ % kReplicaCycles == 0) {
      sample_replicas();
      if (l2_copies_ != nullptr) l2_copies_->sample();
    }
    if (curve_.due(due_at_)) curve_.sample(due_at_, totals());
    if (parts_->due(due_at_)) {
      frame_->catch_up();
      parts_->sample(due_at_);
    }
    sample_warps(due_at_);
    if (thread_instructions() >= window_end_) sample_window(due_at_);
  }
  last_ends_ = sample_ = span_begins_ = false;
  ending_.clear();
  starting_.clear();
}

void RunRecorder::start(const Starting& kernel, Cycle now, const stats::KeptSnapshot& at) {
  Interval interval;
  interval.begin_cycle = interval.end_cycle = now;
  interval.begin_ps = interval.end_ps = frame_->core_clock().edge(now);
  interval.begin = interval.end = at;
  if (rest_.end_cycle != 0) {
    leave_out_rest(whole_);
    leave_out_rest(window_);
    rest_ = {};
  }
  if (kernels_.empty()) {
    whole_ = window_ = interval;
    curve_.begin(now, totals());
    parts_->begin(now);
    warps_->begin(thread_instructions(), now);
    window_end_ = options_.window_thread_instructions;
  }
  interval.name = kernel.launch->name;
  interval.stream = kernel.launch->stream;
  if (together_) {
    interval.own.emplace();
    at_[kernel.place] = kernels_.size();
  }
  if (!span_starts(kernels_.size()).empty()) begin_span(interval, now, at);
  kernels_.push_back(std::move(interval));
  in_kernel_ = true;
}

void RunRecorder::begin_rest(Cycle now) {
  rest_ = {};
  rest_.begin_cycle = now;
  rest_.begin_ps = frame_->core_clock().edge(now);
  rest_.begin = snapshot(now);
  curve_.pause(now, totals());
  parts_->pause(now);
  warps_->begin_rest(now);
}

void RunRecorder::end_rest(Cycle now) {
  close(rest_, now, snapshot(now));
  curve_.sample(now, totals());
  parts_->sample(now);
  warps_->end_rest(now);
}

/// Excludes the rest from the interval: adds the rest's counts to those at the interval's begin.
void RunRecorder::leave_out_rest(Interval& interval) const {
  interval.rest_cycles += rest_.cycles();
  interval.rest_ps += rest_.duration();
  stats::Snapshot begin = interval.begin.values();
  const stats::Snapshot before = rest_.begin.values(), after = rest_.end.values();
  for (std::size_t i = 0; i < begin.size(); ++i) begin[i] += after[i] - before[i];
  interval.begin = begin;
}

void RunRecorder::sample_warps(Cycle now) {
  const std::uint64_t instructions = thread_instructions();
  if (!warps_->due(instructions)) return;
  frame_->catch_up();
  warps_->sample(instructions, now);
}

void RunRecorder::sample_replicas() {
  LineDirectory* directory = frame_->directory();
  if (directory == nullptr) return;
  copies_sampled_ += directory->copies();
  lines_sampled_ += directory->distinct_lines();
  ++samples_;
  directory->for_each_line([this](unsigned copies) {
    copies_.add(copies);
    if (copies >= 2) ++replicated_sampled_;
  });
}

void RunRecorder::sample_window(Cycle now) {
  const stats::KeptSnapshot at = snapshot(now);
  close(window_, now, at);
  windows_.push_back(window_);
  window_.begin_cycle = now;
  window_.begin_ps = window_.end_ps;
  window_.rest_cycles = window_.rest_ps = 0;
  window_.begin = at;
  while (window_end_ <= thread_instructions()) window_end_ += options_.window_thread_instructions;
}

void RunRecorder::stop(Cycle now) {
  if (!started_) return;
  const stats::KeptSnapshot at = snapshot(now);
  if (in_kernel_) {
    while (!at_.empty()) close(kernels_[end_together(at_.begin()->first, now)], now, at);
    if (!together_) close(kernels_.back(), now, at);
    close(whole_, now, at);
    end_curves(now);
  }
}

/// Adds to the timeline each interval's largest cause of lost slots. Neighbouring intervals with equal causes form one phase.
void RunRecorder::add_causes() {
  std::string before;
  Cycle since = 0, end = 0;
  for (const TimeCurve::Interval& interval : curve_.intervals()) {
    std::string largest;
    std::uint64_t most = 0;
    for (const auto& [cause, counter] : lost_slots(stages_of(params_.l2.partition.on()))) {
      const std::uint64_t slots = sampled_->of(counter, interval.totals);
      if (slots > most) most = slots, largest = cause;
    }
    if (largest != before) {
      if (!before.empty()) timeline_.cause(before, since, interval.begin);
      before = largest;
      since = interval.begin;
    }
    end = interval.end;
  }
  if (!before.empty()) timeline_.cause(before, since, end);
}

void RunRecorder::write_timeline() {
  if (timeline_.recorded()) {
    for (const auto& row : bandwidth().rows)
      timeline_.rates("bytes per core cycle", std::get<std::uint64_t>(row[0]),
                      {{"L1", std::get<double>(row[1])}, {"L2", std::get<double>(row[2])}, {"DRAM", std::get<double>(row[3])}});
    if (options_.cycle_stack) add_causes();
  }
  for (const PhaseSpan& span : frame_->phases(whole_.end_cycle)) timeline_.phase(span.sm, span.name, span.begin, span.end);
  timeline_.write();
}

namespace {

/// Saves or loads only the counts that have changed since `before`, because most counters do not change from one kernel to the next.
void archive_since(const stats::Snapshot& before, stats::KeptSnapshot& kept, Archive& file) {
  stats::Snapshot at = kept.values();
  std::uint64_t size = at.size();
  std::vector<std::uint32_t> places;
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (i < before.size() && at[i] == before[i]) continue;
    places.push_back(static_cast<std::uint32_t>(i));
    values.push_back(at[i]);
  }
  file(size, places, values);
  if (!file.loads()) return;
  at = before;
  at.resize(size);
  for (std::size_t i = 0; i < places.size() && i < values.size(); ++i) at.at(places[i]) = values[i];
  kept = at;
}

void archive_since(const stats::Snapshot& before, Interval& interval, Archive& file) {
  file(interval.name, interval.begin_cycle, interval.end_cycle, interval.begin_ps, interval.end_ps, interval.rest_cycles, interval.rest_ps);
  bool together = interval.own.has_value();
  file(interval.stream, together);
  if (together && !interval.own) interval.own.emplace();
  if (together) file(*interval.own);
  archive_since(before, interval.begin, file);
  archive_since(interval.begin.values(), interval.end, file);
}

void archive_all(std::vector<Interval>& intervals, Archive& file) {
  std::uint64_t count = intervals.size();
  file(count);
  intervals.resize(count);
  for (std::size_t i = 0; i < intervals.size(); ++i)
    archive_since(i == 0 ? stats::Snapshot() : intervals[i - 1].end.values(), intervals[i], file);
}

}  // namespace

void RunRecorder::archive(Archive& file) {
  file.expect_quiet(!in_kernel_ && ending_.empty() && !sample_ && starting_.empty(), "the recorder");
  file(curve_, *parts_, *warps_, window_end_, started_, next_sample_, idle_l2_windows_);
  archive_all(kernels_, file);
  archive_all(windows_, file);
  archive_since({}, whole_, file);
  archive_since(whole_.end.values(), window_, file);
  archive_since(whole_.end.values(), rest_, file);
  if (file.loads() && started_) frame_->watchdog().arm();
}

}  // namespace wharf
