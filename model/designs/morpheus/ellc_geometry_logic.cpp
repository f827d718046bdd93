#include <algorithm>

#include "model/designs/morpheus/ellc_geometry.h"

namespace wharf {

EllcGeometry::EllcGeometry(const EllcKernelParams& kernel, unsigned cache_sms, unsigned partitions)
    : cache_sms_(cache_sms), warps_(kernel.warps()), rows_(partitions), places_(std::size_t{cache_sms} * kernel.warps()) {
  unsigned first_warp = 0;
  for (const EllcUnit unit : {EllcUnit::register_file, EllcUnit::l1, EllcUnit::shared_memory}) {
    const unsigned warps = kernel.warps_of(unit);
    for (unsigned sm = 0; sm < cache_sms; ++sm) {
      for (unsigned i = 0; i < warps; ++i) {
        const unsigned partition = (warps * sm + i) % partitions, warp = first_warp + i;
        places_[std::size_t{sm} * warps_ + warp] = {partition, static_cast<unsigned>(rows_[partition].size())};
        rows_[partition].push_back({static_cast<std::uint16_t>(sm), static_cast<std::uint16_t>(warp), unit, kernel.blocks(unit)});
      }
    }
    first_warp += warps;
    most_blocks_ += std::size_t{cache_sms} * warps * kernel.most_blocks(unit);
  }
}

unsigned EllcGeometry::most_rows() const {
  std::size_t most = 0;
  for (const auto& rows : rows_) most = std::max(most, rows.size());
  return static_cast<unsigned>(most);
}

}  // namespace wharf
