#include "model/nic/sm_nic.h"

namespace wharf {

SmNic::SmNic(sc_core::sc_module_name name, const PacketParams& params, unsigned node, unsigned number, const Route& route,
             stats::Registry& registry)
    : sc_module(name),
      params_(params),
      group_(registry, route.counters, static_cast<int>(number)),
      route_(route),
      node_(static_cast<std::uint16_t>(node)),
      header_flits_(params.flits(0, route.flit_bytes)),
      requests_(group_, "requests", "request packets sent", stats::Unit::count),
      request_("request", *this, 0),
      upstream_("upstream", *this, 0),
      reply_("reply", *this, 0),
      replies_(group_, "replies", "data replies received", stats::Unit::count),
      reply_bytes_(group_, "reply_bytes", "data bytes received", stats::Unit::bytes) {
  if (route.takes_lines) lines_ = std::make_unique<MessageSourcePortOf<SmNic>>("lines", *this, kLines);
}

Acceptance SmNic::request(unsigned, Payload& payload, Picoseconds at) {
  const Access& access = payload.access();
  MessageHeader& header = payload.message();
  header.source = node_;
  header.destination = route_.destination(access);
  header.traffic = route_.traffic;
  header.kind = access.kind == AccessKind::store    ? MessageKind::write_request
                : access.kind == AccessKind::atomic ? MessageKind::atomic_request
                                                    : MessageKind::read_request;
  const bool line = access.kind == AccessKind::store && route_.lines_of_hit_stores && payload.reply().found;
  header.flits = access.kind == AccessKind::load ? header_flits_ : params_.request_flits(access, route_.flit_bytes, line);
  ++requests_;
  sent_to_l2.report(access);
  last_request_ = &payload;
  return request_.post(payload, at - present()) ? Acceptance::accepted : Acceptance::pending;
}

void SmNic::posted(unsigned port, Picoseconds at) {
  if (port == kLines) return reply_.accept(*last_reply_, at - present());
  upstream_.accept(*last_request_, at - present());
}

bool SmNic::message(unsigned, Payload& payload, Picoseconds at) {
  last_reply_ = &payload;
  if (payload.access().kind == AccessKind::shared) return lines_->post(payload, at - present());
  if (payload.message().kind == MessageKind::data_reply) {
    ++replies_;
    reply_bytes_ += sector_count(payload.access().sectors) * kSectorBytes;
  }
  return upstream_.respond(payload, at - present());
}

void SmNic::response_accepted(unsigned, Picoseconds at) { reply_.accept(*last_reply_, at - present()); }

}  // namespace wharf
