#pragma once
// The machines that `vary` and `zip` of a sweep make of one configuration.

#include <cstddef>
#include <string>
#include <vector>

#include "model/base/config/tree/document.h"

namespace wharf::cli {

/// One value of one key.
struct Setting {
  std::string key;
  config::Node value;
};
using Settings = std::vector<Setting>;

/// The value as --set would have it.
std::string text_of(const config::Node& value);

struct Variations {
  std::vector<std::string> keys;    // that are varied, in the file's order
  std::vector<std::string> zipped;  // those of them that change together
  std::vector<Settings> points;     // every combination; a single empty one without `vary` and `zip`
};

/// `sweep`: the whole file. Adds every mistake with its place to `mistakes`, including more than `most` points.
Variations read_variations(const config::Node& sweep, std::size_t most, config::Mistakes& mistakes);

}  // namespace wharf::cli
