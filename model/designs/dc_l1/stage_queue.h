#pragma once
// The queue of a converged port between the stages of a CDXBar (DC-22), where packets of one stage wait for the other. It is one direction
// of one port and adds no latency of its own.

#include <functional>
#include <systemc>

#include "model/l1_sharing/sender.h"
#include "model/monitor/watchdog.h"

namespace wharf {

class StageQueue : public sc_core::sc_module, public Inspectable, private MessageSink, private SenderOwner {
 public:
  /// Writes the header for the other stage.
  using Readdress = std::function<void(Transaction&)>;
  /// `clock`: that of the stage whose packets enter.
  StageQueue(sc_core::sc_module_name name, std::uint32_t places, ClockDomain& clock, Readdress readdress);

  tlm::tlm_target_socket<>& input() { return input_.socket; }
  tlm::tlm_initiator_socket<>& output() { return sender_.socket(); }
  /// Saves or loads the state between kernels (model/base/archive.h).
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
  Payload* pending_ = nullptr;  // waits because the queue is full
};

}  // namespace wharf
