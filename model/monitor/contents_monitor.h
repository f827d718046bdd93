#pragma once
// Where versions of sectors get their bytes (`data: bytes`): on the memory link that leaves an SM, and again on the one that reaches the
// ordering point, behind golden memory's monitors where there are any.

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
