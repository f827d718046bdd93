#pragma once
// The clusters of a kernel that a reader has met, and how large they are.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "stimuli/traces/kernel_reader.h"

namespace wharf::traces {

class SeenClusters {
 public:
  /// Returns false where the cluster had a CTA of this rank before.
  bool add(const ClusterPlace& place) {
    size_.x = std::max(size_.x, place.cta.x + 1);
    size_.y = std::max(size_.y, place.cta.y + 1);
    size_.z = std::max(size_.z, place.cta.z + 1);
    const Dim3& id = place.cluster;
    std::uint32_t& ranks = ranks_[{id.z, id.y, id.x}];
    const std::uint32_t rank = std::uint32_t{1} << place.rank;
    const bool is_new = (ranks & rank) == 0;
    ranks |= rank;
    return is_new;
  }
  /// The largest place of a CTA in its cluster, plus one in each direction; 0 where no CTA gives its place.
  const Dim3& size() const { return size_; }
  /// The first cluster that does not have each rank below the size once, as "x,y,z"; empty where there is none.
  std::string first_incomplete() const {
    const std::uint32_t all = (std::uint32_t{1} << std::min<std::uint64_t>(size_.count(), 31)) - 1;
    for (const auto& [id, ranks] : ranks_)
      if (ranks != all) return text_of({std::get<2>(id), std::get<1>(id), std::get<0>(id)});
    return "";
  }
  static std::string text_of(const Dim3& id) { return std::to_string(id.x) + "," + std::to_string(id.y) + "," + std::to_string(id.z); }

 private:
  Dim3 size_{0, 0, 0};
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> ranks_;  // by z, y, x; a bit per rank
};

}  // namespace wharf::traces
