#pragma once
// Turns a configuration's name into the tree that a Reader reads. A configuration is a stack of layers:
//
//   files named by `extends`, each with its own `per_workload` values   (lowest)
//   the named file
//   the named file's `per_workload` values of the workload that runs
//   `--set key=value`                                                   (highest)
//
// The functions below handle the keys `extends`, `description`, `per_workload` and `search`; they never reach a Params struct.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/config/tree/document.h"
#include "model/base/config/tree/mistakes.h"

namespace wharf::config {

/// `search: {key, values, objective, tie, published}` (common section 11): the configuration runs once per value of `key`, and the run with
/// the best `objective` is kept; of equals, the `first` or the `last` in the order of `values`. The key `extends` chooses among
/// configurations; a file that does so contains nothing else.
struct Search {
  std::string key;                  // path, e.g. "sm.swl_warps", or "extends"
  std::vector<std::string> values;  // as --set takes them; for `extends`, names that load_layers() takes
  bool maximise = true;
  std::string objective;  // a metric of result.json
  std::string tie = "first";
  std::vector<std::pair<std::string, std::string>> published;  // by workload: the source's choice, shown next to the choice of the runs
  std::vector<Node> settings;                                  // one tree per value, as an override would set it, positioned in the file

  bool over_configurations() const { return key == "extends"; }
};

struct FileLayer {
  Node values;                     // a mapping without the reserved keys
  std::vector<Node> per_workload;  // one mapping per workload, keyed by the workload's name
};

struct Layers {
  std::vector<FileLayer> files;  // in the order of merging: the named file comes last
  std::string description;       // of the named file
  std::optional<Search> search;
};

/// The merged tree that a Reader reads.
struct Composed {
  Node tree;
  Layer top = Layer::file;  // the outermost layer that sets anything
};

/// A configuration that can be named: "dc_l1/sh40_c10_boost".
struct ConfigurationName {
  std::string name, description;
};

/// Reads `name` and everything it extends. A name such as `gpus/volta_qv100` is <root>/gpus/volta_qv100.yaml; a name ending in .yaml or
/// .yml is a path from the working directory, else from root. `extends` takes such names, and paths relative to the extending file.
/// `sweep:point` is a point of a sweep (points.h). `design@gpu` replaces the design's layers from <root>/gpus by those of the configuration
/// `gpu` (`gpus/` may be left out). `design+addition` combines two designs on the GPU of the first: every key of both applies, and a key
/// that they set differently is a mistake. The two forms combine as `design+addition@gpu`. Throws InputError if there is no such
/// configuration; other mistakes are added to `mistakes`.
Layers load_layers(const std::filesystem::path& root, const std::string& name, Mistakes& mistakes);

/// As load_layers(), from a text; `file` is its name in messages and the origin of relative paths.
Layers parse_layers(std::string_view text, const std::string& file, const std::filesystem::path& root, Mistakes& mistakes);

/// Parses `l1.ways=8` into a tree. The value is a YAML value (`[0, 8, 16]` is a list).
Node parse_override(const std::string& setting, Mistakes& mistakes);

/// Parses all settings of a command line; setting a key twice is a mistake.
std::vector<Node> parse_overrides(const std::vector<std::string>& settings, Mistakes& mistakes);

/// The tree for one workload. For "" and for a workload without values of its own, `per_workload` adds nothing.
Composed compose(const Layers& layers, std::string_view workload, const std::vector<Node>& overrides);

/// The workloads for which any file of the stack sets values, sorted.
std::vector<std::string> workloads_of(const Layers& layers);

/// The text of the scalar at a dotted path, for example the platform of a file before its Params struct is known.
std::optional<std::string> text_at(const Node& tree, std::string_view path);

/// All of configuration_names() with their descriptions (named_files.h). Throws InputError if one is invalid.
std::vector<ConfigurationName> list_configurations(const std::filesystem::path& root);

}  // namespace wharf::config
