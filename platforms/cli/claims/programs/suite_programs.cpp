#include "platforms/cli/claims/programs/suite_programs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "model/base/config/tree/document.h"
#include "model/base/text.h"
#include "platforms/cli/yaml_fields.h"
#include "platforms/inputs/files.h"
#include "stimuli/cuda/recording/recording_name.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

using config::Node;

constexpr std::array kStatedBy = {"run_script", "defaults", "chosen"};

bool is_among(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class SuiteProgramsReader {
 public:
  SuiteProgramsReader(const ClaimNames& known, std::string publication, config::Mistakes& mistakes)
      : known_(known), publication_(std::move(publication)), mistakes_(mistakes) {}

  std::vector<SuiteProgram> read(const Node& root) {
    const Node* applications = root.find("applications");
    if (applications == nullptr || !applications->is(Node::Kind::mapping)) {
      mistakes_.add(root.position(), "needs `applications:`, a mapping of suites to their programs");
      return {};
    }
    for (const Node& child : applications->children) {
      if (child.key == "without_source")
        for (const Node& name : child.children) require_known(name.text, name.position());
      else
        read_suite(child);
    }
    for (const std::string& application : known_.applications)
      if (!is_among(named_, application))
        mistakes_.add(applications->key_position(),
                      fmt::format("has no program for {}; give one, or name it in without_source", application));
    return std::move(programs_);
  }

 private:
  void read_suite(const Node& node) {
    Fields fields(node, node.key, mistakes_);
    SuiteProgram program;
    program.suite = node.key;
    program.suite_source = fields.text("source", true);
    const Node* list = fields.find("programs");
    if (list == nullptr || !list->is(Node::Kind::mapping)) {
      fields.complain(list == nullptr ? node : *list, "needs `programs:`, a mapping of applications to programs");
    } else {
      for (const Node& child : list->children) read_program(child, program);
    }
    fields.refuse_others();
  }

  void read_program(const Node& node, SuiteProgram program) {
    require_known(node.key, node.key_position());
    Fields fields(node, node.key, mistakes_);
    program.application = node.key;
    program.where = node.position();
    program.folder = fields.text("folder", false);
    program.sources = fields.texts("program");
    program.compile = fields.texts("compile");
    program.arguments = fields.texts("arguments");
    program.data = fields.texts("data");
    fields.one_of("stated_by", kStatedBy);
    if (const Node* published = fields.find("published"); published != nullptr) {
      if (!published->is(Node::Kind::mapping))
        fields.complain(*published, "published must be a mapping of publications, not " + config::name_of(*published));
      for (const Node& sizes : published->children) read_sizes(sizes, node.key, program);
    }
    fields.refuse_others();
    programs_.push_back(std::move(program));
  }

  /// The arguments that a publication states, which replace the suite's.
  void read_sizes(const Node& node, const std::string& application, SuiteProgram& program) {
    if (!is_among(known_.publications, node.key))
      mistakes_.add(node.key_position(), fmt::format("{}: no claim belongs to a publication {}; there are {}", application, quote(node.key),
                                                     join(known_.publications)));
    Fields fields(node, application + ": " + node.key, mistakes_);
    const std::vector<std::string> compile = fields.texts("compile"), arguments = fields.texts("arguments"), data = fields.texts("data");
    fields.text("table", true);
    if (compile.empty() && arguments.empty()) fields.complain(node, "has neither arguments nor compile; give one of them");
    fields.refuse_others();
    if (node.key != publication_) return;
    if (!compile.empty()) program.compile = compile;
    if (!arguments.empty()) program.arguments = arguments;
    if (!data.empty()) program.data = data;
  }

  void require_known(const std::string& application, const config::Position& at) {
    const std::string likely = did_you_mean(application, known_.applications);
    if (!is_among(known_.applications, application))
      mistakes_.add(
          at, fmt::format("no claim is measured over an application {}{}", quote(application), likely.empty() ? "; take it out" : likely));
    if (is_among(named_, application)) mistakes_.add(at, application + " is in another suite too; keep one");
    named_.push_back(application);
  }

  const ClaimNames& known_;
  const std::string publication_;
  config::Mistakes& mistakes_;
  std::vector<std::string> named_;
  std::vector<SuiteProgram> programs_;
};

std::string in(const fs::path& folder, const std::string& file) { return (folder / file).lexically_normal().string(); }

/// -I names folders from the program's.
std::vector<std::string> options_in(const fs::path& folder, std::vector<std::string> options) {
  for (std::string& option : options)
    if (option.rfind("-I", 0) == 0) option = "-I" + in(folder, option.substr(2));
  return options;
}

/// The program's folder in the user's; the suite's where it lacks that.
fs::path folder_of(const SuiteProgram& suite, const fs::path& base) {
  const fs::path folder = suite.folder.empty() ? base : (base / suite.folder).lexically_normal();
  return fs::is_directory(folder) ? folder : base;
}

/// The reason why a program cannot be run; empty if it can.
std::string lack_of(const SuiteProgram& suite, const fs::path& base, bool is_built) {
  const fs::path built = base / suite.application;
  if (!is_built && suite.sources.empty())
    return fmt::format("{0}: {1}.wcr, a recording, or {1}, a program, is missing; build it from {2}", suite.application, built.string(),
                       suite.suite_source);
  std::vector<std::string> files = suite.data;
  if (!is_built) files.insert(files.begin(), suite.sources.begin(), suite.sources.end());
  const fs::path folder = base / suite.folder;
  const auto missing = std::find_if(files.begin(), files.end(), [&](const std::string& file) { return !fs::exists(in(folder, file)); });
  if (missing == files.end()) return {};
  return fmt::format("{}: {} is missing; it comes with {}", suite.application, in(folder, *missing), suite.suite_source);
}

/// Nothing where `missing` says what belongs where.
std::optional<ClaimProgram> find_program(const SuiteProgram& suite, const fs::path& base, std::vector<std::string>& missing) {
  ClaimProgram program;
  program.application = suite.application;
  program.where = suite.where;
  if (const fs::path recording = base / (suite.application + ".wcr"); fs::exists(recording)) {
    program.recording = cuda::kPrefix + recording.string();
    return program;
  }
  const fs::path built = base / suite.application;
  const bool is_built = fs::is_regular_file(built);
  if (std::string lack = lack_of(suite, base, is_built); !lack.empty()) {
    missing.push_back(std::move(lack));
    return std::nullopt;
  }
  const fs::path folder = folder_of(suite, base);
  program.folder = folder.string();
  program.arguments = suite.arguments;
  if (is_built) {
    program.files = {built.string()};
    return program;
  }
  for (const std::string& source : suite.sources) program.files.push_back(in(folder, source));
  program.compile = options_in(folder, suite.compile);
  return program;
}

}  // namespace

