// completion: what a shell offers after Tab, from the tables of options.

#include <fmt/ostream.h>

#include <map>
#include <ostream>
#include <sstream>

#include "model/base/config/describer.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/commands/declaration.h"
#include "platforms/cli/program.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/inputs/configuration.h"
#include "stimuli/catalogue.h"

namespace wharf::cli {
namespace {

/// The first word of each line that `wharf list TOPIC` prints.
void list_names(const std::string& topic, std::ostream& out) {
  const std::vector<std::string> arguments = {topic};
  std::ostringstream listed, err;
  list_command({arguments, listed, err});
  std::istringstream lines(listed.str());
  for (std::string line; std::getline(lines, line);) fmt::print(out, "{}\n", line.substr(0, line.find(' ')));
}

void list_stimuli_with_sizes(std::ostream& out) {
  for (const WorkloadInfo& workload : list_stimuli()) {
    fmt::print(out, "{}\n", workload.name);
    for (const WorkloadSize& size : workload.sizes) fmt::print(out, "{}@{}\n", workload.name, size.name);
  }
}

/// "l1.ways=", and for a key that takes one of a few words each of them.
void list_settings(std::ostream& out) {
  for (const auto& key : config::descriptions_of(GpuParams{})) {
    if (key.type == "group") continue;
    if (key.type == "true or false") fmt::print(out, "{0}=true\n{0}=false\n", key.path);
    for (const auto& word : key.words) fmt::print(out, "{}={}\n", key.path, word.name);
    if (key.type != "true or false" && key.words.empty()) fmt::print(out, "{}=\n", key.path);
  }
}

void list_described(std::ostream& out) {
  for (const auto& key : config::descriptions_of(GpuParams{})) fmt::print(out, "{}\n", key.path);
  for (const char* topic : {"configs", "stimuli", "suites", "metrics"}) list_names(topic, out);
}

const std::map<std::string, void (*)(std::ostream&)> kWords = {
    {"configs", [](std::ostream& out) { list_names("configs", out); }},
    {"described", list_described},
    {"metrics", [](std::ostream& out) { list_names("metrics", out); }},
    {"settings", list_settings},
    {"stimuli", list_stimuli_with_sizes},
    {"suites", [](std::ostream& out) { list_names("suites", out); }},
    {"sweeps", [](std::ostream& out) { list_names("sweeps", out); }},
};

/// Shell code that prints candidates.
std::string words(const std::string& kind) { return "\"$1\" completion --words " + kind; }
std::string print(const std::vector<std::string>& list) { return "printf '%s\\n' " + shell_words(list); }
constexpr const char* kFiles = "echo '<file>'";
constexpr const char* kFolders = "echo '<folder>'";

/// The code that lists candidates for an argument called `meta`; empty if its candidates are unknown.
std::string code_of(const std::string& meta) {
  if (const std::vector<std::string> choices = choices_of(meta); !choices.empty()) return print(choices);
  const auto is = [&](const char* beginning) { return meta.rfind(beginning, 0) == 0; };
  if (is("CONFIG")) return words("configs") + "; " + kFiles;
  if (meta == "SPEC") return words("stimuli");
  if (meta == "SWEEP") return words("sweeps") + "; " + kFiles;
  if (is("KEY=VALUE")) return words("settings");
  if (is("DIR")) return kFolders;
  if (meta == "NAME") return words("described");
  if (is("FILE") || is("PATH") || meta.find('.') != std::string::npos) return kFiles;
  return {};
}

std::string code_of(const DeclaredOption& option) {
  if (option.name == "suite") return words("suites");
  if (option.name == "stimuli") return words("stimuli") + " | _wharf_after_comma \"$4\"";
  if (option.name == "metric") return words("metrics") + " | _wharf_after_comma \"$4\"";
  return code_of(option.meta);
}

/// The usage text after the command and before its options: "trace info|check PATH, or ..." -> info|check, PATH.
std::string positional_code(const Declaration& declaration) {
  std::istringstream stream(declaration.usage);
  std::string word, code;
  stream >> word;  // the command
  while (stream >> word && word.front() != '(' && word != "[options]" && word.rfind("[-", 0) != 0) {
    const bool last = word.back() == ',';
    std::string meta;
    for (const char c : word)
      if (c != '[' && c != ']' && c != ',') meta += c;
    if (meta.size() > 3 && meta.compare(meta.size() - 3, 3, "...") == 0) meta.resize(meta.size() - 3);
    if (const std::string more = code_of(meta); !more.empty()) code += (code.empty() ? "" : "; ") + more;
    if (last) break;
  }
  return code.empty() ? ":" : code;
}

std::string candidates_of(const Declaration& declaration) {
  std::vector<std::string> names;
  std::string text;
  for (const DeclaredOption& option : declaration.options) {
    names.push_back("--" + option.name);
    if (option.meta.empty()) continue;
    const std::string code = code_of(option);
    text += fmt::format("    '{} --{}') {} ;;\n", declaration.command, option.name, code.empty() ? ":" : code);
  }
  return text + fmt::format("    '{} '*) case $4 in\n      -*) {} ;;\n      *) {} ;;\n    esac ;;\n", declaration.command, print(names),
                            positional_code(declaration));
}

/// The part that both shells share: a function that prints candidates.
std::string candidates_function() {
  std::vector<std::string> commands = {"help", "--version"};
  std::string cases;
  for (const Declaration& declaration : all_declarations()) {
    commands.push_back(declaration.command);
    cases += candidates_of(declaration);
  }
  return "# _wharf_candidates PROGRAM COMMAND BEFORE WORD: candidates for WORD after the word BEFORE, one per line.\n"
         "_wharf_candidates() {\n  case \"$2 $3\" in\n" +
         cases + "    'help '*|' '*) " + print(commands) +
         " ;;\n  esac\n}\n"
         "# In a list: each candidate after the members already typed.\n"
         "_wharf_after_comma() {\n  local head= candidate\n  case $1 in *,*) head=${1%,*}, ;; esac\n"
         "  while IFS= read -r candidate; do printf '%s\\n' \"$head$candidate\"; done\n}\n";
}

constexpr const char* kBash = R"sh(_wharf() {
  local line=${COMP_LINE:0:COMP_POINT} word before= command= candidate cut
  local -a words
  word=${line##*[[:space:]]}
  read -r -a words <<<"$line"
  [[ -z $word ]] || unset 'words[-1]'
  if ((${#words[@]} > 1)); then
    command=${words[1]} before=${words[-1]}
  fi
  if [[ $word == --*=* ]]; then
    before=${word%%=*} word=${word#*=}
  fi
  COMPREPLY=()
  while IFS= read -r candidate; do
    case $candidate in
      '<file>') mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word"); compopt -o filenames 2>/dev/null ;;
      '<folder>') mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word"); compopt -o filenames 2>/dev/null ;;
      "$word"*) COMPREPLY+=("$candidate") ;;
    esac
  done < <(_wharf_candidates "${words[0]}" "$command" "$before" "$word" 2>/dev/null)
  # Readline replaces only what follows the last = or : of the word.
  cut=${word%"${word##*[=:]}"}
  COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _wharf wharf
)sh";

constexpr const char* kZsh = R"sh(_wharf() {
  local word=${words[CURRENT]} before= command= candidate
  local -a found open
  if ((CURRENT > 2)); then
    command=${words[2]} before=${words[CURRENT-1]}
  fi
  if [[ $word == --*=* ]]; then
    before=${word%%=*} word=${word#*=}
    compset -P 1 '*='
  fi
  for candidate in ${(f)"$(_wharf_candidates "${words[1]}" "$command" "$before" "$word" 2>/dev/null)"}; do
    case $candidate in
      '<file>') _files ;;
      '<folder>') _files -/ ;;
      *=) open+=("$candidate") ;;
      *) found+=("$candidate") ;;
    esac
  done
  compadd -a found
  compadd -S '' -a open
}
if [[ ${funcstack[1]} == _wharf ]]; then _wharf "$@"; else compdef _wharf wharf; fi
)sh";

}  // namespace

