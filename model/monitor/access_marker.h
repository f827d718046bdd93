#pragma once
// Sets hints on accesses as they leave an SM, in addition to those of its policies: for studies, and for tests of blocks that obey hints.

#include <functional>
#include <utility>

#include "model/monitor/pass_through.h"
#include "model/tlm/payload.h"

namespace wharf {

class AccessMarker final : public PassThrough {
 public:
  using Mark = std::function<void(const Access&, AccessHint&)>;

  AccessMarker(sc_core::sc_module_name name, Mark mark) : PassThrough(name), mark_(std::move(mark)) {}

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase& phase, sc_core::sc_time& time) override {
    if (phase == tlm::BEGIN_REQ && Payload::behind(transaction) != nullptr) {
      Access& access = Payload::behind(transaction)->transaction().access;
      mark_(access, access.hint);
    }
    return PassThrough::nb_transport_fw(transaction, phase, time);
  }

  Mark mark_;
};

}  // namespace wharf
