#include "model/designs/dc_l1/stage_queue.h"

namespace wharf {

StageQueue::StageQueue(sc_core::sc_module_name name, std::uint32_t places, ClockDomain& clock, Readdress readdress)
    : sc_module(name),
      clock_(clock),
      readdress_(std::move(readdress)),
      input_("input", *this, 0),
      sender_("output", clock, places, *this) {}

bool StageQueue::message(unsigned, Payload& payload, Picoseconds at) {
  readdress_(payload.transaction());
  if (sender_.queue().room()) {
    sender_.add(payload.transaction(), clock_.cycle_at(at));
    return true;
  }
  pending_ = &payload;
  sender_.look();
  return false;
}

void StageQueue::after_sending(Cycle now) {
  if (pending_ == nullptr || !sender_.queue().room()) return;
  Payload& payload = *pending_;
  pending_ = nullptr;
  sender_.add(payload.transaction(), now + 2);
  input_.accept(payload, clock_.edge(now + 1) - present());
}

void StageQueue::inspect(std::vector<Wait>& waits) const {
  const std::string path = name();
  const auto wait = [&](const std::string& what, const std::string& resource, const Access& access) {
    waits.push_back({what, resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  if (!sender_.queue().empty()) wait(path, path + ".next_stage", sender_.queue().front().access);
  if (pending_ != nullptr) wait(path + ".input", path, pending_->access());
}

}  // namespace wharf
