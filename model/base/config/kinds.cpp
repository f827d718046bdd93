#include "model/base/config/kinds.h"

#include <algorithm>

#include "model/base/config/points.h"
#include "model/base/files/shell_word.h"

namespace wharf::config {
namespace {

bool has_any(const Node& document, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return document.find(key) != nullptr; });
}

/// True for a list of workloads, or a group of named ones and fill-ins.
bool is_suite(const Node& node) {
  const auto is_part = [](const Node& part) { return part.key == "named" || part.key == "fill_ins" || part.key == "of"; };
  if (node.is(Node::Kind::mapping)) return !node.children.empty() && std::all_of(node.children.begin(), node.children.end(), is_part);
  return node.is(Node::Kind::sequence);
}

/// The message about a file of the wrong kind: its kind, and what to do with it.
std::string text_of(FileKind kind, const Node& document, FileKind wanted) {
  const std::string file = *document.file, word = shell_word(file);
  switch (kind) {
    case FileKind::configuration:
      return "is a configuration; run `wharf run " + word + " --stimulus gemm@std`";
    case FileKind::sweep: {
      const std::vector<std::string> points = point_names(document);
      const std::string point =
          points.empty() || wanted != FileKind::configuration ? "" : ", or name one of its points, such as " + file + ':' + points[0];
      return "is a sweep; run `wharf sweep " + word + '`' + point;
    }
    case FileKind::claims:
      return "is a file of claims; run `wharf reproduce --claims-file " + word + '`';
    case FileKind::suites:
      return "is a list of suites; --suite takes the name of one that `wharf list suites` prints";
    case FileKind::launches:
      return "is a file of launches; run `wharf run private --launch " + word + '`';
    case FileKind::programs:
      return "maps applications to programs; run `wharf reproduce --programs " + word + '`';
    case FileKind::hardware:
      return "has measurements of hardware; run `wharf validate --hardware " + word + '`';
    case FileKind::unknown:
      break;
  }
  return {};
}

}  // namespace

FileKind kind_of(const Node& document) {
  if (has_any(document, {"claims", "systems"})) return FileKind::claims;
  if (has_any(document, {"programs"})) return FileKind::programs;
  if (has_any(document, {"rows"})) return FileKind::hardware;
  if (has_any(document, {"launches"})) return FileKind::launches;
  if (has_any(document, {"configs", "points", "stimuli", "suites", "traces", "vary", "zip"})) return FileKind::sweep;
  if (has_any(document, {"extends", "platform", "per_workload"})) return FileKind::configuration;
  const std::vector<Node>& keys = document.children;
  const auto is_suite_or_applications = [](const Node& node) { return is_suite(node) || node.key == "applications"; };
  return !keys.empty() && std::all_of(keys.begin(), keys.end(), is_suite_or_applications) ? FileKind::suites : FileKind::unknown;
}

bool expect_kind(const Node& document, FileKind wanted, Mistakes& mistakes) {
  const FileKind kind = kind_of(document);
  if (kind == wanted || kind == FileKind::unknown) return true;
  mistakes.add(document.children.front().key_position(), text_of(kind, document, wanted));
  return false;
}

}  // namespace wharf::config
