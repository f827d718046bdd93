#include "model/front_end/front_end.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/base/archive.h"
#include "model/base/bits.h"
#include "model/base/error.h"
#include "model/base/host/islands.h"
#include "model/base/text.h"
#include "model/monitor/kernel_failure.h"

namespace wharf {

namespace {

constexpr std::uint64_t kRegisterBytes = 4;

[[noreturn]] void fail_too_large(const KernelLaunch& kernel, const std::string& what, const char* key) {
  throw InputError("kernel '" + readable_name(kernel.name) + "': one CTA needs " + what + "; raise sm." + key + " or use smaller CTAs");
}

}  // namespace

std::uint32_t ctas_per_sm(const KernelLaunch& kernel, const SmParams& sm) {
  const CtaNeeds needs(kernel, sm);
  const std::uint64_t warps = needs.warps, threads = needs.threads, registers = needs.registers;
  const std::uint64_t shared = std::uint64_t{sm.shared_kib} * 1024;
  const auto has = [](std::uint64_t needs, std::uint64_t available) {
    return std::to_string(needs) + " and an SM has " + std::to_string(available);
  };
  if (warps == 0) throw InputError("kernel '" + readable_name(kernel.name) + "': its CTAs have no threads; give a block of at least one");
  if (warps > sm.warps) fail_too_large(kernel, has(warps, sm.warps) + " warp slots", "warps");
  if (threads > sm.threads) fail_too_large(kernel, has(threads, sm.threads) + " threads", "threads");
  if (registers > sm.registers) fail_too_large(kernel, has(registers, sm.registers) + " registers", "registers");
  if (needs.shared > shared) fail_too_large(kernel, has(needs.shared, shared) + " bytes of shared memory", "shared_kib");
  std::uint64_t ctas = std::min({std::uint64_t{sm.ctas}, sm.warps / warps, sm.threads / threads});
  if (registers != 0) ctas = std::min(ctas, sm.registers / registers);
  if (needs.shared != 0) ctas = std::min(ctas, shared / needs.shared);
  return static_cast<std::uint32_t>(ctas);
}

std::uint32_t shared_split_bytes(const SmParams& sm, std::uint64_t needed) {
  for (const std::uint32_t split : sm.shared_splits_kib)
    if (needed <= std::uint64_t{split} * 1024) return split * 1024;
  return sm.shared_kib * 1024;
}

std::uint32_t unused_register_bytes(const SmParams& sm, std::uint64_t used) {
  constexpr std::uint32_t kGranule = 2048;
  return static_cast<std::uint32_t>((sm.registers - used) * kRegisterBytes / kGranule * kGranule);
}

CtaNeeds::CtaNeeds(const KernelLaunch& kernel, const SmParams& sm)
    : warps(kernel.warps_per_cta()),
      threads(warps * kLanes),
      registers(round_up<std::uint64_t>(kernel.registers_per_thread, sm.register_granule) * threads),
      shared(kernel.shared_bytes == 0 ? 0 : kernel.shared_bytes + sm.shared_reserved_bytes) {}

FrontEnd::FrontEnd(sc_core::sc_module_name name, const FrontEndParams& params, const SmParams& sm, std::uint32_t sms, bool write_back_l1,
                   Stimulus& stimulus, ClockDomain& clock, const PayloadPool& pool, stats::Registry& registry, RunObserver& observer)
    : sc_module(name),
      params_(params),
      sm_(sm),
      write_back_l1_(write_back_l1),
      stimulus_(stimulus),
      clock_(clock),
      pool_(pool),
      observer_(observer),
      group_(registry, "front_end"),
      ended_(group_, "kernels", "kernels that ended", stats::Unit::count),
      ctas_dispatched_(group_, "ctas", "CTAs dispatched", stats::Unit::ctas),
      shared_byte_cycles_(group_, "shared_byte_cycles", "bytes of shared memory that running CTAs have, summed over cycles",
                          stats::Unit::bytes),
      block_(clock.add(*this)),
      scheduler_(make_cta_scheduler(params.cta_scheduler)),
      ledger_(params.concurrent_kernels),
      kernels_(params.concurrent_kernels),
      books_(sms, SmBooks(sm)),
      eligible_(std::min(params.eligible_sms, sms)),
      room_(sms),
      served_(sms) {
  std::iota(eligible_.begin(), eligible_.end(), 0u);
  stimulus_.run_on(*this);
  clock_.wake(block_, 1);
}

void FrontEnd::write(const Event& event) {
  if (Islands::here() != Islands::kMainland) return Islands::on_mainland([this, event] { write(event); });
  const Cycle next = clock_.now() + 1;
  finished_.push_back({next, event.sm, event.slot});
  clock_.wake(block_, next);
}

void FrontEnd::act(Cycle now) {
  try {
    step(now);
  } catch (const InputError&) {
    finish(now);
    pause_with_error();  // accesses in flight stop here
  }
}

void FrontEnd::finish(Cycle now) {
  state_ = State::done;
  done_at_ = now;
}

void FrontEnd::step(Cycle now) {
  if (!finished_.empty()) collect_finished(now);
  if (state_ == State::done) return;
  start_kernels(now);
  dispatch(now);
  end_kernels(now);
}

void FrontEnd::start_kernels(Cycle now) {
  if (state_ != State::open || running_ == kernels_.size() || !std::exchange(look_for_kernels_, false)) return;
  while (running_ < kernels_.size() && start_next(now)) {
  }
}

bool FrontEnd::start_next(Cycle now) {
  const KernelLaunch* launch = nullptr;
  if (running_ == 0) {
    launch = stimulus_.next_kernel();
    if (launch == nullptr && !stimulus_.waiting()) finish(now);
  } else {
    RunningStreams running;
    for (const Kernel& kernel : kernels_)
      if (kernel.launch != nullptr) running.busy.push_back(kernel.launch->stream);
    running.ahead = kernels_.size() - running_;
    launch = stimulus_.next_concurrent(running);
  }
  if (launch != nullptr) start(*launch, now);
  return launch != nullptr;
}

void FrontEnd::start(const KernelLaunch& launch, Cycle now) {
  Kernel& kernel = *std::find_if(kernels_.begin(), kernels_.end(), [](const Kernel& k) { return k.launch == nullptr; });
  Kernel started;
  started.per_sm = started.slots = ctas_per_sm(launch, sm_);
  check_clusters(launch, started.per_sm);
  check_cooperative(launch);
  started.launch = &launch;
  started.needs = CtaNeeds(launch, sm_);
  started.undispatched = launch.grid.count();
  // Fewer than fit if the grid does not fill all slots.
  if (scheduler_->keeps_to_shares() && launch.ctas_per_cluster() == 1)
    started.slots = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(started.per_sm, (started.undispatched + eligible_.size() - 1) / eligible_.size()));
  started.ready_at = now + params_.kernel_launch_cycles;
  kernel = started;
  ++running_;
  ledger_.start(place_of(kernel));
  to_caches.write(start_event(kernel, place_of(kernel)));
  observer_.kernel_started(launch, place_of(kernel), now);
  clock_.wake(block_, kernel.ready_at);
}

