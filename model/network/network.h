#pragma once
// The interface of every network: sockets of message links by endpoint (SMs first, then L2 slices) and traffic.

#include <tlm>

#include "model/base/access.h"
#include "model/monitor/watchdog.h"

namespace wharf {

class Archive;

class Network : public Inspectable {
 public:
  /// The sockets at which `endpoint` offers and receives messages of this traffic. Kinds of traffic that share virtual channels share
  /// sockets. Throws SimulationError if the endpoint has none.
  virtual tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) = 0;
  virtual tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) = 0;
  /// A kernel starts in this instant.
  virtual void kernel_starts() {}
  /// Saves or loads the state between kernels (model/base/archive.h). False if that is not supported; checkpoints are then refused.
  virtual bool archive(Archive&) { return false; }
};

}  // namespace wharf
