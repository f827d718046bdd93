// All coefficients of the energy model are in one folder, each with its source (common section 14).

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <sstream>

#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace {

/// The lines of the group `energy` with a value that has no mark and source after it.
std::vector<std::string> without_source(const std::string& yaml) {
  static const std::regex kValue("^ +[a-z0-9_]+: +[^ #{].*"), kSourced("^ +[a-z0-9_]+: +[^ #]+ +# [SPDCFK]: [^ ].+");
  std::vector<std::string> missing;
  std::istringstream lines(yaml);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') inside = line.rfind("energy:", 0) == 0;
    if (inside && line.find('{') != std::string::npos) missing.push_back(line);  // one value per line
    if (inside && std::regex_match(line, kValue) && !std::regex_match(line, kSourced)) missing.push_back(line);
  }
  return missing;
}

/// The lines of a resolved configuration that belong to the energy model.
std::string energy_of(const std::string& yaml) {
  std::istringstream lines(yaml);
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') inside = line.rfind("energy:", 0) == 0;
    if (inside) text += line + '\n';
  }
  return text;
}

TEST_CASE("each coefficient of the energy model has a mark and a source") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(configuration_root())) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string yaml = read_file(entry.path());
    if (energy_of(yaml).empty()) continue;
    ++files;
    INFO(entry.path().string());
    CHECK(without_source(yaml) == std::vector<std::string>{});
  }
  CHECK(files >= 2);
}

TEST_CASE("a coefficient without a source, without a mark, or beside another is found") {
  CHECK(without_source("energy:\n  l2:\n    read_pj: 1    # C: me\n").empty());
  CHECK(without_source("energy:\n  l2:\n    read_pj: 1\n").size() == 1);
  CHECK(without_source("energy:\n  l2:\n    read_pj: 1  # me\n").size() == 1);
  CHECK(without_source("energy:\n  l2:\n    read_pj: 1  # C:\n").size() == 1);
  CHECK(without_source("energy:\n  l2: {read_pj: 1, write_pj: 2}  # C: me\n").size() == 1);
  CHECK(without_source("l2:\n  ways: 8\n").empty());
}

TEST_CASE("the YAML of the coefficients names every one of them, with the value that stands for it in the program") {
  const std::string yaml = read_file(configuration_root() / "energy" / "default.yaml");
  const auto keys = [](const std::string& text) {
    std::vector<std::string> keys;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) keys.push_back(line.substr(0, line.find(':')));
    return keys;
  };
  GpuParams params;
  const std::string defaults = energy_of(config::dump(params));
  CHECK(keys(energy_of(yaml)) == keys(defaults));
  CHECK(energy_of(load_configuration("energy/default", {}, "").resolved_yaml) == defaults);
}

TEST_CASE("every GPU has the coefficients, and a design moved to another GPU takes those of that one") {
  for (const auto& entry : std::filesystem::directory_iterator(configuration_root() / "gpus")) {
    const std::string name = "gpus/" + entry.path().stem().string();
    INFO(name);
    const Configuration gpu = load_configuration(name, {}, "");
    const Configuration moved = load_configuration("dc_l1/private@" + entry.path().stem().string(), {}, "");
    CHECK(energy_of(moved.resolved_yaml) == energy_of(gpu.resolved_yaml));
  }
}

}  // namespace
}  // namespace wharf::cli
