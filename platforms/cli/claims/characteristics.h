#pragma once
// Statements of sources about their workloads on their baselines, as data (platforms/designs/*/characteristics.yaml), for comparison with
// the workloads here. One file per source:
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
//   compared:                                    # the row of the source's design in `wharf compare` (design_summary.h)
//     design: dc_l1
//     claim: D5-001                              # the published figure
//     page: docs/designs/dc_l1.md
//     group: d5_sensitive                        # whose criteria the workloads meet; without it each meets its own statements
//     workloads: [bfs@std, cfd@paper]
//
// A characteristic is a metric of result.json listed in kCharacteristics, or `gain`: the IPC of `larger` relative to the baseline's. A
// statement is a figure, or one or two bounds: above, at_least, below, at_most.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platforms/cli/claims/claims.h"

namespace wharf::cli {

/// A characteristic, printed for every workload whose baseline measures it.
struct Characteristic {
  const char *metric, *title;
  bool is_share;  // printed in per cent, with a tolerance of 10 points
};

constexpr const char* kGain = "gain";

const std::vector<Characteristic>& characteristics();
/// The characteristic of a metric, which must be one of them.
const Characteristic& characteristic(const std::string& metric);

/// A figure, or bounds.
struct Stated {
  std::optional<double> figure, low, high;
  bool low_counts = false, high_counts = false;  // at_least, at_most: the bound itself is inside

  /// True where the bounds hold, or the figure is met within 25 % of it (for a share, within 10 points if that is more).
  bool holds(double measured, bool is_share) const;
};

/// "95 %", "> 25 %", "at most 18 %"
std::string text_of(const Stated& stated, bool is_share);

struct Published {
  std::string metric;
  Stated stated;
};

/// The statements about a group's members, or about one workload.
struct PublishedFacts {
  std::string of;                   // name of a suite, or of a workload without its size
  std::string where;                // in the source
  Suite members;                    // of the group; empty for a workload
  std::vector<Published> states;    // about each member
  std::vector<Published> averages;  // over the group
};

/// The design of a source as `wharf compare` shows it.
struct ComparedDesign {
  std::string design;  // its configuration
  std::string claim;   // id of the claim that has the published figure
  std::string page;    // where to read on
  std::string group;   // of the source; empty where each workload has statements of its own
  std::vector<std::string> workloads;
  config::Position where;
};

struct SourceCharacteristics {
  std::string source;
  Suite workloads;
  Machine baseline;
  std::string larger_name;  // description of `larger`; empty where there is none
  Machine larger;
  std::vector<PublishedFacts> groups, single;
  std::optional<ComparedDesign> compared;
};

/// Loads one file. Throws InputError with every mistake as file:line:column.
SourceCharacteristics load_characteristics(const std::filesystem::path& file, const std::vector<Suite>& suites);

}  // namespace wharf::cli
