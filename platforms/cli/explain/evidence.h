#pragma once
// The figures of a run from which `explain` draws its conclusions.

#include <string>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/frame/gpu_params.h"
#include "platforms/frame/shares_l1s.h"

namespace wharf::cli {

/// A metric spread over equal parts of the machine, such as channels.
struct Parts {
  std::vector<double> values;
  double sum() const;
  double mean() const { return values.empty() ? 0.0 : sum() / static_cast<double>(values.size()); }
  std::size_t busiest() const;
  double most() const { return values.empty() ? 0.0 : values[busiest()]; }
  /// One part has far more to do than the mean one.
  bool is_uneven() const { return values.size() > 1 && most() > 1.5 * mean(); }
};

/// A network that some machine has, with its metrics towards the data and back.
struct Network {
  const char* up;
  const char* down;
  const char* text;
};

class Evidence {
 public:
  /// Both must outlive it. `result` has a cycle stack and was made with these parameters.
  Evidence(const Json& result, const GpuParams& params) : result_(result), run_(result.at("run")), params_(params) {}

  const GpuParams& params() const { return params_; }
  /// 0 where the run does not have it.
  double metric(const std::string& name) const;
  double share(const std::string& part, const std::string& whole) const;
  /// From the table `parts`.
  Parts parts(const std::string& name) const;

  /// SMs that take CTAs.
  double working_sms() const { return params_.sms - params_.cache_sms(); }
  /// The value per cache of the L1 class of a quantity that `l1` gives per SM.
  double in_each_l1(std::uint32_t of_each_sm) const { return static_cast<double>(of_each_sm) * params_.sms / params_.caches(); }
  /// The part of the L2 misses that ask for a line which L2 has displaced. The others are first accesses, which a larger L2 also misses.
  double displaced_from_l2() const;
  /// Of the L1s.
  SharesL1s::Reach reach() const;
  /// The part of the loads that the L1 of another SM, a home or a DC-L1 node answered.
  double answered_by_other_l1s() const;
  double round_trip_of_other_l1s() const;
  /// The part of the L1s' misses of which another L1 held the sectors and did not supply any.
  double not_supplied() const;
  /// They are so many that it matters.
  bool misses_replicas() const { return not_supplied() >= 0.15 && metric("l1.miss_rate") >= 0.05; }
  /// The part of the warps' time that barriers would take if all warps arrived at once.
  double barriers_alone() const;
  /// The one whose busiest link carries most.
  const Network& busiest_network(bool up) const;

 private:
  const Json& result_;
  const Json& run_;
  const GpuParams& params_;
};

/// The network between SMs, or DC-L1 nodes, and L2.
extern const Network kL2Network;
/// Between SMs and DC-L1 nodes.
extern const Network kNoc1;
/// Between the L1s of a cluster of ata.
extern const Network kClusterNetwork;

}  // namespace wharf::cli
