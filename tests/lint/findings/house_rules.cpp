#include "tests/lint/findings/house_rules.h"

#include <algorithm>
#include <cctype>

namespace wharf::lint {
namespace {

bool below(const std::string& path, const std::vector<const char*>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const char* folder) { return starts_with(path, folder); });
}

/// The virtual platform's host is loosely timed. TLM-2.0 provides blocking transport, threads and the stock sockets for that.
bool is_loosely_timed(const std::string& path) { return below(path, {"platforms/virtual/"}); }

/// One finding for each line of code that has one of `words`.
Findings lines_with(const SourceFile& file, const std::vector<const char*>& words, const std::string& remedy) {
  Findings findings;
  const std::string code = code_of(file.text);
  std::size_t number = 0;
  for (const std::string_view line : lines_of(code)) {
    ++number;
    for (const char* word : words)
      if (has_word(line, word)) findings.push_back(finding(file, number, std::string(word) + "; " + remedy));
  }
  return findings;
}

// Assembled here, so that this file does not contain them.
const std::vector<std::string>& unfinished() {
  static const std::vector<std::string> kMarks = {std::string("TO") + "DO", std::string("FIX") + "ME", std::string("not ") + "implemented"};
  return kMarks;
}
const std::vector<std::string>& machine_folders() {
  static const std::vector<std::string> kFolders = {std::string("/ho") + "me/", std::string("/ro") + "ot/", std::string("/tm") + "p/",
                                                    std::string("/wo") + "rk/", std::string("/Use") + "rs/"};
  return kFolders;
}

bool opens_scope(std::string_view line) {
  for (const char* word : {"namespace", "struct", "class", "enum", "union", "TEST_CASE"})  // a case may be a long list of claims
    if (starts_with(line, word)) return true;
  return ends_with(line, "= {");
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

Findings phase_findings(const SourceFile& file) {
  if (below(file.path, {"model/tlm/", "model/monitor/"})) return {};
  std::vector<const char*> words = {"BEGIN_REQ",   "END_REQ",       "BEGIN_RESP",      "END_RESP",       "TLM_ACCEPTED",
                                    "TLM_UPDATED", "TLM_COMPLETED", "nb_transport_fw", "nb_transport_bw"};
  if (!is_loosely_timed(file.path)) words.push_back("b_transport");
  return lines_with(file, words, "links are spoken in model/tlm only");
}

Findings process_findings(const SourceFile& file) {
  if (is_loosely_timed(file.path)) return {};
  return lines_with(file,
                    {"SC_THREAD", "SC_CTHREAD", "peq_with_get", "peq_with_cb_and_phase", "simple_initiator_socket", "simple_target_socket"},
                    "blocks register with a ClockDomain and use the ports of model/tlm");
}

Findings network_name_findings(const SourceFile& file) {
  // A design may consist of one kind of network.
  if (ends_with(file.path, "_entry.cpp") || below(file.path, {"platforms/designs/"})) return {};
  Findings findings;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    for (const char* asked : {"topology == \"", "topology != \""})
      if (line.find(asked) != std::string_view::npos)
        findings.push_back(finding(file, number, "a network by its name; ask its entry (model/network/network_catalogue.h)"));
  }
  return findings;
}

