#include "model/network/hierarchical/hierarchical_network.h"

namespace wharf {

namespace {
Payload& payload_of(std::uint64_t handle) { return *reinterpret_cast<Payload*>(handle); }
}  // namespace

CoalescedPayloads::Request CoalescedPayloads::request(std::uint64_t handle) const {
  const Access& access = payload_of(handle).access();
  const bool reads = access.kind == AccessKind::load || access.kind == AccessKind::texture;
  const bool writes = access.kind == AccessKind::store || access.kind == AccessKind::atomic;
  return {access.line.number, access.sectors, reads && access.cache_op != CacheOp::bypass_l1, writes};
}

void CoalescedPayloads::joined(std::uint64_t handle) const {
  Payload& payload = payload_of(handle);
  payload.stages().claim_to(network_stage(payload.message().traffic), present());
}

void CoalescedPayloads::list_copies(std::uint64_t reply, std::vector<network::CopiedReplies::Copy>& to) const {
  for (Transaction* copy = payload_of(reply).transaction().copies; copy != nullptr; copy = copy->next)
    to.push_back({reinterpret_cast<std::uintptr_t>(&Payload::of(*copy)), copy->message.source});
}

void CoalescedPayloads::forget_copies(std::uint64_t reply) const { payload_of(reply).transaction().copies = nullptr; }

void CoalescedPayloads::answer(std::uint64_t reply, std::uint64_t copy) const {
  Payload &from = payload_of(reply), &to = payload_of(copy);
  MessageHeader& header = to.message();
  header.destination = header.source;
  header.source = from.message().source;
  header.traffic = from.message().traffic;
  header.kind = from.message().kind;
  header.flits = from.message().flits;
  to.reply().served_by = from.reply().served_by;
  to.versions() = from.versions();
  to.set_response_status(from.get_response_status());
  to.stages().claim_to(Stage::merged, present());
}

}  // namespace wharf
