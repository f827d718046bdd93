#pragma once
// Splits the runs of a plan among several machines.

#include <string>
#include <vector>

namespace wharf::cli {

inline constexpr unsigned kMostParts = 1000;

/// Part `index` of `count`; 1/1 is the whole plan, and part 0 has no runs.
struct Shard {
  unsigned index = 1, count = 1;

  bool is_whole() const { return count == 1; }
};

/// Parses "2/3". Throws InputError for any other text, and for a part outside 1 to the last.
Shard parse_shard(const std::string& text);

/// The part of each run, from 1: runs in descending order of time, each assigned to the part with the least work. Every machine must
/// compute the same parts, so `seconds` must not depend on the machine's own runs.
std::vector<unsigned> parts_of(const std::vector<double>& seconds, const std::vector<std::string>& names, unsigned count);

}  // namespace wharf::cli
