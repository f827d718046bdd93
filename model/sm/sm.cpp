#include "model/sm/sm.h"

#include <algorithm>
#include <utility>

#include "model/base/cluster_member.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "model/l1_sharing/shared_memory/shared_memory_cache_logic.h"
#include "model/monitor/kernel_failure.h"

namespace wharf {

Sm::Sm(sc_core::sc_module_name name, const SmParams& params, TransactionUnit unit, std::uint32_t l1_banks, unsigned number,
       ClockDomain& clock, PayloadPool& pool, stats::Registry& registry, std::uint64_t seed, GpuPeriod* period)
    : sc_module(name),
      number_(static_cast<std::uint16_t>(number)),
      period_(period),
      clock_(clock),
      pool_(pool),
      group_(registry, "sm", static_cast<int>(number)),
      logic_(params, unit, l1_banks, number, group_, *this, seed, period == nullptr ? nullptr : &period->period),
      wakes_on_misses_(logic_.filter_needs().losses_at_once),
      filter_needs_kernel_starts_(logic_.filter_needs().kernels),
      local_memory_(params.local_memory),
      block_(clock.add(*this)),
      downstream_("downstream", *this, 0) {
  if (!params.has_peers) return;
  peers_ = std::make_unique<Peers>(*this);
  logic_.join_cluster(*peers_);
}

void Sm::write(const Event& event) {
  if (event.kind == Event::Kind::kernel_end) logic_.kernel_ended(clock_.now());
  if (event.kind == Event::Kind::kernel_start) {
    if (logic_.cycle_stack() != nullptr) {
      logic_.cycle_stack()->kernel_started(clock_.now());
      logic_.cycle_stack()->profile().start(*event.kernel, event.place);
    }
    if (filter_needs_kernel_starts_)
      logic_.kernel_started(SharedMemoryRegion::of(event.shared_bytes, event.used_shared_bytes).live(), clock_.now());
    if (local_memory_ == LocalMemory::interleaved)
      logic_.set_local_layout(LocalLayout(*event.kernel, event.warps_per_slot, event.ctas_per_sm, event.sms, number_), event.place);
  }
  if (event.kind != Event::Kind::cta_launch || event.sm != number_) return;
  const Cycle next = clock_.now() + 1;
  arriving_.emplace_back(next, event.cta);
  clock_.wake(block_, next);
}

void Sm::write(const CacheEvent& event) {
  const Cycle next = clock_.present_cycle() + 1;
  logic_.interference()->post(event, next);
  if (wakes_on_misses_ && event.kind == CacheEvent::Kind::missed) clock_.wake(block_, next);
}

void Sm::measured(double l2, double dram) {
  logic_.measured(l2, dram, clock_.present_cycle());
  wake();
}

void Sm::write(const Access& access) {
  PredictionUnit& prediction = *logic_.prediction();
  prediction.count_sent();
  if (!prediction.listens()) return;
  const Cycle next = clock_.present_cycle() + 1;
  prediction.sent_to_l2(access, next);
  clock_.wake(block_, next);
}

void Sm::act(Cycle now) {
  if (!arriving_.empty()) {
    std::size_t kept = 0;
    for (auto& [cycle, cta] : arriving_) {
      if (cycle <= now) {
        if (kernels_.size() <= cta->kernel) kernels_.resize(cta->kernel + 1u);
        kernels_[cta->kernel] = cta->launch;
        logic_.launch(cta->number, cta->slot, cta->age, std::move(cta->warps), now, cta->first_warp, cta->kernel, cta->cluster);
      } else {
        arriving_[kept++] = {cycle, std::move(cta)};
      }
    }
    arriving_.resize(kept);
  }
  try {
    logic_.act(now);
  } catch (const InputError&) {  // the program misuses a barrier
    pause_with_error();
  } catch (const OneThreadNeeded&) {
    pause_with_error();
  }
  if (period_ != nullptr) clock_.request_commit(*period_);
  logic_.visit_finished([&](std::uint32_t slot) {
    Event event;
    event.kind = Event::Kind::cta_finish;
    event.sm = number_;
    event.slot = slot;
    finished.write(event);
  });
  const Cycle next = logic_.next_event(now);
  if (next != kNever) clock_.wake(block_, next);
}

Access& Sm::next(const Access& like) {
  next_ = &pool_.acquire(like);
  return next_->transaction().access;
}

bool Sm::send() {
  Payload& payload = *next_;
  payload.set_attributes();
  const Access& access = payload.access();
  const bool waits = access.kind == AccessKind::load || access.kind == AccessKind::texture ||
                     (access.kind == AccessKind::atomic && logic_.cycle_stack() != nullptr);
  if (waits) payload.stages().begin(access.issue_cycle, clock_.mhz());
  return downstream_.send(payload, clock_.delay(1)) != Acceptance::pending;
}

void Sm::hold_kernel(bool held) {
  if (held == (held_ != nullptr)) return;
  if (held)
    held_ = &pool_.acquire({});
  else
    std::exchange(held_, nullptr)->release();
}

/// CTAs on one SM share a copy.
void Sm::copy_reply(const Access& write) {
  Transaction& copy = pool_.acquire(write).transaction();
  copy.message = {};
  copy.message.source = place_of(write.line).sm;  // as if that SM had requested it
  copy.next = nullptr;
  Transaction** place = &next_->transaction().copies;
  while (*place != nullptr) place = (*place)->message.source == copy.message.source ? &(*place)->copies : &(*place)->next;
  *place = &copy;
}

void Sm::pass_fence() {
  Event event;
  event.kind = Event::Kind::fence;
  event.sm = number_;
  to_l1.write(event);
}

void Sm::request_accepted(unsigned port, Picoseconds at) {
  const Cycle cycle = clock_.cycle_at(at);
  port == kPeers ? logic_.resume_peers(cycle) : logic_.resume(cycle);
  clock_.wake(block_, cycle);
}

bool Sm::response(unsigned port, Payload& payload, Picoseconds at) {
  const Cycle cycle = clock_.cycle_at(at);
  payload.stages().claim(Stage::lsu, cycle);
  const Cycle acts = port == kPeers ? logic_.peer_answered(payload.access(), cycle) : logic_.answered(payload.transaction(), cycle);
  payload.release();
  if (acts != kNever) clock_.wake(block_, acts);
  return true;
}

void Sm::inspect(std::vector<Wait>& waits) const {
  const std::string warps = group_.path() + ".warps", sm = std::to_string(number_);
  std::string answers;
  if (logic_.accesses_in_flight() != 0)
    answers = "l1[" + sm + "].mshr";
  else if (logic_.peer_accesses_in_flight() != 0)
    answers = "cluster_port[" + sm + "].answers";
  std::vector<std::string> holders = {warps};  // that the answers would let go on
  const std::vector<SmLogic::CtaWait> all = logic_.cta_waits();
  for (const SmLogic::CtaWait& waiting : all) {
    const std::string resource = group_.path() + '.' + waiting.wait.resource;
    if (waiting.is_asynchronous && std::find(holders.begin(), holders.end(), resource) == holders.end()) holders.push_back(resource);
    // While accesses are in flight, barriers open once these have been answered.
    if (waiting.is_asynchronous || answers.empty()) waits.push_back({warps, resource, 0, 0, 0, describe(waiting)});
  }
  if (!answers.empty())
    for (const std::string& holder : holders) waits.push_back({holder, answers, 0, 0, 0});
  else if (all.empty() && logic_.resident() != 0)
    waits.push_back({warps, group_.path() + ".pipeline", 0, 0, 0});
}

/// "kernel k, CTA 3: ..."
std::string Sm::describe(const SmLogic::CtaWait& waiting) const {
  const KernelLaunch* const launch = kernels_.at(waiting.kernel);
  const auto place_of = [&](unsigned warp) { return launch == nullptr ? "" : launch->place_of(logic_.barrier_pc(warp)); };
  return (launch == nullptr ? "" : "kernel " + readable_name(launch->name) + ", ") + "CTA " + std::to_string(waiting.cta) + ": " +
         wharf::describe(waiting.wait, waiting.first_warp, place_of);
}

}  // namespace wharf
