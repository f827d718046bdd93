#pragma once
// A YAML file as a tree that remembers the position of every key and value. The YAML library silently accepts duplicate keys, tags, several
// documents in a file and alias bombs; the parser below reports each of them as a mistake.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/config/tree/mistakes.h"

namespace wharf::config {

inline constexpr std::size_t kMostFileBytes = 1u << 20;
inline constexpr std::size_t kMostNodes = 20'000;         // of one file
inline constexpr std::size_t kMostAliasedNodes = 10'000;  // copied for the aliases of one file
inline constexpr std::size_t kDeepestNode = 64;

/// Who set a value. A later layer wins. A key that the outermost layer of a run sets must have an effect (Reader).
enum class Layer : std::uint8_t {
  inherited,           // a file named by `extends`
  inherited_workload,  // its `per_workload`
  file,                // the file that the user named
  workload,            // its `per_workload`
  override_,           // --set
};

struct Node {
  enum class Kind : std::uint8_t { null, scalar, sequence, mapping };
  struct Mark {
    unsigned line = 0, column = 0;
  };

  Kind kind = Kind::null;
  Layer layer = Layer::file;
  bool in_quotes = false;  // a scalar that is text, never a number
  std::string key;         // empty for the root and for items of a sequence
  std::string text;        // of a scalar
  std::shared_ptr<const std::string> file;
  Mark key_mark, mark;  // where the key and the value start
  std::vector<Node> children;

  bool is(Kind k) const { return kind == k; }
  Position position() const;
  /// Position of the key, or of the value if there is no key.
  Position key_position() const;
  const Node* find(std::string_view child) const;
  Node* find(std::string_view child);
};

/// "a mapping", "a list", "nothing", or the scalar in quotes, for messages.
std::string name_of(const Node& node);

/// Number of nodes in the tree, its root included.
std::size_t count_nodes(const Node& node);

/// Marks the whole tree as set by `layer`.
void set_layer(Node& node, Layer layer);

/// Merges `over` into `base`: mappings merge key by key, any other node replaces.
void merge(Node& base, const Node& over);

/// Parses any YAML value. `file` is the name that messages use. Adds mistakes to `mistakes`; the result is null if nothing could be read.
Node parse_yaml(std::string_view text, const std::string& file, Mistakes& mistakes);

/// As parse_yaml, but the root must be a mapping. If mistakes prevent reading it, the result is an empty mapping.
Node parse_document(std::string_view text, const std::string& file, Mistakes& mistakes);

/// Reads a file of at most kMostFileBytes. A file that is missing, unreadable or too large is a mistake and reads as an empty mapping.
Node read_document(const std::filesystem::path& path, Mistakes& mistakes);

}  // namespace wharf::config
