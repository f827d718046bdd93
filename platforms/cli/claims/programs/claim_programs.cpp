#include "platforms/cli/claims/programs/claim_programs.h"

#include <fmt/core.h>

#include <algorithm>

#include "model/base/config/kinds.h"
#include "model/base/config/tree/document.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/cuda/program_file.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/yaml_fields.h"
#include "platforms/inputs/files.h"
#include "stimuli/cuda/compiler/clang_commands.h"
#include "stimuli/cuda/recording/recording_name.h"
#include "stimuli/kernel_choice.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

using config::Node;

/// Calls `check`; what it throws becomes a mistake at `at`.
template <class Check>
void check_at(const config::Position& at, const std::string& of, config::Mistakes& mistakes, const Check& check) {
  try {
    check();
  } catch (const InputError& error) {
    mistakes.add(at, of + ": " + error.what());
  }
}

std::string named_in(const fs::path& folder, const std::string& file) { return (folder / file).lexically_normal().string(); }

class ProgramsReader {
 public:
  ProgramsReader(fs::path folder, const std::vector<std::string>& known, config::Mistakes& mistakes)
      : folder_(std::move(folder)), known_(known), mistakes_(mistakes) {}

  std::vector<ClaimProgram> read(const Node& root) {
    Fields fields(root, "programs file", mistakes_);
    std::vector<ClaimProgram> programs;
    const Node* map = fields.find("programs");
    if (map == nullptr || !map->is(Node::Kind::mapping) || map->children.empty()) {
      fields.complain(map == nullptr ? root : *map, "needs `programs:`, a mapping of applications to programs such as `bfs: cuda:bfs.wcr`");
    } else {
      for (const Node& node : map->children) programs.push_back(read_program(node));
    }
    fields.refuse_others();
    return programs;
  }

 private:
  ClaimProgram read_program(const Node& node) {
    ClaimProgram program;
    program.application = node.key;
    program.where = node.position();
    if (std::find(known_.begin(), known_.end(), node.key) == known_.end())
      mistakes_.add(node.key_position(),
                    fmt::format("no claim is measured over an application {}{}'wharf list suites' shows the groups, whose members "
                                "are named application@size",
                                quote(node.key), suggestion(node.key.substr(0, node.key.find_first_of("@:")), known_)));
    if (node.is(Node::Kind::mapping))
      read_parts(node, program);
    else if (node.is(Node::Kind::scalar) && !node.text.empty())
      read_file_name(node.text, program);
    else
      mistakes_.add(program.where,
                    fmt::format("{}: needs a recording, a program, or a mapping with `program:`, not {}", node.key, config::name_of(node)));
    if (!program.recording.empty() || !program.files.empty()) check_at(program.where, node.key, mistakes_, [&] { check(program); });
    return program;
  }

  void read_parts(const Node& node, ClaimProgram& program) {
    Fields fields(node, node.key, mistakes_);
    const std::vector<std::string> files = fields.texts("program");
    if (files.empty()) fields.complain(node, "has no program; name a recording, a program or CUDA sources");
    program.arguments = texts_or_none(fields, "arguments");
    program.compile = texts_or_none(fields, "compile");
    program.kernels = fields.text("kernels", false);
    fields.refuse_others();
    if (files.size() == 1) return read_file_name(files.front(), program);
    for (const std::string& file : files) program.files.push_back(named_in(folder_, file));
  }

  /// `arguments: []` is a list without entries.
  static std::vector<std::string> texts_or_none(Fields& fields, const char* key) {
    const Node* found = fields.find(key);
    return found != nullptr && found->is(Node::Kind::sequence) && found->children.empty() ? std::vector<std::string>() : fields.texts(key);
  }

  void read_file_name(const std::string& name, ClaimProgram& program) const {
    if (cuda::is_recording(name))
      program.recording = as_named_in(folder_, name);
    else
      program.files = {named_in(folder_, name)};
  }

  static void check(const ClaimProgram& program) {
    if (!program.recording.empty()) {
      if (!program.arguments.empty() || !program.compile.empty() || !program.kernels.empty())
        throw InputError(
            program.recording +
            " is a recording, which already contains the arguments; leave them out, and select kernels after its name, such as cuda:FILE:3-7");
      return check_stimulus(program.recording);
    }
    ProgramFile(program.files, program.compile);  // which does not compile yet
    std::string kernels = program.kernels;
    strip_warm_suffix(kernels);
    if (!program.kernels.empty()) KernelChoice("kernels", kernels);
  }

  const fs::path folder_;
  const std::vector<std::string>& known_;
  config::Mistakes& mistakes_;
};

}  // namespace

std::string ClaimProgram::text() const {
  if (!recording.empty()) return recording;
  std::vector<std::string> words = files;
  words.insert(words.end(), arguments.begin(), arguments.end());
  return cuda::to_text(words);
}

std::vector<std::string> applications_of(const std::vector<Claim>& claims) {
  std::vector<std::string> applications;
  for (const Claim& claim : claims)
    for (const Measure& measure : claim.measures)
      for (const std::string& workload : measure.workloads.workloads()) {
        const std::string application = workload_of(workload);
        if (std::find(applications.begin(), applications.end(), application) == applications.end()) applications.push_back(application);
      }
  return applications;
}

std::vector<ClaimProgram> load_claim_programs(const fs::path& file_or_folder, const std::vector<std::string>& known) {
  const fs::path file = fs::is_directory(file_or_folder) ? file_or_folder / "programs.yaml" : file_or_folder;
  if (fs::exists(file)) expect_path(file, PathKind::yaml);
  config::Mistakes mistakes;
  const Node root = config::read_document(file, mistakes);
  config::expect_kind(root, config::FileKind::programs, mistakes);
  std::vector<ClaimProgram> programs;
  if (mistakes.empty()) programs = ProgramsReader(file.parent_path(), known, mistakes).read(root);
  mistakes.throw_if_any();
  return programs;
}

Claim over_programs(const Claim& claim, const ProgramStimuli& programs) {
  Claim over = claim;
  for (Measure& measure : over.measures) {
    std::vector<Suite::Member> members;
    for (Suite::Member member : measure.workloads.members) {
      const auto program = programs.find(workload_of(member.workload));
      if (program == programs.end()) continue;
      const std::uint64_t limit = limit_of_stimulus(member.workload);
      const bool is_limited = limit != kNever && limit_of_stimulus(program->second) == kNever;
      member.workload = is_limited ? limited_stimulus(program->second, limit) : program->second;
      const bool is_listed =
          std::any_of(members.begin(), members.end(), [&](const Suite::Member& other) { return other.workload == member.workload; });
      if (!is_listed) members.push_back(member);
    }
    measure.workloads.members = members;
    measure.fill_ins = {};  // a part of the group has no published size
  }
  return over;
}

std::vector<std::string> without_program(const Claim& claim, const std::vector<std::string>& with_program) {
  std::vector<std::string> applications = applications_of({claim});
  const auto has_one = [&](const std::string& application) {
    return std::find(with_program.begin(), with_program.end(), application) != with_program.end();
  };
  applications.erase(std::remove_if(applications.begin(), applications.end(), has_one), applications.end());
  return applications;
}

}  // namespace wharf::cli
