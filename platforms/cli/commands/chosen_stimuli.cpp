#include "platforms/cli/commands/chosen_stimuli.h"

#include <algorithm>
#include <filesystem>

#include "model/base/error.h"
#include "platforms/cli/stimuli.h"
#include "stimuli/ptx/launch_file/launch_name.h"
#include "stimuli/recorded_names.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf::cli {
namespace {

bool has_path(const std::string& stimulus) {
  std::error_code ignored;
  return std::filesystem::exists(split_recorded(stimulus).path, ignored);
}

/// Whether a comma behind `stimulus` belongs to it: `piece` is the next number or range of its kernels, or its regular expression is still open.
bool continues_with(const std::string& stimulus, const std::string& piece) {
  const std::string kernels = split_recorded(stimulus).kernels.value_or("");
  if (kernels.empty()) return false;
  if (kernels.front() == '/') return kernels.size() == 1 || kernels.back() != '/';
  return !piece.empty() && piece.substr(0, piece.find(':')).find_first_not_of("0123456789-") == piece.npos;
}

/// Joins the pieces of the name of a file that begins at `pieces[at]`, and moves `at` to the last of them.
std::string take_recorded(const std::vector<std::string>& pieces, std::size_t& at) {
  std::string name = pieces[at], longer = name;
  for (std::size_t i = at; !has_path(longer) && ++i < pieces.size();) {  // a path with commas
    longer += ',' + pieces[i];
    if (has_path(longer)) name = longer, at = i;
  }
  while (at + 1 < pieces.size() && continues_with(name, pieces[at + 1])) name += ',' + pieces[++at];
  return name;
}

}  // namespace

void declare_stimulus(CommandLine& arguments, const char* help) {
  arguments.value("stimulus", "SPEC", help)
      .input("trace", "FILE", "short for --stimulus trace:FILE: a recorded trace, docs/howto-traces.md")
      .input("launch", "FILE", "short for --stimulus ptx:FILE: kernels of PTX without a host program, docs/howto-cuda.md")
      .input("ptx", "FILE", "with --launch: the module, instead of the one that the launch file names");
}

void declare_stimuli(CommandLine& arguments, const char* help) {
  arguments.value("suite", "NAME", help)
      .value("stimuli", "A,B", "stimuli instead of a suite, such as gemm@std,trace:DIR")
      .input("traces", "DIR", "every recorded trace in the subfolders of DIR instead of a suite");
}

bool has_stimulus(const CommandLine& arguments) { return arguments.has("stimulus") || arguments.has("trace") || arguments.has("launch"); }

std::string chosen_stimulus(const CommandLine& arguments) {
  if (arguments.has("ptx") && !arguments.has("launch"))
    throw InputError(
        "--ptx FILE names only a module; also give --launch FILE, which says how its kernels are launched: docs/howto-cuda.md");
  if (!has_stimulus(arguments)) return {};
  arguments.exclude("stimulus", "trace", "--trace FILE is short for --stimulus trace:FILE; give either --stimulus SPEC or --trace FILE");
  for (const char* other : {"stimulus", "trace"})
    arguments.exclude(other, "launch", "--launch FILE is short for --stimulus ptx:FILE; give one stimulus");
  if (arguments.has("launch"))
    return ptx::kLaunchPrefix + arguments.text("launch") + (arguments.has("ptx") ? ':' + arguments.text("ptx") : std::string());
  const std::string name = arguments.text("stimulus", arguments.text("trace"));
  if (name.empty()) throw InputError("the name of the stimulus or trace is empty; 'wharf list stimuli' prints the names");
  return arguments.has("trace") ? traces::kPrefix + name : name;
}

bool has_stimuli(const CommandLine& arguments) { return arguments.has("suite") || arguments.has("stimuli") || arguments.has("traces"); }

std::vector<std::string> chosen_stimuli(const CommandLine& arguments, const std::string& otherwise) {
  if (arguments.has("suite") + arguments.has("stimuli") + arguments.has("traces") > 1)
    throw InputError("--suite, --stimuli and --traces exclude each other; give one");
  if (arguments.has("traces")) return traces::traces_in(arguments.text("traces"));
  const std::vector<std::string> names =
      arguments.has("stimuli") ? split_stimuli(arguments.text("stimuli")) : stimuli_of_suite(arguments.text("suite", otherwise));
  if (names.empty()) throw InputError("--stimuli names none; give at least one, such as gemm@std");
  return without_repetitions(names);
}

std::vector<std::string> split_stimuli(const std::string& text) {
  const std::vector<std::string> pieces = split_list(text);
  std::vector<std::string> stimuli;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool is_file = is_recorded_name(pieces[i]);
    stimuli.push_back(is_file ? take_recorded(pieces, i) : pieces[i]);
  }
  return stimuli;
}

std::vector<std::string> without_repetitions(const std::vector<std::string>& names) {
  std::vector<std::string> once;
  for (const std::string& name : names) {
    if (std::find(once.begin(), once.end(), name) == once.end()) once.push_back(name);
  }
  return once;
}

}  // namespace wharf::cli
