#include "tests/lint/findings/docs.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "model/base/config/named_files.h"

namespace wharf::lint {
namespace {

const std::vector<std::string> kFolders = {"model/", "platforms/", "policies/", "stimuli/", "tests/", "docs/"};

bool is_path(const std::string& text) {
  const bool here = std::any_of(kFolders.begin(), kFolders.end(), [&](const std::string& folder) { return starts_with(text, folder); });
  return here && text.find_first_of(" *<>{}:,") == std::string::npos;
}

const SourceFile* find_file(const Tree& tree, const std::string& path) {
  const auto found = std::find_if(tree.begin(), tree.end(), [&](const SourceFile& file) { return file.path == path; });
  return found == tree.end() ? nullptr : &*found;
}

/// True if the code defines or declares the function: with all of its qualified name or, in a header, with its class and its own name.
bool has_function(const SourceFile& file, const std::string& function) {
  const std::string code = code_of(file.text);
  const auto called = [&](const std::string& name) { return std::regex_search(code, std::regex("\\b" + name + "\\s*\\(")); };
  if (called(function)) return true;
  const std::size_t colon = function.rfind("::");
  if (colon == std::string::npos || !ends_with(file.path, ".h")) return false;
  const std::string owner = function.substr(0, colon);
  return std::regex_search(code, std::regex("\\b(class|struct) " + owner + "\\b")) && called(function.substr(colon + 2));
}

const std::regex& function_reference() {
  static const std::regex kReference("([a-z0-9_/]+\\.(?:h|cpp)):([A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*)");
  return kReference;
}

}  // namespace

std::vector<Quoted> quoted_in(std::string_view text) {
  std::vector<Quoted> quoted;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    for (std::size_t open = line.find('`'); open != std::string_view::npos;) {
      const std::size_t close = line.find('`', open + 1);
      if (close == std::string_view::npos) break;
      quoted.push_back({number, std::string(line.substr(open + 1, close - open - 1))});
      open = line.find('`', close + 1);
    }
  }
  return quoted;
}

Findings function_findings(const SourceFile& document, const Tree& tree) {
  Findings findings;
  for (const Quoted& quoted : quoted_in(document.text)) {
    std::smatch match;
    if (!std::regex_match(quoted.text, match, function_reference())) continue;
    const SourceFile* file = find_file(tree, match[1]);
    if (file == nullptr)
      findings.push_back(finding(document, quoted.line, "there is no file " + match[1].str()));
    else if (!has_function(*file, match[2]))
      findings.push_back(finding(document, quoted.line, match[1].str() + " has no " + match[2].str()));
  }
  return findings;
}

std::size_t function_references(const SourceFile& document) {
  const std::vector<Quoted> quoted = quoted_in(document.text);
  return static_cast<std::size_t>(
      std::count_if(quoted.begin(), quoted.end(), [](const Quoted& q) { return std::regex_match(q.text, function_reference()); }));
}

Findings path_findings(const SourceFile& document) {
  Findings findings;
  for (const Quoted& quoted : quoted_in(document.text))
    if (is_path(quoted.text) && !std::filesystem::exists(project_root() / quoted.text))
      findings.push_back(finding(document, quoted.line, "there is no " + quoted.text));
  static const std::regex kLink("\\]\\(([^)#:]+)(#[^)]*)?\\)");
  std::size_t number = 0;
  const std::filesystem::path folder = (project_root() / document.path).parent_path();
  for (const std::string_view line : lines_of(document.text)) {
    ++number;
    if (starts_with(line, "    ")) continue;  // code, where a lambda looks like a link
    const std::string text(line);
    for (std::sregex_iterator link(text.begin(), text.end(), kLink), end; link != end; ++link)
      if (!std::filesystem::exists(folder / (*link)[1].str()))
        findings.push_back(finding(document, number, "there is no " + (*link)[1].str()));
  }
  return findings;
}

Findings name_findings(const SourceFile& document, const std::set<std::string>& names) {
  static const std::regex kDotted("[a-z0-9_]+(\\.[A-Za-z0-9_]+)+");
  static const std::regex kFile(".*\\.(h|cpp|sv|md|yaml|csv|json|html|txt|g|xz|sh|sbatch|sqlite)");
  Findings findings;
  for (const Quoted& quoted : quoted_in(document.text)) {
    if (!std::regex_match(quoted.text, kDotted) || std::regex_match(quoted.text, kFile)) continue;
    if (names.count(quoted.text) == 0) findings.push_back(finding(document, quoted.line, quoted.text + " is neither a key nor a metric"));
  }
  return findings;
}

Findings value_findings(const SourceFile& document, const std::map<std::string, std::set<std::string>>& values) {
  static const std::regex kSetting("([a-z0-9_.]+): ([a-z0-9_]+)");
  Findings findings;
  for (const Quoted& quoted : quoted_in(document.text)) {
    std::smatch match;
    if (!std::regex_match(quoted.text, match, kSetting)) continue;
    const auto key = values.find(match[1]);
    if (key != values.end() && key->second.count(match[2]) == 0)
      findings.push_back(finding(document, quoted.line, key->first + " has no value " + match[2].str()));
  }
  return findings;
}

Findings configuration_name_findings(const SourceFile& document, const std::set<std::string>& configurations) {
  static const std::regex kName("([a-z0-9_]+/)[a-z0-9_]+(:[a-z0-9_]+)?");
  Findings findings;
  for (const Quoted& quoted : quoted_in(document.text)) {
    std::smatch match;
    if (!std::regex_match(quoted.text, match, kName) || configurations.count(quoted.text) != 0) continue;
    const std::string folder = match[1];
    if (std::any_of(configurations.begin(), configurations.end(), [&](const std::string& name) { return starts_with(name, folder); }))
      findings.push_back(finding(document, quoted.line, "there is no configuration " + quoted.text));
  }
  return findings;
}

std::set<std::string> project_configurations() {
  const std::filesystem::path root = project_root() / "platforms" / "configs";
  const std::vector<std::string> names = config::configuration_names(root), sweeps = config::sweep_names(root);
  std::set<std::string> all(names.begin(), names.end());
  all.insert(sweeps.begin(), sweeps.end());
  return all;
}

Findings workload_findings(const SourceFile& document, const std::set<std::string>& workloads) {
  static const std::regex kSized("([a-z0-9_+]+)@(?:tiny|std|paper|wide|llc|ciao|loscache)(?::.*)?");
  Findings findings;
  for (const Quoted& quoted : quoted_in(document.text)) {
    std::smatch match;
    if (std::regex_match(quoted.text, match, kSized) && workloads.count(match[1]) == 0)
      findings.push_back(finding(document, quoted.line, "there is no workload " + match[1].str()));
  }
  return findings;
}

Findings command_findings(const SourceFile& document, const std::function<std::string(const std::string&)>& help) {
  Findings findings;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(document.text)) {
    ++number;
    if (!starts_with(line, "    ./wharf ")) continue;
    std::istringstream words{std::string(line.substr(0, line.find(" # ")))};
    std::string word, command;
    words >> word >> command;
    const std::string known = help(command);
    if (known.empty()) {
      findings.push_back(finding(document, number, "there is no command " + command));
      continue;
    }
    while (words >> word) {
      const std::string option = word.substr(0, word.find_first_of("=]"));
      if (starts_with(option, "--") && known.find(option) == std::string::npos)
        findings.push_back(finding(document, number, command + " has no option " + option));
    }
  }
  return findings;
}

}  // namespace wharf::lint
