#pragma once
// How processor time and memory grow with the size of a machine or of a run: bench --growth. Each series varies one size and gives the
// exponent of every figure: 1 is linear, 0 is constant.

#include <string>
#include <vector>

#include "platforms/cli/bench/bench.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

struct GrowthPoint {
  double size;
  BenchPart part;
};

struct GrowthSeries {
  std::string size;  // what grows
  std::vector<GrowthPoint> points;
};

/// The series that bench --growth measures. In each the work per unit of size is constant, except where its name says otherwise.
std::vector<GrowthSeries> growth_series();

/// The figures of one point, for example the medians of several runs.
struct GrowthFigures {
  double size = 0.0;
  double build_s = 0.0;  // processor seconds to open the stimulus and build the machine
  double run_s = 0.0;    // processor seconds of the simulation
  double peak_mb = 0.0;  // with the result in memory
};

struct MeasuredGrowth {
  std::string size;
  std::vector<GrowthFigures> points;
};

/// The exponent b of figure = a * size^b: least squares over the logarithms. NaN where fewer than two sizes differ, or a value is not
/// positive.
double fitted_exponent(const MeasuredGrowth& growth, double GrowthFigures::*figure);

/// A row per point, then the exponents.
Table growth_table(const MeasuredGrowth& growth);
/// [{"size", "points": [{"size", "build_s", "run_s", "peak_mb"}], "exponents": {"build_s", "run_s", "peak_mb"}}]; NaN is null.
Json growth_json(const std::vector<MeasuredGrowth>& growths);

}  // namespace wharf::cli
