#pragma once
// The private-L1 GPU with Morpheus (architecture section 8): a controller with its hit predictor between the network interfaces and the L2
// slices of each partition, and the extended LLC kernel in the SMs that take no CTAs. The controller's own DRAM links stand beside the slices'.

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "model/morpheus/cache_mode_sm.h"
#include "model/morpheus/hit_predictor_unit.h"
#include "model/morpheus/morpheus_controller.h"
#include "platforms/private_platform.h"

namespace wharf {

/// Ends of a network's ports that nothing is sent through: a crossbar has ports for each class of traffic at each SM, and an SM that computes
/// has no use for those of the extended LLC.
struct UnusedPorts : sc_core::sc_module {
  explicit UnusedPorts(sc_core::sc_module_name name) : sc_core::sc_module(name) {}
  tlm_utils::simple_target_socket<UnusedPorts> from_network{"from_network"};
  tlm_utils::simple_initiator_socket<UnusedPorts> to_network{"to_network"};
};

/// What Morpheus adds; a base of the platform, so that it outlives what is bound to it.
struct MorpheusParts {
  explicit MorpheusParts(const GpuParams& params)
      : geometry(params.morpheus.kernel, params.cache_sms(), params.partitions()), residents(params.partitions(), geometry.most_blocks()) {}

  const EllcGeometry geometry;
  PayloadPool polls{false};  // loads of rows never end: the front end waits for what is in the machine's own pool
  EllcDirectory residents;
  std::vector<std::unique_ptr<MorpheusController>> controllers;
  std::vector<std::unique_ptr<HitPredictorUnit>> predictors;
  std::vector<std::unique_ptr<CacheModeSm>> cache_sms;
  std::vector<std::unique_ptr<UnusedPorts>> unused_ports;
};

class MorpheusPlatform final : private MorpheusParts, public PrivatePlatform {
 public:
  MorpheusPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry, RunObserver& observer);

  void catch_up() override;
  std::vector<std::string> leftovers() const override;

 private:
  bool others_hold(LineAddress first, LineAddress last) const override;
  tlm::tlm_target_socket<>& before_slice(unsigned slice);
  void build_controller(unsigned partition);
  void connect_controller(unsigned partition);
  void build_cache_sm(unsigned number, Stimulus& stimulus);
  void close_unused_ports();
};

}  // namespace wharf
