#pragma once
// `wharf nvcc`: compiles and links CUDA programs with clang (CU-62).

#include <string>
#include <vector>

#include "stimuli/cuda/compiler/clang_commands.h"
#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda {

class NvccCompiler {
 public:
  explicit NvccCompiler(Toolchain tools) : tools_(std::move(tools)) {}

  /// Does what nvcc would do with these options. Returns the exit code: 0, or that of the compiler that failed, which has printed its own
  /// messages. Throws InputError where a file cannot be read or written or clang cannot be started.
  int run(const NvccOptions& options);
  /// For the user: repairs of sources, ignored options. Valid after run().
  const std::vector<std::string>& notes() const { return notes_; }
  /// The PTX of each .cu file that run() has compiled, for -Xptxas -v.
  const std::vector<PtxText>& modules() const { return modules_; }

 private:
  int compile_cuda(const NvccOptions& options, const std::string& path, const std::string& scratch, const std::string& object);
  int compile_ptx(const NvccOptions& options, const std::string& source, const std::string& path, const std::string& ptx);
  std::string repaired(const std::string& path, const std::string& scratch);
  void note_missing_headers(NvccOptions options, const std::string& path, const std::string& rule);
  int link_device_code(const NvccOptions& options, const std::string& scratch, std::vector<std::string>& objects);
  int execute(const NvccOptions& options, const CommandLine& command);

  Toolchain tools_;
  std::vector<std::string> notes_;
  std::vector<PtxText> modules_;
};

/// Runs a command with this process's own input and output and waits. A file named `output` takes its standard output. Returns its exit code,
/// 128 + signal where a signal ended it. Throws InputError where it cannot be started.
int run_command(const CommandLine& command, const std::string& output = "");

}  // namespace wharf::cuda
