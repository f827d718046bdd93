#pragma once
// Carries messages between SMs in zero cycles with unlimited bandwidth (SL-33). A message that its destination refuses waits in an
// unbounded queue; messages that arrive at the same time are served in order of their sources.

#include <memory>
#include <systemc>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/network/network.h"
#include "model/tlm/message_link.h"

namespace wharf {

class IdealNetwork final : public sc_core::sc_module, public Network, private MessageSink, private MessageSource {
 public:
  SC_HAS_PROCESS(IdealNetwork);
  /// Carries the traffic to_peer and from_peer of endpoints 0 .. sms - 1.
  IdealNetwork(sc_core::sc_module_name name, unsigned sms, const std::string& prefix, stats::Registry& registry);

  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) override;
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) override;
  void inspect(std::vector<Wait>& waits) const override;
  bool archive(Archive& file) override;

 private:
  struct Message {
    Picoseconds at;
    Payload* payload;
  };
  struct Input {
    Input(const std::string& name, IdealNetwork& owner, unsigned index) : port(name, owner, index) {}
    MessageSinkPort port;
  };
  struct Output {
    Output(const std::string& name, IdealNetwork& owner, unsigned index) : port(name, owner, index) {}
    MessageSourcePort port;
    std::vector<Message> queue;  // valid from `first` on
    std::size_t first = 0;
    bool pending = false;
    Picoseconds free_at = 0;
  };

  bool message(unsigned index, Payload& payload, Picoseconds at) override;
  void posted(unsigned index, Picoseconds at) override;
  void deliver();
  void post(Output& output);
  unsigned index_of(unsigned endpoint, Traffic traffic) const;

  std::string prefix_;
  unsigned sms_;
  stats::Group group_;
  stats::Counter packets_, ejected_packets_;
  std::vector<std::unique_ptr<Input>> inputs_;  // [traffic][endpoint]
  std::vector<std::unique_ptr<Output>> outputs_;
  std::vector<Message> arrivals_;  // arrivals of the present instant
  sc_core::sc_event due_;
};

}  // namespace wharf
