#include "platforms/cli/program.h"

#include <fmt/ostream.h>

#include <iterator>
#include <new>
#include <ostream>

#include "model/base/error.h"
#include "model/base/host/out_of_memory.h"
#include "model/base/text.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/interrupt.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "run one configuration with one stimulus or trace", run_command},
    {"compare", "run several configurations over a suite and compare them; prints a table, writes report.html", compare_command},
    {"explain", "explain where the cycles of a run went, and why one run is faster than another", explain_command},
    {"sweep", "run configurations with lists of values over stimuli, and search for the best values", sweep_command},
    {"serve", "answer requests of other programs, one JSON object per line: describe, run, cancel", serve_command},
    {"reproduce", "compare published results with measured ones", reproduce_command},
    {"validate", "compare the Volta configuration with a cycle-level simulator on the recorded traces", validate_command},
    {"list", "list configs, sweeps, policies, stimuli, suites or metrics", list_command},
    {"describe", "explain a configuration key, a configuration, a stimulus or a metric", describe_command},
    {"check", "read a configuration and report every mistake in it", check_command},
    {"trace", "info, check or export a trace", trace_command},
    {"vp", "boot firmware on a RISC-V host with a simulated GPU", vp_command},
    {"cuda", "compile and run a CUDA program without a GPU; record it, and compare configurations by it", cuda_command},
    {"nvcc", "compile CUDA programs with nvcc's options, for 'wharf cuda'", nvcc_command},
    {"bench", "measure the simulator's own speed", bench_command},
    {"completion", "print a completion script for bash or zsh", completion_command},
    {"man", "print the manual page", man_command},
};

void print_help(std::ostream& out) {
  fmt::print(out, "Wharf models the cache hierarchy of a GPU, warp by warp.\n\nusage: wharf COMMAND [options]\n\n");
  for (const Command& command : kCommands) fmt::print(out, "  {:<12}{}\n", command.name, command.help);
  fmt::print(out, "\nwharf COMMAND --help explains a command. Start with: wharf compare\n");
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names = {"help"};
  for (const Command& command : kCommands) {
    if (name == command.name) return command;
    names.emplace_back(command.name);
  }
  throw InputError(fmt::format("unknown command {}{}'wharf help' lists the commands", quote(name), suggestion(name, names)));
}

int dispatch(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  if (arguments.empty()) {
    print_help(err);
    return kBadInput;
  }
  const std::string& name = arguments.front();
  std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (name == "--version") {
    fmt::print(out, "wharf {}\n", kVersion);
    return kDone;
  }
  if (name == "help" || name == "--help" || name == "-h") {
    if (rest.empty()) {
      print_help(out);
      return kDone;
    }
    const Command& command = find_command(rest.front());
    rest = {"--help"};
    return command.run({rest, out, err});
  }
  return find_command(name).run({rest, out, err});
}

}  // namespace

const std::vector<Command>& all_commands() {
  static const std::vector<Command> kAll(std::begin(kCommands), std::end(kCommands));
  return kAll;
}

int run_program(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  try {
    const int code = dispatch(arguments, out, err);
    return code == kInterrupted && InterruptGuard::requested() ? 128 + InterruptGuard::signal() : code;
  } catch (const InputError& error) {
    fmt::print(err, "wharf: {}\n", error.what());
    return kBadInput;
  } catch (const SimulationError& error) {
    fmt::print(err, "wharf: the simulation failed: {}\n", error.what());
    return kSimulationFailed;
  } catch (const std::bad_alloc&) {
    fmt::print(err, "wharf: {}\n", kOutOfMemory);
    return kBadInput;
  } catch (const std::exception& error) {
    fmt::print(err, "wharf: internal error: {}\n", error.what());
    return kSimulationFailed;
  }
}

}  // namespace wharf::cli
