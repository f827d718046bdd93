#include "stimuli/suites.h"

#include <algorithm>

#include "model/base/config/tree/document.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/recorded_names.h"

namespace wharf {
namespace {

using config::Node;

/// No suite: the applications' programs, which platforms/cli/claims/programs/suite_programs.h reads.
constexpr const char* kApplicationsKey = "applications";

class SuiteReader {
 public:
  SuiteReader(std::filesystem::path folder, config::Mistakes& mistakes) : folder_(std::move(folder)), mistakes_(mistakes) {}

  void read(const Node& node) {
    Suite suite{node.key, {}};
    if (node.is(Node::Kind::mapping)) {
      read_group(node, suite);
    } else {
      read_list(node, suite, false);
    }
    if (suite.members.empty() && mistakes_.empty()) mistakes_.add(node.position(), node.key + ": names no workload");
    suites_.push_back(std::move(suite));
  }

  std::vector<Suite> take() { return std::move(suites_); }

 private:
  void read_group(const Node& node, Suite& suite) {
    for (const Node& part : node.children) {
      if (part.key == "named" || part.key == "fill_ins") {
        read_list(part, suite, part.key == "fill_ins");
      } else if (part.key == "of") {
        read_parts(part, suite);
      } else {
        mistakes_.add(part.key_position(), suite.name + ": unknown key " + quote(part.key) + "; a group has named, fill_ins or of");
      }
    }
  }

  void read_list(const Node& list, Suite& suite, bool fill_in) {
    if (!list.is(Node::Kind::sequence) || (list.children.empty() && list.key == suite.name)) {
      mistakes_.add(list.position(), suite.name + ": a suite is a list of workloads, e.g. [gemm@std, atax@std], or a group");
      return;
    }
    for (const Node& item : list.children) {
      if (item.is(Node::Kind::scalar)) {
        add(suite, {as_named_in(folder_, item.text), fill_in, item.position()});
      } else {
        mistakes_.add(item.position(), suite.name + ": a workload is a text such as gemm@std, not " + config::name_of(item));
      }
    }
  }

  void read_parts(const Node& parts, Suite& suite) {
    for (const Node& part : parts.children) {
      const auto found = std::find_if(suites_.begin(), suites_.end(), [&](const Suite& other) { return other.name == part.text; });
      if (found == suites_.end()) {
        mistakes_.add(part.position(), suite.name + ": there is no suite " + quote(part.text) + " above it");
        continue;
      }
      for (Suite::Member member : found->members) {
        member.where = part.position();
        add(suite, std::move(member));
      }
    }
  }

  void add(Suite& suite, Suite::Member member) {
    const auto same = [&](const Suite::Member& other) { return other.workload == member.workload; };
    if (std::any_of(suite.members.begin(), suite.members.end(), same)) {
      mistakes_.add(member.where, suite.name + ": " + member.workload + " is named twice; keep one");
    } else {
      suite.members.push_back(std::move(member));
    }
  }

  const std::filesystem::path folder_;  // of the file
  config::Mistakes& mistakes_;
  std::vector<Suite> suites_;
};

}  // namespace

std::vector<std::string> Suite::workloads() const {
  std::vector<std::string> all;
  for (const Member& member : members) all.push_back(member.workload);
  return all;
}

bool Suite::partly_named() const {
  return std::any_of(members.begin(), members.end(), [](const Member& member) { return member.fill_in; });
}

std::vector<Suite> load_suites(const std::filesystem::path& file) {
  config::Mistakes mistakes;
  const Node root = config::read_document(file, mistakes);
  SuiteReader reader(file.parent_path(), mistakes);
  for (const Node& node : root.children)
    if (node.key != kApplicationsKey) reader.read(node);
  mistakes.throw_if_any();
  return reader.take();
}

void check_workloads(const Suite& suite, const std::function<void(const std::string&)>& check) {
  config::Mistakes mistakes;
  for (const Suite::Member& member : suite.members) {
    try {
      check(member.workload);
    } catch (const InputError& error) {
      mistakes.add(member.where, suite.name + ": " + error.what());
    }
  }
  mistakes.throw_if_any();
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
