#include "stimuli/cuda/compiler/nvcc_compiler.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "model/base/error.h"
#include "stimuli/cuda/compiler/device_link.h"
#include "stimuli/cuda/compiler/intermediate/internal_variables.h"
#include "stimuli/cuda/compiler/intermediate/managed_variables.h"
#include "stimuli/cuda/compiler/intermediate/member_copies.h"
#include "stimuli/cuda/compiler/intermediate/sign_fields.h"
#include "stimuli/cuda/compiler/intermediate/wide_copies.h"
#include "stimuli/cuda/compiler/missing_headers.h"
#include "stimuli/cuda/compiler/source_repairs.h"
#include "stimuli/cuda/modules/container.h"

namespace wharf::cuda {
namespace {

namespace fs = std::filesystem;

/// A folder of its own that is removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "wharf-nvcc-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw InputError(fmt::format("{}: cannot be created: {}; set TMPDIR to a folder that can be written", pattern, std::strerror(errno)));
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  if (!file) throw InputError(fmt::format("{}: cannot be read: {}; check the path and its permissions", path, std::strerror(errno)));
  return contents.str();
}

void write_file(const std::string& path, const std::string& contents) {
  std::ofstream file(path, std::ios::binary);
  file << contents;
  file.close();
  if (!file) throw InputError(fmt::format("{}: cannot be written: {}; check the folder and the space left", path, std::strerror(errno)));
}

std::string with_extension(const std::string& path, const char* extension) {
  return fs::path(path).filename().replace_extension(extension).string();
}

/// Throws InputError where the device code of `path` takes a function or a variable from another file.
void require_whole(const std::string& path, const std::string& ptx) {
  static const std::set<std::string> kSystemFunctions = {"vprintf", "__assertfail", "malloc", "free"};
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(".extern .func", 0) != 0 && line.rfind(".extern .global", 0) != 0 && line.rfind(".extern .const", 0) != 0) continue;
    line.erase(line.find_last_not_of(" ;(\r") + 1);
    const std::size_t result = line.rfind(')'), size = line.find('[');  // of a function, before its name; of an array, behind it
    if (result != std::string::npos)
      line.erase(0, result + 1);
    else if (size != std::string::npos)
      line.erase(size);
    const std::string name = line.substr(line.find_last_of(" \t)") + 1);
    if (kSystemFunctions.count(name) == 0)
      throw InputError(fmt::format("wharf nvcc: {}: the device code uses {} of another file; compile with -dc or -rdc=true", path, name));
  }
}

/// clang writes the one target that it is told; inline assembly may have what later ones have.
std::string with_target(std::string ptx, unsigned architecture) {
  const std::string written = ".target sm_70";
  if (const std::size_t at = ptx.find(written); at != std::string::npos && architecture > 70)
    ptx.replace(at, written.size(), fmt::format(".target sm_{}", architecture));
  return ptx;
}

/// Bounds the registers of kernels as the assembler does: a kernel with launch bounds has a bound of its own.
std::string with_register_limit(std::string ptx, unsigned limit) {
  if (limit == 0) return ptx;
  const std::string directive = fmt::format(".maxnreg {}\n", limit), end_of_parameters = ")\n";
  for (std::size_t at = ptx.find(".entry "); at != std::string::npos; at = ptx.find(".entry ", at)) {
    at = ptx.find(end_of_parameters, at);
    if (at == std::string::npos) break;
    at += end_of_parameters.size();
    if (ptx[at] == '{') ptx.insert(at, directive);
  }
  return ptx;
}

