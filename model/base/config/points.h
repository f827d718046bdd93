#pragma once
// The `points:` of a sweep file: configurations of one line each, named `sweep:point`.
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

/// The names of the points, in the order of the file. Mistakes in a point are found when the point is read.
std::vector<std::string> point_names(const Node& sweep);

/// Adds the mistakes in the list of points: it is no list, a point has no name that a command line can hold, or two have the same name.
void check_points(const Node& sweep, Mistakes& mistakes);

/// The point as a configuration file: `extends`, `description`, and its settings. A point without `extends` extends the one configuration
/// in the sweep's `configs`. Nothing if the sweep has no such point.
std::optional<Node> read_point(const Node& sweep, const std::string& name, Mistakes& mistakes);

/// The published values of the point: metrics, each one of `metrics`, with their figures.
std::vector<std::pair<std::string, double>> published_of(const Node& sweep, const std::string& name,
                                                         const std::vector<std::string>& metrics, Mistakes& mistakes);

}  // namespace wharf::config
