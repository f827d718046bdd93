#include "model/designs/morpheus/cache_mode/closed_loop.h"

#include <algorithm>

#include "model/base/error.h"
#include "model/network/flits.h"

namespace wharf {

ClosedLoop::ClosedLoop(sc_core::sc_module_name name, const Environment& environment)
    : sc_module(name),
      environment_(environment),
      group_(environment.registry, "closed_loop"),
      reads_(group_, "reads", "reads that a warp has answered", stats::Unit::accesses),
      c2c_ps_(group_, "c2c_ps", "time of these reads, from the network interface of a bank and back to it, in ps", stats::Unit::none),
      bytes_(group_, "bytes", "that they have brought", stats::Unit::bytes),
      block_(environment.clock.add(*this)),
      warps_(environment.rows.size()) {
  for (unsigned i = 0; i < warps_.size(); ++i) {
    const EllcRow& row = environment_.rows[i];
    const unsigned endpoint = environment_.first_slice + row.partition * environment_.banks + row.row % environment_.banks;
    const auto known = std::find(endpoints_.begin(), endpoints_.end(), endpoint);
    const bool is_new = environment_.networks ? known == endpoints_.end() : endpoints_.empty();
    warps_[i].end = !environment_.networks ? 0 : static_cast<std::size_t>(known - endpoints_.begin());
    warps_[i].source = static_cast<std::uint16_t>(endpoint);
    if (!is_new) continue;
    endpoints_.push_back(endpoint);
    ends_.push_back(std::make_unique<End>(static_cast<unsigned>(ends_.size()), *this));
  }
  environment_.clock.wake(block_, 1);
}

void ClosedLoop::act(Cycle now) {
  if (now != 1) return;
  for (unsigned warp = 0; warp < warps_.size(); ++warp) send_request(warp, present() + environment_.clock.delay(1));
}

void ClosedLoop::send_request(unsigned number, Picoseconds at) {
  Warp& warp = warps_[number];
  warp.asked = at;
  Access access;
  access.id = number + 1;
  access.line = line_of(number, warp.next);
  if (++warp.next == environment_.blocks[number]) warp.next = 0;
  Payload& payload = environment_.pool.acquire(access);
  EllcWord word;
  word.row = static_cast<std::uint8_t>(environment_.rows[number].row);
  MessageHeader& header = payload.message();
  header.source = warp.source;
  header.destination = static_cast<std::uint16_t>(environment_.destination);
  header.traffic = Traffic::to_ellc;
  header.kind = MessageKind::ellc_request;
  header.flits = static_cast<std::uint8_t>(network::flits_of(ellc_payload_bytes(header.kind, word), environment_.flit_bytes));
  header.tag = word.pack();
  End& end = *ends_[warp.end];
  if (!end.waiting.empty() || !end.out.post(payload, at - present())) end.waiting.push_back(&payload);
}

void ClosedLoop::posted(unsigned index, Picoseconds at) {
  std::vector<Payload*>& waiting = ends_[index]->waiting;
  do waiting.erase(waiting.begin());
  while (!waiting.empty() && ends_[index]->out.post(*waiting.front(), at - present()));
}

bool ClosedLoop::message(unsigned, Payload& payload, Picoseconds at) {
  const EllcWord word = EllcWord::unpack(payload.message().tag);
  if (word.result != EllcResult::hit || !word.data) throw SimulationError("closed loop: a read of a preloaded block has missed");
  const auto warp = static_cast<unsigned>(payload.access().id - 1);
  ++reads_;
  c2c_ps_ += at - warps_[warp].asked;
  bytes_ += kLineBytes;
  // The next read needs a new transaction, because the link that delivered this one still uses it.
  if (environment_.running()) send_request(warp, at);
  payload.release();
  return true;
}

}  // namespace wharf
