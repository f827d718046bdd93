#include "model/base/config/reader.h"

#include <algorithm>
#include <utility>

#include "model/base/config/tree/scalars.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "model/base/types.h"

namespace wharf::config {
namespace {

constexpr std::size_t kMostSuggestions = 100;  // further unknown keys get no advice, because such a file is garbage

// The first value in the tree that `layer` set; null if there is none.
const Node* first_set_by(const Node& node, Layer layer) {
  if (!node.is(Node::Kind::mapping)) return node.layer == layer ? &node : nullptr;
  if (node.children.empty() && node.layer == layer) return &node;
  for (const Node& child : node.children) {
    if (const Node* found = first_set_by(child, layer)) return found;
  }
  return nullptr;
}

// The remedy for a key written as `l1.ways` whose path is right.
std::string nested_form(const std::string& key, const std::string& prefix, const std::vector<std::string>& paths) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos || std::find(paths.begin(), paths.end(), prefix + key) == paths.end()) return {};
  std::string out = key.substr(0, dot), rest = key.substr(dot + 1), closing;
  for (std::size_t next = 0; next != std::string::npos; closing += '}') {
    next = rest.find('.');
    out += ": {" + rest.substr(0, next);
    rest.erase(0, next == std::string::npos ? next : next + 1);
  }
  return "; write it nested, " + out + ": ..." + closing;
}

/// If the outermost layer does not set `key`, suggests changing it together with the keys of its group that this layer does set, because
/// whatever conflicts with them must change with them.
std::string advise_joint_change(const Node* group, const std::string& path, std::string_view key, Layer top) {
  constexpr std::size_t kMost = 3;  // more keys describe a whole machine rather than a change of one
  if (group == nullptr) return {};
  const Node* const own = group->find(key);
  if (own != nullptr && own->layer == top) return {};
  std::vector<std::string> keys;
  for (const Node& child : group->children)
    if (child.layer == top && child.is(Node::Kind::scalar)) keys.push_back(path + child.key);
  if (keys.empty() || keys.size() > kMost) return {};
  return "; change " + path + std::string(key) + " together with " + join(keys);
}

}  // namespace

Reader::Reader(const Composed& composed, Mistakes& mistakes, std::function<bool(Layer)> reports)
    : mistakes_(mistakes), reports_(std::move(reports)), top_(composed.top), conditions_(mistakes.empty()) {
  groups_.push_back({&composed.tree, &composed.tree, "", {}, {}, 0});
}

void Reader::finish() {
  close(std::move(groups_.back()));
  groups_.clear();
  for (std::size_t i = 0; i < unknown_.size(); ++i) report(unknown_[i], i < kMostSuggestions);
}

void Reader::know(std::string_view key) {
  std::vector<std::string>& known = group().known;
  if (std::find(known.begin(), known.end(), key) == known.end()) known.emplace_back(key);
}

const Node* Reader::find(std::string_view key) {
  know(key);
  paths_.push_back(group().path + std::string(key));
  return group().node ? group().node->find(key) : nullptr;
}

void Reader::complain(const Node& node, Position where, const std::string& what) {
  if (!reports_ || reports_(node.layer)) mistakes_.add(std::move(where), what);
}

void Reader::complain_of_value(const Node& node, std::string_view key, const std::string& complaint) {
  ++unreadable_;
  complain(node, node.position(), group().path + std::string(key) + ": " + complaint);
}

void Reader::integer(std::string_view key, std::uint64_t& value, Unit, std::string_view, std::uint64_t min, std::uint64_t max) {
  const Node* node = find(key);
  if (!node) return;
  const auto parsed = parse_integer(*node, min, max);
  if (!parsed.good()) return complain_of_value(*node, key, parsed.complaint);
  value = parsed.value;
}

void Reader::integer(std::string_view key, std::uint32_t& value, Unit unit, std::string_view help, std::uint64_t min, std::uint64_t max) {
  std::uint64_t wide = value;
  integer(key, wide, unit, help, min, std::min<std::uint64_t>(max, ~std::uint32_t{0}));
  value = static_cast<std::uint32_t>(wide);
}

void Reader::integer_or(std::string_view word, std::string_view key, std::uint32_t& value, Unit, std::string_view, std::uint64_t min,
                        std::uint64_t max) {
  const Node* node = find(key);
  if (!node) return;
  if (node->is(Node::Kind::scalar) && node->text == word) {
    value = kUnlimited;
    return;
  }
  // kUnlimited, the number for the word, is not a legal value.
  const auto parsed = parse_integer(*node, min, std::min<std::uint64_t>(max, kUnlimited - 1));
  if (!parsed.good()) return complain_of_value(*node, key, parsed.complaint + ", or the word " + std::string(word));
  value = static_cast<std::uint32_t>(parsed.value);
}

void Reader::real(std::string_view key, double& value, Unit, std::string_view, double min, double max) {
  const Node* node = find(key);
  if (!node) return;
  const auto parsed = parse_real(*node, min, max);
  if (!parsed.good()) return complain_of_value(*node, key, parsed.complaint);
  value = parsed.value;
}

void Reader::flag(std::string_view key, bool& value, std::string_view) {
  const Node* node = find(key);
  if (!node) return;
  const auto parsed = parse_flag(*node);
  if (!parsed.good()) return complain_of_value(*node, key, parsed.complaint);
  value = parsed.value;
}

void Reader::text(std::string_view key, std::string& value, std::string_view) {
  const Node* node = find(key);
  if (!node) return;
  const auto parsed = parse_text(*node);
  if (!parsed.good()) return complain_of_value(*node, key, parsed.complaint);
  value = parsed.value;
}

