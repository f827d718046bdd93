#pragma once
// A plan's runs over several machines: which part of them one machine makes.

#include <string>
#include <vector>

namespace wharf::cli {

/// Part `index` of `count`; the whole plan where it is 1/1.
struct Shard {
  unsigned index = 1, count = 1;

  bool is_whole() const { return count == 1; }
};

/// "2/3". Throws InputError for anything else, a part 0 and a part beyond the last.
Shard parse_shard(const std::string& text);

/// The part of each run, from 1: the longest run first, each to the part that has the least to do. The same for the same plan on every
/// machine, so `seconds` may not depend on what has run there.
std::vector<unsigned> parts_of(const std::vector<double>& seconds, const std::vector<std::string>& names, unsigned count);

}  // namespace wharf::cli
