#include "model/base/config/points.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "model/base/config/settings.h"
#include "model/base/text.h"

namespace wharf::config {
namespace {

constexpr std::size_t kMostPoints = 256;  // each point costs a reading of the whole configuration

/// True if every character may occur in the name of a configuration. The characters @, + and : join names, so they may not.
bool is_point_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

/// The name of the point; empty if it has none.
std::string name_in(const Node& point) {
  const Node* name = point.find("name");
  return name != nullptr && name->is(Node::Kind::scalar) ? name->text : std::string();
}

const std::vector<Node>& points_in(const Node& sweep) {
  static const std::vector<Node> none;
  const Node* points = sweep.find("points");
  return points != nullptr && points->is(Node::Kind::sequence) ? points->children : none;
}

/// The point of that name; null if the sweep has none.
const Node* point_in(const Node& sweep, const std::string& name) {
  const std::vector<Node>& points = points_in(sweep);
  const auto point = std::find_if(points.begin(), points.end(), [&](const Node& p) { return name_in(p) == name; });
  return point == points.end() ? nullptr : &*point;
}

/// The configuration that a point extends.
std::optional<Node> base_of(const Node& sweep, const Node& point, Mistakes& mistakes) {
  if (const Node* extends = point.find("extends")) return *extends;
  const Node* configs = sweep.find("configs");
  if (configs != nullptr && configs->is(Node::Kind::sequence) && configs->children.size() == 1) configs = &configs->children.front();
  if (configs == nullptr || !configs->is(Node::Kind::scalar)) {
    mistakes.add(point.position(), "points: " + quote(name_in(point)) +
                                       " does not say which configuration it extends; write extends: NAME, or one name under `configs`");
    return std::nullopt;
  }
  Node extends = *configs;
  extends.key = "extends";
  extends.key_mark = extends.mark;
  return extends;
}

}  // namespace

std::vector<std::string> point_names(const Node& sweep) {
  std::vector<std::string> names;
  for (const Node& point : points_in(sweep)) {
    if (is_point_name(name_in(point))) names.push_back(name_in(point));
  }
  return names;
}

void check_points(const Node& sweep, Mistakes& mistakes) {
  const Node* points = sweep.find("points");
  if (points == nullptr) return;
  const std::size_t count = points_in(sweep).size();
  if (count == 0 || count > kMostPoints) {
    return mistakes.add(points->key_position(),
                        "points: must be a list of 1 to " + std::to_string(kMostPoints) + " points {name, extends, set}");
  }
  std::set<std::string> seen;
  for (const Node& point : points->children) {
    const std::string name = name_in(point);
    if (!is_point_name(name)) {
      mistakes.add(point.position(), "points: holds " + (name.empty() ? name_of(point) : quote(name)) +
                                         "; give each a `name` of letters, digits, _, - and .");
    } else if (!seen.insert(name).second) {
      mistakes.add(point.find("name")->position(), "points: two are called " + quote(name) + "; give each a `name` of its own");
    }
  }
}

std::optional<Node> read_point(const Node& sweep, const std::string& name, Mistakes& mistakes) {
  check_points(sweep, mistakes);
  const Node* const point = point_in(sweep, name);
  if (point == nullptr) return std::nullopt;
  expect_keys(*point, "points", {"name", "extends", "set", "published"}, mistakes);
  const PointSettings settings = read_settings(*point, "points", mistakes);
  Node document = settings.values;
  document.mark = point->mark;
  const auto extends = base_of(sweep, *point, mistakes);
  if (!extends) return document;
  Node description = *extends;
  description.key = "description";
  description.text += (settings.texts.empty() ? "" : " with ") + join(settings.texts);
  document.children.push_back(*extends);
  document.children.push_back(std::move(description));
  return document;
}

std::vector<std::pair<std::string, double>> published_of(const Node& sweep, const std::string& name,
                                                         const std::vector<std::string>& metrics, Mistakes& mistakes) {
  std::vector<std::pair<std::string, double>> figures;
  const Node* const point = point_in(sweep, name);
  const Node* const published = point != nullptr ? mapping_of(*point, "points", "published", mistakes) : nullptr;
  if (published == nullptr) return figures;
  for (const Node& figure : published->children) {
    double number = 0;
    const char* const end = figure.text.data() + figure.text.size();
    const auto [stop, error] = std::from_chars(figure.text.data(), end, number);
    if (!figure.is(Node::Kind::scalar) || error != std::errc() || stop != end)
      mistakes.add(figure.position(), "points.published: " + name_of(figure) + " is not a number");
    else if (std::find(metrics.begin(), metrics.end(), figure.key) == metrics.end())
      mistakes.add(figure.key_position(),
                   "points.published: " + quote(figure.key) + " is not among the sweep's metrics; they are " + join(metrics));
    else
      figures.emplace_back(figure.key, number);
  }
  return figures;
}

}  // namespace wharf::config
