#include "platforms/frame/gpu_frame.h"

#include <algorithm>
#include <utility>

#include "model/base/error.h"
#include "model/l1_sharing/shared_memory/shared_memory_port.h"
#include "model/monitor/access_marker.h"
#include "model/monitor/edge_accesses.h"
#include "platforms/frame/directory_commit.h"
#include "platforms/frame/stimulus_image.h"
#include "platforms/frame/threads.h"
#include "platforms/tables/cycle_stack_table.h"
#include "platforms/tables/interference_table.h"
#include "platforms/tables/latency_table.h"
#include "platforms/tables/prediction_tables.h"

namespace wharf {

class IdleEnd final : public sc_core::sc_module, private MemoryTarget {
 public:
  explicit IdleEnd(sc_core::sc_module_name name) : sc_module(name) {}
  tlm::tlm_target_socket<>& socket() { return port_.socket; }

 private:
  Acceptance request(unsigned, Payload&, Picoseconds) override { throw SimulationError("an SM of a hosted memory made a request"); }
  void response_accepted(unsigned, Picoseconds) override {}
  unsigned debug(unsigned, tlm::tlm_generic_payload&) override { return 0; }

  MemoryTargetPort port_{"port", *this, 0};
};

namespace {

class SentAccessesToSms final : public SentToL2Listener {
 public:
  explicit SentAccessesToSms(const std::vector<std::unique_ptr<Sm>>& sms) : sms_(sms) {}
  /// A cache that several SMs share may be on another island than the SM.
  void write(const Access& access) override {
    if (Islands::here() != Islands::kMainland) return Islands::on_mainland([this, access] { write(access); });
    sms_[access.sm]->write(access);
  }

 private:
  const std::vector<std::unique_ptr<Sm>>& sms_;
};

/// Reports a line to all SMs that share its cache: a store takes the line from all of them.
class LinesToSms final : public CacheEventListener {
 public:
  LinesToSms(const std::vector<std::unique_ptr<Sm>>& sms, unsigned first, unsigned count) : sms_(sms), first_(first), count_(count) {}
  void write(const CacheEvent& event) override {
    if (Islands::here() != Islands::kMainland) return Islands::on_mainland([this, event] { write(event); });
    if (event.kind != CacheEvent::Kind::stored)
      sms_[event.sm]->write(event);
    else
      for (unsigned sm = first_; sm < first_ + count_; ++sm) sms_[sm]->write(event);
  }

 private:
  const std::vector<std::unique_ptr<Sm>>& sms_;
  unsigned first_, count_;
};

/// Reports the start of kernels to the record of stored lines, at the end of their cycle (CM-2): the stores of that cycle count, whichever
/// block acts first. Kernels that start in one cycle are one boundary, because caches look at the record once.
class KernelStarts final : public SidebandListener, private Committed {
 public:
  KernelStarts(StoredLines& written, ClockDomain& clock) : written_(written), clock_(clock) {}
  void write(const Event& event) override {
    if (event.kind != Event::Kind::kernel_start) return;
    if (starts_) return;  // the first of a cycle tells whether others were running
    starts_ = true;
    concurrent_ = event.concurrent;
    clock_.request_commit(*this);
  }

 private:
  void commit() override {
    written_.kernel_starts(concurrent_);
    starts_ = false;
  }