/// CTAs that wait for others which do not fit would wait for ever.
void FrontEnd::check_cooperative(const KernelLaunch& launch) const {
  const std::uint64_t ctas = launch.grid.count();
  if (!launch.cooperative) return;
  const std::uint64_t held = ctas_at_a_time(launch, params_, sm_, static_cast<std::uint32_t>(eligible_.size()), gpc_groups_);
  if (ctas > held)
    throw InputError("kernel '" + readable_name(launch.name) + "': a cooperative launch of " + std::to_string(ctas) +
                     " CTAs, of which the GPU holds " + std::to_string(held) +
                     " at a time; launch fewer, or run it on a machine with more SMs");
}

/// Kernels that run together share an SM's array and registers, so the most that their CTAs can ever use together is set aside.
Event FrontEnd::start_event(const Kernel& kernel, unsigned place) const {
  std::uint64_t shared = 0, registers = 0;
  for (const Kernel& running : kernels_) {
    if (running.launch == nullptr) continue;
    shared += running.needs.shared * running.per_sm;
    registers += running.needs.registers * running.per_sm;
  }
  shared = std::min(shared, std::uint64_t{sm_.shared_kib} * 1024);
  Event event;
  event.kind = Event::Kind::kernel_start;
  event.kernel = kernel.launch;
  event.place = static_cast<std::uint8_t>(place);
  event.concurrent = running_ > 1;
  event.keep_lines = event.concurrent && params_.l1_invalidation == L1Invalidation::empty_sm;
  event.ctas_per_sm = params_.runs_kernels_together() ? sm_.warps : kernel.slots;
  event.warps_per_slot = params_.runs_kernels_together() ? 1 : static_cast<std::uint32_t>(kernel.needs.warps);
  event.sms = static_cast<std::uint32_t>(books_.size());
  event.shared_bytes = shared_split_bytes(sm_, shared);
  event.used_shared_bytes = static_cast<std::uint32_t>(shared);
  if (sm_.unused_registers_to_l1) event.register_bytes = unused_register_bytes(sm_, std::min<std::uint64_t>(registers, sm_.registers));
  return event;
}

