#include "tests/lint/findings/rooms.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace wharf::lint {
namespace {

std::string room_of(const std::string& path) { return std::filesystem::path(path).parent_path().generic_string(); }

/// The two neighbouring rooms that an include connects: where the paths differ first, below the top of the tree. Empty if one room contains
/// the other.
std::pair<std::string, std::string> rooms_beside(const std::string& from, const std::string& to) {
  const std::string a = room_of(from) + "/", b = room_of(to) + "/";
  std::size_t begin = 0;  // start of the names that differ
  for (std::size_t i = 0; i < std::min(a.size(), b.size()) && a[i] == b[i]; ++i)
    if (a[i] == '/') begin = i + 1;
  if (begin == 0 || begin == a.size() || begin == b.size()) return {};
  return {a.substr(0, a.find('/', begin)), b.substr(0, b.find('/', begin))};
}

/// Rooms, and for each room that one includes, the first include of it.
using Graph = std::map<std::string, std::map<std::string, std::string>>;

Graph graph_of(const Tree& tree) {
  std::set<std::string> paths;
  for (const SourceFile& file : tree) paths.insert(file.path);
  Graph graph;
  for (const SourceFile& file : tree)
    for (const Include& include : includes_of(file.text)) {
      if (!include.quoted || paths.count(include.target) == 0) continue;
      const auto [from, to] = rooms_beside(file.path, include.target);
      if (!from.empty()) graph[from].emplace(to, file.path + " includes " + include.target);
    }
  return graph;
}

/// Searches cycles depth first.
class Walk {
 public:
  explicit Walk(const Graph& graph) : graph_(graph) {}

  Findings circles() {
    for (const auto& room : graph_) visit(room.first);
    return circles_;
  }

 private:
  void visit(const std::string& room) {
    const auto open = std::find(way_.begin(), way_.end(), room);
    if (open != way_.end()) return report(std::size_t(open - way_.begin()));
    if (!seen_.insert(room).second) return;
    const auto includes = graph_.find(room);
    if (includes == graph_.end()) return;
    way_.push_back(room);
    for (const auto& next : includes->second) visit(next.first);
    way_.pop_back();
  }

  void report(std::size_t begin) {
    std::string rooms, why;
    for (std::size_t i = begin; i < way_.size(); ++i) {
      const std::string& next = i + 1 < way_.size() ? way_[i + 1] : way_[begin];
      rooms += way_[i] + " -> ";
      why += (why.empty() ? ": " : ", ") + graph_.at(way_[i]).at(next);
    }
    circles_.push_back(rooms + way_[begin] + why);
  }

  const Graph& graph_;
  std::vector<std::string> way_;
  std::set<std::string> seen_;
  Findings circles_;
};

}  // namespace

Findings size_findings(const Tree& tree, std::size_t most) {
  std::map<std::string, std::size_t> files;
  for (const SourceFile& file : tree) ++files[room_of(file.path)];
  Findings findings;
  for (const auto& [room, count] : files)
    if (count > most) findings.push_back(room + ": " + std::to_string(count) + " files; make rooms in it");
  return findings;
}

Findings circle_findings(const Tree& tree) { return Walk(graph_of(tree)).circles(); }

}  // namespace wharf::lint
