#pragma once
// Temperatures and powers of a chip, as HotSpot reads them (workloads section 2.4). Neighbouring values are similar.

#include <cstdint>
#include <vector>

namespace wharf {

/// rows * columns temperatures in kelvin, 323 to 344, smooth in space.
std::vector<float> temperature_map(int rows, int columns, std::uint64_t seed);

/// rows * columns powers in watts: rectangles, each with one of 68 values from 1.7e-5 to 2.8e-3.
std::vector<float> power_map(int rows, int columns, std::uint64_t seed);

}  // namespace wharf
