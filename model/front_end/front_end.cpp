#include "model/front_end/front_end.h"

#include <algorithm>
#include <numeric>

#include "model/base/archive.h"
#include "model/base/error.h"

namespace wharf {

namespace {

constexpr std::uint64_t kRegisterBytes = 4;

std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) { return (value + granule - 1) / granule * granule; }

[[noreturn]] void does_not_fit(const KernelLaunch& kernel, const std::string& what, const char* key) {
  throw InputError("kernel '" + kernel.name + "': one CTA needs " + what + "; raise sm." + key + " or use smaller CTAs");
}

}  // namespace

std::uint32_t ctas_per_sm(const KernelLaunch& kernel, const SmParams& sm) {
  const std::uint64_t warps = kernel.warps_per_cta(), threads = warps * kLanes;
  const std::uint64_t registers = round_up(kernel.registers_per_thread, sm.register_granule) * threads;
  const std::uint64_t shared = std::uint64_t{sm.shared_kib} * 1024;
  const auto has = [](std::uint64_t needs, std::uint64_t available) {
    return std::to_string(needs) + " and an SM has " + std::to_string(available);
  };
  if (warps == 0) throw InputError("kernel '" + kernel.name + "': its CTAs have no threads; give a block of at least one");
  if (warps > sm.warps) does_not_fit(kernel, has(warps, sm.warps) + " warp slots", "warps");
  if (threads > sm.threads) does_not_fit(kernel, has(threads, sm.threads) + " threads", "threads");
  if (registers > sm.registers) does_not_fit(kernel, has(registers, sm.registers) + " registers", "registers");
  if (kernel.shared_bytes > shared) does_not_fit(kernel, has(kernel.shared_bytes, shared) + " bytes of shared memory", "shared_kib");
  std::uint64_t ctas = std::min({std::uint64_t{sm.ctas}, sm.warps / warps, sm.threads / threads});
  if (registers != 0) ctas = std::min(ctas, sm.registers / registers);
  if (kernel.shared_bytes != 0) ctas = std::min(ctas, shared / kernel.shared_bytes);
  return static_cast<std::uint32_t>(ctas);
}

std::uint32_t shared_split_bytes(const KernelLaunch& kernel, const SmParams& sm, std::uint32_t ctas) {
  const std::uint64_t needed = std::uint64_t{kernel.shared_bytes} * ctas;
  for (const std::uint32_t split : sm.shared_splits_kib)
    if (needed <= std::uint64_t{split} * 1024) return split * 1024;
  return sm.shared_kib * 1024;
}

std::uint32_t unused_register_bytes(const KernelLaunch& kernel, const SmParams& sm, std::uint32_t ctas) {
  constexpr std::uint32_t kGranule = 2048;
  const std::uint64_t used = round_up(kernel.registers_per_thread, sm.register_granule) * kernel.warps_per_cta() * kLanes * ctas;
  return static_cast<std::uint32_t>((sm.registers - used) * kRegisterBytes / kGranule * kGranule);
}

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
      kernels_(group_, "kernels", "kernels that ended", stats::Unit::count),
      ctas_dispatched_(group_, "ctas", "CTAs dispatched", stats::Unit::ctas),
      shared_byte_cycles_(group_, "shared_byte_cycles", "bytes of shared memory that running CTAs have, summed over cycles",
                          stats::Unit::bytes),
      block_(clock.add(*this)),
      scheduler_(make_cta_scheduler(params.cta_scheduler)),
      books_(sms),
      eligible_(std::min(params.eligible_sms, sms)),
      room_(sms) {
  std::iota(eligible_.begin(), eligible_.end(), 0u);
  clock_.wake(block_, 1);
}

void FrontEnd::write(const Event& event) {
  const Cycle next = clock_.now() + 1;
  finished_.push_back({next, event.sm, event.slot});
  clock_.wake(block_, next);
}

void FrontEnd::act(Cycle now) {
  try {
    step(now);
  } catch (const InputError&) {
    failure_ = std::current_exception();
    finish(now);
    sc_core::sc_pause();  // what is in flight runs no further
  }
}

void FrontEnd::finish(Cycle now) {
  state_ = State::done;
  done_at_ = now;
}

void FrontEnd::step(Cycle now) {
  if (!finished_.empty()) collect_finished(now);
  if (state_ == State::idle) start_kernel(now);
  if (state_ == State::launching && launch_at_ <= now) state_ = State::running;
  if (state_ == State::running) dispatch(now);
  if (state_ == State::draining) end_kernel(now);
}