int completion_command(const Context& context) {
  CommandLine arguments("completion bash|zsh [options]",
                        "Prints a script with which the shell completes commands, options and names after Tab. In ~/.bashrc:\n"
                        "eval \"$(wharf completion bash)\"; in ~/.zshrc, after compinit: eval \"$(wharf completion zsh)\".");
  arguments
      .value("words", "configs|described|metrics|settings|stimuli|suites", "the names of a kind, one per line, as the shell requests them")
      .positionals(1);
  if (!arguments.parse(context.arguments, context.out)) return kDone;
  if (arguments.has("words")) {
    const auto found = kWords.find(arguments.text("words"));
    if (found == kWords.end()) throw InputError("completion: there are no words of kind " + quote(arguments.text("words")));
    found->second(context.out);
    return kDone;
  }
  const std::string shell = arguments.positional().empty() ? "" : arguments.positional().front();
  if (shell != "bash" && shell != "zsh")
    throw InputError(fmt::format("completion: {}{}There are bash and zsh",
                                 shell.empty() ? "name a shell" : "there is none for " + quote(shell), suggestion(shell, {"bash", "zsh"})));
  fmt::print(context.out, "{}{}{}", shell == "zsh" ? "#compdef wharf\n" : "# Completion of wharf in bash.\n", candidates_function(),
             shell == "zsh" ? kZsh : kBash);
  return kDone;
}

}  // namespace wharf::cli
