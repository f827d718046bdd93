#include "platforms/cli/commands/trace_options.h"

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::cli {

void declare_strict_opcodes(CommandLine& arguments) {
  arguments.flag("strict-opcodes", "for traces: refuse opcodes that no table lists, instead of guessing their effect from their lines");
}

void declare_trace_options(CommandLine& arguments) {
  declare_strict_opcodes(arguments);
  arguments.flag("skip-bad-kernels",
                 "for traces: skip kernels that cannot be read, with a warning; each kernel is read once before it starts");
  arguments.value("replay", "strict|loose",
                  "for recorded CUDA programs: if the host reads other data than when recorded, stop (strict) or count it (loose)");
}

void read_trace_options(const CommandLine& arguments, RunSpec& spec) {
  spec.strict_opcodes = arguments.has("strict-opcodes");
  spec.skip_bad_kernels = arguments.has("skip-bad-kernels");
  const std::string replay = arguments.text("replay", "strict");
  if (replay != "strict" && replay != "loose")
    throw InputError("--replay: " + quote(replay) + " is neither strict nor loose; give one of them");
  spec.loose_replay = replay == "loose";
}

void declare_check(CommandLine& arguments) {
  arguments.value("check", "CHECK[,CHECK...]",
                  "for CUDA programs: look for mistakes of the kinds bounds, init, race and sync; exit code 1 if any are found");
}

ptx::CheckSet checks_of(const CommandLine& arguments) {
  if (arguments.has("check") && arguments.text("check").empty())
    throw InputError("--check names none; choose from bounds, init, race, sync");
  return ptx::parse_checks(arguments.text("check"));
}

void declare_device_options(CommandLine& arguments) {
  declare_check(arguments);
  arguments.flag("poison", "fill fresh allocations and shared memory with bytes 0xCD, not 0");
  arguments.value("on-fault", "end|return",
                  "if a kernel fails: end the run, or return the error to the program as a GPU does (default end)");
}

cuda::DeviceOptions device_options_of(const CommandLine& arguments) {
  const std::string on_fault = arguments.text("on-fault", "end");
  if (on_fault != "end" && on_fault != "return")
    throw InputError("--on-fault: " + quote(on_fault) + " is neither end nor return; give one of them");
  cuda::DeviceOptions options;
  options.checks = checks_of(arguments);
  options.poisons = arguments.has("poison");
  options.returns_faults = on_fault == "return";
  return options;
}

}  // namespace wharf::cli
