#include "platforms/memory/memory_port.h"

#include <algorithm>

namespace wharf {

MemoryPort::MemoryPort(sc_core::sc_module_name name, unsigned sm, ClockDomain& clock, PayloadPool& pool, tlm::tlm_target_socket<>& entry,
                       std::vector<Answer>& answers)
    : sc_module(name),
      sm_(static_cast<std::uint16_t>(sm)),
      clock_(clock),
      pool_(pool),
      answers_(answers),
      block_(clock.add(*this)),
      downstream_("downstream", *this, 0) {
  downstream_.socket.bind(entry);
}

bool MemoryPort::offer(Access access, std::uint64_t tag) {
  const Cycle next = clock_.present_cycle() + 1;
  if (next_ || blocked_ || free_ > next) return false;
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(tags_.size()));
    tags_.emplace_back();
  }
  access.slot = free_slots_.back();
  free_slots_.pop_back();
  tags_[access.slot] = tag;
  access.sm = sm_;
  access.id = (std::uint64_t{sm_} << 48) | ++last_id_;
  next_ = access;
  clock_.wake(block_, next);
  return true;
}

void MemoryPort::act(Cycle now) {
  if (!next_) return;
  next_->issue_cycle = now;
  Payload& payload = pool_.acquire(*next_);
  next_.reset();
  free_ = now + 1;
  const Acceptance acceptance = downstream_.send(payload, clock_.delay(1));
  blocked_ = acceptance == Acceptance::pending;
  if (acceptance == Acceptance::completed) answered(payload, now + 1);
}

void MemoryPort::request_accepted(unsigned, Picoseconds at) {
  blocked_ = false;
  free_ = clock_.cycle_at(at);
}

bool MemoryPort::response(unsigned, Payload& payload, Picoseconds at) {
  answered(payload, clock_.cycle_at(at));
  return true;
}

void MemoryPort::answered(Payload& payload, Cycle cycle) {
  const Access& access = payload.access();
  answers_.push_back({access, cycle, payload.reply().served_by, tags_[access.slot]});
  free_slots_.push_back(access.slot);
  payload.release();
}

}  // namespace wharf
