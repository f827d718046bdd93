#pragma once
// The physics that Rodinia's two thermal simulations share (workloads sections 2.4 and 2.5): 16 mm by 16 mm of silicon, 0.5 mm thick.

namespace wharf::spmd {

constexpr float kAmbient = 80.0f;

/// Coefficients of one step of a cell of the grid.
struct ThermalCoefficients {
  float step;        // s / (J / K)
  float rx, ry, rz;  // W / K to the neighbours in x, in y, and out of the plane
};

/// Coefficients for a grid of rows * columns cells.
inline ThermalCoefficients thermal_coefficients(int rows, int columns) {
  const float thickness = 0.0005f, side = 0.016f, heat = 1.75e6f, conductivity = 100.0f, factor = 0.5f;
  const float height = side / static_cast<float>(rows), width = side / static_cast<float>(columns);
  const float capacity = factor * heat * thickness * width * height;
  const float steepest = 3.0e6f / (factor * thickness * heat);
  ThermalCoefficients c{};
  c.step = 0.001f / steepest / capacity;
  c.rx = 2.0f * conductivity * thickness * height / width;
  c.ry = 2.0f * conductivity * thickness * width / height;
  c.rz = conductivity * height * width / thickness;
  return c;
}

}  // namespace wharf::spmd
