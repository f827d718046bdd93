// The mesh as an entry of the catalogue.

#include <algorithm>
#include <string>

#include "model/network/routed/placed_network.h"
#include "policies/routing/node_map.h"

namespace wharf {
namespace {

using network::MeshParams;

AddedNetwork make_mesh(const NetworkOptions& options) {
  const auto& keys = options.params.of<MeshParams>();
  const unsigned sms = options.sms(), slices = options.slices();
  routing::Shape shape;
  shape.columns = keys.columns;
  shape.rows = (sms + slices) / keys.columns;
  const std::vector<std::uint32_t> nodes =
      keys.slice_nodes.empty() ? routing::slice_nodes(shape.columns, shape.rows, slices) : keys.slice_nodes;
  return network::make_with_hops(options, {routing::mesh(shape), keys, routing::endpoint_nodes(sms, nodes)});
}

void check_slice_nodes(config::Binder& b, const NetworkParams& params, std::uint32_t nodes) {
  std::vector<std::uint32_t> sorted = params.of<MeshParams>().slice_nodes;
  std::sort(sorted.begin(), sorted.end());
  const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  b.require(sorted.empty() || (sorted.size() == params.slices && distinct && sorted.back() < nodes), "mesh",
            "has slice_nodes that are not " + std::to_string(params.slices) + " different nodes below " + std::to_string(nodes),
            "name one node for each L2 slice, or leave slice_nodes out");
}

void bind_mesh(config::Binder& b, NetworkParams& params) {
  auto& keys = params.of<MeshParams>();
  b.group("mesh", keys, "the mesh of each direction");
  b.ineffective_unless(params.topology == "mesh", "mesh", "topology is not mesh");
  if (params.topology != "mesh") return;
  const std::uint32_t nodes = params.sms + params.slices;
  b.require(nodes % keys.columns == 0, "mesh",
            "has rows of " + std::to_string(keys.columns) + ", which " + std::to_string(nodes) + " SMs and slices do not fill",
            "choose mesh.columns, sms, channels or slices_per_channel to match");
  b.require(nodes <= 256, "mesh", "has more than 256 nodes", "choose fewer SMs or slices");
  check_slice_nodes(b, params, nodes);
}

}  // namespace

NetworkEntry mesh_network() {
  NetworkEntry entry{"mesh", "routers in rows and columns, a node each", make_mesh};
  entry.keys = [] { return std::any(MeshParams()); };
  entry.bind = bind_mesh;
  entry.two_sided = false;
  entry.queues_elsewhere = nullptr;
  entry.work = {0.35, 1.0};
  entry.slice_bytes = [](const NetworkParams& params) -> double { return params.of<MeshParams>().flit_bytes; };
  return entry;
}

}  // namespace wharf
