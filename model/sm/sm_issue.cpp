// The warps, scoreboard, schedulers and units of an SM.

#include <algorithm>
#include <utility>

#include "model/base/bits.h"
#include "model/sm/sm_logic.h"

namespace wharf {

SmLogic::SmLogic(const SmParams& params, TransactionUnit unit, std::uint32_t l1_banks, unsigned number, stats::Group& group, Port& port,
                 std::uint64_t seed, PredictionPeriod* period)
    : params_(params),
      unit_(unit),
      l1_banks_(l1_banks),
      number_(static_cast<std::uint16_t>(number)),
      port_(port),
      counters_(group),
      filter_(
          make_warp_filter(params.warp_filter, {params.swl_limit, params.schedulers, params.prediction.on() && params.prediction.priority,
                                                params.ccws, params.pcal, params.ciao})),
      schedulers_(params.schedulers),
      warps_(params.warps),
      ctas_(params.ctas),
      barriers_(params.ctas),
      memory_per_scheduler_(std::max(1u, params.lsu_queue / params.schedulers)) {
  if (params.collector_units != 0) {
    collector_ = std::make_unique<OperandCollector>(params);
    memory_per_scheduler_ = params.collector_units + 2;  // plus the issue register and the execute register
  }
  if (params.lsu.model == LsuModel::subcore) {
    subcores_ = std::make_unique<SubcoreLsu>(params.lsu, params.schedulers);
    memory_per_scheduler_ = (collector_ != nullptr ? memory_per_scheduler_ : 0) + params.lsu.subcore_queue;
  }
  queue_.reserve(std::size_t{memory_per_scheduler_} * params.schedulers + 1);
  for (unsigned unit = 0; unit < kUnits; ++unit) {
    timings_[unit] = params_.units.of(static_cast<Unit>(unit));
    resources_[unit] = wharf::resource_of(static_cast<Unit>(unit), params_);
  }
  for (const Unit unit : {Unit::alu, Unit::fp32, Unit::fp64, Unit::sfu, Unit::tensor, Unit::branch, Unit::imad})
    queue_wait_[resource_of(unit)] =
        params_.issue_to_execute_cycles + Cycle{params_.unit_queue} * timings_[static_cast<unsigned>(unit)].interval;
  group.law("round_trip_sum == sum of the stages of the latency stack", [this] {
    std::uint64_t cycles = 0;
    for (const LatencyStack& stack : stacks_) cycles += stack.sum();
    return cycles == counters_.round_trip_sum.value();
  });
  if (params.prediction.on()) prediction_ = std::make_unique<PredictionUnit>(params.prediction, group, number, seed, period);
  build_filter(number, group);
  for (Scheduler& scheduler : schedulers_) scheduler.order = make_warp_scheduler(params.warp_scheduler, {params.two_level_active});
}

void SmLogic::count_warp_cycles(Cycle now) {
  counters_.warp_cycles += (now - counted_to_) * static_cast<unsigned>(__builtin_popcountll(resident_));
  if (ledger_ != nullptr)
    for (Cta& cta : ctas_)
      if (cta.ended != cta.members)
        ledger_->add(cta.kernel, KernelCount::warp_cycles, (now - std::exchange(cta.counted_to, now)) * popcount(cta.members));
  counted_to_ = now;
}

void SmLogic::launch(std::uint64_t number, std::uint32_t slot, std::uint64_t age, std::vector<std::unique_ptr<WarpStream>> warps, Cycle now,
                     std::uint32_t first, std::uint8_t kernel, const ClusterMember& cluster) {
  now_ = now;
  catch_up(now);
  Cta& cta = ctas_[slot];
  cta.peer_arrivals = std::exchange(cta, Cta()).peer_arrivals;  // late ones, at mbarriers of an earlier CTA, in this cycle
  cta.number = number;
  cta.counted_to = now;
  cta.kernel = kernel;
  cta.cluster = cluster;
  cta.cluster_number = static_cast<std::uint32_t>(age - cluster.rank);
  barriers_[slot].reset();
  for (unsigned w = 0; w < warps.size(); ++w) cta.members |= warp_bit(first + w);
  resident_ |= cta.members;
  unfinished_ |= cta.members;
  for (unsigned w = 0; w < warps.size(); ++w) {
    Warp& warp = warps_[first + w];
    warp = {};
    if (!async_loads_.empty()) async_loads_[first + w] = {};
    if (!bulk_groups_.empty()) bulk_groups_[first + w] = {};
    warp.stream = std::move(warps[w]);
    warp.cta = slot;
    warp.kernel = kernel;
    warp.scheduler = static_cast<std::uint8_t>((first + w) % params_.schedulers);
    schedulers_[warp.scheduler].order->warp_launched(first + w, age);
    if (interference_ != nullptr) interference_->launched(first + w, now);
    filter_->observe({WarpEvent::Kind::launched, first + w, age, slot});
  }
  if (prediction_ != nullptr) cta_launched(cta, now);
  if (cycle_stack_ != nullptr) cycle_stack_->launched(cta.members, now, kernel);
  for (unsigned w = 0; w < warps.size(); ++w) step(first + w);
  if (warps.empty()) {
    ++counters_.ctas;
    if (ledger_ != nullptr) ledger_->add(kernel, KernelCount::ctas);
    finished_.push_back(slot);
  }
}

void SmLogic::act(Cycle now) {
  now_ = now;
  if (cycle_stack_ != nullptr) cycle_stack_->begin(now);
  if (interference_ != nullptr) interference_->advance(now);
  results_.pop_due(now, [&](const Result& result) {
    result.return_bytes != 0 ? returning_.push_back(result) : result.is_async_load() ? ended_loads_.push_back(result) : retire(result);
  });
  if (!ended_loads_.empty()) end_async_loads();
  if (!returning_.empty()) return_data(now);
  if (!limited_waits_.empty()) time_out(now);
  if (!arrivals_.empty()) send_arrivals(now);
  if (copies_ != nullptr) read_copied_line(now);
  if (copies_ != nullptr) store_copied_line(now);
  if (prediction_ != nullptr) predict(now);
  if (collector_ != nullptr && !collector_->idle()) start_collected(now);
  if (subcores_ != nullptr) take_from_subcore(now);
  const bool memory_idle = order_.empty();
  if (!memory_idle) run_memory(now);
  if (copies_ != nullptr) use_peers_for_copies(now);
  if (collector_ != nullptr) collector_->step();
  if (collector_ != nullptr && cycle_stack_ != nullptr) account_collector();
  if (resident_ == 0) return;
  if (filter_->due() <= now) advance_filter(now);
  if (filter_restricts_ && cycle_stack_ != nullptr) cycle_stack_->set_masks(filter_->masks());
  issue_all(now);
  // Issue to acceptance takes one cycle, so an instruction that finds the unit idle leaves in its issue cycle.
  if (memory_idle && subcores_ != nullptr) take_from_subcore(now);
  if (memory_idle && !order_.empty()) run_memory(now);
  if (filter_restricts_ && cycle_stack_ != nullptr) cycle_stack_->set_masks(filter_->masks());
}

/// The first cycle in which another instruction may be issued to the unit.
inline Cycle SmLogic::opens(const Scheduler& scheduler, unsigned resource) {
  const Cycle unit = scheduler.unit_open[resource];
  return resource == kImad ? std::max(unit, scheduler.unit_open[kFp32]) : unit;
}

inline bool SmLogic::available(unsigned index, unsigned resource, Cycle now) const {
  if (collector_ != nullptr) return collector_->accepts(index, resource);
  const Scheduler& scheduler = schedulers_[index];
  if (resource == kMemory && subcores_ == nullptr) return scheduler.memory_queued < memory_per_scheduler_;
  return opens(scheduler, resource) <= now;
}

/// The unit starts its next instruction at the earliest in cycle `free`.
inline void SmLogic::occupy(Scheduler& scheduler, unsigned resource, Cycle free) {
  scheduler.unit_free[resource] = free;
  scheduler.unit_open[resource] = free > queue_wait_[resource] ? free - queue_wait_[resource] : 0;
}

inline void SmLogic::execute(unsigned index, unsigned w, const WarpInstruction& instruction, Resource resource, Cycle now) {
  Warp& warp = warps_[w];
  const bool is_part = resource == kTensor && warp.repeats > 1;  // the last part has the result
  const RegisterId destination = is_part ? kNoRegister : instruction.destination;
  if (destination != kNoRegister) {
    warp.pending[destination / 64] |= std::uint64_t{1} << (destination % 64);
    ++warp.results;
  }
  if (collector_ != nullptr) {
    collect(index, w, instruction, destination, 0);
    return;
  }
  Scheduler& scheduler = schedulers_[index];
  const UnitTiming timing = timing_of(instruction);
  Cycle start = std::max(now + params_.issue_to_execute_cycles, scheduler.unit_free[resource]);
  if (resource == kImad) {
    start = std::max(start, scheduler.unit_free[kFp32]);
    occupy(scheduler, kFp32, start + params_.units.fp32.interval);
  }
  occupy(scheduler, resource, start + timing.interval);
  if (destination == kNoRegister) return;
  const bool is_shuffle = instruction.unit == Unit::shuffle && params_.units.shuffle.latency != 0;
  const CycleStack::Origin origin =
      is_shuffle ? CycleStack::of(SlotCause::result_shuffle) : CycleStack::result_of(resource == kImad ? kFp32 : resource);
  results_.add(start + timing.latency + params_.writeback_cycles, {static_cast<std::uint16_t>(w), destination, false, false, origin});
}

inline void SmLogic::issue_warp(unsigned index, unsigned w, Cycle now) {
  Scheduler& scheduler = schedulers_[index];
  Warp& warp = warps_[w];
  const WarpInstruction& instruction = *warp.next;
  const Resource resource = resource_of(instruction.unit);
  ++counters_.warp_instructions;
  vain_instructions_ += static_cast<unsigned>(warp.tests_in_vain());
  if (filter_hears_issues_) filter_->issued(w, now);
  counters_.thread_instructions += instruction.active == kAllLanes ? kLanes : popcount(instruction.active);
  if (ledger_ != nullptr) {
    ledger_->add(warp.kernel, KernelCount::warp_instructions);
    ledger_->add(warp.kernel, KernelCount::thread_instructions, popcount(instruction.active));
  }
  scheduler.next_issue = now + params_.issue_interval;
  if (cycle_stack_ != nullptr) cycle_stack_->issued(index, scheduler.next_issue);
  scheduler.order->issued(w);
  scheduler.ready[resource] &= ~warp_bit(w);
  if (scheduler.ready[resource] == 0) {
    scheduler.present &= ~(1u << resource);
    if (scheduler.present == 0) with_ready_ &= ~(1u << index);
  }
  scheduler.loads &= ~warp_bit(w);

  if (resource == kMemory) {
    const std::uint16_t place = queue_memory(index, w, instruction, now);
    if (collector_ != nullptr)
      collect(index, w, instruction, instruction.destination, place);
    else if (subcores_ != nullptr)
      enter_subcore(index, place);
    else
      order_.push_back(place);
  } else {
    execute(index, w, instruction, resource, now);
  }
  if (--warp.repeats == 0) {
    if (edge_accesses_ != nullptr) edge_accesses_->add(instruction);
    if (instruction.unit == Unit::barrier) return use_barrier(w, instruction);
    if (instruction.unit == Unit::fence && instruction.active != 0 && params_.fence_waits != FenceWait::nothing) return use_fence(w);
    if (instruction.fails_test) ++warp.vain_tests, warp.barrier_pc = instruction.pc;
    warp.stream->advance();
    step(w);
  } else {
    look_at_next(w);
  }
}

inline void SmLogic::issue(unsigned index, Cycle now) {
  Scheduler& scheduler = schedulers_[index];
  if (scheduler.next_issue > now) return;
  WarpMask ready = 0;
  for (const unsigned r : set_bits(scheduler.present)) {
    if (available(index, r, now)) ready |= scheduler.ready[r];
  }
  if (ready == 0) return;
  ready = allowed(ready, scheduler.loads);
  if (loads_in_flight_ >= params_.loads_in_flight) ready &= ~scheduler.loads;
  const WarpMask preferred = ready & filter_->masks().prefer;
  if (preferred != 0) ready = preferred;
  const int warp = scheduler.order->pick(ready, now);
  if (warp != WarpScheduler::kNone) issue_warp(index, static_cast<unsigned>(warp), now);
}

void SmLogic::issue_all(Cycle now) {
  if (with_ready_ == 0) {
    if (cycle_stack_ != nullptr) cycle_stack_->count_all_turns();
    return;
  }
  const unsigned count = static_cast<unsigned>(schedulers_.size());
  unsigned s = params_.scheduler_order == SchedulerOrder::rotating ? static_cast<unsigned>(now % count) : 0;
  for (unsigned turn = 0; turn < count; ++turn) {
    // Checked at each turn, because the last warp to reach a barrier makes warps of other schedulers ready.
    if ((with_ready_ >> s & 1) != 0) issue(s, now);
    if (cycle_stack_ != nullptr) cycle_stack_->count_turn(s);
    if (++s == count) s = 0;
  }
}

/// Takes the warp's next instruction from its stream.
void SmLogic::step(unsigned w) {
  Warp& warp = warps_[w];
  warp.next = warp.stream->peek();
  if (warp.next == nullptr) {
    end_if_done(w);
    return;
  }
  warp.repeats = std::max<std::uint16_t>(1, warp.next->repeat);
  look_at_next(w);
}

/// Marks the warp ready if no operand and no destination waits for a result.
void SmLogic::look_at_next(unsigned w) {
  Warp& warp = warps_[w];
  const WarpInstruction& instruction = *warp.next;
  Scheduler& scheduler = schedulers_[warp.scheduler];
  if (warp.atomics != 0) {
    if (cycle_stack_ != nullptr) cycle_stack_->waits_for_result(w, instruction);
    return;
  }
  if (warp.results != 0) {
    const auto names_one_of = [&](const std::array<std::uint64_t, 4>& registers) {
      // No result is ever outstanding for kNoRegister, so it needs no test of its own.
      std::uint64_t any = registers[instruction.destination / 64] >> (instruction.destination % 64);
      for (const RegisterId source : instruction.sources) any |= registers[source / 64] >> (source % 64);
      return (any & 1) != 0;
    };
    if (names_one_of(warp.pending)) {
      if (names_one_of(warp.from_memory)) scheduler.order->stalled_long(w);
      if (cycle_stack_ != nullptr) cycle_stack_->waits_for_result(w, instruction);
      return;
    }
  }
  if (warp.at_fence && !passes_fence(w)) return;
  const Resource resource = resource_of(instruction.unit);
  scheduler.ready[resource] |= warp_bit(w);
  scheduler.present |= 1u << resource;
  with_ready_ |= 1u << warp.scheduler;
  const bool is_load = instruction.unit == Unit::load || instruction.unit == Unit::texture;
  if (is_load) scheduler.loads |= warp_bit(w);
  if (cycle_stack_ != nullptr) account_ready(w, resource, is_load);
}

void SmLogic::retire(const Result& result) {
  if (result.kind != Result::Kind::ordinary) return retire_peer(result);
  Warp& warp = warps_[result.warp];
  if (cycle_stack_ != nullptr) account_result(result);
  if (collector_ != nullptr) collector_->written(result.warp, result.destination);
  if (result.is_load) --loads_in_flight_;
  if (result.blocks_warp) --warp.atomics;
  if (result.destination != kNoRegister) {
    const std::uint64_t others = ~(std::uint64_t{1} << (result.destination % 64));
    warp.pending[result.destination / 64] &= others;
    warp.from_memory[result.destination / 64] &= others;
  }
  if (result.destination != kNoRegister || result.is_load) --warp.results;
  if (warp.next == nullptr)
    end_if_done(result.warp);
  else if (!warp.at_barrier && warp.repeats != 0)
    look_at_next(result.warp);
}

bool SmLogic::ended(const Warp& warp) const {
  return warp.next == nullptr && warp.unsent == 0 && warp.results == 0 && warp.atomics == 0 && warp.stores == 0 &&
         warp.stores_done <= now_ && !ctas_[warp.cta].cluster_barrier.is_notified();
}

void SmLogic::end_if_done(unsigned w) {
  Warp& warp = warps_[w];
  Cta& cta = ctas_[warp.cta];
  if ((cta.ended & warp_bit(w)) != 0) return;
  if (!ended(warp)) {
    if (cycle_stack_ != nullptr) cycle_stack_->is_leaving(w);
    // The acknowledgement is known but has not arrived. The result must not depend on whether it became known before this SM acted.
    if (warp.stores == 0 && warp.stores_done > now_)
      results_.add(warp.stores_done, {static_cast<std::uint16_t>(w), kNoRegister, false, false, CycleStack::of(SlotCause::stores)});
    return;
  }
  count_warp_cycles(now_);
  cta.ended |= warp_bit(w);
  schedulers_[warp.scheduler].order->warp_finished(w);
  notify_filter({WarpEvent::Kind::finished, w});
  unfinished_ &= ~warp_bit(w);
  warp.stream.reset();
  if (cycle_stack_ != nullptr) cycle_stack_->ended(w, cta.ended == cta.members && resident_ == cta.members);
  if (cta.ended == cta.members) {
    resident_ &= ~cta.members;
    ++counters_.ctas;
    if (ledger_ != nullptr) ledger_->add(cta.kernel, KernelCount::ctas);
    finished_.push_back(warp.cta);
    if (prediction_ != nullptr) {
      prediction_->cta_ended(cta.number, now_);
      port_.hold_kernel(prediction_->probe_waits());
      prefer_none_after_prediction();
    }
  } else {
    for (const unsigned number : set_bits(barriers_[warp.cta].in_use())) open_barrier(warp.cta, number);
    notify_cluster(warp.cta);
  }
}

/// Returns the next cycle in which a warp whose next instruction has its operands may issue it, or `limit` if that is not later.
inline Cycle SmLogic::next_issue(Cycle now, Cycle limit) const {
  Cycle next = limit;
  for (const unsigned s : set_bits(with_ready_)) {
    const Scheduler& scheduler = schedulers_[s];
    const Cycle first = std::max(scheduler.next_issue, now + 1);
    for (const unsigned r : set_bits(scheduler.present)) {
      if (first >= next) break;
      if (filter_restricts_ && allowed(scheduler.ready[r], scheduler.loads) == 0) continue;
      if (r == kMemory && subcores_ == nullptr && scheduler.memory_queued >= memory_per_scheduler_) continue;
      if (collector_ != nullptr && !collector_->accepts(s, r)) continue;
      next = std::min(next, std::max(first, opens(scheduler, r)));
    }
  }
  return next;
}

Cycle SmLogic::next_event(Cycle now) const {
  Cycle next = results_.next();
  if (!order_.empty()) {
    const Queued& head = queue_[order_.front()];
    const Cycle turn = std::max(head.ready, memory_free_);
    if (!head.started || head.shared_cycles != 0)
      next = std::min(next, turn);
    else if (memory_[head.index].to_peers)
      next = std::min(next, peers_blocked_ ? kNever : std::max(turn, peers_free_));
    else if (!port_blocked_)
      next = std::min(next, std::max(turn, port_free_));
  }
  if (subcores_ != nullptr && order_.empty()) next = std::min(next, std::max(subcores_->next(), memory_free_));
  if (!arrivals_.empty() && !peers_blocked_) next = std::min(next, peers_free_);
  if (!limited_waits_.empty()) next = std::min(next, next_time_out());
  const auto next_copied_line = [this](CopyEngine::Memory memory) {
    return std::min(copies_->next_read(memory), copies_->next_write(memory));
  };
  if (copies_ != nullptr && !port_blocked_) next = std::min(next, std::max(next_copied_line(CopyEngine::global), port_free_));
  if (copies_ != nullptr && !peers_blocked_) next = std::min(next, std::max(next_copied_line(CopyEngine::shared), peers_free_));
  if (prediction_ != nullptr) next = std::min(next, next_prediction(now));
  if (resident_ != 0) next = std::min(next, filter_->due());
  if (collector_ != nullptr) next = std::min(next, next_collected(now));
  next = next_issue(now, next);
  return next == kNever ? kNever : std::max(next, now + 1);
}

}  // namespace wharf
