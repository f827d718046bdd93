#pragma once
// The `points:` of a sweep file are configurations of a line each, named `sweep:point`:
//
//   configs: [private]
//   points:
//     - {name: l1_64k, set: {l1.capacity_kib: 64}}
//     - {name: l1_64k_shared, extends: shared_l1, set: {l1.capacity_kib: 64}, published: {ipc: 12.5}}

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/config/tree/document.h"
#include "model/base/config/tree/mistakes.h"

namespace wharf::config {

/// The names of the points, in the order of the file. What is wrong with a point is found when it is read.
std::vector<std::string> point_names(const Node& sweep);

/// Adds what is wrong with the list of points: no list, a point without a name that a command line can hold, two of one name.
void check_points(const Node& sweep, Mistakes& mistakes);

/// The point as the configuration file that it stands for: `extends`, `description`, and its settings. A point that does not say what it
/// extends extends the one configuration of the sweep's `configs`. Nothing if the sweep has no such point.
std::optional<Node> read_point(const Node& sweep, const std::string& name, Mistakes& mistakes);

/// What its source says of the point: metrics, each one of `metrics`, and their figures.
std::vector<std::pair<std::string, double>> published_of(const Node& sweep, const std::string& name, const std::vector<std::string>& metrics,
                                                         Mistakes& mistakes);

}  // namespace wharf::config