void FrontEnd::start_kernel(Cycle now) {
  kernel_ = stimulus_.next_kernel();
  if (kernel_ == nullptr) {
    if (!stimulus_.waiting()) finish(now);
    return;
  }
  per_sm_ = ctas_per_sm(*kernel_, sm_);
  for (SmBooks& books : books_) books = {std::vector<std::uint8_t>(per_sm_), 0};
  undispatched_ = kernel_->grid.count();
  scheduler_->start_kernel(undispatched_, eligible_);
  Event event;
  event.kind = Event::Kind::kernel_start;
  event.kernel = kernel_;
  slots_ = per_sm_;
  // Fewer than fit where the grid does not fill all slots.
  if (scheduler_->keeps_to_shares())
    slots_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(per_sm_, (undispatched_ + eligible_.size() - 1) / eligible_.size()));
  event.ctas_per_sm = slots_;
  event.sms = static_cast<std::uint32_t>(books_.size());
  event.shared_bytes = shared_split_bytes(*kernel_, sm_, per_sm_);
  event.used_shared_bytes = kernel_->shared_bytes * per_sm_;
  if (sm_.unused_registers_to_l1) event.register_bytes = unused_register_bytes(*kernel_, sm_, per_sm_);
  to_caches.write(event);
  observer_.kernel_started(*kernel_, now);
  launch_at_ = now + params_.kernel_launch_cycles;
  state_ = State::launching;
  clock_.wake(block_, launch_at_);
}

void FrontEnd::resume() { clock_.wake(block_, clock_.present_cycle() + 1); }

void FrontEnd::count_shared_memory(Cycle now) {
  if (running_ != 0) shared_byte_cycles_ += (now - shared_counted_to_) * running_ * kernel_->shared_bytes;
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
    SmBooks& books = books_[finished.sm];
    books.slot_used[finished.slot] = 0;
    --books.running;
    --running_;
    observer_.cta_ended(finished.sm, finished.slot, now);
  }
  finished_.resize(kept);
}

void FrontEnd::dispatch(Cycle now) {
  count_shared_memory(now);
  for (const std::uint32_t sm : eligible_) room_[sm] = books_[sm].running < per_sm_;
  bool more = false;
  while (const auto next = scheduler_->next(room_)) {
    SmBooks& books = books_[next->sm];
    auto work = std::make_unique<CtaWork>();
    work->number = next->cta;
    work->age = dispatched_++;
    work->warps = stimulus_.open_cta(next->cta);
    work->slot = static_cast<std::uint32_t>(std::find(books.slot_used.begin(), books.slot_used.end(), 0) - books.slot_used.begin());
    if (work->slot >= slots_) {
      throw SimulationError("front_end.cta_scheduler " + params_.cta_scheduler + " gives SM " + std::to_string(next->sm) + " CTA " +
                            std::to_string(next->cta) + " of kernel '" + kernel_->name + "' beside " + std::to_string(books.running) +
                            " others, which is more than its share; let keeps_to_shares() return false, or wait until one has ended");
    }
    books.slot_used[work->slot] = 1;
    ++books.running;
    ++running_;
    ++ctas_dispatched_;
    --undispatched_;
    observer_.cta_started(next->sm, work->slot, next->cta, now);
    Event event;
    event.kind = Event::Kind::cta_launch;
    event.sm = static_cast<std::uint16_t>(next->sm);
    event.cta = work.release();
    to_sms.write(event);
    room_[next->sm] = 0;  // at most one CTA per cycle
    more |= books.running < per_sm_;
  }
  if (undispatched_ != 0) {
    if (more) clock_.wake(block_, now + 1);
  } else if (running_ == 0) {
    state_ = State::draining;
    flushed_ = !write_back_l1_;
  }
}

void FrontEnd::end_kernel(Cycle now) {
  const bool drained = params_.kernel_end == KernelEnd::ctas_done || pool_.idle_before(clock_.edge(now));
  if (launch_at_ > now || !drained) {
    clock_.wake(block_, std::max(now + 1, launch_at_));
    return;
  }
  if (!flushed_) {  // every store has now reached its L1
    flushed_ = true;
    Event event;
    event.kind = Event::Kind::drain;
    to_caches.write(event);
    launch_at_ = now + 2;  // the caches see the event in the next cycle
    clock_.wake(block_, launch_at_);
    return;
  }
  ++kernels_;
  Event over;
  over.kind = Event::Kind::kernel_end;
  kernel_ends.write(over);
  observer_.kernel_ended(*kernel_, now);
  state_ = kernels_.value() == hold_after_ ? State::held : State::idle;
  if (state_ == State::idle) start_kernel(now);
  if (state_ == State::held) sc_core::sc_pause();  // time goes on only when the owner has seen it
}

void FrontEnd::release() {
  state_ = State::idle;
  resume();
}

void FrontEnd::archive(Archive& file) {
  file.expect_quiet(finished_.empty() && running_ == 0, "front_end");
  if (!scheduler_->archive(file)) Archive::refuse("front_end.cta_scheduler: " + params_.cta_scheduler);
  file(dispatched_, shared_counted_to_, launch_at_);
}

void FrontEnd::inspect(std::vector<Wait>& waits) const {
  if (state_ == State::draining) waits.push_back({"front_end.kernel", "drain", 0, 0, launch_at_});
  for (std::uint32_t sm = 0; sm < books_.size(); ++sm)
    if (books_[sm].running != 0) waits.push_back({"front_end.kernel", "sm[" + std::to_string(sm) + "].warps", 0, 0, launch_at_});
}

}  // namespace wharf
