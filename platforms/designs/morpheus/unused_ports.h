#pragma once
// Ends for network ports that carry no messages.

#include <stdexcept>
#include <string>

#include "model/tlm/message_link.h"

namespace wharf {

/// Binds the ports of an endpoint that neither sends nor receives messages of the extended LLC. A crossbar has ports for each class of
/// traffic at each endpoint, and all of them must be bound.
class UnusedPorts final : public sc_core::sc_module, private MessageSource, private MessageSink {
 public:
  explicit UnusedPorts(sc_core::sc_module_name name) : sc_core::sc_module(name) {}
  MessageSinkPort from_network{"from_network", *this, 0};
  MessageSourcePort to_network{"to_network", *this, 0};

 private:
  void posted(unsigned, Picoseconds) override {}
  bool message(unsigned, Payload&, Picoseconds) override {
    throw std::logic_error(std::string(name()) + ": a message of the extended LLC for an endpoint that has no part in it");
  }
};

}  // namespace wharf
