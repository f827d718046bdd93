#include "platforms/cli/commands/trace_options.h"

namespace wharf::cli {

void declare_trace_options(CommandLine& arguments) {
  arguments.flag("strict-opcodes", "of traces: refuse opcodes that no table lists, instead of guessing from their lines what they do");
}

void take_trace_options(const CommandLine& arguments, RunSpec& spec) { spec.strict_opcodes = arguments.has("strict-opcodes"); }

}  // namespace wharf::cli
