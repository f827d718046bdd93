#pragma once
// The table `links` of result.json: the ends and the utilisation of every link of every network.

#include <functional>
#include <string>
#include <vector>

#include "model/base/stats/stats.h"

namespace wharf::network {

/// The ends of a directed link, and their positions in a drawing of the network. A node's link is drawn at its router.
struct LinkEnds {
  std::string from, to;
  unsigned x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// Adds the links whose busy cycles are counted under `prefix` + `kind` ("net.request" + ".link"). `cycles_metric` is the counter of the
/// network's clock cycles ("net.cycles"); `ends` returns the ends of the link with this instance number.
void declare_links(stats::Registry& registry, const std::string& prefix, const char* kind, const std::string& cycles_metric,
                   std::function<LinkEnds(unsigned instance)> ends);

/// A kind of links of a network, whose counters are under the network's prefix + `kind`.
struct LinkKind {
  std::string kind;
  std::function<LinkEnds(unsigned instance)> ends;
};

/// Adds the means, the utilisations and the rows of the table `links` of a network, once for all its instances. The links of the last kind
/// deliver.
void derive_link_metrics(stats::Registry& registry, const std::string& prefix, const std::string& cycles_metric,
                         std::vector<LinkKind> kinds);

}  // namespace wharf::network
