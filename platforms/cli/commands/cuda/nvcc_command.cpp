// nvcc: compiles CUDA programs as nvcc does, by clang.

#include <fmt/ostream.h>

#include <ostream>

#include "model/base/error.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/cuda/kernel_list.h"
#include "platforms/cli/cuda/toolchain.h"
#include "platforms/cli/program.h"
#include "platforms/cli/terminal/command_line.h"
#include "stimuli/cuda/compiler/nvcc_compiler.h"

namespace wharf::cli {

int nvcc_command(const Context& context) {
  CommandLine declared(
      "nvcc [nvcc's options] FILES...",
      "Compiles and links CUDA programs for 'wharf cuda', with clang and Wharf's own headers and libraries: no CUDA toolkit is\n"
      "needed. Takes nvcc's usual options, so that make NVCC='wharf nvcc' works with an existing Makefile. Options for machine\n"
      "code have no effect, but for -arch, which __CUDA_ARCH__ shows; unsupported options are refused by name. docs/howto-cuda.md.");
  const std::vector<std::string>& arguments = context.arguments;
  if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == kDeclare)) {
    declared.parse(arguments, context.out);
    return kDone;
  }
  if (arguments == std::vector<std::string>{"--version"}) {
    // Build systems look for this line.
    fmt::print(context.out, "wharf nvcc, by clang\nCuda compilation tools, release 11.2, V11.2.0\n");
    return kDone;
  }
  const cuda::NvccOptions options = cuda::parse_nvcc_options(arguments);
  cuda::NvccCompiler compiler(cuda_toolchain());
  const int code = compiler.run(options);
  for (const std::string& note : compiler.notes()) fmt::print(context.err, "wharf nvcc: {}\n", note);
  if (code == 0 && options.report_registers) print_registers(compiler.modules(), context.err);
  return code;
}

}  // namespace wharf::cli
