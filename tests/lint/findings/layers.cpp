#include "tests/lint/findings/layers.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string_view>

namespace wharf::lint {
namespace {

/// The project files that files below `folder` may include. The first rule that fits a path applies.
struct Layer {
  const char* folder;
  const char* name;
  std::vector<std::string> allowed;
  std::vector<std::string> denied;  // exceptions from `allowed`
};

const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers = {
      {"model/base/", "model/base", {"model/base/"}, {}},
      {"policies/", "a policy", {"model/base/", "policies/"}, {}},
      {"stimuli/", "a stimulus", {"model/base/", "stimuli/"}, {}},
      {"model/cache/", "model/cache", {"model/base/", "policies/", "model/cache/"}, {}},
      {"model/", "the model", {"model/", "policies/", "stimuli/stimulus.h"}, {}},
      {"platforms/virtual/firmware/", "firmware", {"gpu.h", "machine.h", "platform.h"}, {}},
      {"platforms/memory/", "the C interface", {"model/", "policies/", "stimuli/", "platforms/"}, {"platforms/cli/"}},
      {"platforms/cli/", "the program", {"model/", "policies/", "stimuli/", "platforms/"}, {}},
      {"platforms/", "a platform", {"model/", "policies/", "stimuli/", "platforms/"}, {"platforms/cli/"}},
  };
  return kLayers;
}

bool begins_with_one_of(const std::string& path, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) { return starts_with(path, prefix); });
}

/// The design whose folder `path` is below, or "".
std::string design_of(const std::string& path) {
  for (const char* const folder : {"model/designs/", "platforms/designs/", "tests/designs/"}) {
    if (!starts_with(path, folder)) continue;
    const std::size_t begin = std::string_view(folder).size();
    return path.substr(begin, path.find('/', begin) - begin);
  }
  return {};
}

bool is_systemc(const std::string& header) {
  return starts_with(header, "systemc") || starts_with(header, "sysc/") || header == "tlm" || header == "tlm.h" ||
         starts_with(header, "tlm_");
}

/// Finds the include path from a file to a SystemC header.
class Reach {
 public:
  explicit Reach(const Tree& tree) {
    for (const SourceFile& file : tree) includes_[file.path] = includes_of(file.text);
  }

  /// "<- b.h <- c.h <- <systemc>", or "" if there is no path.
  std::string chain(const std::string& path) {
    const auto known = chains_.find(path);
    if (known != chains_.end()) return known->second;
    chains_[path] = "";  // a cycle of includes adds nothing
    std::string found;
    for (const Include& include : includes_[path]) {
      if (!include.quoted && is_systemc(include.target)) found = " <- <" + include.target + ">";
      if (include.quoted && includes_.count(include.target) != 0) {
        const std::string further = chain(include.target);
        if (!further.empty()) found = " <- " + include.target + further;
      }
      if (!found.empty()) break;
    }
    return chains_[path] = found;
  }

 private:
  std::map<std::string, std::vector<Include>> includes_;
  std::map<std::string, std::string> chains_;
};

/// Machines below the designs must not name any of `designs`.
void add_designs_named(const SourceFile& machine, const std::set<std::string>& designs, Findings& findings) {
  static const std::regex kName("(?:platform|extends): ([a-z0-9_]+).*");
  std::size_t number = 0;
  for (const std::string_view text : lines_of(machine.text)) {
    ++number;
    const std::string line(text);
    std::smatch match;
    if (std::regex_match(line, match, kName) && designs.count(match[1]) != 0)
      findings.push_back(finding(machine, number, "names the design " + match[1].str()));
  }
}

}  // namespace

Findings layer_findings(const Tree& tree) {
  Findings findings;
  for (const SourceFile& file : tree) {
    const auto layer = std::find_if(layers().begin(), layers().end(), [&](const Layer& l) { return starts_with(file.path, l.folder); });
    if (layer == layers().end()) continue;
    for (const Include& include : includes_of(file.text)) {
      if (!include.quoted) continue;
      if (begins_with_one_of(include.target, layer->allowed) && !begins_with_one_of(include.target, layer->denied)) continue;
      findings.push_back(finding(file, include.line, std::string(layer->name) + " includes " + include.target));
    }
  }
  return findings;
}

Findings design_findings(const Tree& tree) {
  Findings findings;
  std::set<std::string> designs;
  for (const SourceFile& file : tree) designs.insert(design_of(file.path));
  designs.erase("private");
  for (const SourceFile& file : tree) {
    if (starts_with(file.path, "platforms/configs/")) add_designs_named(file, designs, findings);
    if (begins_with_one_of(file.path, {"tests/", "model/rtl/", "platforms/catalogue.cpp"})) continue;
    for (const Include& include : includes_of(file.text)) {
      const std::string design = design_of(include.target);
      if (design.empty() || design == "private" || design == design_of(file.path)) continue;
      findings.push_back(finding(file, include.line, "includes " + include.target + ", which the design " + design + " alone has"));
    }
  }
  return findings;
}

bool is_pure(const std::string& path) {
  static const std::set<std::string> kOtherParts = {"model/sm/coalescer.h",
                                                    "model/sm/coalescer.cpp",
                                                    "model/sm/sm_issue.cpp",
                                                    "model/sm/sm_memory.cpp",
                                                    "model/dram/dram_address.h",
                                                    "model/dram/dram_timing.h",
                                                    "model/network/flits.h",
                                                    "model/network/crossbar/crossbar_counters.h",
                                                    "model/network/virtual_channels.h",
                                                    "model/network/node_mask.h",
                                                    "model/network/link_counters.h",
                                                    "model/network/routed/routed_counters.h",
                                                    "model/base/timer_wheel.h",
                                                    "stimuli/stimulus.h"};
  if (begins_with_one_of(path, {"model/base/", "model/cache/", "policies/", "stimuli/", "tests/unit/", "tests/contract/"})) return true;
  if (!design_of(path).empty() && path.find("/unit/") != std::string::npos) return true;
  if (!starts_with(path, "model/")) return false;
  for (const char* part : {"_logic.h", "_logic.cpp", "_params.h"})
    if (ends_with(path, part)) return true;
  return kOtherParts.count(path) != 0;
}

Findings purity_findings(const Tree& tree) {
  Findings findings;
  Reach reach(tree);
  for (const SourceFile& file : tree) {
    if (!is_pure(file.path)) continue;
    const std::string chain = reach.chain(file.path);
    if (!chain.empty()) findings.push_back(file.path + ": is pure and reaches SystemC:" + chain);
  }
  return findings;
}

}  // namespace wharf::lint
