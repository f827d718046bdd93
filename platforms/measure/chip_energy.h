#pragma once
// Computes the energy of a GPU from the counters of its blocks: the inputs of the energy model (model/base/energy), and its metrics.

#include <functional>
#include <string>
#include <vector>

#include "model/base/energy/energy_model.h"
#include "model/base/stats/stats.h"
#include "platforms/frame/gpu_params.h"

namespace wharf {

class GpuFrame;

class ChipEnergy {
 public:
  /// The total of a counter over all instances, in the interval of interest.
  using TotalOf = std::function<double(const std::string& counter)>;

  /// `registry` holds the counters of the machine `frame`.
  ChipEnergy(const GpuParams& params, const GpuFrame& frame, const stats::Registry& registry);

  /// Names of the counters that the energy model reads.
  std::vector<std::string> counters() const;
  double ns(Cycle core_cycles) const { return static_cast<double>(core_cycles) * 1000.0 / params_.clock_mhz.core; }
  std::vector<energy::Cause> causes(Cycle core_cycles, const TotalOf& total) const;
  energy::Breakdown breakdown(Cycle core_cycles, const TotalOf& total) const { return energy::breakdown_of(causes(core_cycles, total)); }
  energy::Breakdown breakdown(const stats::View& run) const;

  /// Declares the metrics energy.*, power.* and noc.*, and the table energy_causes. This object must live until the run has ended.
  void declare(stats::Registry& registry) const;

 private:
  /// Selects one structure, so that only its counters are read; nullptr selects all.
  using Wanted = const energy::Structure*;
  std::vector<energy::Cause> causes(const stats::View& view, Wanted wanted) const;
  energy::Activity activity(Cycle core_cycles, const TotalOf& total, Wanted wanted) const;
  void count_l1(energy::Activity& activity, const TotalOf& total) const;
  void count_l2(energy::Activity& activity, const TotalOf& total) const;
  void count_l2_lines(energy::Activity& activity, const TotalOf& total) const;
  void count_shared_memory(energy::Activity& activity, const TotalOf& total) const;
  void count_extras(energy::Activity& activity, const TotalOf& total) const;
  double nj(const stats::View& view, energy::Structure structure) const;

  const GpuParams params_;
  energy::Machine machine_;
  bool gates_l2_ = false;           // the slices count how long their lines are powered
  bool passes_single_use_ = false;  // the slices count the data accesses that Ideal-Gating makes
};

}  // namespace wharf
