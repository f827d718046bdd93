#pragma once
// Records the bytes of sector versions (`data: bytes`): on the memory link that leaves an SM, and again on the link that reaches the
// ordering point, behind golden memory's monitors where these exist.

#include "model/monitor/pass_through.h"
#include "model/tlm/payload.h"

namespace wharf {

class ContentsMonitor final : public PassThrough {
 public:
  ContentsMonitor(sc_core::sc_module_name name, SectorContents& contents) : PassThrough(name), contents_(contents) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (phase == tlm::BEGIN_REQ)
      if (Payload* payload = Payload::behind(transaction)) {
        const AccessKind kind = payload->access().kind;
        if (kind == AccessKind::store || kind == AccessKind::atomic) contents_.record(payload->access(), payload->versions());
      }
    return PassThrough::nb_transport_fw(transaction, phase, time);
  }

  SectorContents& contents_;
};

}  // namespace wharf
