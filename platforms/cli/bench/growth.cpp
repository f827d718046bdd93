#include "platforms/cli/bench/growth.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <utility>

namespace wharf::cli {
namespace {

struct GrowthFigure {
  const char* key;
  const char* column;
  double GrowthFigures::*value;
};
constexpr GrowthFigure kGrowthFigures[] = {{"build_s", "build s", &GrowthFigures::build_s},
                                           {"run_s", "run s", &GrowthFigures::run_s},
                                           {"peak_mb", "peak MB", &GrowthFigures::peak_mb}};

/// Adds a point that is a run of `stimulus`.
void add_point(GrowthSeries& series, const char* name, unsigned size, const char* configuration, std::string stimulus,
               std::vector<std::string> settings = {}) {
  BenchPart part;
  part.name = fmt::format("growth_{}_{}", name, size);
  part.configuration = configuration;
  part.stimulus = std::move(stimulus);
  part.counted = "warp_instructions";
  part.settings = std::move(settings);
  series.points.push_back({static_cast<double>(size), std::move(part)});
}

/// A load in every second instruction, with eight CTAs per SM.
std::string loads_for(unsigned sms) { return fmt::format("synthetic:loads=50,instructions=200,ctas={}", 8 * sms); }

}  // namespace

std::vector<GrowthSeries> growth_series() {
  std::vector<GrowthSeries> series;
  GrowthSeries& crossbar = series.emplace_back(GrowthSeries{"SMs on a crossbar", {}});
  for (const unsigned sms : {28, 40, 56, 80, 112, 128})
    add_point(crossbar, "sms_crossbar", sms, "private", loads_for(sms), {fmt::format("sms={}", sms)});
  GrowthSeries& mesh = series.emplace_back(GrowthSeries{"SMs on a mesh", {}});
  // With the eight slices of gpus/28sm_mesh they fill a square, or nearly so at 160.
  constexpr std::pair<unsigned, unsigned> kColumns[] = {{28, 6}, {41, 7}, {56, 8}, {92, 10}, {136, 12}, {160, 12}};
  for (const auto& [sms, columns] : kColumns)
    add_point(mesh, "sms_mesh", sms, "gpus/28sm_mesh", loads_for(sms),
              {fmt::format("sms={}", sms), fmt::format("network.mesh.columns={}", columns)});
  GrowthSeries& length = series.emplace_back(GrowthSeries{"instructions per warp", {}});
  for (const unsigned instructions : {50, 150, 500, 1500, 5000})
    add_point(length, "length", instructions, "private", fmt::format("synthetic:loads=50,ctas=160,instructions={}", instructions));
  GrowthSeries& kernels = series.emplace_back(GrowthSeries{"kernels", {}});
  for (const unsigned launches : {10, 30, 100, 300, 1000})
    add_point(kernels, "kernels", launches, "private", fmt::format("spmv:rows=256,launches={}", launches));
  GrowthSeries& misses = series.emplace_back(GrowthSeries{"misses in flight per SM, at constant work", {}});
  for (const unsigned warps : {1, 2, 4, 8, 16, 32})
    add_point(misses, "misses", warps, "private",
              fmt::format("synthetic:loads=100,l1=0,l2=60,ctas=80,warps={},instructions={}", warps, 3200 / warps));
  return series;
}

double fitted_exponent(const MeasuredGrowth& growth, double GrowthFigures::*figure) {
  const auto points = static_cast<double>(growth.points.size());
  double mean_x = 0.0, mean_y = 0.0, xy = 0.0, xx = 0.0;
  for (const GrowthFigures& point : growth.points) {
    if (!(point.size > 0.0 && point.*figure > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    mean_x += std::log(point.size) / points;
    mean_y += std::log(point.*figure) / points;
  }
  for (const GrowthFigures& point : growth.points) {
    const double x = std::log(point.size) - mean_x;
    xy += x * (std::log(point.*figure) - mean_y);
    xx += x * x;
  }
  return xx > 0.0 ? xy / xx : std::numeric_limits<double>::quiet_NaN();
}

Table growth_table(const MeasuredGrowth& growth) {
  Table table{"Growth with " + growth.size, "", {"size"}, {}, 1};
  std::vector<std::string> exponents = {"exponent"};
  for (const GrowthFigure& figure : kGrowthFigures) {
    table.columns.emplace_back(figure.column);
    const double exponent = fitted_exponent(growth, figure.value);
    exponents.push_back(std::isnan(exponent) ? "?" : fmt::format("{:.2f}", exponent));
  }
  for (const GrowthFigures& point : growth.points)
    table.rows.push_back({fmt::format("{:.0f}", point.size), fmt::format("{:.3f}", point.build_s), fmt::format("{:.3f}", point.run_s),
                          fmt::format("{:.1f}", point.peak_mb)});
  table.rows.push_back(std::move(exponents));
  return table;
}

Json growth_json(const std::vector<MeasuredGrowth>& growths) {
  Json json = Json::array();
  for (const MeasuredGrowth& growth : growths) {
    Json& entry = json.emplace_back(Json{{"size", growth.size}, {"points", Json::array()}, {"exponents", Json::object()}});
    for (const GrowthFigures& point : growth.points) {
      Json& figures = entry["points"].emplace_back(Json{{"size", point.size}});
      for (const GrowthFigure& figure : kGrowthFigures) figures[figure.key] = point.*figure.value;
    }
    for (const GrowthFigure& figure : kGrowthFigures)
      entry["exponents"][figure.key] = number_or_null(fitted_exponent(growth, figure.value));
  }
  return json;
}

}  // namespace wharf::cli
