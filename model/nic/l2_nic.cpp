#include "model/nic/l2_nic.h"

namespace wharf {

L2Nic::L2Nic(sc_core::sc_module_name name, const PacketParams& params, unsigned node, unsigned slice, std::uint32_t flit_bytes,
             stats::Registry& registry)
    : sc_module(name),
      params_(params),
      node_(static_cast<std::uint16_t>(node)),
      flit_bytes_(flit_bytes),
      group_(registry, "nic.l2", static_cast<int>(slice)),
      data_replies_(group_, "data_replies", "replies with data", stats::Unit::count),
      acks_(group_, "acks", "write acknowledgements (CM-8)", stats::Unit::count),
      request_("request", *this, 0),
      downstream_("downstream", *this, 0),
      reply_("reply", *this, 0) {}

bool L2Nic::message(unsigned, Payload& payload, Picoseconds at) {
  if (downstream_.send(payload, at - present()) != Acceptance::pending) return true;
  pending_request_ = &payload;
  return false;
}

void L2Nic::request_accepted(unsigned, Picoseconds at) {
  Payload& payload = *pending_request_;
  pending_request_ = nullptr;
  request_.take(payload, at - present());
}

bool L2Nic::response(unsigned, Payload& payload, Picoseconds at) {
  const Access& access = payload.access();
  const bool ack = access.kind == AccessKind::store;
  MessageHeader& header = payload.message();
  header.destination = header.source;
  header.source = node_;
  header.traffic = Traffic::from_l2;
  header.kind = ack ? MessageKind::write_ack : MessageKind::data_reply;
  header.flits = params_.flits(ack ? 0 : access.sectors, flit_bytes_);
  ++(ack ? acks_ : data_replies_);
  if (reply_.post(payload, at - present())) return true;
  pending_reply_ = &payload;
  return false;
}

void L2Nic::posted(unsigned, Picoseconds at) {
  Payload& payload = *pending_reply_;
  pending_reply_ = nullptr;
  downstream_.end_response(payload, at - present());
}

}  // namespace wharf