/// True if one of the user's files, which the rule of a Makefile lists, has the word `__managed__`.
bool has_managed_variables(const std::string& rule) {
  std::istringstream words(rule);
  for (std::string path; words >> path;) {
    while (path.size() > 1 && path.back() == '\\') {  // a blank in the path
      path.back() = ' ';
      std::string rest;
      words >> rest;
      path += rest;
    }
    if (fs::is_regular_file(path) && read_file(path).find("__managed__") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

int NvccCompiler::run(const NvccOptions& options) {
  notes_ = options.notes;
  modules_.clear();
  for (const std::string& ignored : options.ignored) notes_.push_back(ignored + " has no effect: there is no machine code");
  const ScratchFolder scratch;
  std::vector<std::string> objects;
  for (const Input& input : options.inputs) {
    if (input.language == Language::object) {
      objects.push_back(input.path);
      continue;
    }
    int failed = 0;
    if (options.action == NvccOptions::Action::dependencies) {
      failed = execute(options, dependency_command(tools_, options, input));
    } else if (options.action == NvccOptions::Action::ptx) {
      if (input.language != Language::cuda)
        throw InputError(fmt::format("wharf nvcc: {}: only a .cu file has PTX; leave it out", input.path));
      // By way of a file that can be read again, which /dev/stdout cannot.
      failed = compile_ptx(options, repaired(input.path, scratch.path()), input.path, scratch.path() + "/device.ptx");
      if (failed == 0) write_file(options.output.empty() ? with_extension(input.path, ".ptx") : options.output, modules_.back().text);
    } else {
      const bool keeps = options.action == NvccOptions::Action::compile;
      std::string object = fmt::format("{}/{}.o", scratch.path(), objects.size());
      if (keeps) object = options.output.empty() ? with_extension(input.path, ".o") : options.output;
      objects.push_back(object);
      failed = input.language == Language::cuda ? compile_cuda(options, input.path, scratch.path(), object)
                                                : execute(options, plain_command(tools_, options, input, object));
    }
    if (failed != 0) return failed;
  }
  if (options.action != NvccOptions::Action::link && options.action != NvccOptions::Action::device_link) return 0;
  if (const int failed = link_device_code(options, scratch.path(), objects); failed != 0) return failed;
  if (options.action == NvccOptions::Action::device_link) return 0;
  return execute(options, link_command(tools_, options, objects, options.output.empty() ? "a.out" : options.output));
}

/// Adds the stub that relocatable device code needs, if any, to `objects`. With -dlink the stub is the output.
int NvccCompiler::link_device_code(const NvccOptions& options, const std::string& scratch, std::vector<std::string>& objects) {
  const std::string symbols = scratch + "/symbols", source = scratch + "/group.c";
  const bool is_output = options.action == NvccOptions::Action::device_link;
  CommandLine list = {"nm"};
  // Shared libraries are linked already, and the linker says which file it misses.
  std::copy_if(objects.begin(), objects.end(), std::back_inserter(list), [&](const std::string& path) {
    return is_output || (fs::exists(path) && fs::path(path).filename().string().find(".so") == std::string::npos);
  });
  if (list.size() == 1) return 0;
  if (options.verbose) std::fprintf(stderr, "%s\n", to_text(list).c_str());
  // A file without symbols, such as a linker script, is the linker's to judge.
  if (const int failed = run_command(list, symbols); failed != 0 && is_output) return failed;
  const std::vector<std::string> unlinked = unlinked_objects(read_file(symbols));
  if (unlinked.empty() && !is_output) return 0;
  write_file(source, unlinked.empty() ? "" : group_stub(unlinked));
  const std::string object = !is_output ? scratch + "/group.o" : options.output.empty() ? "a_dlink.o" : options.output;
  objects.push_back(object);
  return execute(options, stub_command(tools_, options, source, object));
}

int NvccCompiler::compile_cuda(const NvccOptions& options, const std::string& path, const std::string& scratch, const std::string& object) {
  const std::string ptx = scratch + "/device.ptx", container = scratch + "/device.container";
  const std::string source = repaired(path, scratch);
  if (const int failed = compile_ptx(options, source, path, ptx); failed != 0) return failed;
  write_file(container, pack_container({modules_.back()}));
  if (!has_managed_variables(read_file(ptx + ".d")))
    return execute(options, host_command(tools_, options, source, path, container, object));
  const std::string module = scratch + "/host.ll";
  if (const int failed = execute(options, host_module_command(tools_, options, source, path, container, object, module)); failed != 0)
    return failed;
  write_file(module, with_managed_pointers(read_file(module), "wharf nvcc: " + path));
  return execute(options, host_object_command(tools_, options, module, object));
}

int NvccCompiler::compile_ptx(const NvccOptions& options, const std::string& source, const std::string& path, const std::string& ptx) {
  const std::string module = ptx + ".ll";
  CommandLine first = device_command(tools_, options, source, path, module);
  first.insert(first.end(), {"-MMD", "-MF", ptx + ".d"});
  if (const int failed = execute(options, first); failed != 0) {
    note_missing_headers(options, path, ptx + ".rule");
    return failed;
  }
  write_file(module, with_member_copies(with_host_access(read_file(module))));
  const std::string optimised = ptx + ".optimised.ll";
  if (const int failed = execute(options, optimise_command(tools_, options, module, optimised)); failed != 0) return failed;
  write_file(optimised, with_wide_copies(read_file(optimised)));
  if (const int failed = execute(options, ptx_command(tools_, options, optimised, ptx)); failed != 0) return failed;
  // Without the names of scratch files: the same source gives the same program and recording.
  modules_.push_back({path, to_text(device_command(tools_, options, path, path, with_extension(path, ".ll"))),
                      with_register_limit(with_target(with_sign_fields(read_file(ptx)), options.architecture), options.register_limit)});
  if (options.relocatable)
    modules_.back().text = with_private_names(modules_.back().text);
  else
    require_whole(path, modules_.back().text);
  return 0;
}

/// Explains headers of a source that did not compile. The rule of a Makefile with its headers is written to a file `rule`.
void NvccCompiler::note_missing_headers(NvccOptions options, const std::string& path, const std::string& rule) {
  options.dependencies = {"-M", "-MG"};
  options.output.clear();
  if (run_command(dependency_command(tools_, options, {path, Language::cuda}), rule) != 0) return;
  for (const std::string& note : notes_on_missing_headers(read_file(rule))) notes_.push_back(path + ": " + note);
}

/// The path of a source that clang accepts: the file itself, or a repaired copy whose lines count as the file's.
std::string NvccCompiler::repaired(const std::string& path, const std::string& scratch) {
  const RepairedSource source = repair_source(read_file(path));
  if (source.repairs.empty()) return path;
  const std::string copy = fmt::format("{}/repaired-{}.cu", scratch, modules_.size());
  for (const Repair& repair : source.repairs) notes_.push_back(fmt::format("{}:{}: {}", path, repair.line, repair.what));
  write_file(copy, fmt::format("#line 1 \"{}\"\n{}", path, source.text));
  return copy;
}

int NvccCompiler::execute(const NvccOptions& options, const CommandLine& command) {
  if (options.verbose) std::fprintf(stderr, "%s\n", to_text(command).c_str());
  return run_command(command);
}

int run_command(const CommandLine& command, const std::string& output) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!output.empty()) posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw InputError(
        fmt::format("{}: cannot be started: {}; install clang 14 or newer (Debian: apt install clang-14), or name another compiler with "
                    "-ccbin",
                    command[0], std::strerror(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace wharf::cuda