void FrontEnd::resume() {
  look_for_kernels_ = true;
  clock_.wake(block_, clock_.present_cycle() + 1);
}

void FrontEnd::count_shared_memory(Cycle now) {
  shared_byte_cycles_ += (now - shared_counted_to_) * shared_bytes_;
  shared_counted_to_ = now;
}

void FrontEnd::collect_finished(Cycle now) {
  count_shared_memory(now);
  std::size_t kept = 0;
  // CTAs that end in one cycle are handled in order of their SMs, whichever SM acted first.
  std::stable_sort(finished_.begin(), finished_.end(), [](const Finished& a, const Finished& b) {
    return a.seen_at != b.seen_at ? a.seen_at < b.seen_at : a.sm != b.sm ? a.sm < b.sm : a.slot < b.slot;
  });
  for (const Finished& finished : finished_) {
    if (finished.seen_at > now) {
      finished_[kept++] = finished;
      continue;
    }
    const CtaPlace place{finished.sm, static_cast<std::uint16_t>(finished.slot)};
    const std::uint32_t cluster = books_[place.sm].cta(place.slot).cluster;
    if (cluster == SmBooks::kNoCluster)
      release(place, now);
    else if (--clusters_[cluster].running == 0)
      for (const CtaPlace member : *clusters_[cluster].places) release(member, now);
  }
  finished_.resize(kept);
}

void FrontEnd::release(CtaPlace place, Cycle now) {
  SmBooks& books = books_[place.sm];
  const SmBooks::Cta& cta = books.cta(place.slot);
  --kernels_[cta.kernel].running;
  shared_bytes_ -= cta.needs.shared;
  books.release(place.slot);
  if (books.running() == 0 && params_.l1_invalidation == L1Invalidation::empty_sm) {
    Event event;
    event.kind = Event::Kind::sm_empty;
    event.sm = place.sm;
    to_caches.write(event);
  }
  observer_.cta_ended(place.sm, place.slot, now);
}

/// Returns the kernel whose CTAs are dispatched: the previous one while it has CTAs left, then the next launched one after its place.
FrontEnd::Kernel* FrontEnd::next_to_dispatch(Cycle now) {
  for (std::size_t i = 0; i < kernels_.size(); ++i) {
    const std::size_t place = (dispatching_ + i) % kernels_.size();
    Kernel& kernel = kernels_[place];
    if (!kernel.dispatches(now)) continue;
    if (i != 0 || !opened_) {
      scheduler_->start_kernel(kernel.undispatched, eligible_);
      stimulus_.open_kernel(*kernel.launch);
    }
    dispatching_ = place;
    opened_ = true;
    return &kernel;
  }
  return nullptr;
}

void FrontEnd::dispatch(Cycle now) {
  Kernel* kernel = next_to_dispatch(now);
  if (kernel == nullptr) return;
  count_shared_memory(now);
  std::fill(served_.begin(), served_.end(), 0);
  for (; kernel != nullptr; kernel = next_to_dispatch(now)) {
    if (kernel->launch->ctas_per_cluster() > 1) {
      dispatch_clusters(*kernel, now);
    } else {
      for (const std::uint32_t sm : eligible_) room_[sm] = served_[sm] == 0 && has_room(*kernel, sm);
      while (!pauses_) {
        const auto next = scheduler_->next(room_);
        if (!next) break;
        dispatch(*kernel, next->sm, next->cta, now);
        room_[next->sm] = 0;  // at most one CTA per cycle
        served_[next->sm] = 1;
      }
    }
    if (kernel->undispatched != 0) break;  // no other kernel overtakes it
    opened_ = false;
  }
  if (kernel == nullptr) return;
  if (std::exchange(pauses_, false)) return clock_.wake(block_, now + 1);
  for (const std::uint32_t sm : eligible_)
    if (served_[sm] != 0 && has_room(*kernel, sm)) return clock_.wake(block_, now + 1);
}