void Reader::policy(std::string_view key, std::string& value, const std::vector<PolicyName>& offered, std::string_view) {
  const Node* node = find(key);
  if (!node) return;
  const std::string name = node->is(Node::Kind::scalar) ? node->text.substr(0, node->text.find(':')) : std::string();
  std::vector<std::string> names;
  for (const PolicyName& policy : offered) {
    names.push_back(policy.name);
    if (policy.name != name) continue;
    try {
      resolve(node->text, policy.name, policy.arguments);
      value = node->text;
    } catch (const InputError& error) {
      complain_of_value(*node, key, error.what());
    }
    return;
  }
  complain_of_word(*node, key, names);
}

std::size_t Reader::choose(std::string_view key, std::size_t current, const std::vector<std::string>& words, std::string_view) {
  const Node* node = find(key);
  if (!node) return current;
  const auto found = std::find(words.begin(), words.end(), node->text);
  if (node->is(Node::Kind::scalar) && found != words.end()) return static_cast<std::size_t>(found - words.begin());
  complain_of_word(*node, key, words);
  return current;
}

void Reader::complain_of_word(const Node& node, std::string_view key, const std::vector<std::string>& words) {
  const std::string near = node.is(Node::Kind::scalar) ? did_you_mean(node.text, words) : std::string();
  complain_of_value(node, key, "is " + name_of(node) + (near.empty() ? "; write one of " + join(words, 64) : near));
}

void Reader::integers(std::string_view key, std::vector<std::uint32_t>& values, Unit, std::string_view, std::uint64_t min,
                      std::uint64_t max) {
  const Node* node = find(key);
  if (!node) return;
  if (!node->is(Node::Kind::sequence)) return complain_of_value(*node, key, "is " + name_of(*node) + "; write a list such as [1, 2]");
  std::vector<std::uint32_t> read;
  for (const Node& item : node->children) {
    const auto parsed = parse_integer(item, min, std::min<std::uint64_t>(max, ~std::uint32_t{0}));
    if (parsed.good()) {
      read.push_back(static_cast<std::uint32_t>(parsed.value));
    } else {
      complain_of_value(item, key, parsed.complaint);
    }
  }
  if (read.size() == node->children.size()) values = std::move(read);
}

bool Reader::begin_group(std::string_view key, std::string_view) {
  const Node* node = find(key);
  const Node* nearest = node ? node : group().nearest;
  const std::size_t before = unreadable_;
  if (node && !node->is(Node::Kind::mapping)) {
    complain_of_value(*node, key, "is " + name_of(*node) + "; write " + std::string(key) + ": {key: value}");
    node = nullptr;
  }
  groups_.push_back({node, nearest, group().path + std::string(key) + ".", {}, {}, before});
  return true;
}

void Reader::end_group() {
  Group closed = std::move(groups_.back());
  groups_.pop_back();
  close(std::move(closed));
}

void Reader::close(Group closed) {
  if (closed.node) {
    for (const Node& child : closed.node->children) {
      if (std::find(closed.known.begin(), closed.known.end(), child.key) != closed.known.end()) continue;
      ++unreadable_;
      unknown_.push_back({&child, closed.path, closed.known});
    }
  }
  // Conditions over unreadable values would only repeat the mistake.
  if (!conditions_ || unreadable_ > closed.unreadable_before) return;
  for (const Broken& broken : closed.broken) complain(*broken.node, broken.node->key_position(), broken.what);
}

void Reader::report(const Unknown& unknown, bool suggest) {
  const Node& node = *unknown.node;
  std::string advice;
  if (suggest) {
    advice = nested_form(node.key, unknown.path, paths_);
    if (advice.empty()) advice = did_you_mean(node.key, unknown.siblings);
    // Suggests the right key in another group: first paths that end in the key, then paths similar to the one written.
    for (const std::string& path : paths_) {
      const bool ends_in_key =
          path.size() > node.key.size() && path.compare(path.size() - node.key.size() - 1, std::string::npos, "." + node.key) == 0;
      if (advice.empty() && ends_in_key) advice = "; did you mean '" + path + "'?";
    }
    if (advice.empty()) advice = did_you_mean(unknown.path + node.key, paths_);
    if (advice.empty() && !unknown.siblings.empty()) advice = "; known here: " + join(unknown.siblings, 24);
  }
  const bool printable =
      first_unprintable(node.key) == std::string::npos && node.key.find('\n') == std::string::npos && node.key.size() <= 80;
  const std::string shown = printable ? node.key : quote(node.key);
  complain(node, node.key_position(), unknown.path + shown + ": unknown key" + advice);
}

void Reader::require(bool holds, std::string_view key, std::string_view what, std::string_view remedy) {
  if (holds) return;
  const Node* set = group().node ? group().node->find(key) : nullptr;
  const std::string text = group().path + std::string(key) + " " + std::string(what) + "; " + std::string(remedy);
  group().broken.push_back({set ? set : group().nearest, text + advise_joint_change(group().node, group().path, key, top_)});
}

void Reader::ineffective_unless(bool effective, std::string_view key, std::string_view reason) {
  know(key);
  const Node* node = group().node ? group().node->find(key) : nullptr;
  if (effective || !node) return;
  const Node* set = first_set_by(*node, top_);
  if (!set) return;
  const std::string text = group().path + std::string(key) + " has no effect because " + std::string(reason) + "; remove it";
  group().broken.push_back({set, text});
}

}  // namespace wharf::config
