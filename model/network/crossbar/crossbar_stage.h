#pragma once
// One NoC of a two-stage network (dc_l1 section 3): equal crossbars side by side, each between endpoints nearer to the SMs and endpoints
// nearer to memory. Requests go down and replies up in separate crossbars. A 1 x 1 crossbar is a direct link with the link's latency.

#include <memory>
#include <string>
#include <vector>

#include "model/base/energy/noc.h"
#include "model/network/crossbar/crossbar.h"
#include "model/network/network.h"

namespace wharf {

/// `crossbars` crossbars of `upper` x `lower` ports each.
struct StageShape {
  unsigned crossbars = 1, upper = 1, lower = 1;
  unsigned upper_ports() const { return crossbars * upper; }
};

class CrossbarStage final : public Network {
 public:
  struct Names {
    std::string request, reply;  // prefixes of the counters
    std::string cycles;          // counter of the cycles of `clock`
  };
  /// Endpoints are numbered: first the upper ones, crossbar by crossbar, then the lower ones likewise.
  CrossbarStage(const std::string& name, const NetworkParams& params, StageShape shape, const Names& names, ClockDomain& clock,
                stats::Registry& registry);

  unsigned first_lower() const { return shape_.upper_ports(); }
  /// Traffic::to_l2 goes down, Traffic::from_l2 up.
  tlm::tlm_target_socket<>& input(unsigned endpoint, Traffic traffic) override { return of(endpoint, traffic).input(endpoint, traffic); }
  tlm::tlm_initiator_socket<>& output(unsigned endpoint, Traffic traffic) override {
    return of(endpoint, traffic).output(endpoint, traffic);
  }
  /// Shapes for energy and area: request crossbars, then reply crossbars.
  std::vector<energy::NocNetwork> shapes(energy::Reach reach) const;
  void inspect(std::vector<Wait>& waits) const override;
  bool archive(Archive& file) override;

 private:
  Crossbar& of(unsigned endpoint, Traffic traffic);

  const StageShape shape_;
  const Names names_;
  const std::uint32_t flit_bytes_;
  std::vector<std::unique_ptr<Crossbar>> requests_, replies_;
};

}  // namespace wharf