const std::vector<Exception>& hot_path_exceptions() {
  static const std::vector<Exception> kExceptions = {
      {"model/cache/stored_lines.h", "std::unordered_map",
       "lines that a kernel has stored to, as many as there are; kept only with kernel_boundary: keep_clean"},
      {"model/cache/sector_contents.h", "std::unordered_map", "bytes of versions, kept only with data: bytes"},
      {"model/dram/dram_channel.h", "std::unordered_map", "contents of memory, kept only when verifying or with data: bytes"},
      {"model/l2/l2_entry.h", "std::unordered_map", "invalidations under way, and only with partition: local_copy"},
      {"model/l2/l2_entry.h", "std::deque", "notices of evicted copies, and only with partition: local_copy"},
      {"model/l2/l2_mirror.h", "std::unordered_map", "far stores under way, and only with partition: local_copy"},
      {"model/l1/l1_cache.h", "dynamic_cast", "once a companion, while the platform is wired"},
      {"model/sm/cycle_stack/instruction_profile.h", "std::map",
       "an entry for each instruction of a kernel, behind an array of those just seen; only with --explain"},
      {"model/sm/cycle_stack/instruction_profile.h", "std::deque", "a kernel each; entries must not move"},
      {"model/tlm/gates/foreign_target.cpp", "dynamic_cast", "only where a module stands in the link that is not of this model"},
      {"model/tlm/gates/foreign_target.h", "std::unordered_map", "only where a module stands in the link that is not of this model"},
      {"model/tlm/gates/foreign_target_answers.cpp", "dynamic_cast", "a name for the message that ends the run"},
      {"model/tlm/gates/gate_options.cpp", "dynamic_cast", "once a gate"},
      {"model/tlm/gates/gate_options.cpp", "std::list", "of options, set before the run"},
      {"model/tlm/own_end.cpp", "dynamic_cast", "once a link"},
      {"model/network/hierarchical/coalescer.h", "std::unordered_map", "reads that others may join, and only with a coalescer"},
      {"model/network/hierarchical/hierarchical_counters.h", "std::deque", "filled once: counters must not move, and are reached by index"},
      {"model/network/hierarchical/hierarchical_entry.cpp", "dynamic_cast", "once, while the networks are made"},
      {"model/network/link_counters.h", "std::deque", "filled once: counters must not move, and are reached by index"},
      {"model/network/rate/rate_counters.h", "std::deque", "filled once: counters must not move, and are reached by index"},
  };
  return kExceptions;
}

bool is_hot(const std::string& path) {
  return below(path, {"model/front_end/", "model/sm/", "model/l1/", "model/nic/", "model/network/", "model/l2/", "model/dram/",
                      "model/tlm/", "model/cache/", "policies/", "stimuli/spmd/", "stimuli/synthetic/synthetic.h"});
}

Findings hot_path_findings(const SourceFile& file, const std::vector<Exception>& exceptions) {
  if (!is_hot(file.path)) return {};
  Findings findings;
  const std::string code = code_of(file.text);
  std::size_t number = 0;
  for (const std::string_view line : lines_of(code)) {
    ++number;
    for (const char* word :
         {"std::map", "std::multimap", "std::set", "std::list", "std::deque", "std::unordered_map", "std::unordered_set", "dynamic_cast"}) {
      if (!has_word(line, word)) continue;
      const bool excepted = std::any_of(exceptions.begin(), exceptions.end(), [&](const Exception& exception) {
        return file.path == exception.path && std::string_view(word) == exception.word;
      });
      if (!excepted)
        findings.push_back(finding(file, number, std::string(word) + " in the hot path; see model/cache/slot_index.h, rings, masks"));
    }
  }
  return findings;
}

Findings length_findings(const SourceFile& file) {
  Findings findings;
  const std::string code = code_of(file.text);
  const std::vector<std::string_view> lines = lines_of(code);
  if (lines.size() > kMostLinesOfFile)
    findings.push_back(finding(file, lines.size(), "the file is longer than " + std::to_string(kMostLinesOfFile) + " lines"));
  // Definitions start at the left edge: from the line that opens one to the brace at the left edge that closes it.
  std::size_t start = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const std::size_t last = line.find_last_not_of(' ');
    if (last == std::string_view::npos) continue;
    const std::string_view trimmed = line.substr(0, last + 1);
    if (line[0] == '}') {
      if (start != 0 && i + 2 - start > kMostLinesOfFunction)
        findings.push_back(finding(file, start, "the function is longer than " + std::to_string(kMostLinesOfFunction) + " lines"));
      start = 0;
    } else if (line[0] != ' ' && line[0] != '#') {
      const bool opens = trimmed.find('(') != std::string_view::npos && !ends_with(trimmed, ";") && !ends_with(trimmed, "}");
      start = opens && !opens_scope(trimmed) ? i + 1 : 0;
    }
  }
  return findings;
}