  StoredLines& written_;
  ClockDomain& clock_;
  bool starts_ = false, concurrent_ = false;  // in this cycle; beside kernels that run
};

}  // namespace

GpuFrame::GpuFrame(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer)
    : params_(params),
      options_(options),
      registry_(registry),
      islands_(options.threads > 1 && why_one_thread(params, options, stimulus).empty() ? new Islands(options.threads) : nullptr),
      own_image_(params.data == DataKept::bytes && options.image == nullptr ? new StimulusImage(stimulus) : nullptr),
      contents_(params.data == DataKept::bytes ? new SectorContents(own_image_ ? *own_image_ : *options.image) : nullptr),
      pool_(keeps_versions(), contents_.get()) {
  core_ = clock("core_clock", params.clock_mhz.core);
  network_ = clock("network_clock", params.clock_mhz.network);
  l2_clock_ = clock("l2_clock", params.clock_mhz.l2);
  dram_clock_ = clock("dram_clock", params.clock_mhz.dram);
  addresses_ = params.addresses();
  if (options.verify) {
    golden_ = std::make_unique<GoldenMemory>(registry);
    // A write-back L1 merges the stores of its SM: only the last of them reaches the ordering point.
    if (params.l1.local_stores == LocalStores::write_back) golden_->allow(Departure::coalesced_store);
    if (params.front_end.l1_invalidation == L1Invalidation::empty_sm) golden_->allow(Departure::stale_boundary);
  }
  if (params.oracle_directory && params.caches() > 1) {
    directory_ = std::make_unique<LineDirectory>(params.caches(), params.l1.sectored);
    directory_commit_ = std::make_unique<DirectoryCommit>(*directory_);
  }
  watchdog_ = std::make_unique<Watchdog>("watchdog", *core_, params.watchdog,
                                         Watchdog::Machine{[this] {
                                                             std::uint64_t progress = 0;
                                                             for (const auto& sm : sms_) progress += sm->logic().progress();
                                                             if (options_.hosted) progress += pool_.last_release();
                                                             return progress;
                                                           },
                                                           [this] {
                                                             for (const auto& sm : sms_)
                                                               if (sm->logic().will_time_out()) return false;
                                                             for (const auto& sm : sms_)
                                                               if (sm->logic().busy()) return true;
                                                             return pool_.alive() != 0;
                                                           }});
  const bool write_back_l1 = params.l1.local_stores == LocalStores::write_back;
  front_end_ = std::make_unique<FrontEnd>("front_end", params.front_end, params.sm, params.sms, write_back_l1, stimulus, *core_, pool_,
                                          registry, observer);
  watch(*front_end_);
  if (params.l1.kernel_boundary == KernelBoundary::keep_clean) {
    stored_lines_ = std::make_unique<StoredLines>();
    kernel_starts_ = std::make_unique<KernelStarts>(*stored_lines_, *core_);
    front_end_->to_caches.bind(*kernel_starts_);
  }
  if (islands_ != nullptr && !stimulus.is_recorded()) edge_accesses_ = std::make_unique<EdgeAccesses>(pause_for_one_thread);
  build_sms();
  declare_latency_table(registry, sms_, params.l2.partition.on());
  if (options.cycle_stack != 0) declare_cycle_stack(registry, sms_, directory_ != nullptr, stages_of(params.l2.partition.on()));
  if (params.sm.prediction.on()) declare_prediction_tables(registry, sms_);
  build_slices();
  for (unsigned i = 0; i < params.channels; ++i) {
    const Islands::Scope scope = at_slice(i * params.slices_per_channel);
    const DramChannel::Environment environment{
        *dram_clock_,   registry, *addresses_, params.slices_per_channel, keeps_versions(), params.cache_sms() != 0 ? 1u : 0u,
        contents_.get()};
    channels_.push_back(std::make_unique<DramChannel>(numbered("dram_channel", i).c_str(), params.dram.of_channel(i, params.channels),
                                                      params.dram_link_places(), i, environment));
    watch(*channels_.back());
    for (unsigned s = 0; s < params.slices_per_channel; ++s) {
      const unsigned slice = i * params.slices_per_channel + s;
      connect(slices_[slice]->downstream(), channels_.back()->upstream(s), numbered("l2_to_dram", slice));
    }
  }
}

GpuFrame::~GpuFrame() = default;

std::vector<energy::NocNetwork> GpuFrame::networks() const { return interconnect_->shapes(); }

void GpuFrame::build_sms() {
  const PredictionParams& prediction = params_.sm.prediction;
  if (prediction.on()) leaving_ = std::make_unique<SentAccessesToSms>(sms_);
  if (prediction.on() && prediction.has_phases() && prediction.period_scope == PeriodScope::gpu) {
    period_ = std::make_unique<GpuPeriod>(prediction.period_accesses, [this] {
      for (const auto& sm : sms_) sm->wake();
    });
    front_end_->kernel_ends.bind(*period_);
  }
  if (params_.shared_memory_cache.on()) shared_memory_turns_.resize(params_.sms);
  SmParams built = params_.sm;
  built.has_peers = params_.facts().runs_clusters;
  built.clock_mhz = params_.clock_mhz.core;
  for (unsigned i = 0; i < params_.sms; ++i) {
    const Islands::Scope scope = at_sm(i);
    sms_.push_back(std::make_unique<Sm>(numbered("sm", i).c_str(), built, params_.transaction, params_.l1.banks, i, *core_, pool_,
                                        registry_, options_.seed, period_.get()));
    front_end_->to_sms.bind(*sms_.back());
    const bool counts_slots = options_.cycle_stack != 0 && i % options_.cycle_stack == 0;
    if (counts_slots) sms_.back()->keep_cycle_stack(stages_of(params_.l2.partition.on()));
    if (prediction.on() || counts_slots) front_end_->kernel_ends.bind(*sms_.back());
    if (!shared_memory_turns_.empty()) sms_.back()->logic().share_memory(shared_memory_turns_[i]);
    if (params_.front_end.runs_kernels_together()) sms_.back()->logic().keep_ledger(front_end_->ledger());
    if (edge_accesses_ != nullptr) sms_.back()->logic().report_to(*edge_accesses_);
    if (sms_.back()->needs_kernel_starts()) front_end_->to_caches.bind(*sms_.back());
    sms_.back()->finished.bind(*front_end_);
    watch(*sms_.back());
  }
  if (sms_.front()->logic().interference() != nullptr) declare_interference_table(registry_, sms_);
}

void GpuFrame::connect_listeners(L1Cache& cache, unsigned first, unsigned sms) {
  if (sms == 1 && params_.sm.fence_invalidates) sms_[first]->to_l1.bind(cache);
  if (sms_[first]->logic().interference() == nullptr) return;
  if (sms == 1) return cache.cache_events().bind(*sms_[first]);
  lines_.push_back(std::make_unique<LinesToSms>(sms_, first, sms));
  cache.cache_events().bind(*lines_.back());
}

void GpuFrame::build_bandwidth_meter() {
  if (!sms_.front()->logic().filter_needs().bandwidth) return;
  BandwidthMeter::Machine machine;
  const bool busiest = params_.sm.pcal.utilisation == PcalUtilisation::busiest;
  machine.of = busiest ? BandwidthMeter::Of::busiest : BandwidthMeter::Of::mean;
  for (const auto& slice : slices_)
    machine.l2.push_back({[&slice = *slice] { return slice.logic().counters().accesses.value(); }, l2_clock_});
  for (const auto& channel : channels_)
    machine.dram.push_back({[&channel = *channel] { return channel.logic().bus_busy_cycles(); }, dram_clock_});
  if (busiest)  // a reply port passes one flit per cycle, and a line has several
    for (const auto& nic : l2_nics_) machine.l2.push_back({[&nic = *nic] { return nic.reply_flits(); }, network_});
  machine.done = [this] { return front_end_->done(); };
  machine.report = [this](double l2, double dram) {
    for (const auto& sm : sms_) sm->measured(l2, dram);
  };
  bandwidth_meter_ = std::make_unique<BandwidthMeter>("bandwidth_meter", params_.sm.pcal.window, *core_, std::move(machine));
}

void GpuFrame::connect_to_homes(unsigned sm, tlm::tlm_target_socket<>& way, const std::string& name) {
  if (!params_.shared_memory_cache.on())
    return connect(sms_[sm]->downstream(), way, numbered(("sm_to_" + name).c_str(), sm), Place::sm_to_l1);
  L1Cache::Environment environment{*core_, pool_, registry_, nullptr, nullptr, keeps_versions(), 0, options_.seed};
  environment.companions = make_l1_companions(sm);
  environment.group = "front";
  fronts_.push_back(std::make_unique<L1Cache>(numbered("front", sm).c_str(), SharedMemoryCacheParams::front_of(params_.l1),
                                              params_.transaction, sm, 1, environment));
  L1Cache& front = *fronts_.back();
  front_end_->to_caches.bind(front);
  watch(front);
  connect_listeners(front, sm);
  connect(sms_[sm]->downstream(), front.upstream(0), numbered("sm_to_front_", sm), Place::sm_to_l1);
  connect(front.downstream(0), way, numbered(("front_to_" + name).c_str(), sm));
}

std::vector<L1Cache::MakeCompanion> GpuFrame::make_l1_companions(unsigned sm) {
  if (!params_.shared_memory_cache.on()) return {};
  return {l1_companion<SharedMemoryPort>(params_.shared_memory_cache, std::ref(registry_), &shared_memory_turns_[sm], keeps_versions())};
}

void GpuFrame::build_slices() {
  line_policy_ = make_l2_line_policy(params_.l2.line_policy, {params_.l2.gate_compare});
  const L2Params built = params_.built_slices();
  for (unsigned i = 0; i < params_.slices(); ++i) {
    const Islands::Scope scope = at_slice(i);
    const L2Slice::Environment environment{*l2_clock_, pool_, registry_, *addresses_, keeps_versions(), line_policy_.get(), options_.seed};
    slices_.push_back(std::make_unique<L2Slice>(numbered("l2_slice", i).c_str(), built, params_.transaction, i, environment));
    if (params_.l2.gates_lines()) front_end_->kernel_ends.bind(*slices_.back());
    if (params_.l2.hints) front_end_->to_caches.bind(*slices_.back());
    watch(*slices_.back());
  }
}

void GpuFrame::build_l2_entries(unsigned first) {
  const unsigned slices = params_.slices();
  const L2Params built = params_.built_slices();
  for (unsigned i = 0; i < slices; ++i) {
    const Islands::Scope scope = at_slice(i);
    const L2Entry::Environment environment{
        *l2_clock_,       pool_, registry_, *addresses_, params_.transaction, params_.packets, slices_[i]->logic().counters().accesses,
        slices_[i].get(), &built};
    l2_entries_.push_back(std::make_unique<L2Entry>(numbered("l2_entry", i).c_str(), params_.l2.partition, first + i, i, environment));
    watch(*l2_entries_.back());
    if (built.partition.expires()) front_end_->to_caches.bind(*l2_entries_.back());
    connect(l2_entries_.back()->downstream(), slices_[i]->upstream(), numbered("entry_to_l2_", i), Place::to_l2);
  }
  for (unsigned i = 0; i < slices; ++i) {
    L2Entry& mirror = *l2_entries_[(i + slices / 2) % slices];
    connect(l2_entries_[i]->to_mirror(), mirror.from_mirror(), numbered("l2_link", i));
    mirror.expect_requests_of(*l2_entries_[i]);
  }
}

/// Returns one domain for all clocks of a frequency, because their edges coincide.
ClockDomain* GpuFrame::clock(const char* name, std::uint32_t mhz) {
  for (const auto& existing : clocks_)
    if (existing->mhz() == mhz) return existing.get();
  ClockOptions options;
  options.ticking = options_.ticking;
  if (options_.scramble) options.scramble_seed = options_.seed;
  clocks_.push_back(std::make_unique<ClockDomain>(name, mhz, options));
  return clocks_.back().get();
}

PassThrough* GpuFrame::checker(const std::string& name, LinkKind kind) {
  auto made = std::make_unique<ProtocolChecker>((name + "_checker").c_str(), kind);
  checkers_.emplace_back(name, made.get());
  monitors_.push_back(std::move(made));
  return monitors_.back().get();
}

tlm::tlm_target_socket<>& GpuFrame::chained(const std::vector<PassThrough*>& monitors, tlm::tlm_target_socket<>& target) {
  tlm::tlm_target_socket<>* next = &target;
  for (auto monitor = monitors.rbegin(); monitor != monitors.rend(); ++monitor) {
    (*monitor)->initiator_socket.bind(*next);
    next = &(*monitor)->target_socket;
  }
  return *next;
}

void GpuFrame::bind(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target, const std::string& name,
                    const std::vector<PassThrough*>& monitors) {
  tlm::tlm_initiator_socket<>* from = &initiator;
  if (const BetweenLink between = options_.between ? options_.between(name) : BetweenLink{}; between.in != nullptr) {
    from->bind(*between.in);
    from = between.out;
  }
  from->bind(chained(monitors, target));
}

void GpuFrame::connect(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target, const std::string& name, Place place) {
  std::vector<PassThrough*> monitors;
  if (options_.mark && place == Place::sm_to_l1) {
    monitors_.push_back(std::make_unique<AccessMarker>((name + "_marker").c_str(), options_.mark));
    monitors.push_back(monitors_.back().get());
  }
  if (options_.check_protocol) monitors.push_back(checker(name, LinkKind::memory));
  if (golden_ != nullptr && place != Place::elsewhere) {
    const std::string monitor = name + "_golden";
    if (place == Place::sm_to_l1)
      monitors_.push_back(std::make_unique<GoldenSmMonitor>(monitor.c_str(), *golden_));
    else if (place == Place::to_l2_entry)
      monitors_.push_back(std::make_unique<GoldenEntryMonitor>(monitor.c_str(), *golden_));
    else
      monitors_.push_back(std::make_unique<GoldenOrderMonitor>(monitor.c_str(), *golden_));
    monitors.push_back(monitors_.back().get());
  }
  if (contents_ != nullptr && (place == Place::sm_to_l1 || place == Place::to_l2)) {
    monitors_.push_back(std::make_unique<ContentsMonitor>((name + "_contents").c_str(), *contents_));
    monitors.push_back(monitors_.back().get());
  }
  if (options_.hosted && place == Place::sm_to_l1) return bind_entry(initiator, target, monitors);
  bind(initiator, target, name, monitors);
}

void GpuFrame::bind_entry(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target,
                          const std::vector<PassThrough*>& monitors) {
  const auto owner = std::find_if(sms_.begin(), sms_.end(), [&](const auto& sm) { return &sm->downstream() == &initiator; });
  const auto sm = static_cast<unsigned>(owner - sms_.begin());
  idle_ends_.push_back(std::make_unique<IdleEnd>(numbered("idle_end", sm).c_str()));
  initiator.bind(idle_ends_.back()->socket());
  entries_.resize(params_.sms);
  entries_[sm] = &chained(monitors, target);
}

void GpuFrame::connect_messages(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target, const std::string& name,
                                LinkKind kind) {
  std::vector<PassThrough*> monitors;
  if (options_.check_protocol) monitors.push_back(checker(name, kind));
  bind(initiator, target, name, monitors);
}

void GpuFrame::build_interconnect(TrafficPlan plan) {
  plan.addresses = addresses_.get();
  const PartitionParams& partition = params_.l2.partition;
  if (partition.on()) plan.near_sms = partition.near_sms != 0 ? partition.near_sms : params_.sms / 2;
  interconnect_ = std::make_unique<Interconnect>(params_.network, params_.sms, params_.slices(), plan, *network_, registry_);
  front_end_->to_caches.bind(*interconnect_);
  watch(*interconnect_);
}

L2Route GpuFrame::l2_route(unsigned sm) const {
  const unsigned first = params_.sms, slices = params_.slices();
  const PartitionParams& partition = params_.l2.partition;
  if (!partition.on()) return {*addresses_, first, slices};
  return {*addresses_, first + partition.near_partition(sm, params_.sms) * (slices / 2), slices / 2};
}

void GpuFrame::connect_slices(const TrafficPlan& plan, const BeforeSlice& before) {
  connect_slices(*interconnect_, params_.sms, interconnect_->flit_bytes(), plan.slices_to_peers ? params_.l2.forward_queue : 0, before);
}

void GpuFrame::connect_slices(Network& network, unsigned first, std::uint32_t flit_bytes, std::uint32_t forward_places,
                              const BeforeSlice& before) {
  const bool has_partitions = params_.l2.partition.on();
  if (has_partitions) build_l2_entries(first);
  const bool coherent_copies = params_.l2.partition.copies() && !params_.l2.partition.expires();
  const Place way_to_l2 = !has_partitions ? Place::to_l2 : coherent_copies ? Place::to_l2_entry : Place::elsewhere;
  for (unsigned i = 0; i < params_.slices(); ++i) {
    const Islands::Scope scope = at_slice(i);
    const unsigned node = first + i;
    tlm::tlm_target_socket<>& way = has_partitions ? l2_entries_[i]->upstream() : slices_[i]->upstream();
    l2_nics_.push_back(
        std::make_unique<L2Nic>(numbered("l2_nic", i).c_str(), params_.packets, node, i, flit_bytes, registry_, forward_places));
    L2Nic& nic = *l2_nics_.back();
    connect_messages(network.output(node, Traffic::to_l2), nic.request(), numbered("request_out", i));
    connect(nic.downstream(), before ? before(i) : way, numbered("nic_to_l2_", i), way_to_l2);
    connect_messages(nic.reply(), network.input(node, Traffic::from_l2), numbered("reply_in", i));
    if (forward_places != 0) connect_messages(nic.forward(), network.input(node, Traffic::to_peer), numbered("forward_in", i));
  }
  build_bandwidth_meter();
}

L1Cache::Environment GpuFrame::l1_environment(std::uint32_t unified_bytes) {
  L1Cache::Environment environment{*core_,           pool_,         registry_,    directory_.get(), directory_commit_.get(),
                                   keeps_versions(), unified_bytes, options_.seed};
  environment.written = stored_lines_.get();
  if (params_.l1.perfect && golden_ != nullptr)
    environment.newest = [this](const Access& access) { return golden_->current(access, present()); };
  return environment;
}

unsigned GpuFrame::debug(tlm::tlm_generic_payload& transaction) {
  if (contents_ == nullptr) return 0;
  return debug_by_lines(transaction, [this](tlm::tlm_generic_payload& part) {
    return l2_nics_[addresses_->locate(part.get_address()).slice]->downstream()->transport_dbg(part);
  });
}

bool GpuFrame::holds(Address address, std::uint64_t bytes) const {
  if (bytes == 0) return false;
  if (pool_.alive() != 0) return true;
  const LineAddress first = LineAddress::of(address), last = LineAddress::of(address + (bytes - 1));
  const auto any = [&](const auto& caches) {
    return std::any_of(caches.begin(), caches.end(), [&](const auto& cache) { return std::as_const(*cache).logic().holds(first, last); });
  };
  return any(caches_) || any(fronts_) || any(slices_) || others_hold(first, last);
}

void GpuFrame::catch_up() {
  for (const auto& cache : caches_) cache->catch_up();
  for (const auto& front : fronts_) front->catch_up();
  for (const auto& sm : sms_) sm->logic().catch_up(core_->present_cycle());
  front_end_->count_shared_memory(core_->present_cycle());
  for (const auto& slice : slices_) slice->catch_up();
  for (const auto& channel : channels_) channel->catch_up();
}

std::vector<std::string> GpuFrame::leftovers() const {
  std::vector<std::string> left;
  if (pool_.alive() != 0) left.push_back(std::to_string(pool_.alive()) + " transactions are still in flight");
  for (const auto& [name, checker] : checkers_)
    for (const std::string& open : checker->check_end()) left.push_back(name + ": " + open);
  for (const auto& channel : channels_)
    if (!channel->logic().idle()) left.push_back(std::string(channel->name()) + " has unserved requests");
  return left;
}

}  // namespace wharf
