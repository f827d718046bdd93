#pragma once
// The table `links` of result.json: every link of every network, where it stands and how busy it was.

#include <functional>
#include <string>

#include "model/base/stats/stats.h"

namespace wharf::network {

/// The two ends of a directed link, and where they stand in a drawing of the network. The link of a node stands at its router.
struct LinkEnds {
  std::string from, to;
  unsigned x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// Adds the links whose busy cycles are counted under `prefix` + `kind` ("net.request" + ".link"). `cycles_metric`: the counter of the
/// network's clock cycles ("net.cycles"); `ends`: of the link with this instance number.
void declare_links(stats::Registry& registry, const std::string& prefix, const char* kind, const std::string& cycles_metric,
                   std::function<LinkEnds(unsigned instance)> ends);

}  // namespace wharf::network
