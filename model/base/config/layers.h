#pragma once
// From a configuration's name to the tree that a Reader reads. A configuration is a stack of layers:
//
//   files named by `extends`, each with its own `per_workload` values   (lowest)
//   the named file
//   the named file's `per_workload` values of the workload that runs
//   `--set key=value`                                                   (highest)
//
// The keys `extends`, `description`, `per_workload`, `search` and `study` are dealt with here and never reach a Params struct.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/config/document.h"
#include "model/base/config/mistakes.h"
#include "model/base/config/study.h"

namespace wharf::config {

/// `search: {key, values, objective, tie, published}` (common section 11): the configuration is run once a value of `key`, and the run
/// with the best `objective` is kept. Of equals it keeps the `first` or the `last` in the order of `values`. The key `extends`
/// chooses among configurations; a file that does so says nothing else.
struct Search {
  std::string key;                  // path, e.g. "sm.swl_warps", or "extends"
  std::vector<std::string> values;  // as --set would have them; of `extends` names that load_layers() takes
  bool maximise = true;
  std::string objective;  // a metric of result.json
  std::string tie = "first";
  std::vector<std::pair<std::string, std::string>> published;  // by workload: what the source found, shown beside what runs find
  std::vector<Node> settings;  // one tree a value, as an override would set it, positioned in the file

  bool over_configurations() const { return key == "extends"; }
};

struct FileLayer {
  Node values;                     // a mapping without the reserved keys
  std::vector<Node> per_workload;  // one mapping a workload; its key is the workload's name
};

struct Layers {
  std::vector<FileLayer> files;  // in the order of merging: the named file is the last
  std::string description;       // of the named file
  std::optional<Search> search;
  std::optional<Study> study;  // of the named file
};

/// What a Reader reads.
struct Composed {
  Node tree;
  Layer top = Layer::file;  // the outermost layer that sets anything
};

/// A configuration that can be named: "dc_l1/sh40_c10_boost".
struct ConfigurationName {
  std::string name, description;
};

/// Reads `name` and all that it extends. A name such as `gpus/volta_qv100` is <root>/gpus/volta_qv100.yaml; a name ending in
/// .yaml or .yml is a path from the working directory, else from root. `extends` takes the same names, and paths relative to
/// the file that extends. `design@gpu` is a design on another GPU: the layers of `design`, but for its files in <root>/gpus, on
/// those of `gpu`, a configuration (`gpus/` may be left out). `design+addition` is two designs together, on the GPU of the first: each
/// with all that it says, and nothing that they say differently. Both: `design+addition@gpu`. Throws InputError if there is no such
/// configuration; all else is added to `mistakes`.
Layers load_layers(const std::filesystem::path& root, const std::string& name, Mistakes& mistakes);

/// The same from a text; `file` is its name in messages and the place that relative paths start from.
Layers parse_layers(std::string_view text, const std::string& file, const std::filesystem::path& root, Mistakes& mistakes);

/// `l1.ways=8` as a tree. The value is a YAML value (`[0, 8, 16]` is a list).
Node parse_override(const std::string& setting, Mistakes& mistakes);

/// All settings of a command line; setting a key twice is a mistake.
std::vector<Node> parse_overrides(const std::vector<std::string>& settings, Mistakes& mistakes);

/// The tree for one workload; "" or a name without values of its own takes none from `per_workload`.
Composed compose(const Layers& layers, std::string_view workload, const std::vector<Node>& overrides);

/// Workloads that any file of the stack has values for, sorted.
std::vector<std::string> workloads_of(const Layers& layers);

/// Text of the scalar at a dotted path, e.g. which platform a file is for before its Params are known.
std::optional<std::string> text_at(const Node& tree, std::string_view path);

/// Every .yaml file below root with its description, sorted by name. Throws InputError if one is not valid.
std::vector<ConfigurationName> list_configurations(const std::filesystem::path& root);

}  // namespace wharf::config
