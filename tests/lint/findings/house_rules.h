#pragma once
// Rules on the text of single files (docs/decisions.md): which constructs are allowed where.

#include <functional>

#include "tests/lint/source_tree.h"

namespace wharf::lint {

inline constexpr std::size_t kMostLinesOfFile = 450;
inline constexpr std::size_t kMostLinesOfFunction = 70;

/// TLM phases and return values are allowed only in model/tlm and, to observe them, in model/monitor.
Findings phase_findings(const SourceFile& file);

/// The model has no thread and no stock event queue of SystemC.
Findings process_findings(const SourceFile& file);
/// Code that asks for a network by its name. The network's entry in the catalogue must answer instead.
Findings network_name_findings(const SourceFile& file);

/// A file that may use a construct forbidden in the hot path, and the reason.
struct Exception {
  const char* path;
  const char* word;
  const char* reason;
};
/// The project's exceptions.
const std::vector<Exception>& hot_path_exceptions();
/// True for the folders whose code an access or an instruction runs through.
bool is_hot(const std::string& path);
/// Node-based containers and dynamic_cast in the hot path, except for `exceptions`.
Findings hot_path_findings(const SourceFile& file, const std::vector<Exception>& exceptions);

/// Files and functions that are too long.
Findings length_findings(const SourceFile& file);

/// Marks of unfinished work, names of folders of one machine, tabs.
Findings leftover_findings(const SourceFile& file);

/// A header must start with `#pragma once` and a description.
Findings header_findings(const SourceFile& file);

/// Every value of a configuration copied from another simulator must cite its source: in a comment on its line, or on the line of an
/// enclosing group (CM-38).
Findings citation_findings(const SourceFile& file);

/// A configuration must have a description.
Findings configuration_findings(const SourceFile& file);

/// Words that docs/glossary.md replaces by others.
Findings naming_findings(const SourceFile& file);

/// A name of a test at whose first character Catch2 reads an option or an exclusion when CTest asks for the test by name.
Findings test_name_findings(const SourceFile& file);

/// Applies `check` to each file of a tree.
template <class Check>
Findings each(const Tree& tree, Check check) {
  Findings all;
  for (const SourceFile& file : tree)
    for (std::string& one : check(file)) all.push_back(std::move(one));
  return all;
}

}  // namespace wharf::lint
