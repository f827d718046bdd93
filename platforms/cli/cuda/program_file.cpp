#include "platforms/cli/cuda/program_file.h"

#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "model/base/error.h"
#include "platforms/cli/cuda/toolchain.h"
#include "platforms/inputs/files.h"
#include "stimuli/cuda/process/executable_check.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

bool is_compiled(const fs::path& file) {
  const std::string extension = file.extension();
  return extension == ".cu" || extension == ".c" || extension == ".cc" || extension == ".cpp" || extension == ".cxx" || extension == ".o" ||
         extension == ".a";
}

}  // namespace

ProgramFile::ProgramFile(std::vector<std::string> files, std::vector<std::string> options)
    : files_(std::move(files)), options_(std::move(options)) {
  if (files_.empty()) return;
  is_source_ = is_compiled(files_.front());
  const auto extra = std::find_if_not(files_.begin(), files_.end(), is_compiled);
  if (files_.size() > 1 && extra != files_.end())
    throw InputError(*(is_source_ ? extra : files_.begin() + 1) + ": is one argument too many; write the program's own arguments after --");
  for (const std::string& file : files_)
    if (!fs::is_regular_file(file))
      throw InputError(file +
                       (fs::exists(file) ? ": is not a file; name a program or its .cu files" : ": there is no such file; check the name"));
  if (is_source_) return;
  if (!options_.empty()) throw InputError("--compile applies to sources, but " + files_.front() + " is not a source; leave --compile out");
  if (kind_of_path(files_.front()) == PathKind::recording) expect_path(files_.front(), PathKind::plugin);
  cuda::check_executable(files_.front());
}

ProgramFile::~ProgramFile() {
  std::error_code ignored;
  if (!scratch_.empty()) fs::remove_all(scratch_, ignored);
}

std::string ProgramFile::path(unsigned compute_capability) {
  if (!is_source_) return fs::absolute(files_.front()).string();
  const fs::path name = fs::path(files_.front()).stem();
  if (!scratch_.empty()) return (scratch_ / name).string();
  std::string pattern = (fs::temp_directory_path() / "wharf-cuda-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw InputError(fmt::format("{}: cannot be created: {}; set TMPDIR to a writable folder", pattern, std::strerror(errno)));
  scratch_ = pattern;
  std::vector<std::string> options = {fmt::format("-arch=sm_{}", compute_capability)};
  options.insert(options.end(), options_.begin(), options_.end());
  compile_program(files_, options, scratch_ / name);
  return (scratch_ / name).string();
}

cuda::ProgramStart program_start(const std::vector<std::string>& command, const std::string& folder) {
  return {command, cuda_runtime_folder().string(), "", folder};
}

std::pair<int, int> channel_of(const std::string& text) {
  int socket = -1, memory = -1, end = 0;
  const bool read = std::sscanf(text.c_str(), "%d,%d%n", &socket, &memory, &end) == 2 && static_cast<std::size_t>(end) == text.size();
  if (!read || fcntl(socket, F_GETFD) < 0 || fcntl(memory, F_GETFD) < 0)
    throw InputError("--channel: " + text + " does not name open descriptors; only Wharf's runtime library passes this option");
  return {socket, memory};
}

}  // namespace wharf::cli
