// Builds a tree of Nodes (document.h) from the YAML library's events.

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "model/base/config/tree/document.h"
#include "model/base/text.h"

namespace wharf::config {
namespace {

// Thrown out of the parser when it cannot usefully continue; the mistake has already been added.
struct StopReading {};

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, Mistakes& mistakes) : file_(std::make_shared<const std::string>(file)), mistakes_(mistakes) {}

  Node take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) stop(mark, "a second document; keep one document per file");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(make(Node::Kind::null, mark), anchor); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    check_tag(mark, tag);
    Node node = make(Node::Kind::scalar, mark);
    node.text = value;
    node.in_quotes = tag == "!";
    add(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Node::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(Node::Kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) stop(mark, "an alias inside the value that it names; write the value out");
    spend(mark, found->second.size);
    if (open_.size() + found->second.depth > kDeepestNode) stop_too_deep(mark);
    Node node = found->second.node;
    node.mark = convert(mark);
    add(std::move(node), YAML::NullAnchor);
  }

 private:
  // A mapping or sequence whose end has not been seen.
  struct Open {
    Node node;
    YAML::anchor_t anchor;
    std::unordered_map<std::string, unsigned> first_line;  // of each key, to find duplicates
    bool has_key = false, key_is_good = false;
    std::string key;
    Node::Mark key_mark;
  };
  struct Anchored {
    Node node;
    std::size_t size, depth;
  };

  static Node::Mark convert(const YAML::Mark& mark) {
    if (mark.is_null()) return {};
    return {static_cast<unsigned>(mark.line) + 1, static_cast<unsigned>(mark.column) + 1};
  }

  static std::size_t depth_of(const Node& node) {
    std::size_t deepest = 0;
    for (const Node& child : node.children) deepest = std::max(deepest, depth_of(child));
    return deepest + 1;
  }

  void complain(const Node::Mark& mark, std::string what) { mistakes_.add({*file_, mark.line, mark.column}, std::move(what)); }

  [[noreturn]] void stop(const YAML::Mark& mark, std::string what) {
    complain(convert(mark), std::move(what));
    throw StopReading{};
  }

  [[noreturn]] void stop_too_deep(const YAML::Mark& mark) {
    stop(mark, "nested deeper than " + std::to_string(kDeepestNode) + " levels; is this a configuration?");
  }

  void spend(const YAML::Mark& mark, std::size_t nodes) {
    aliased_ += nodes;
    if (aliased_ > kMostAliasedNodes) {
      stop(mark, "aliases expand to more than " + std::to_string(kMostAliasedNodes) + " values; write the values out");
    }
  }

  // The library gives plain scalars and untagged collections the tag "?", quoted scalars "!".
  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    complain(convert(mark), "a YAML tag (" + quote(tag) + "); write the plain value");
  }

  Node make(Node::Kind kind, const YAML::Mark& mark) {
    if (++nodes_ > kMostNodes) stop(mark, "more than " + std::to_string(kMostNodes) + " values; is this a configuration?");
    Node node;
    node.kind = kind;
    node.file = file_;
    node.mark = convert(mark);
    return node;
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (open_.size() >= kDeepestNode) stop_too_deep(mark);
    check_tag(mark, tag);
    Open opened;
    opened.node = make(kind, mark);
    opened.anchor = anchor;
    open_.push_back(std::move(opened));
  }

  void close() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    add(std::move(closed.node), closed.anchor);
  }

  void add(Node node, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      const std::size_t size = count_nodes(node);
      YAML::Mark mark;
      mark.line = static_cast<int>(node.mark.line) - 1;
      mark.column = static_cast<int>(node.mark.column) - 1;
      spend(mark, size);
      anchored_[anchor] = {node, size, depth_of(node)};
    }
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is(Node::Kind::sequence)) {
      open_.back().node.children.push_back(std::move(node));
    } else if (!open_.back().has_key) {
      take_key(std::move(node));
    } else {
      take_value(std::move(node));
    }
  }

  void take_key(Node node) {
    Open& map = open_.back();
    map.has_key = true;
    map.key_mark = node.mark;
    map.key_is_good = node.is(Node::Kind::scalar) && !node.text.empty();
    if (map.key_is_good) {
      const auto [first, is_new] = map.first_line.emplace(node.text, node.mark.line);
      map.key_is_good = is_new;
      if (!is_new)
        complain(node.mark, "duplicate key " + quote(node.text) + ", already on line " + std::to_string(first->second) + "; keep one");
    } else {
      complain(node.mark, "a key must be one word, not " + name_of(node));
    }
    map.key = std::move(node.text);
  }

  void take_value(Node node) {
    Open& map = open_.back();
    map.has_key = false;
    if (!map.key_is_good) return;
    node.key = std::move(map.key);
    node.key_mark = map.key_mark;
    // The library positions an absent value at the next token.
    if (node.is(Node::Kind::null)) node.mark = node.key_mark;
    map.node.children.push_back(std::move(node));
  }

  std::shared_ptr<const std::string> file_;
  Mistakes& mistakes_;
  Node root_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, Anchored> anchored_;
  std::size_t documents_ = 0, nodes_ = 0, aliased_ = 0;
};

/// The first line up to `last` whose indentation has a tab; 0 if there is none.
unsigned line_with_tab(std::string_view text, unsigned last) {
  for (unsigned line = 1; line <= last && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view indent = text.substr(0, std::min(text.find_first_not_of(" \t"), end));
    if (indent.find('\t') != std::string_view::npos) return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

}  // namespace

Node parse_yaml(std::string_view text, const std::string& file, Mistakes& mistakes) {
  TreeBuilder builder(file, mistakes);
  std::istringstream in{std::string(text)};
  try {
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const StopReading&) {
  } catch (const YAML::Exception& e) {
    const bool placed = !e.mark.is_null();
    const unsigned line = placed ? static_cast<unsigned>(e.mark.line) + 1 : 1,
                   column = placed ? static_cast<unsigned>(e.mark.column) + 1 : 1;
    const unsigned tab = line_with_tab(text, line);
    if (tab != 0)
      mistakes.add({file, tab, 1}, "not valid YAML: a tab in the indentation, which YAML forbids; write spaces");
    else
      mistakes.add({file, line, column}, "not valid YAML: " + e.msg);
  }
  Node root = builder.take_root();
  if (!root.file) root.file = std::make_shared<const std::string>(file);
  return root;
}

}  // namespace wharf::config
