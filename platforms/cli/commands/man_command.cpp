// man: the manual page, from the tables of options.

#include <fmt/ostream.h>

#include <ostream>
#include <sstream>

#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/declaration.h"
#include "platforms/cli/program.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/version.h"

namespace wharf::cli {
namespace {

/// Text as roff prints it: a dot or an apostrophe at the beginning of a line would be a request, and a hyphen a soft one.
std::string roff(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins = c == '\n';
  }
  return out;
}

std::string option_text(const DeclaredOption& option) {
  const std::string value = option.meta.empty() ? "" : " \\fI" + roff(option.meta) + "\\fR";
  return fmt::format(".TP\n\\fB\\-\\-{}\\fR{}\n{}{}\n", roff(option.name), value, roff(option.help),
                     option.repeats && option.help.find("repeated") == std::string::npos ? "; may be repeated" : "");
}

std::string command_text(const Declaration& declaration) {
  std::string text =
      fmt::format(".SS {}\n.B wharf {}\n.PP\n{}\n", roff(declaration.command), roff(declaration.usage), roff(declaration.help));
  for (const DeclaredOption& option : declaration.options)
    if (option.name != "help") text += option_text(option);
  return text;
}

constexpr const char* kEnd = R"(.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
the simulation failed: a broken law, stale data, a deadlock, a limit of validate; or runs of a sweep are missing
.TP
.B 2
bad usage or input
.TP
.B 130
stopped by Ctrl\-C; results until then are written and marked partial
.SH ENVIRONMENT
.TP
.B WHARF_HOME
folder of the configurations, stimuli and claims, if it is not next to the program
)";

}  // namespace

int man_command(const Context& context) {
  CommandLine arguments("man", "Prints the manual page: wharf man | man -l -");
  if (!arguments.parse(context.arguments, context.out)) return kDone;
  std::string text = fmt::format(".TH WHARF 1 \"\" \"Wharf {}\" \"Wharf\"\n", kVersion);
  text +=
      ".SH NAME\nwharf \\- models the cache hierarchy of a GPU, warp by warp\n.SH SYNOPSIS\n.B wharf\n.I COMMAND\n[options]\n.SH DESCRIPTION\n"
      "Each run is a SystemC simulation of streaming multiprocessors, L1 caches, networks, L2 slices and DRAM channels under real\n"
      "kernels or recorded traces.\n.PP\n.B wharf COMMAND \\-\\-help\nprints the section below about one command.\n.SH COMMANDS\n";
  for (const Declaration& declaration : all_declarations())
    text += fmt::format(".TP\n.B {}\n{}\n", roff(declaration.command), roff(declaration.summary));
  text += ".SH OPTIONS\n";
  for (const Declaration& declaration : all_declarations()) text += command_text(declaration);
  fmt::print(context.out, "{}{}", text, kEnd);
  return kDone;
}

}  // namespace wharf::cli
