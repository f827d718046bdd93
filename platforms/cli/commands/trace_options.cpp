#include "platforms/cli/commands/trace_options.h"

namespace wharf::cli {

void declare_strict_opcodes(CommandLine& arguments) {
  arguments.flag("strict-opcodes", "of traces: refuse opcodes that no table lists, instead of guessing from their lines what they do");
}

void declare_trace_options(CommandLine& arguments) {
  declare_strict_opcodes(arguments);
  arguments.flag("skip-bad-kernels", "of traces: pass over kernels that cannot be read, with a warning; each is read once before it starts");
}

void take_trace_options(const CommandLine& arguments, RunSpec& spec) {
  spec.strict_opcodes = arguments.has("strict-opcodes");
  spec.skip_bad_kernels = arguments.has("skip-bad-kernels");
}

}  // namespace wharf::cli
