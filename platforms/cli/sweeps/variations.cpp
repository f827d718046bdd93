#include "platforms/cli/sweeps/variations.h"

#include <fmt/core.h>

#include <set>
#include <utility>

#include "model/base/config/settings.h"
#include "model/base/config/tree/mistakes.h"
#include "model/base/config/tree/write.h"
#include "model/base/text.h"

namespace wharf::cli {
namespace {

using config::Mistakes;
using config::Node;

class VariationReader {
 public:
  VariationReader(const Node& sweep, std::size_t most, Mistakes& mistakes) : sweep_(sweep), most_(most), mistakes_(mistakes) {}

  Variations read() {
    variations_.points = {{}};
    combine(lists_of("vary"));
    zip(lists_of("zip"));
    return std::move(variations_);
  }

 private:
  /// The lists of `vary` or `zip`, a key each.
  std::vector<Settings> lists_of(const char* name) {
    std::vector<Settings> lists;
    const Node* mapping = sweep_.find(name);
    if (mapping == nullptr) return lists;
    if (!mapping->is(Node::Kind::mapping) || mapping->children.empty()) {
      mistakes_.add(mapping->position(),
                    fmt::format("{}: is {}; write lists of values, such as {}: {{l1.ways: [4, 8]}}", name, name_of(*mapping), name));
      return lists;
    }
    for (const Node& list : mapping->children) {
      const std::string where = fmt::format("{}.{}", name, list.key);
      const auto path = config::split_path(list.key);
      if (!path || config::is_reserved(path->front())) {
        mistakes_.add(list.key_position(), fmt::format("{}: {} is not a key path; write key.key", name, quote(list.key)));
      } else if (!seen_.insert(list.key).second) {
        mistakes_.add(list.key_position(), fmt::format("{}: the key is given twice; keep one", where));
      } else if (!list.is(Node::Kind::sequence) || list.children.empty()) {
        mistakes_.add(list.position(), fmt::format("{}: is {}; write the values as a list, such as [4, 8]", where, name_of(list)));
      } else {
        variations_.keys.push_back(list.key);
        lists.push_back(settings_of(list, where));
      }
    }
    return lists;
  }

  Settings settings_of(const Node& list, const std::string& where) {
    Settings settings;
    for (const Node& value : list.children) {
      if (!value.is(Node::Kind::scalar) && !value.is(Node::Kind::sequence))
        mistakes_.add(value.position(), fmt::format("{}: holds {}; write single values", where, name_of(value)));
      settings.push_back({list.key, value});
    }
    return settings;
  }

  void combine(const std::vector<Settings>& lists) {
    for (const Settings& list : lists) {
      if (has_too_many(list.size())) return;
      std::vector<Settings> longer;
      for (const Settings& point : variations_.points) {
        for (const Setting& setting : list) {
          longer.push_back(point);
          longer.back().push_back(setting);
        }
      }
      variations_.points = std::move(longer);
    }
  }

  void zip(const std::vector<Settings>& lists) {
    if (lists.empty()) return;
    const Settings& first = lists.front();
    for (const Settings& list : lists) variations_.zipped.push_back(list.front().key);
    for (const Settings& list : lists) {
      if (list.size() == first.size()) continue;
      return mistakes_.add(sweep_.find("zip")->find(list.front().key)->position(),
                           fmt::format("zip.{}: has {} values and {} has {}; give all the same number, or write the keys under `vary`",
                                       list.front().key, list.size(), first.front().key, first.size()));
    }
    if (has_too_many(first.size())) return;
    std::vector<Settings> longer;
    for (const Settings& point : variations_.points) {
      for (std::size_t i = 0; i < first.size(); ++i) {
        longer.push_back(point);
        for (const Settings& list : lists) longer.back().push_back(list[i]);
      }
    }
    variations_.points = std::move(longer);
  }

  bool has_too_many(std::size_t values) {
    if (variations_.points.size() * values <= most_) return false;
    variations_.points.resize(1);
    mistakes_.add(sweep_.position(), fmt::format("makes more than {} machines; vary fewer keys or values", most_));
    return true;
  }

  const Node& sweep_;
  const std::size_t most_;
  Mistakes& mistakes_;
  Variations variations_;
  std::set<std::string> seen_;
};

}  // namespace

std::string text_of(const Node& value) {
  if (value.is(Node::Kind::scalar)) return value.in_quotes ? config::yaml_text(value.text) : value.text;
  std::string list;
  for (const Node& item : value.children) list += (list.empty() ? "" : ", ") + text_of(item);
  return '[' + list + ']';
}

Variations read_variations(const Node& sweep, std::size_t most, Mistakes& mistakes) {
  return VariationReader(sweep, most, mistakes).read();
}

}  // namespace wharf::cli
