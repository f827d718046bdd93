#include "model/base/config/describer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/base/config/tree/scalars.h"
#include "model/base/config/tree/write.h"
#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::config {
namespace {

constexpr const char* kGroup = "group";

bool is_group(const Description& entry) { return entry.type == kGroup; }

// For example "mshr_targets: integer or unlimited, 1..64 accesses, default 8".
std::string heading(const Description& entry) {
  if (is_group(entry)) return entry.path + ": group";
  std::string out = entry.path + ": " + entry.type;
  if (!entry.range.empty()) out += (entry.words.empty() ? ", " : " ") + entry.range;
  if (!entry.unit.empty()) out += (entry.range.empty() ? ", " : " ") + entry.unit;
  return out + ", default " + entry.default_value;
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string group_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

std::string table(const std::vector<Description>& list, const std::string& group) {
  std::string out;
  for (const Description& entry : list) {
    if (is_group(entry) || group_of(entry.path) != group) continue;
    const std::string type = entry.range.empty() ? entry.type : entry.type + ": " + entry.range;
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", entry.path, cell(entry.default_value), entry.unit, cell(type), cell(entry.help));
  }
  return out.empty() ? out : "| key | default | unit | value | meaning |\n|---|---|---|---|---|\n" + out + "\n";
}

}  // namespace

Description& Describer::add(std::string_view key, std::string type, std::string value, Unit unit, std::string_view help) {
  list_.push_back(
      {prefix_ + std::string(key), std::move(type), config::name_of(unit), std::move(value), "", "", "", "", std::string(help), {}});
  return list_.back();
}

template <class Number>
Description& Describer::add_number(std::string_view key, std::string type, std::string value, Unit unit, std::string_view help, Number min,
                                   Number max) {
  Description& entry = add(key, std::move(type), std::move(value), unit, help);
  entry.range = range_text(min, max);
  entry.minimum = range_text(min, min);
  entry.maximum = range_text(max, max);
  return entry;
}

void Describer::integer(std::string_view key, std::uint32_t& value, Unit unit, std::string_view help, std::uint64_t min,
                        std::uint64_t max) {
  add_number(key, "integer", std::to_string(value), unit, help, min, max);
}

void Describer::integer(std::string_view key, std::uint64_t& value, Unit unit, std::string_view help, std::uint64_t min,
                        std::uint64_t max) {
  add_number(key, "integer", std::to_string(value), unit, help, min, max);
}

void Describer::integer_or(std::string_view word, std::string_view key, std::uint32_t& value, Unit unit, std::string_view help,
                           std::uint64_t min, std::uint64_t max) {
  add_number(key, "integer or " + std::string(word), yaml_integer_or(word, value), unit, help, min, max).word = word;
}

void Describer::real(std::string_view key, double& value, Unit unit, std::string_view help, double min, double max) {
  add_number(key, "number", format_real(value), unit, help, min, max);
}

void Describer::flag(std::string_view key, bool& value, std::string_view help) {
  add(key, "true or false", value ? "true" : "false", Unit::none, help);
}

void Describer::text(std::string_view key, std::string& value, std::string_view help) {
  add(key, "text", yaml_text(value), Unit::none, help);
}

void Describer::policy(std::string_view key, std::string& value, const std::vector<PolicyName>& offered, std::string_view help) {
  std::vector<std::string> names;
  for (const PolicyName& policy : offered) names.push_back(policy.name);
  Description& entry = add(key, "policy", value, Unit::none, help);
  entry.range = join(names, 64);
  entry.words = offered;
}

void Describer::integers(std::string_view key, std::vector<std::uint32_t>& values, Unit unit, std::string_view help, std::uint64_t min,
                         std::uint64_t max) {
  add_number(key, "list of integers", yaml_list(values), unit, help, min, max);
}

std::size_t Describer::choose(std::string_view key, std::size_t current, const std::vector<std::string>& words, std::string_view help) {
  Description& entry = add(key, "one of", words[current], Unit::none, help);
  entry.range = join(words, 64);
  for (const std::string& word : words) entry.words.push_back({word, ""});
  return current;
}

bool Describer::begin_group(std::string_view key, std::string_view help) {
  add(key, kGroup, "", Unit::none, help);
  prefix_ += std::string(key) + ".";
  return true;
}

void Describer::end_group() {
  prefix_.pop_back();
  const std::size_t dot = prefix_.rfind('.');
  prefix_.resize(dot == std::string::npos ? 0 : dot + 1);
}

std::string describe(const std::vector<Description>& list, const std::string& path) {
  std::string out;
  for (const Description& entry : list) {
    const bool below = path.empty() || entry.path.rfind(path + ".", 0) == 0;
    if (entry.path != path && !below) continue;
    out += heading(entry) + "\n    " + one_line(entry.help) + "\n";
    for (const PolicyName& word : entry.words) {
      if (!word.help.empty()) out += "      " + word.name + ": " + one_line(word.help) + "\n";
    }
  }
  if (!out.empty()) return out;
  std::vector<std::string> paths, tops;
  for (const Description& entry : list) {
    paths.push_back(entry.path);
    if (group_of(entry.path).empty()) tops.push_back(entry.path);
  }
  const std::string near = did_you_mean(path, paths);
  throw InputError("there is no key " + quote(path) + (near.empty() ? "; the top-level keys are " + join(tops, 64) : near));
}

std::string parameters_markdown(const std::vector<Description>& list, const std::string& title) {
  std::string out = "## " + title + "\n\n" + table(list, "");
  for (const Description& entry : list) {
    if (!is_group(entry)) continue;
    out += "### `" + entry.path + "`\n\n" + one_line(entry.help) + "\n\n" + table(list, entry.path);
  }
  return out;
}

}  // namespace wharf::config
