#include "model/monitor/watchdog_logic.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace wharf {

namespace {

constexpr std::size_t kMostLines = 10;

/// Resources as nodes, and waits as edges.
struct Graph {
  explicit Graph(const std::vector<Wait>& waits) {
    for (std::size_t i = 0; i < waits.size(); ++i) {
      const std::size_t from = node(waits[i].holder), to = node(waits[i].waits_for);
      edges[from].push_back(i);
      target.push_back(to);
    }
  }
  std::size_t node(std::string_view resource) {
    const auto [it, fresh] = nodes.emplace(resource, edges.size());
    if (fresh) edges.emplace_back();
    return it->second;
  }
  std::unordered_map<std::string_view, std::size_t> nodes;
  std::vector<std::vector<std::size_t>> edges;  // [node]: waits whose holder it is
  std::vector<std::size_t> target;              // [wait]: target node
};

std::vector<std::size_t> search(const Graph& graph) {
  enum class Mark : std::uint8_t { fresh, on_path, done };
  std::vector<Mark> marks(graph.edges.size(), Mark::fresh);
  struct Step {
    std::size_t node, next_edge;
  };
  for (std::size_t start = 0; start < graph.edges.size(); ++start) {
    if (marks[start] != Mark::fresh) continue;
    std::vector<Step> path{{start, 0}};
    std::vector<std::size_t> waits;  // waits between the nodes of the path
    marks[start] = Mark::on_path;
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next_edge == graph.edges[step.node].size()) {
        marks[step.node] = Mark::done;
        path.pop_back();
        if (!waits.empty()) waits.pop_back();
        continue;
      }
      const std::size_t wait = graph.edges[step.node][step.next_edge++];
      const std::size_t node = graph.target[wait];
      if (marks[node] == Mark::done) continue;
      waits.push_back(wait);
      if (marks[node] == Mark::on_path) {
        const auto first = std::find_if(path.begin(), path.end(), [node](const Step& s) { return s.node == node; });
        return {waits.begin() + (first - path.begin()), waits.end()};
      }
      marks[node] = Mark::on_path;
      path.push_back({node, 0});
    }
  }
  return {};
}

std::string line(const Wait& wait) {
  if (!wait.detail.empty()) return fmt::format("\n  {} waits for {}: {}", wait.holder, wait.waits_for, wait.detail);
  return fmt::format("\n  access {} ({:#x}) holds {} and waits for {} since cycle {}", wait.access, wait.address, wait.holder,
                     wait.waits_for, wait.since);
}

/// "dram (12 waits)": the resources that accesses wait for and that do not wait themselves.
std::string ends(const std::vector<Wait>& waits, const Graph& graph) {
  std::vector<std::pair<std::string_view, std::size_t>> counts;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (!graph.edges[graph.target[i]].empty()) continue;
    const auto it = std::find_if(counts.begin(), counts.end(), [&](const auto& count) { return count.first == waits[i].waits_for; });
    if (it == counts.end()) {
      counts.emplace_back(waits[i].waits_for, 1);
    } else {
      ++it->second;
    }
  }
  std::string text;
  for (const auto& [resource, count] : counts) text += fmt::format("\n  {} ({} {})", resource, count, count == 1 ? "wait" : "waits");
  return text;
}

}  // namespace

std::vector<std::size_t> find_wait_cycle(const std::vector<Wait>& waits) {
  std::vector<std::size_t> cycle = search(Graph(waits));
  const auto oldest =
      std::min_element(cycle.begin(), cycle.end(), [&](std::size_t a, std::size_t b) { return waits[a].since < waits[b].since; });
  std::rotate(cycle.begin(), oldest, cycle.end());
  return cycle;
}

std::string describe_waits(const std::vector<Wait>& waits) {
  if (waits.empty()) return "no block reports an access that waits";
  const std::vector<std::size_t> cycle = find_wait_cycle(waits);
  if (!cycle.empty()) {
    std::string text = "circular wait:";
    for (std::size_t i : cycle) text += line(waits[i]);
    return text;
  }
  std::vector<std::size_t> order(waits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return waits[a].since < waits[b].since; });
  std::string text = "no circular wait; the longest waits are";
  for (std::size_t i = 0; i < std::min(order.size(), kMostLines); ++i) text += line(waits[order[i]]);
  if (order.size() > kMostLines) text += fmt::format("\n  and {} more", order.size() - kMostLines);
  text += "\nand all waiting ends at" + ends(waits, Graph(waits));
  return text + "\na machine that is only slow needs a larger watchdog.interval_cycles";
}

}  // namespace wharf