void FrontEnd::dispatch(Kernel& kernel, std::uint32_t sm, std::uint64_t cta, Cycle now) {
  SmBooks& books = books_[sm];
  if (!has_room(kernel, sm) || (books.running() >= kernel.slots && !params_.runs_kernels_together())) {
    throw SimulationError("front_end.cta_scheduler " + params_.cta_scheduler + " gives SM " + std::to_string(sm) + " CTA " +
                          std::to_string(cta) + " of kernel '" + kernel.launch->name + "' beside " + std::to_string(books.running()) +
                          " others, which is more than its share; let keeps_to_shares() return false, or wait until one has ended");
  }
  const std::uint32_t slot = books.occupy(place_of(kernel), kernel.needs, sm_);
  send(kernel, {static_cast<std::uint16_t>(sm), static_cast<std::uint16_t>(slot)}, cta, {}, now);
}

/// Opens a CTA that has taken its place.
void FrontEnd::send(Kernel& kernel, CtaPlace place, std::uint64_t cta, ClusterMember cluster, Cycle now) {
  auto work = std::make_unique<CtaWork>();
  work->launch = kernel.launch;
  work->number = cta;
  work->age = dispatched_++;
  opening_sm_ = place.sm;
  work->warps = stimulus_.open_cta(cta);
  work->kernel = static_cast<std::uint8_t>(place_of(kernel));
  work->slot = place.slot;
  work->first_warp = books_[place.sm].cta(place.slot).first_warp;
  work->cluster = std::move(cluster);
  shared_bytes_ += kernel.needs.shared;
  ++kernel.running;
  --kernel.undispatched;
  ++ctas_dispatched_;
  pauses_ = !observer_.cta_started(place.sm, work->slot, cta, now);
  Event event;
  event.kind = Event::Kind::cta_launch;
  event.sm = place.sm;
  event.cta = work.release();
  to_sms.write(event);
}

void FrontEnd::end_kernels(Cycle now) {
  bool any = false;
  for (Kernel& kernel : kernels_)
    if (kernel.has_ended_ctas()) any |= end_kernel(kernel, now);
  if (!any) return;
  look_for_kernels_ = true;
  start_kernels(now);
}

/// Ends a kernel that has no CTA left. Returns false if an access of the kernel is in flight.
bool FrontEnd::end_kernel(Kernel& kernel, Cycle now) {
  const bool last = running_ == 1;
  const bool drained = params_.kernel_end == KernelEnd::ctas_done ||
                       (last ? pool_.idle_before(clock_.edge(now)) : ledger_.idle_before(place_of(kernel), now));
  if (kernel.ready_at > now || !drained) {
    clock_.wake(block_, std::max(now + 1, kernel.ready_at));
    return false;
  }
  if (write_back_l1_ && last && !std::exchange(kernel.drained_caches, true)) {  // every store has now reached its L1
    Event event;
    event.kind = Event::Kind::drain;
    to_caches.write(event);
    kernel.ready_at = now + 2;  // the caches see the event in the next cycle
    clock_.wake(block_, kernel.ready_at);
    return false;
  }
  ++ended_;
  --running_;
  if (last) {
    Event over;
    over.kind = Event::Kind::kernel_end;
    kernel_ends.write(over);
  }
  const KernelLaunch& launch = *std::exchange(kernel.launch, nullptr);
  observer_.kernel_ended(launch, place_of(kernel), last, now);
  if (last && ended_.value() == hold_after_) {
    state_ = State::held;
    sc_core::sc_pause();  // time advances only after the owner has seen it
  }
  return true;
}

void FrontEnd::release() {
  state_ = State::open;
  resume();
}

void FrontEnd::archive(Archive& file) {
  file.expect_quiet(finished_.empty() && running_ == 0, "front_end");
  if (!scheduler_->archive(file)) Archive::refuse("front_end.cta_scheduler: " + params_.cta_scheduler);
  file(dispatched_, shared_counted_to_, dispatching_, opened_);
}

void FrontEnd::inspect(std::vector<Wait>& waits) const {
  for (const Kernel& kernel : kernels_)
    if (kernel.has_ended_ctas()) waits.push_back({"front_end.kernel", "drain", 0, 0, kernel.ready_at});
  for (std::uint32_t sm = 0; sm < books_.size(); ++sm)
    if (books_[sm].running() != 0)
      waits.push_back({"front_end.kernel", "sm[" + std::to_string(sm) + "].warps", 0, 0, kernels_[dispatching_].ready_at});
}

}  // namespace wharf
