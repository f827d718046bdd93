#pragma once
// Loads a configuration by name into a checked Params struct:
//
//   const auto run = config::load<PlatformParams>(configs, "dc_l1/sh40_c10_boost", {"l1.ways=8"}, "BFS");
//   build(run.params);  write(run.resolved_yaml);

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/config/dumper.h"
#include "model/base/config/layers.h"
#include "model/base/config/reader.h"
#include "model/base/config/tree/mistakes.h"

namespace wharf::config {

template <class Params>
struct LoadResult {
  Params params;
  std::string resolved_yaml;  // reads back as the same parameters
  std::string description;
  std::optional<Search> search;
  std::vector<std::string> workloads;  // those with values of their own; their names are not checked here
};

/// Reads one composed tree into `params`; mistakes are added.
template <class Params>
void read_into(Params& params, const Composed& composed, Mistakes& mistakes, std::function<bool(Layer)> reports = {}) {
  Reader reader(composed, mistakes, std::move(reports));
  params.bind(reader);
  reader.finish();
}

/// Reads the layers for one workload, and also checks the values for other workloads and those of a search. Throws InputError with all
/// mistakes, including those already in `mistakes`.
template <class Params>
LoadResult<Params> read_layers(const Layers& layers, const std::vector<std::string>& settings, const std::string& workload,
                               Mistakes& mistakes, Params defaults = {}) {
  const std::vector<Node> overrides = parse_overrides(settings, mistakes);
  LoadResult<Params> out{defaults, {}, layers.description, layers.search, workloads_of(layers)};
  read_into(out.params, compose(layers, workload, overrides), mistakes);
  for (const std::string& other : out.workloads) {
    Params scratch = defaults;
    if (other == workload) continue;
    read_into(scratch, compose(layers, other, {}), mistakes,
              [](Layer l) { return l == Layer::workload || l == Layer::inherited_workload; });
  }
  if (out.search && !out.search->over_configurations()) {
    for (const Node& setting : out.search->settings) {
      Params scratch = defaults;
      read_into(scratch, compose(layers, "", {setting}), mistakes, [](Layer l) { return l == Layer::override_; });
    }
  }
  mistakes.throw_if_any();
  out.resolved_yaml = dump(out.params);
  return out;
}

/// Loads the configuration `name` below `root` (see load_layers). `settings` are the texts of --set options; `workload` selects among
/// `per_workload` values. Throws InputError with one mistake per line.
template <class Params>
LoadResult<Params> load(const std::filesystem::path& root, const std::string& name, const std::vector<std::string>& settings = {},
                        const std::string& workload = {}, Params defaults = {}) {
  Mistakes mistakes;
  const Layers layers = load_layers(root, name, mistakes);
  return read_layers(layers, settings, workload, mistakes, std::move(defaults));
}

}  // namespace wharf::config
