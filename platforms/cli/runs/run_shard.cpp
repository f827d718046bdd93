#include "platforms/cli/runs/run_shard.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos)
    throw InputError(fmt::format("--shard: {} is not of the form i/n; write 1/3, 2/3 and 3/3 on three machines", quote(text)));
  const auto count = static_cast<unsigned>(parse_count(text.substr(slash + 1), "--shard: the number of parts", 1, kMostParts));
  const auto index = static_cast<unsigned>(parse_count(text.substr(0, slash), "--shard: the part", 1, count));
  return {index, count};
}

std::vector<unsigned> parts_of(const std::vector<double>& seconds, const std::vector<std::string>& names, unsigned count) {
  std::vector<std::size_t> order(seconds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return seconds[a] != seconds[b] ? seconds[a] > seconds[b] : names[a] < names[b]; });
  std::vector<double> load(count, 0.0);
  std::vector<unsigned> part(seconds.size());
  for (const std::size_t run : order) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += seconds[run];
    part[run] = static_cast<unsigned>(least - load.begin()) + 1;
  }
  return part;
}

}  // namespace wharf::cli
