#pragma once
// The `study:` of a configuration lists the points at which it is to be run. `wharf run` of such a configuration without a stimulus makes
// one run per point and prints its metrics beside the published ones.
//
//   study:
//     stimulus: synthetic:loads=0
//     metrics: [ipc]
//     points:
//       - {name: small, set: {l1.capacity_kib: 16}, published: {ipc: 12.5}}

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/config/tree/document.h"
#include "model/base/config/tree/mistakes.h"

namespace wharf::config {

struct StudyPoint {
  std::string name;
  std::vector<std::string> settings;                      // as --set takes them
  std::vector<std::pair<std::string, double>> published;  // metric and figure
  Node values;                                            // the settings as one tree, positioned in the file
};

struct Study {
  std::string stimulus;
  std::vector<std::string> metrics;
  std::vector<StudyPoint> points;
};

/// Checks the value of a `study` key and splits it into its parts. The caller checks that metrics, stimulus and settings exist.
std::optional<Study> read_study(const Node& node, Mistakes& mistakes);

}  // namespace wharf::config
