#pragma once
// The gain of a run on an idealised machine, predicted from the cycle stacks of its launches (docs/howto-explain.md, "What if").

#include <string>
#include <utility>
#include <vector>

#include "platforms/cli/results/result.h"
#include "platforms/frame/gpu_params.h"

namespace wharf::cli {

/// A machine on which some causes are gone, or smaller.
struct Ideal {
  std::vector<std::string> causes;  // that it is for
  std::string text;
  std::vector<std::string> settings;
  std::vector<std::string> removed;  // all causes that it removes, those that it is for among them
  double removes = 1.0;              // the part of them
  /// Levels ("l1", "request", "reply", "dram") whose busiest part has less work, and the share of the work that is left.
  std::vector<std::pair<std::string, double>> lightened = {};
  double issue_interval = 1.0;  // as a part of what it is
  bool perfect_l1 = false;      // loads take the L1's latency, and none goes below
};

/// Throughput of `customers` that think for `think` and are then served one after the other, each for `service`: customers a unit of time.
/// `customers` is at least 1; between whole numbers it is interpolated. Exact mean value analysis of one station (Reiser and Lavenberg, 1980).
double throughput(double customers, double service, double think);
/// For how long they think where the station, with a service of 1, is busy for `busy` (0..1, 0 excluded) of the time; at least 0.
double think_time(double customers, double busy);

/// The speed-up of the whole run. `result` must have the cycle stacks of its launches; 1 where it has no launch.
double predicted_speed_up(const Ideal& ideal, const Json& result, const GpuParams& params);

}  // namespace wharf::cli
