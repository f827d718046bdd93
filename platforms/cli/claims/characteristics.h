#pragma once
// What sources state about their workloads on their baselines, as data (platforms/claims/characteristics), to be set beside what the
// workloads have here. One file a source:
//
//   source: ch5_dc_l1
//   suite: d5                                    # whose members are described
//   baseline: dc_l1/private
//   larger: {name: 16 times the L1, system: dc_l1/private_16x_l1}     # for the characteristic `gain`
//   groups:                                      # what the source asks of a group; its members are the suite's
//   - {group: d5_sensitive, where: 5.2.1, states: {inter_core_locality: {above: 0.25}, gain: {above: 1.05}}}
//   - {group: loscache, without: [matrixmul], where: II, states: {l2.dead_time: {at_least: 0.6}}, averages: {l2.dead_time: 0.956}}
//   workloads:                                   # what it states of one, whatever its size here
//   - {workload: alexnet, where: 5.2.1, states: {inter_core_locality: 0.95}}
//
// A characteristic is a metric of result.json that kCharacteristics names, or `gain`: the IPC of `larger` over the baseline's. What is stated
// is a figure, or bounds: above, at_least, below, at_most, one or two of them.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platforms/cli/claims/claims.h"

namespace wharf::cli {

/// One that is printed for every workload whose baseline measures it.
struct Characteristic {
  const char *metric, *title;
  bool is_share;  // of something: printed in per cent, and near what is published within 10 points
};

constexpr const char* kGain = "gain";

const std::vector<Characteristic>& characteristics();
/// One of them; it must be.
const Characteristic& characteristic(const std::string& metric);

/// A figure, or bounds.
struct Stated {
  std::optional<double> figure, low, high;
  bool low_counts = false, high_counts = false;  // at_least, at_most: the bound itself is inside

  /// A bound holds, or the figure is met within 10 points (of a share) or 25 % of it, whichever is larger.
  bool holds(double measured, bool is_share) const;
};

/// "95 %", "> 25 %", "at most 18 %"
std::string text_of(const Stated& stated, bool is_share);

struct Published {
  std::string metric;
  Stated stated;
};

/// Of a group's members, or of one workload.
struct PublishedFacts {
  std::string of;     // name of a suite, or of a workload without its size
  std::string where;  // in the source
  Suite members;      // of the group; empty for a workload
  std::vector<Published> states;    // of each
  std::vector<Published> averages;  // over the group
};

struct SourceCharacteristics {
  std::string source;
  Suite workloads;
  Machine baseline;
  std::string larger_name;  // what `larger` is; empty where there is none
  Machine larger;
  std::vector<PublishedFacts> groups, single;
};

/// One file. Throws InputError with every mistake as file:line:column.
SourceCharacteristics load_characteristics(const std::filesystem::path& file, const std::vector<Suite>& suites);

}  // namespace wharf::cli
