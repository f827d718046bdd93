#pragma once
// Rules on the text of single files (docs/decisions.md): what may stand where.

#include <functional>

#include "tests/lint/source_tree.h"

namespace wharf::lint {

inline constexpr std::size_t kMostLinesOfFile = 450;
inline constexpr std::size_t kMostLinesOfFunction = 70;

/// Every TLM phase and return value is spoken in model/tlm, and watched in model/monitor, and nowhere else.
Findings phase_findings(const SourceFile& file);

/// No thread and no stock event queue of SystemC in the model.
Findings process_findings(const SourceFile& file);
/// A network or another file asks which network it is by name; the entry of the catalogue answers what is to be known of each.
Findings network_name_findings(const SourceFile& file);

/// A place that may use what the hot path must not, and why.
struct Exception {
  const char* path;
  const char* word;
  const char* reason;
};
/// The exceptions that the project makes.
const std::vector<Exception>& hot_path_exceptions();
/// True for the folders that an access or an instruction passes on its way.
bool is_hot(const std::string& path);
/// Node-based containers and dynamic_cast in the hot path, but for `exceptions`.
Findings hot_path_findings(const SourceFile& file, const std::vector<Exception>& exceptions);

/// Files and functions that have grown too long.
Findings length_findings(const SourceFile& file);

/// Marks of unfinished work, names of folders of one machine, tabs.
Findings leftover_findings(const SourceFile& file);

/// A header starts with `#pragma once` and says what it is.
Findings header_findings(const SourceFile& file);

/// Every value of a configuration that copies another simulator's says where it is from: a comment on its line, or on that of a group
/// around it (CM-38).
Findings citation_findings(const SourceFile& file);

/// A configuration says what it is.
Findings configuration_findings(const SourceFile& file);

/// Words that docs/glossary.md replaces by others.
Findings naming_findings(const SourceFile& file);

/// `check` on each file of a tree.
template <class Check>
Findings each(const Tree& tree, Check check) {
  Findings all;
  for (const SourceFile& file : tree)
    for (std::string& one : check(file)) all.push_back(std::move(one));
  return all;
}

}  // namespace wharf::lint
