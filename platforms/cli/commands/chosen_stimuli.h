#pragma once
// The stimuli that a command names: one by --stimulus or --trace, many by --suite, --stimuli or --traces.

#include <string>
#include <vector>

#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

/// Declares --stimulus SPEC, with `help`, and its short form for traces.
void declare_stimulus(CommandLine& arguments, const char* help);
/// Declares --suite, with `help`, --stimuli and --traces.
void declare_stimuli(CommandLine& arguments, const char* help);

bool has_stimulus(const CommandLine& arguments);
/// That of --stimulus, or trace:FILE of --trace FILE; empty without either. Throws InputError for both, and for an empty name.
std::string chosen_stimulus(const CommandLine& arguments);

bool has_stimuli(const CommandLine& arguments);
/// Those of one of the three options; without any those of the suite `otherwise`. Throws InputError for more than one option, and for none of a
/// name.
std::vector<std::string> chosen_stimuli(const CommandLine& arguments, const std::string& otherwise);

/// Splits A,B,... at its commas, except those within one stimulus: gemm:n=256,m=64; trace:DIR:1,3-7; trace:DIR:/a{1,2}/; the path of a trace.
std::vector<std::string> split_stimuli(const std::string& text);

/// Without those that are named again; the order stays.
std::vector<std::string> without_repetitions(const std::vector<std::string>& names);

}  // namespace wharf::cli
