#include "model/base/config/dumper.h"

#include <algorithm>
#include <utility>

#include "model/base/config/tree/scalars.h"
#include "model/base/config/tree/write.h"
#include "model/base/text.h"

namespace wharf::config {
namespace {

// "cycles, 1..64", or the part of it that exists.
std::string with_unit(Unit unit, const std::string& range) {
  const std::string name = config::name_of(unit);
  return name.empty() ? range : name + ", " + range;
}

}  // namespace

Dumper::Dumper() : groups_(1) {}

std::string Dumper::take_text() { return text_of(groups_.front(), ""); }

std::string Dumper::indent() const { return std::string(2 * (groups_.size() - 1), ' '); }

void Dumper::put(std::string_view key, const std::string& value, std::string_view help, const std::string& range) {
  std::string line = indent() + std::string(key) + ": " + value + "  # " + one_line(help);
  if (!range.empty()) line += " [" + range + "]";
  groups_.back().items.push_back({std::string(key), line + "\n"});
}

std::string Dumper::text_of(const Group& group, const std::string& indent) {
  std::string out;
  for (const Item& item : group.items) {
    const auto idle =
        std::find_if(group.ineffective.begin(), group.ineffective.end(), [&](const Ineffective& i) { return i.key == item.key; });
    out += idle == group.ineffective.end() ? item.text : indent + "# " + item.key + ": no effect because " + one_line(idle->reason) + "\n";
  }
  return out;
}

void Dumper::integer(std::string_view key, std::uint32_t& value, Unit unit, std::string_view help, std::uint64_t min, std::uint64_t max) {
  put(key, std::to_string(value), help, with_unit(unit, range_text(min, max)));
}

void Dumper::integer(std::string_view key, std::uint64_t& value, Unit unit, std::string_view help, std::uint64_t min, std::uint64_t max) {
  put(key, std::to_string(value), help, with_unit(unit, range_text(min, max)));
}

void Dumper::integer_or(std::string_view word, std::string_view key, std::uint32_t& value, Unit unit, std::string_view help,
                        std::uint64_t min, std::uint64_t max) {
  put(key, yaml_integer_or(word, value), help, with_unit(unit, range_text(min, max) + " or " + std::string(word)));
}

void Dumper::real(std::string_view key, double& value, Unit unit, std::string_view help, double min, double max) {
  put(key, format_real(value), help, with_unit(unit, range_text(min, max)));
}

void Dumper::flag(std::string_view key, bool& value, std::string_view help) { put(key, value ? "true" : "false", help, ""); }

void Dumper::text(std::string_view key, std::string& value, std::string_view help) { put(key, yaml_text(value), help, ""); }

void Dumper::policy(std::string_view key, std::string& value, const std::vector<PolicyName>& offered, std::string_view help) {
  std::vector<std::string> names;
  for (const PolicyName& policy : offered) names.push_back(policy.name);
  put(key, value, help, join(names, 64));
}

void Dumper::integers(std::string_view key, std::vector<std::uint32_t>& values, Unit unit, std::string_view help, std::uint64_t min,
                      std::uint64_t max) {
  put(key, yaml_list(values), help, with_unit(unit, range_text(min, max) + " each"));
}

std::size_t Dumper::choose(std::string_view key, std::size_t current, const std::vector<std::string>& words, std::string_view help) {
  put(key, words[current], help, join(words, 64));
  return current;
}

void Dumper::ineffective_unless(bool effective, std::string_view key, std::string_view reason) {
  if (!effective) groups_.back().ineffective.push_back({std::string(key), std::string(reason)});
}

bool Dumper::begin_group(std::string_view key, std::string_view help) {
  groups_.push_back({std::string(key), one_line(help), {}, {}});
  return true;
}

void Dumper::end_group() {
  const std::string inner = text_of(groups_.back(), indent());
  const Group closed = std::move(groups_.back());
  groups_.pop_back();
  const bool has_keys = std::any_of(closed.items.begin(), closed.items.end(), [&](const Item& item) {
    return std::none_of(closed.ineffective.begin(), closed.ineffective.end(), [&](const Ineffective& i) { return i.key == item.key; });
  });
  // A key without children would not read back as a mapping, so it gets an empty one.
  const std::string head = indent() + closed.key + (has_keys ? ":" : ": {}") + "  # " + closed.help + "\n";
  groups_.back().items.push_back({closed.key, head + inner});
}

}  // namespace wharf::config