ClaimNames names_of(const std::vector<Claim>& claims) {
  ClaimNames names = {applications_of(claims), {}};
  for (const Claim& claim : claims)
    if (!is_among(names.publications, claim.source)) names.publications.push_back(claim.source);
  return names;
}

std::vector<SuiteProgram> load_suite_programs(const fs::path& file, const ClaimNames& known, const std::string& publication) {
  config::Mistakes mistakes;
  const Node root = config::read_document(file, mistakes);
  std::vector<SuiteProgram> programs;
  if (mistakes.empty()) programs = SuiteProgramsReader(known, publication, mistakes).read(root);
  mistakes.throw_if_any();
  return programs;
}

std::vector<SuiteProgram> suite_programs(const ClaimNames& known, const std::string& publication) {
  return load_suite_programs(project_root() / "stimuli" / "suites.yaml", known, publication);
}

FoundPrograms find_programs(const std::vector<SuiteProgram>& suites, const std::vector<std::string>& applications, const fs::path& folder) {
  FoundPrograms found;
  std::vector<std::string> absent;  // suites
  for (const SuiteProgram& suite : suites) {
    if (!is_among(applications, suite.application) || is_among(absent, suite.suite)) continue;
    const fs::path base = folder / suite.suite;
    if (!fs::is_directory(base)) {
      found.missing.push_back(fmt::format("{} is missing: {} belongs there", base.string(), suite.suite_source));
      absent.push_back(suite.suite);
    } else if (std::optional<ClaimProgram> program = find_program(suite, base, found.missing); program) {
      found.programs.push_back(*program);
    }
  }
  return found;
}

}  // namespace wharf::cli
