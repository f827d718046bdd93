#pragma once
// Places SMs and L2 slices on the nodes of a mesh or ring (RS-1, SL-35).

#include <cstdint>
#include <vector>

namespace wharf::routing {

/// The nodes of the slices on a grid of columns x rows, ascending. 28 SMs and 8 slices on 6 x 6, and 56 and 8 on 8 x 8, have the built-in
/// maps of GPGPU-Sim v3. All others follow the staggered rule of RS-1: of the k slices in row r, the i-th is in column floor((2i + 1) *
/// columns / 2k) + 3r, modulo the columns. slices <= columns * rows.
std::vector<std::uint32_t> slice_nodes(unsigned columns, unsigned rows, unsigned slices);

/// The node of each endpoint: SMs on the nodes without a slice, ascending, then the slices on theirs.
std::vector<std::uint16_t> endpoint_nodes(unsigned sms, const std::vector<std::uint32_t>& slices);

}  // namespace wharf::routing
