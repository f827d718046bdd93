#pragma once
// The program that `wharf cuda` runs: a file that is there, or sources that are compiled first.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/cuda/process/start_program.h"

namespace wharf::cli {

class ProgramFile {
 public:
  /// `files`: one program, or sources and objects. `options`: of `wharf nvcc`, for sources. Throws InputError for files that are missing or
  /// of another kind.
  ProgramFile(std::vector<std::string> files, std::vector<std::string> options);
  /// Removes what it has compiled.
  ~ProgramFile();
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;

  /// Compiles sources at the first call, for a device of that compute capability (70 for 7.0) unless the options name one. Throws
  /// InputError where they are no good.
  std::string path(unsigned compute_capability = 70);

 private:
  std::vector<std::string> files_, options_;
  bool is_source_ = false;
  std::filesystem::path scratch_;  // empty until something is compiled
};

/// How the program is started. `command`: its path and arguments. `folder`: where it runs; empty: where the command does.
cuda::ProgramStart program_start(const std::vector<std::string>& command, const std::string& folder);

/// The descriptors SOCKET,MEMORY of --channel. Throws InputError where they are none of this process.
std::pair<int, int> channel_of(const std::string& text);

}  // namespace wharf::cli
