#pragma once
// The queue of a converged port between the stages of a CDXBar (DC-22): packets of one stage wait here for the other. One way of one port; it
// adds no time of its own.

#include <functional>
#include <systemc>

#include "model/l1_sharing/sender.h"
#include "model/monitor/watchdog.h"

namespace wharf {

class StageQueue : public sc_core::sc_module, public Inspectable, private MessageSink, private SenderOwner {
 public:
  /// Writes the header of the other stage.
  using Readdress = std::function<void(Transaction&)>;
  /// `clock`: of the stage whose packets come in.
  StageQueue(sc_core::sc_module_name name, std::uint32_t places, ClockDomain& clock, Readdress readdress);

  tlm::tlm_target_socket<>& input() { return input_.socket; }
  tlm::tlm_initiator_socket<>& output() { return sender_.socket(); }
  /// Between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.expect_quiet(pending_ == nullptr, name());
    file(sender_);
  }
  void inspect(std::vector<Wait>& waits) const override;

 private:
  bool message(unsigned, Payload& payload, Picoseconds at) override;
  void after_sending(Cycle now) override;

  ClockDomain& clock_;
  Readdress readdress_;
  MessageSinkPort input_;
  Sender sender_;
  Payload* pending_ = nullptr;  // there is no place for it yet
};

}  // namespace wharf