Findings leftover_findings(const SourceFile& file) {
  Findings findings;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    for (const std::string& mark : unfinished())
      if (has_word(line, mark)) findings.push_back(finding(file, number, "'" + mark + "' is left behind"));
    for (const std::string& folder : machine_folders())
      if (line.find(folder) != std::string_view::npos)
        findings.push_back(finding(file, number, "names " + folder + ", a folder of one machine"));
    if (line.find('\t') != std::string_view::npos) findings.push_back(finding(file, number, "a tab; indent with blanks"));
    if (!line.empty() && line.back() == ' ') findings.push_back(finding(file, number, "blanks at the end"));
  }
  return findings;
}

Findings header_findings(const SourceFile& file) {
  if (!ends_with(file.path, ".h")) return {};
  const std::vector<std::string_view> lines = lines_of(file.text);
  if (file.path == "platforms/memory/wharf_memory.h")  // for C compilers of any age
    return lines.size() > 2 && starts_with(lines[0], "#ifndef ") && starts_with(lines[2], "/* ")
               ? Findings{}
               : Findings{finding(file, 1, "no include guard, or no comment below it says what this header is")};
  if (lines.empty() || lines[0] != "#pragma once") return {finding(file, 1, "the first line is not #pragma once")};
  if (lines.size() < 2 || !starts_with(lines[1], "// ")) return {finding(file, 2, "no comment says what this header is")};
  return {};
}

Findings citation_findings(const SourceFile& file) {
  Findings findings;
  std::vector<std::pair<std::size_t, bool>> groups;  // indentation of the enclosing groups, and whether they are cited
  std::size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    const std::size_t indentation = line.find_first_not_of(' ');
    if (indentation == std::string_view::npos || line[indentation] == '#') continue;
    while (!groups.empty() && groups.back().first >= indentation) groups.pop_back();
    const std::size_t comment = line.find(" #");
    const bool cited = (comment != std::string_view::npos && line.find_first_not_of("# ", comment) != std::string_view::npos) ||
                       (!groups.empty() && groups.back().second);
    const std::string_view text = line.substr(indentation, std::min(comment, line.size()) - indentation);
    const std::size_t last = text.find_last_not_of(' ');
    if (text[last] == ':')
      groups.emplace_back(indentation, cited);
    else if (!cited && !starts_with(text, "description:") && !starts_with(text, "platform:"))
      findings.push_back(finding(file, number, std::string(text.substr(0, last + 1)) + " cites nothing"));
  }
  return findings;
}

Findings configuration_findings(const SourceFile& file) {
  const auto is_of_design = [&](const char* folder) {
    return starts_with(file.path, "platforms/designs/") && file.path.find(folder) != std::string::npos;
  };
  if (!starts_with(file.path, "platforms/configs/") && !is_of_design("/configs/") && !is_of_design("/sweeps/")) return {};
  if (!ends_with(file.path, ".yaml")) return {finding(file, 1, "is no YAML file")};
  for (const std::string_view line : lines_of(file.text))
    if (starts_with(line, "description: ") && line.size() > 30) return {};
  return {finding(file, 1, "has no description")};
}

Findings naming_findings(const SourceFile& file) {
  Findings findings;
  const std::string code = lower(code_of(file.text));
  std::size_t number = 0;
  for (const std::string_view line : lines_of(code)) {
    ++number;
    for (const char* word : {"shader", "mem_fetch", "wavefront", "master", "slave", "workgroup"})
      if (line.find(word) != std::string_view::npos)
        findings.push_back(finding(file, number, std::string(word) + " is not a name of this project"));
  }
  return findings;
}

Findings test_name_findings(const SourceFile& file) {
  Findings findings;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    for (const char* start : {"TEST_CASE(\"-", "TEST_CASE(\"~"})
      if (starts_with(line, start)) findings.push_back(finding(file, number, "CTest cannot ask for a test with this first character"));
  }
  return findings;
}

}  // namespace wharf::lint
