#include "stimuli/suites.h"

#include <algorithm>

#include "model/base/config/document.h"
#include "model/base/config/mistakes.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/catalogue.h"

namespace wharf {
namespace {

Suite read_suite(const config::Node& node, config::Mistakes& mistakes) {
  Suite suite{node.key, {}};
  if (!node.is(config::Node::Kind::sequence) || node.children.empty()) {
    mistakes.add(node.position(), node.key + ": a suite is a list of workloads, e.g. [gemm@std, atax@std]");
    return suite;
  }
  for (const config::Node& item : node.children) {
    if (!item.is(config::Node::Kind::scalar)) {
      mistakes.add(item.position(), node.key + ": a workload is a text such as gemm@std, not " + config::name_of(item));
      continue;
    }
    if (std::find(suite.workloads.begin(), suite.workloads.end(), item.text) != suite.workloads.end()) {
      mistakes.add(item.position(), node.key + ": " + item.text + " is named twice; keep one");
      continue;
    }
    try {
      check_stimulus(item.text);
      suite.workloads.push_back(item.text);
    } catch (const InputError& error) {
      mistakes.add(item.position(), node.key + ": " + error.what());
    }
  }
  return suite;
}

}  // namespace

std::vector<Suite> load_suites(const std::filesystem::path& file) {
  config::Mistakes mistakes;
  const config::Node root = config::read_document(file, mistakes);
  std::vector<Suite> suites;
  for (const config::Node& node : root.children) suites.push_back(read_suite(node, mistakes));
  mistakes.throw_if_any();
  return suites;
}

const Suite& find_suite(const std::vector<Suite>& suites, std::string_view name) {
  std::vector<std::string> names;
  for (const Suite& suite : suites) {
    if (suite.name == name) return suite;
    names.push_back(suite.name);
  }
  const std::string likely = did_you_mean(name, names);
  throw InputError("unknown suite " + quote(name) + (likely.empty() ? ";" : likely) + " there are " + join(names, names.size()));
}

}  // namespace wharf
