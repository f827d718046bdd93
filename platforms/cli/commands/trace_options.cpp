#include "platforms/cli/commands/trace_options.h"

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::cli {

void declare_strict_opcodes(CommandLine& arguments) {
  arguments.flag("strict-opcodes", "of traces: refuse opcodes that no table lists, instead of guessing from their lines what they do");
}

void declare_trace_options(CommandLine& arguments) {
  declare_strict_opcodes(arguments);
  arguments.flag("skip-bad-kernels", "of traces: pass over kernels that cannot be read, with a warning; each is read once before it starts");
  arguments.value("replay", "strict|loose", "of recorded CUDA programs: stop where the host reads something else than when it was recorded, or count it");
}

void take_trace_options(const CommandLine& arguments, RunSpec& spec) {
  spec.strict_opcodes = arguments.has("strict-opcodes");
  spec.skip_bad_kernels = arguments.has("skip-bad-kernels");
  const std::string replay = arguments.text("replay", "strict");
  if (replay != "strict" && replay != "loose") throw InputError("--replay: " + quote(replay) + " is neither strict nor loose; give one of them");
  spec.loose_replay = replay == "loose";
}

}  // namespace wharf::cli
