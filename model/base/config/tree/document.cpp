#include "model/base/config/tree/document.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "model/base/text.h"

namespace wharf::config {
namespace {

Position at_offset(const std::string& file, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? offset : offset - start - 1;
  return {file, static_cast<unsigned>(line) + 1, static_cast<unsigned>(column) + 1};
}

Node empty_mapping(const std::string& file) {
  Node node;
  node.kind = Node::Kind::mapping;
  node.file = std::make_shared<const std::string>(file);
  node.mark = {1, 1};
  return node;
}

}  // namespace

Position Node::position() const { return {*file, mark.line, mark.column}; }

Position Node::key_position() const {
  const Mark& at = key_mark.line ? key_mark : mark;
  return {*file, at.line, at.column};
}

const Node* Node::find(std::string_view child) const {
  const auto found = std::find_if(children.begin(), children.end(), [&](const Node& n) { return n.key == child; });
  return found == children.end() ? nullptr : &*found;
}

Node* Node::find(std::string_view child) { return const_cast<Node*>(std::as_const(*this).find(child)); }

std::string name_of(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::mapping:
      return "a mapping";
    case Node::Kind::scalar:
      break;
  }
  return quote(node.text);
}

std::size_t count_nodes(const Node& node) {
  std::size_t count = 1;
  for (const Node& child : node.children) count += count_nodes(child);
  return count;
}

void set_layer(Node& node, Layer layer) {
  node.layer = layer;
  for (Node& child : node.children) set_layer(child, layer);
}

void merge(Node& base, const Node& over) {
  if (!base.is(Node::Kind::mapping) || !over.is(Node::Kind::mapping)) {
    base = over;
    return;
  }
  // Indexed by a copy of the key and by position, because the children move as new ones are added.
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < base.children.size(); ++i) index.emplace(base.children[i].key, i);
  for (const Node& child : over.children) {
    const auto found = index.find(child.key);
    if (found == index.end()) {
      base.children.push_back(child);
    } else {
      merge(base.children[found->second], child);
    }
  }
  base.layer = over.layer;
  base.file = over.file;
  base.key_mark = over.key_mark;
  base.mark = over.mark;
}

Node parse_document(std::string_view text, const std::string& file, Mistakes& mistakes) {
  const std::size_t bad = first_unprintable(text);
  if (bad != std::string_view::npos) {
    mistakes.add(at_offset(file, text, bad), "a byte that is not UTF-8 text; is this a YAML file?");
    return empty_mapping(file);
  }
  const std::size_t before = mistakes.size();
  Node root = parse_yaml(text, file, mistakes);
  if (root.is(Node::Kind::mapping)) return root;
  if (mistakes.size() == before) {
    const Position where = root.mark.line ? root.position() : Position{file, 1, 1};
    mistakes.add(where, "the file holds " + name_of(root) + "; write `key: value` lines, or `extends: <configuration>`");
  }
  return empty_mapping(file);
}

Node read_document(const std::filesystem::path& path, Mistakes& mistakes) {
  const std::string name = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const auto fail = [&](const std::string& what) {
    mistakes.add({name, 0, 0}, what);
    return empty_mapping(name);
  };
  if (!std::filesystem::exists(status)) return fail("no such file");
  // A pipe or a device could block the reader or never end.
  if (!std::filesystem::is_regular_file(status)) return fail("is not a regular file; name a YAML file");
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail("cannot be opened; check its permissions");
  std::string text(kMostFileBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return fail("cannot be read");
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMostFileBytes) return fail("is larger than 1 MB; a configuration has some hundred lines, is this the right file?");
  return parse_document(text, name, mistakes);
}

}  // namespace wharf::config
