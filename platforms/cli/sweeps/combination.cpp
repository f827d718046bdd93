#include "platforms/cli/sweeps/combination.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/base/error.h"
#include "platforms/cli/sweeps/designs.h"
#include "platforms/inputs/configuration.h"

namespace wharf::cli {
namespace {

using Of = double (Comparison::*)(const std::string&, const std::string&) const;

/// An effect of a design on a run, relative to the baseline.
struct Effect {
  const char *name, *title;
  Of value;
  bool multiplies;  // compare a combination with the product of its designs
};
constexpr Effect kEffects[] = {
    {"speed_up", "speed", &Comparison::speed_up, true},
    {"energy", "energy", &Comparison::energy, true},
    {"noc_bytes", "NoC bytes", &Comparison::noc_bytes, false},
    {"dram_bytes", "DRAM bytes", &Comparison::dram_bytes, false},
};

double mean_of(const Comparison& comparison, const std::string& config, const ValueOf& value) {
  return mean_over_stimuli(comparison, config, value, Mean::geometric);
}

ValueOf of(const Comparison& comparison, Of effect) {
  return [&comparison, effect](const std::string& config, const std::string& stimulus) { return (comparison.*effect)(config, stimulus); };
}

ValueOf over_product(const Comparison& comparison, Of effect) {
  return [&comparison, effect](const std::string& config, const std::string& stimulus) {
    return comparison.over_product(effect, config, stimulus);
  };
}

std::string ratio_text(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", value); }

/// Without the GPU, which is the same in all rows.
std::string design_of(const std::string& config) { return config.substr(0, config.rfind('@')); }

}  // namespace

Comparison combinations_on(const std::string& gpu, const std::vector<std::string>& settings) {
  std::vector<std::string> designs;
  for (const DesignEntry& design : compared_designs()) designs.emplace_back(design.name);
  designs.insert(designs.end(), std::begin(kAdditions), std::end(kAdditions));
  Comparison group;
  group.baseline = "private@" + gpu;
  group.configs = {group.baseline};
  load_configuration(group.baseline, settings, "");  // a wrong GPU is not the fault of a design
  const auto stands = [&](const std::string& config) {
    try {
      load_configuration(config, settings, "");
      group.configs.push_back(config);
      return true;
    } catch (const InputError& error) {
      group.refused.push_back({config, error.what()});
      return false;
    }
  };
  std::vector<std::string> standing;
  for (const std::string& design : designs)
    if (stands(design + '@' + gpu)) standing.push_back(design);
  for (std::size_t i = 0; i < standing.size(); ++i) {
    for (std::size_t j = i + 1; j < standing.size(); ++j) {
      const std::string both = standing[i] + '+' + standing[j] + '@' + gpu;
      if (stands(both)) group.combinations.push_back({both, {standing[i] + '@' + gpu, standing[j] + '@' + gpu}});
    }
  }
  return group;
}

Table combination_table(const Comparison& comparison) {
  Table table{
      fmt::format("Designs alone and together, compared with {}", comparison.baseline),
      "Geometric means over the stimuli, relative to the baseline: speed (baseline time / time, at equal work), energy of the chip, "
      "bytes of flits in all networks, bytes that DRAM moves. For two designs together also speed and energy divided by the product of "
      "their values alone: 1 means that the gains add up, speed below 1 that one design reduces the other's gain.",
      {"design"},
      {},
      0};
  for (const Effect& effect : kEffects) table.columns.emplace_back(effect.title);
  for (const Effect& effect : kEffects)
    if (effect.multiplies) table.columns.push_back(fmt::format("{} by product", effect.title));
  for (const std::string& config : comparison.configs) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{design_of(config)});
    for (const Effect& effect : kEffects) row.push_back(ratio_text(mean_of(comparison, config, of(comparison, effect.value))));
    for (const Effect& effect : kEffects)
      if (effect.multiplies) row.push_back(ratio_text(mean_of(comparison, config, over_product(comparison, effect.value))));
  }
  return table;
}

Table over_product_table(const Comparison& comparison) {
  Table table{fmt::format("Speed-up of two designs / product of their speed-ups, compared with {}", comparison.baseline),
              "1: the gains add up; below 1: one design reduces the other's gain.",
              {"design"},
              {},
              0};
  for (const std::string& stimulus : comparison.stimuli) table.columns.push_back(comparison.shown(stimulus));
  for (const Combination& combination : comparison.combinations) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{design_of(combination.config)});
    for (const std::string& stimulus : comparison.stimuli)
      row.push_back(ratio_text(comparison.over_product(&Comparison::speed_up, combination.config, stimulus)));
  }
  return table;
}

Json combination_json(const Comparison& comparison) {
  Json rows = Json::array();
  for (const std::string& config : comparison.configs) {
    Json& row = rows.emplace_back(Json{{"config", config}, {"alone", comparison.parts_of(config)}});
    for (const Effect& effect : kEffects) row[effect.name] = number_or_null(mean_of(comparison, config, of(comparison, effect.value)));
    for (const Effect& effect : kEffects)
      if (effect.multiplies)
        row[std::string(effect.name) + "_by_product"] = number_or_null(mean_of(comparison, config, over_product(comparison, effect.value)));
  }
  return rows;
}

}  // namespace wharf::cli
