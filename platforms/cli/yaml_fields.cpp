#include "platforms/cli/yaml_fields.h"

#include <fmt/core.h>

#include <utility>

#include "model/base/config/tree/scalars.h"
#include "model/base/text.h"

namespace wharf::cli {
namespace {

using config::Node;

std::string nearest_of(const std::string& word, const std::vector<std::string>& words) {
  const std::string likely = did_you_mean(word, words);
  return likely.empty() ? ";" : likely;
}

}  // namespace

Fields::Fields(const Node& node, std::string path, config::Mistakes& mistakes) : node_(node), path_(std::move(path)), mistakes_(mistakes) {
  if (!node.is(Node::Kind::mapping)) complain(node, "must be a mapping, not " + config::name_of(node));
}

const Node* Fields::find(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return node_.is(Node::Kind::mapping) ? node_.find(key) : nullptr;
}

std::string Fields::text(const char* key, bool required) {
  const Node* found = find(key);
  if (found == nullptr) {
    if (required && node_.is(Node::Kind::mapping)) complain(node_, fmt::format("has no {}", key));
    return {};
  }
  const auto parsed = config::parse_text(*found);
  if (!parsed.good()) complain(*found, fmt::format("{} {}", key, parsed.complaint));
  return parsed.value;
}

std::optional<double> Fields::number(const char* key) {
  const Node* found = find(key);
  if (found == nullptr || found->is(Node::Kind::null) || found->text == "null") return std::nullopt;
  constexpr double kMost = 1e15;
  const auto parsed = config::parse_real(*found, -kMost, kMost);
  if (!parsed.good()) complain(*found, fmt::format("{} {}", key, parsed.complaint));
  return parsed.value;
}

bool Fields::flag(const char* key, bool otherwise) {
  const Node* found = find(key);
  if (found == nullptr) return otherwise;
  const auto parsed = config::parse_flag(*found);
  if (!parsed.good()) complain(*found, fmt::format("{} {}", key, parsed.complaint));
  return parsed.value;
}

std::vector<std::string> Fields::texts(const char* key) {
  const Node* found = find(key);
  if (found == nullptr) return {};
  if (found->is(Node::Kind::scalar)) return {found->text};
  std::vector<std::string> list;
  for (const Node& item : found->children) {
    if (!item.is(Node::Kind::scalar)) complain(item, fmt::format("{}: a name is expected, not {}", key, config::name_of(item)));
    list.push_back(item.text);
  }
  if (list.empty()) complain(*found, fmt::format("{} must be a name or a list of names, not {}", key, config::name_of(*found)));
  return list;
}

void Fields::complain_of_word(const Node& at, const char* key, const std::vector<std::string>& words) {
  complain(at, fmt::format("{} is {}{} write one of {}", key, config::name_of(at), nearest_of(at.text, words), join(words)));
}

void Fields::refuse_others() {
  for (const Node& child : node_.children) {
    if (std::find(known_.begin(), known_.end(), child.key) != known_.end()) continue;
    mistakes_.add(child.key_position(), fmt::format("{}: unknown key {}{} there are {}", path_, quote(child.key),
                                                    nearest_of(child.key, known_), join(known_, known_.size())));
  }
}

}  // namespace wharf::cli
