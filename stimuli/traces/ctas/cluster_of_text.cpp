#include "stimuli/traces/ctas/cluster_of_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace {

constexpr std::uint32_t kFirstTracer = 6;  // that knows clusters

using Triple = std::array<std::uint32_t, 3>;
Triple triple_of(const Dim3& dim) { return {dim.x, dim.y, dim.z}; }

/// The places of a CTA that its lines give.
struct Places {
  Dim3 grid, cluster, cta;
};

class Sizes {
 public:
  explicit Sizes(const Dim3& grid) {
    for (unsigned d = 0; d < 3; ++d) settled_[d] = triple_of(grid)[d] == 1;
  }
  void add(const Places& places) {
    const Triple at = triple_of(places.grid), cluster = triple_of(places.cluster), cta = triple_of(places.cta);
    for (unsigned d = 0; d < 3; ++d) {
      if (settled_[d]) continue;
      settled_[d] = cluster[d] != 0 && at[d] >= cta[d];
      size_[d] = settled_[d] ? std::max(1u, (at[d] - cta[d]) / cluster[d]) : std::max(size_[d], cta[d] + 1);
    }
  }
  bool settled() const { return settled_[0] && settled_[1] && settled_[2]; }
  Dim3 size() const { return {size_[0], size_[1], size_[2]}; }

 private:
  std::array<bool, 3> settled_{};
  Triple size_ = {1, 1, 1};
};

Dim3 read_sizes(LineSource& source, const Dim3& grid) {
  Sizes sizes(grid);
  Places places;
  bool in_cta = false;
  for (std::string_view line, value; !sizes.settled() && source.next(line);) {
    if (line.empty() || !(line.front() == 't' || line.front() == 'c' || line.front() == 'w')) continue;
    if (value_of(line, "thread block", value)) {
      in_cta = parse_dim3(trimmed(value), places.grid);
    } else if (value_of(line, "cluster id", value)) {
      if (!parse_dim3(value, places.cluster)) break;
    } else if (value_of(line, "cluster cta", value)) {
      if (!parse_dim3(value, places.cta)) break;
      sizes.add(places);
      in_cta = false;
    } else if (in_cta && value_of(line, "warp", value)) {
      break;  // the file has no clusters
    }
  }
  return sizes.size();
}

}  // namespace

Dim3 cluster_of_text(const std::string& path, const KernelHeader& header) {
  if (header.says_cluster || header.tracer_version < kFirstTracer) return header.cluster;
  try {
    return read_sizes(*LineSource::open(path), header.grid);
  } catch (const TraceError&) {
    return header.cluster;
  }
}

}  // namespace wharf::traces
