#include "model/base/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf {
namespace {

using Values = std::map<std::string, double, std::less<>>;

[[noreturn]] void fail(const std::string& spec, const std::string& what) { throw InputError(spec + ": " + what); }

/// What follows "unknown argument 'x'" in a message: the nearest name, or the list of all.
std::string hint(const std::string& name, const std::vector<std::string>& known) {
  const std::string likely = did_you_mean(name, known);
  return (likely.empty() ? ";" : likely) + " ";
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

std::string in_text(double value) {
  if (std::abs(value) < 1e15 && value == std::floor(value)) return std::to_string(static_cast<long long>(value));
  char text[400];  // the longest double without an exponent has 327 characters
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr;
  return {text, end};
}

std::string legal_arguments(const WorkloadInfo& workload) {
  std::vector<std::string> texts;
  for (const Argument& a : workload.arguments) {
    texts.push_back(a.name + " (" + in_text(a.low) + ".." + in_text(a.high) + ", default " + a.preset + ")");
  }
  for (const Shorthand& s : workload.shorthands) texts.push_back(s.name + " (= " + join(s.argument_names) + ")");
  return workload.name + " takes " + join(texts, texts.size());
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double checked(const Spec& spec, const Argument& argument, double value, const std::string& written) {
  if (argument.kind == Argument::Kind::integer && value != std::floor(value)) {
    fail(spec.text, argument.name + "=" + written + " must be a whole number");
  }
  if (!(value >= argument.low && value <= argument.high)) {
    fail(spec.text, argument.name + "=" + written + " is out of range; " + argument.name + " (" + argument.help + ") may be " +
                        in_text(argument.low) + " to " + in_text(argument.high));
  }
  return value;
}

const Argument* find_argument(const WorkloadInfo& workload, std::string_view name) {
  for (const Argument& a : workload.arguments) {
    if (a.name == name) return &a;
  }
  return nullptr;
}

/// The arguments that a key sets: the argument of that name, or those of a shorthand.
std::vector<const Argument*> targets_of(const Spec& spec, const WorkloadInfo& workload, const std::string& key) {
  if (const Argument* argument = find_argument(workload, key)) return {argument};
  for (const Shorthand& s : workload.shorthands) {
    if (s.name != key) continue;
    std::vector<const Argument*> targets;
    for (const auto& name : s.argument_names) targets.push_back(find_argument(workload, name));
    return targets;
  }
  auto known = names_of(workload.arguments);
  for (const auto& name : names_of(workload.shorthands)) known.push_back(name);
  fail(spec.text, "unknown argument " + quote(key) + hint(key, known) + legal_arguments(workload));
}

Values written_values(const Spec& spec, const WorkloadInfo& workload) {
  Values values;
  std::vector<std::string> seen;
  for (const auto& [key, text] : spec.settings) {
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) fail(spec.text, "argument '" + key + "' is given twice; keep one");
    seen.push_back(key);
    const auto targets = targets_of(spec, workload, key);
    const auto value = number(text);
    if (!value) fail(spec.text, key + "=" + quote(text) + " is not a number; write e.g. " + key + "=" + in_text(targets.front()->low));
    for (const Argument* target : targets) values[target->name] = checked(spec, *target, *value, text);
  }
  return values;
}

const WorkloadSize* size_of(const Spec& spec, const WorkloadInfo& workload) {
  const std::string wanted = spec.size.empty() && spec.settings.empty() ? "std" : spec.size;
  if (wanted.empty()) return nullptr;
  for (const WorkloadSize& size : workload.sizes) {
    if (size.name == wanted) return &size;
  }
  const auto known = names_of(workload.sizes);
  fail(spec.text, "unknown size " + quote(wanted) + hint(wanted, known) + workload.name + " has " + join(known));
}

}  // namespace

double Arguments::real(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::logic_error("the workload reads an argument that it does not declare: " + std::string(name));
  return found->second;
}

void Arguments::require(bool holds, const std::string& what) const {
  if (!holds) fail(spec_, what);
}

Spec split_spec(std::string_view text) {
  const std::string shown = first_unprintable(text) == text.npos ? std::string(text.substr(0, 200)) : quote(text);
  Spec spec;
  spec.text = shown;
  const auto colon = text.find(':');
  const std::string_view head = text.substr(0, colon);
  const auto at = head.find('@');
  spec.name = head.substr(0, at);
  if (at != std::string_view::npos) {
    spec.size = head.substr(at + 1);
    if (spec.size.empty()) fail(shown, "a size must follow '@', e.g. gemm@std");
  }
  if (spec.name.empty()) throw InputError(quote(shown) + " names no workload; write name[@size][:key=value,...], e.g. gemm@std");
  if (colon == std::string_view::npos) return spec;
  std::string_view rest = text.substr(colon + 1);
  for (bool more = true; more;) {
    const auto comma = rest.find(',');
    more = comma != std::string_view::npos;
    const std::string_view setting = rest.substr(0, comma);
    const auto equals = setting.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == setting.size()) {
      fail(shown, quote(setting) + " is not of the form key=value; write e.g. gemm:n=256,nk=64");
    }
    spec.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    if (more) rest.remove_prefix(comma + 1);
  }
  return spec;
}

Arguments resolve(const Spec& spec, const WorkloadInfo& workload) {
  Values values = written_values(spec, workload);
  if (const WorkloadSize* size = size_of(spec, workload)) {
    for (const auto& [name, value] : size->values) values.emplace(name, value);
  }
  for (const Argument& argument : workload.arguments) {
    if (values.count(argument.name) != 0) continue;
    const auto preset = number(argument.preset);
    // A default that another argument supplies may lie outside this argument's range.
    const double value = preset ? *preset : values.at(argument.preset);
    values[argument.name] = checked(spec, argument, value, in_text(value));
  }
  return {spec.text, std::move(values)};
}

Arguments resolve(std::string_view text, const std::string& name, const std::vector<Argument>& arguments) {
  const Spec spec = split_spec(text);
  if (!spec.size.empty()) fail(spec.text, name + " has no sizes; write " + name + " or " + name + ":key=value");
  if (arguments.empty() && !spec.settings.empty()) fail(spec.text, name + " takes no arguments; write " + name);
  return resolve(spec, {name, {}, arguments, {}, {{"std", {}}}});
}

}  // namespace wharf
