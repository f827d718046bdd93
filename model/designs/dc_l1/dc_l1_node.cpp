#include "model/designs/dc_l1/dc_l1_node.h"

#include "model/base/archive.h"

#include <algorithm>

namespace wharf {

DcL1Node::DcL1Node(sc_core::sc_module_name name, const DcL1Params& params, DcL1NodeLogic& logic, ClockDomain& clock)
    : sc_module(name),
      logic_(logic),
      clock_(clock),
      request_("request", *this, 0),
      cache_("cache", *this, 0),
      q2_("reply", clock, params.queues.q2, *this) {}

bool DcL1Node::message(unsigned, Payload& payload, Picoseconds at) {
  logic_.arrives(payload.access());
  if (cache_.send(payload, at - present()) != Acceptance::pending) return true;
  pending_request_ = &payload;
  return false;
}

void DcL1Node::request_accepted(unsigned, Picoseconds at) {
  Payload& payload = *pending_request_;
  pending_request_ = nullptr;
  request_.accept(payload, at - present());
}

/// Returns false if Q2 is full or another answer entered in this cycle. The cache then holds back later answers until this one has entered.
bool DcL1Node::response(unsigned, Payload& payload, Picoseconds at) {
  const Cycle now = clock_.now(), ready = clock_.cycle_at(at);
  const bool room = q2_.queue().room(now + 1);
  if (room && entered_in_ != now) {
    enter(payload, ready, now);
    return true;
  }
  refused_ = &payload;
  refused_ready_ = ready;
  refused_in_ = now;
  refused_by_turn_ = room;
  q2_.look();
  return false;
}

void DcL1Node::enter(Payload& payload, Cycle ready, Cycle in) {
  entered_in_ = in;
  logic_.head_for_core(payload.transaction());
  logic_.counters().q2.add(q2_.queue().size() + 1);
  q2_.add(payload.transaction(), ready);
}

/// The refused answer enters in the next cycle if it can.
void DcL1Node::after_sending(Cycle now) {
  if (refused_ == nullptr || !q2_.queue().room(now + 1)) return;
  Payload& payload = *refused_;
  refused_ = nullptr;
  (refused_by_turn_ ? logic_.counters().q2_turn : logic_.counters().q2_full) += now + 1 - refused_in_;
  enter(payload, std::max(refused_ready_, now + 2), now + 1);
  cache_.end_response(payload, clock_.edge(std::max(refused_ready_, now + 1)) - present());
}

void DcL1Node::inspect(std::vector<Wait>& waits) const {
  const std::string path = logic_.path();
  const auto wait = [&](const char* what, const std::string& resource, const Access& access) {
    waits.push_back({path + what, resource, access.id, access.line.byte_address(), access.issue_cycle});
  };
  if (pending_request_ != nullptr) wait(".request", path + ".q1", pending_request_->access());
  if (!q2_.queue().empty()) wait(".q2", path + ".to_network", q2_.queue().front().access);
  if (refused_ != nullptr) wait(".answer", path + ".q2", refused_->access());
}

void DcL1Node::archive(Archive& file) {
  file.expect_quiet(pending_request_ == nullptr && refused_ == nullptr, logic_.path());
  file(q2_, refused_by_turn_, entered_in_);
}

}  // namespace wharf
