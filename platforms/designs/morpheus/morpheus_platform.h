#pragma once
// The private-L1 GPU with Morpheus. Each partition has a controller with its hit predictor, between the network interfaces and the L2
// slices. The SMs that take no CTAs run the extended LLC kernel. Each controller has its own DRAM links, next to those of the slices.

#include "model/designs/morpheus/cache_mode/cache_mode_sm.h"
#include "model/designs/morpheus/controller/hit_predictor_unit.h"
#include "model/designs/morpheus/controller/morpheus_controller.h"
#include "platforms/designs/morpheus/morpheus_design.h"
#include "platforms/designs/morpheus/unused_ports.h"
#include "platforms/designs/private/private_platform.h"

namespace wharf {

/// The parts that Morpheus adds. A base class of the platform, so that they outlive everything bound to them.
struct MorpheusParts {
  explicit MorpheusParts(const GpuParams& params)
      : geometry(params.of<MorpheusParams>().kernel, params.cache_sms(), partitions(params)),
        residents(partitions(params), geometry.most_blocks()) {}

  const EllcGeometry geometry;
  PayloadPool polls{false};  // separate: loads of rows never end, and the front end waits for the machine's own pool
  EllcDirectory residents;
  std::vector<std::unique_ptr<MorpheusController>> controllers;
  std::vector<std::unique_ptr<HitPredictorUnit>> predictors;
  std::vector<std::unique_ptr<CacheModeSm>> cache_sms;
  std::vector<std::unique_ptr<UnusedPorts>> unused_ports;
};

class MorpheusPlatform final : private MorpheusParts, public PrivatePlatform {
 public:
  MorpheusPlatform(const GpuParams& params, const RunOptions& options, Stimulus& stimulus, stats::Registry& registry,
                   RunObserver& observer);

  void catch_up() override;
  std::vector<std::string> leftovers() const override;
  /// No SM is gated: the SMs without CTAs hold the extended LLC.
  void add_to(energy::Machine& machine) const override {
    machine.has_controllers = true;
    machine.sms_on = params_.sms;
    machine.sms_gated = 0;
  }
  void declare_metrics(stats::Registry& registry) const override;

 private:
  bool archive_design(Archive& file) override;
  bool others_hold(LineAddress first, LineAddress last) const override;
  tlm::tlm_target_socket<>& before_slice(unsigned slice);
  void build_controller(unsigned partition);
  void connect_controller(unsigned partition);
  void build_cache_sm(unsigned number, Stimulus& stimulus);
  void close_unused_ports();

  const MorpheusParams& morpheus_ = params_.of<MorpheusParams>();
};

}  // namespace wharf
