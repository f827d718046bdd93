#pragma once
// References of the documents, and whether their targets exist: files, functions, commands, options, keys, metrics.

#include <functional>
#include <map>
#include <set>

#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// `model/l1/l1_cache.cpp:L1Cache::fill` in backquotes: the file must exist and have that function.
Findings function_findings(const SourceFile& document, const Tree& tree);
/// The number of such references in a document.
std::size_t function_references(const SourceFile& document);

/// Paths in backquotes or as targets of links must exist below the project's root.
Findings path_findings(const SourceFile& document);

/// Dotted names in backquotes must be configuration keys or metrics.
Findings name_findings(const SourceFile& document, const std::set<std::string>& names);

/// `key: value` in backquotes, for a key whose value is one of a few words: the value must be one of them.
Findings value_findings(const SourceFile& document, const std::map<std::string, std::set<std::string>>& values);

/// `folder/name` in backquotes, where the folder has configurations: the configuration must exist.
Findings configuration_name_findings(const SourceFile& document, const std::set<std::string>& configurations);
/// The configurations of platforms/configs and platforms/designs, and the sweeps with their points.
std::set<std::string> project_configurations();

/// `workload@size` in backquotes: the workload must exist.
Findings workload_findings(const SourceFile& document, const std::set<std::string>& workloads);

/// Commands `./wharf NAME ... --option` of indented lines. `help` returns the help text of a command, "" if it does not exist.
Findings command_findings(const SourceFile& document, const std::function<std::string(const std::string&)>& help);

/// A text in backquotes, with its line.
struct Quoted {
  std::size_t line;
  std::string text;
};
std::vector<Quoted> quoted_in(std::string_view text);

}  // namespace wharf::lint
