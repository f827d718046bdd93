#include "model/base/config/study.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "model/base/config/settings.h"
#include "model/base/text.h"

namespace wharf::config {

namespace {

constexpr std::size_t kMostPoints = 256;  // each costs a reading of the whole configuration

class StudyReader {
 public:
  explicit StudyReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  Study read(const Node& node) {
    expect_keys(node, "study", {"stimulus", "metrics", "points"}, mistakes_);
    Study study;
    study.stimulus = word(node, "study", "stimulus");
    for (const Node* metric : items(node, "metrics")) study.metrics.push_back(metric->text);
    for (const Node* point : items(node, "points")) study.points.push_back(read_point(*point, study));
    return study;
  }

 private:
  std::string word(const Node& node, const std::string& where, const char* key) {
    const Node* child = node.find(key);
    if (child != nullptr && child->is(Node::Kind::scalar) && !child->text.empty()) return child->text;
    mistakes_.add(child != nullptr ? child->position() : node.key_position(),
                  where + ": has no `" + key + "` of one word; write " + key + ": NAME");
    return {};
  }

  std::vector<const Node*> items(const Node& node, const char* key) {
    const Node* list = node.find(key);
    std::vector<const Node*> items;
    if (list == nullptr || !list->is(Node::Kind::sequence) || list->children.empty() || list->children.size() > kMostPoints) {
      mistakes_.add(list != nullptr ? list->key_position() : node.key_position(),
                    std::string("study.") + key + ": must be a list of 1 to " + std::to_string(kMostPoints) + " items");
      return items;
    }
    const Node::Kind kind = std::string_view(key) == "points" ? Node::Kind::mapping : Node::Kind::scalar;
    for (const Node& child : list->children) {
      if (child.is(kind))
        items.push_back(&child);
      else
        mistakes_.add(child.position(), std::string("study.") + key + ": holds " + name_of(child) +
                                            (kind == Node::Kind::mapping ? "; write {name, set, published}" : "; write single words"));
    }
    return items;
  }

  StudyPoint read_point(const Node& node, const Study& study) {
    expect_keys(node, "study.points", {"name", "set", "published"}, mistakes_);
    StudyPoint point;
    point.name = word(node, "study.points", "name");
    PointSettings settings = read_settings(node, "study.points", mistakes_);
    point.settings = std::move(settings.texts);
    point.values = std::move(settings.values);
    if (const Node* published = mapping_of(node, "study.points", "published", mistakes_)) {
      for (const Node& figure : published->children) read_published(figure, study, point);
    }
    return point;
  }

  void read_published(const Node& figure, const Study& study, StudyPoint& point) {
    double number = 0;
    const char* const end = figure.text.data() + figure.text.size();
    const auto [stop, error] = std::from_chars(figure.text.data(), end, number);
    if (!figure.is(Node::Kind::scalar) || error != std::errc() || stop != end) {
      mistakes_.add(figure.position(), "study.points.published: " + name_of(figure) + " is not a number");
    } else if (std::find(study.metrics.begin(), study.metrics.end(), figure.key) == study.metrics.end()) {
      mistakes_.add(figure.key_position(),
                    "study.points.published: " + quote(figure.key) + " is not among the study's metrics; they are " + join(study.metrics));
    } else {
      point.published.emplace_back(figure.key, number);
    }
  }

  Mistakes& mistakes_;
};

}  // namespace

std::optional<Study> read_study(const Node& node, Mistakes& mistakes) {
  if (!node.is(Node::Kind::mapping)) {
    mistakes.add(node.position(), "study: is " + name_of(node) + "; write study: {stimulus, metrics, points}");
    return std::nullopt;
  }
  const std::size_t before = mistakes.size();
  Study study = StudyReader(mistakes).read(node);
  if (mistakes.size() > before) return std::nullopt;
  return study;
}

}  // namespace wharf::config
