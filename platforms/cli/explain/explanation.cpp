#include "platforms/cli/explain/explanation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>

#include "platforms/cli/explain/instructions.h"
#include "platforms/cli/terminal/shell.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {
namespace {

constexpr std::size_t kLargest = 3;
constexpr double kSmallest = 0.01;     // of the slots with a warp: causes below this are not worth a sentence
constexpr double kWorthNaming = 0.05;  // of all slots: likewise for causes of slots without a warp

constexpr std::string_view kProgram = "program:";

bool is_program(const std::string& stimulus) { return stimulus.compare(0, kProgram.size(), kProgram) == 0; }

/// The file of a recording of the program, which `explain` can run: it cannot run programs.
std::string recording_of(const ExplainedRun& run) {
  if (!run.recording.empty()) return run.recording;
  const std::string& stimulus = run.spec.stimulus;
  const std::string program = stimulus.substr(kProgram.size(), stimulus.find(' ') - kProgram.size());
  return std::filesystem::path(program).filename().replace_extension(".wcr");
}

/// The words that name the run; `set` is the option that has its settings.
std::vector<std::string> words_of(const RunSpec& spec, const char* set = "--set") {
  std::vector<std::string> words = {spec.config, "--stimulus", spec.stimulus};
  for (const std::string& setting : spec.overrides) words.insert(words.end(), {set, setting});
  if (spec.seed != 1) words.insert(words.end(), {"--seed", std::to_string(spec.seed)});
  if (spec.limit_cycles != kNever) words.insert(words.end(), {"--limit-cycles", std::to_string(spec.limit_cycles)});
  if (spec.limit_warp_instructions != kNever)
    words.insert(words.end(), {"--limit-warp-instructions", std::to_string(spec.limit_warp_instructions)});
  return words;
}

/// The command that tries a key.
std::string command_of(const ExplainedRun& run, const Turn& turn) {
  RunSpec spec = run.spec;
  if (is_program(spec.stimulus)) spec.stimulus = "cuda:" + recording_of(run);
  std::vector<std::string> words = words_of(spec, "--set-both");
  words.insert(words.begin(), {"explain", spec.config});
  words.insert(words.end(), {"--set", turn.key + '=' + turn.then});
  return offered_command(std::move(words));
}

std::string server_text(const std::string& server) {
  static const std::map<std::string, std::string> kTexts = {
      {"l1", "the L1 answered"}, {"peer", "another L1 answered"},       {"home", "a home answered"},
      {"l2", "L2 answered"},     {"ellc", "the extended LLC answered"}, {"dram", "DRAM answered"}};
  const auto it = kTexts.find(server);
  return it == kTexts.end() ? "an unnamed block answered" : it->second;
}

/// " (of loads that DRAM answered 30 %, that L2 answered 8 %)"
std::string by_server(const Cause& cause) {
  std::string text;
  for (const auto& [server, share] : cause.served_by)
    if (share >= 0.1 * cause.share) text += fmt::format("{}that {} {}", text.empty() ? "" : ", ", server_text(server), percent(share));
  return text.empty() ? text : " (for loads " + text + ")";
}

std::string wrapped(const std::string& text, const std::string& indent, std::size_t width = 100) {
  std::string out, line = indent;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find(' ', begin);
    while (end < text.size() && text.compare(end + 1, 1, "%") == 0) end = text.find(' ', end + 1);  // stays with its number
    end = std::min(end, text.size());
    const std::string word = text.substr(begin, end - begin);
    if (line.size() > indent.size() && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line = indent;
    }
    line += (line.size() > indent.size() ? " " : "") + word;
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string details_of(const Sentence& sentence) {
  std::string text;
  for (const std::string& finding : sentence.findings) text += wrapped(finding, "   ");
  const Turn turn = sentence.turn();
  if (!turn.key.empty())
    return text + fmt::format("   Change {} from {} to {}:\n     {}\n", turn.key, turn.now, turn.then, sentence.command);
  std::string why;
  for (const std::string& pointless : sentence.remedies.pointless) why += (why.empty() ? ": " : "; ") + pointless;
  return text + wrapped("No key to change" + (why.empty() ? ": no key of this machine reduces it" : why) + ".", "   ");
}

/// The causes without a sentence, with their shares.
std::string others_of(const Explanation& explanation) {
  std::string others;
  const auto is_reported = [&](const Cause& cause) {
    const auto tells = [&](const Sentence& sentence) { return sentence.cause.name == cause.name; };
    return std::any_of(explanation.sentences.begin(), explanation.sentences.end(), tells) ||
           std::any_of(explanation.no_warp.begin(), explanation.no_warp.end(), tells);
  };
  for (const Cause& cause : explanation.stack.causes) {
    if (is_reported(cause) || cause.share < kSmallest * (1.0 - explanation.without_warp)) continue;
    others += fmt::format("{}{} {}", others.empty() ? "" : ", ", cause.name, percent(cause.share));
  }
  return others;
}

Json causes_json(const SlotStack& stack) {
  Json causes = Json::array();
  for (const Cause& cause : stack.causes) {
    Json& json = causes.emplace_back(Json{{"cause", cause.name}, {"share", cause.share}, {"slots", cause.share * stack.slots}});
    if (!cause.served_by.empty()) json["served_by"] = cause.served_by;
  }
  return causes;
}

}  // namespace

Explanation explain(const ExplainedRun& run) {
  Explanation explanation;
  explanation.name = shell_words(words_of(run.spec));
  if (is_program(run.spec.stimulus))
    explanation.note = run.recording.empty()
                           ? "The commands below run a recording; 'wharf cuda' with --record " + recording_of(run) + " makes it."
                           : "The commands below run the program's recording.";
  explanation.stack = slot_stack_of(run.result);
  explanation.partial = run.result.value("partial", false);
  explanation.instructions = costly_instructions(run.result);
  explanation.instructions_json = costly_instructions_json(run.result);
  const TurnableMachine machine(run.spec);
  const Evidence evidence(run.result, machine.params());
  for (const Cause& cause : explanation.stack.causes) explanation.without_warp += cause.without_warp() ? cause.share : 0.0;
  const double smallest = kSmallest * (1.0 - explanation.without_warp);
  for (const Cause& cause : explanation.stack.causes) {
    std::vector<Sentence>& sentences = cause.without_warp() ? explanation.no_warp : explanation.sentences;
    if (sentences.size() == kLargest || cause.share < (cause.without_warp() ? kWorthNaming : smallest)) continue;
    Sentence& sentence = sentences.emplace_back(Sentence{cause, findings_on(cause, evidence), remedies_for(cause, evidence, machine), {}});
    const Turn turn = sentence.turn();
    if (turn.key.empty()) continue;
    sentence.command = command_of(run, turn);
  }
  return explanation;
}

std::string as_text(const Explanation& explanation) {
  const SlotStack& stack = explanation.stack;
  std::string text = fmt::format("{}\n{} of the issue slots issue an instruction; {} have no warp that could issue.{}\n", explanation.name,
                                 percent(stack.issued), percent(explanation.without_warp),
                                 explanation.partial ? " The run was stopped before its end." : "");
  if (!explanation.note.empty()) text += wrapped(explanation.note, "");
  for (const Sentence& sentence : explanation.no_warp) {
    text += wrapped(fmt::format("{} wait for {}.", percent(sentence.cause.share), text_of_cause(sentence.cause.name)), "   ");
    text += details_of(sentence);
  }
  std::size_t number = 0;
  const double with_warp = 1.0 - explanation.without_warp;
  for (const Sentence& sentence : explanation.sentences) {
    const Cause& cause = sentence.cause;
    const std::string of_those = with_warp < 0.95 ? fmt::format(" ({} of those with a warp)", percent(cause.share / with_warp)) : "";
    text += "\n" + wrapped(fmt::format("{}. {} of the slots{} wait for {}{}.", ++number, percent(cause.share), of_those,
                                       text_of_cause(cause.name), by_server(cause)),
                           "");
    text += details_of(sentence);
  }
  if (explanation.sentences.empty()) text += "\nNothing limits it: no cause takes one percent of the slots that have a warp.\n";
  const std::string others = others_of(explanation);
  if (!others.empty()) text += "\n" + wrapped("Others: " + others + ".", "");
  return explanation.instructions.rows.empty() ? text : text + "\nThe instructions that cost most:\n\n" + as_text(explanation.instructions);
}

Json as_json(const Explanation& explanation) {
  Json json = {{"run", explanation.name},
               {"partial", explanation.partial},
               {"slots", explanation.stack.slots},
               {"time_ns", explanation.stack.time_ns},
               {"issued", explanation.stack.issued},
               {"without_warp", explanation.without_warp},
               {"causes", causes_json(explanation.stack)},
               {"instructions", explanation.instructions_json},
               {"diagnoses", Json::array()}};
  std::vector<Sentence> all = explanation.sentences;
  all.insert(all.end(), explanation.no_warp.begin(), explanation.no_warp.end());
  for (const Sentence& sentence : all) {
    const Turn turn = sentence.turn();
    json["diagnoses"].push_back({{"cause", sentence.cause.name},
                                 {"text", text_of_cause(sentence.cause.name)},
                                 {"findings", sentence.findings},
                                 {"key", turn.key},
                                 {"now", turn.now},
                                 {"then", turn.then},
                                 {"command", sentence.command},
                                 {"pointless", sentence.remedies.pointless}});
  }
  return json;
}

Difference difference(const Json& first, const Json& second) {
  const SlotStack a = slot_stack_of(first), b = slot_stack_of(second);
  std::map<std::string, double> shares;
  shares["issued"] = b.issued * b.time_ns - a.issued * a.time_ns;
  for (const Cause& cause : a.causes) shares[cause.name] -= cause.share * a.time_ns;
  for (const Cause& cause : b.causes) shares[cause.name] += cause.share * b.time_ns;
  Difference difference;
  difference.speed_up = a.time_ns / b.time_ns;
  difference.same_work = first.at("run").at("thread_instructions") == second.at("run").at("thread_instructions");
  for (const auto& [cause, share] : shares) difference.changes.push_back({cause, share / a.time_ns});
  std::stable_sort(difference.changes.begin(), difference.changes.end(),
                   [](const Change& x, const Change& y) { return std::abs(x.share) > std::abs(y.share); });
  return difference;
}

std::string as_text(const Difference& difference, const Explanation& first, const Explanation& second) {
  const double ratio = difference.speed_up;
  std::string text = fmt::format("A  {}\nB  {}\n\n", first.name, second.name);
  text += std::abs(ratio - 1.0) < 5e-4
              ? "B takes the same time as A."
              : fmt::format("B is {:.3f} times as fast as A: it takes {} of A's time.", ratio, percent(1.0 / ratio));
  if (!difference.same_work) text += " They did not issue the same thread instructions, so this is not a speed-up.";
  text += "\nShares of A's time, by what the slots were spent on:\n\n";
  Table table;
  table.columns = {"cause", "A", "B", "change"};
  const auto of = [](const SlotStack& stack, const std::string& cause) { return cause == "issued" ? stack.issued : stack.share(cause); };
  for (const Change& change : difference.changes) {
    const double before = of(first.stack, change.cause), after = of(second.stack, change.cause) / ratio;
    if (std::max(before, after) < kSmallest) continue;
    table.rows.push_back({change.cause, percent(before), percent(after), fmt::format("{:+.1f} %", 100.0 * change.share)});
  }
  return text + as_text(table);
}

Json as_json(const Difference& difference) {
  Json json = {{"speed_up", difference.speed_up}, {"same_work", difference.same_work}, {"changes", Json::array()}};
  for (const Change& change : difference.changes) json["changes"].push_back({{"cause", change.cause}, {"share_of_first", change.share}});
  return json;
}

}  // namespace wharf::cli
