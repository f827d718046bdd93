#include "model/nic/l2_nic.h"

namespace wharf {

namespace {
constexpr unsigned kForwardPort = 1;  // index in posted(); 0 is the reply network

std::array<std::uint8_t, kAllSectors + 1> flits_of(const PacketParams& params, std::uint32_t flit_bytes) {
  std::array<std::uint8_t, kAllSectors + 1> flits;
  for (unsigned sectors = 0; sectors <= kAllSectors; ++sectors) flits[sectors] = params.flits(static_cast<SectorMask>(sectors), flit_bytes);
  return flits;
}

}  // namespace

L2Nic::L2Nic(sc_core::sc_module_name name, const PacketParams& params, unsigned node, unsigned slice, std::uint32_t flit_bytes,
             stats::Registry& registry, std::uint32_t forward_places)
    : sc_module(name),
      group_(registry, "nic.l2", static_cast<int>(slice)),
      request_("request", *this, 0),
      downstream_("downstream", *this, 0),
      data_replies_(group_, "data_replies", "replies with data", stats::Unit::count),
      reply_bytes_(group_, "reply_bytes", "data bytes of these replies", stats::Unit::bytes),
      acks_(group_, "acks", "write acknowledgements (CM-8)", stats::Unit::count),
      flits_(flits_of(params, flit_bytes)),
      node_(static_cast<std::uint16_t>(node)),
      reply_("reply", *this, 0),
      forward_places_(forward_places) {
  if (forward_places != 0)
    forward_ = std::unique_ptr<MessageSourcePortOf<L2Nic>>(new MessageSourcePortOf<L2Nic>("forward", *this, kForwardPort));
}

bool L2Nic::message(unsigned, Payload& payload, Picoseconds at) {
  last_request_ = &payload;
  return downstream_.send(payload, at - present()) != Acceptance::pending;
}

void L2Nic::request_accepted(unsigned, Picoseconds at) { request_.accept(*last_request_, at - present()); }

bool L2Nic::response(unsigned, Payload& payload, Picoseconds at) {
  const Access& access = payload.access();
  const bool ack = access.kind == AccessKind::store, data = !ack && access.kind != AccessKind::metadata;
  MessageHeader& header = payload.message();
  if (payload.reply().forwarded) {
    payload.reply().forwarded = false;
    if (forward(payload, at)) return true;
    payload.reply().served_by = ServedBy::l2;
  }
  // A forward that the other SM could not serve still belongs to its requester.
  header.destination = header.kind == MessageKind::forward_return ? access.sm : header.source;
  header.source = node_;
  header.traffic = Traffic::from_l2;
  header.kind = data ? MessageKind::data_reply : ack ? MessageKind::write_ack : MessageKind::count_reply;
  header.flits = flits_[data ? access.sectors : 0];
  reply_flits_ += header.flits;
  if (data) {
    ++data_replies_;
    reply_bytes_ += sector_count(access.sectors) * kSectorBytes;
  } else if (ack) {
    ++acks_;
  }
  last_reply_ = &payload;
  return reply_.post(payload, at - present());
}

void L2Nic::posted(unsigned port, Picoseconds at) {
  if (port == kForwardPort) {
    forward_taken(at);
    return;
  }
  downstream_.end_response(*last_reply_, at - present());
}

/// Returns false if no entry is free. An entry freed in this instant does not count yet, so the order of calls does not matter.
bool L2Nic::forward(Payload& payload, Picoseconds at) {
  if (forwards_.size() + (left_at_ == present() ? left_ : 0) >= forward_places_) return false;
  MessageHeader& header = payload.message();
  header.destination = payload.reply().forward_to;
  header.source = node_;
  header.traffic = Traffic::to_peer;
  header.kind = MessageKind::forward;
  header.flits = flits_[0];
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);  // the message may return to the slice
  if (!forwards_.empty() || !forward_->post(payload, at - present())) forwards_.push_back(&payload);
  return true;
}

void L2Nic::forward_taken(Picoseconds at) {
  left_at_ = present();
  left_ = 0;
  do {
    forwards_.erase(forwards_.begin());
    ++left_;
  } while (!forwards_.empty() && forward_->post(*forwards_.front(), at - present()));
}

}  // namespace wharf
