#pragma once
// What the documents name and whether it exists: files, functions, commands, options, keys, metrics.

#include <functional>
#include <map>
#include <set>

#include "tests/lint/source_tree.h"

namespace wharf::lint {

/// `model/l1/l1_cache.cpp:L1Cache::fill` in backquotes: the file must exist and have that function.
Findings function_findings(const SourceFile& document, const Tree& tree);
/// How many such references a document has.
std::size_t function_references(const SourceFile& document);

/// Paths in backquotes or as targets of links must exist below the project's root.
Findings path_findings(const SourceFile& document);

/// Dotted names in backquotes must be configuration keys or metrics.
Findings name_findings(const SourceFile& document, const std::set<std::string>& names);

/// `key: value` in backquotes, of a key that takes one of a few words: the value must be one of them.
Findings value_findings(const SourceFile& document, const std::map<std::string, std::set<std::string>>& values);

/// `folder/name` in backquotes, of a folder that configurations have: the configuration must exist.
Findings configuration_name_findings(const SourceFile& document, const std::set<std::string>& configurations);
/// Those of platforms/configs and platforms/designs, and the sweeps with their points.
std::set<std::string> project_configurations();

/// `workload@size` in backquotes: the workload must exist.
Findings workload_findings(const SourceFile& document, const std::set<std::string>& workloads);

/// Commands `./wharf NAME ... --option` of indented lines; `help` gives the help text of a command, "" where there is none.
Findings command_findings(const SourceFile& document, const std::function<std::string(const std::string&)>& help);

/// What stands in backquotes, with its line.
struct Quoted {
  std::size_t line;
  std::string text;
};
std::vector<Quoted> quoted_in(std::string_view text);

}  // namespace wharf::lint
