#pragma once
// How accesses become packets (common.md section 2, CM-7, CM-8).

#include <cstdint>

#include "model/base/access.h"
#include "model/base/config/binder.h"
#include "model/network/flits.h"

namespace wharf {

enum class ReplyUnit { line, sector };

struct PacketParams {
  ReplyUnit reply_unit = ReplyUnit::line;

  void bind(config::Binder& b) {
    b.choice("reply_unit", reply_unit, {{"line", ReplyUnit::line}, {"sector", ReplyUnit::sector}},
             "data travel as one packet a line, or as one packet a 32 B sector (CM-7)");
  }

  /// Flits of the data of `sectors`; 0 sectors is a header alone.
  std::uint8_t flits(SectorMask sectors, std::uint32_t flit_bytes) const {
    const unsigned count = sector_count(sectors);
    if (reply_unit == ReplyUnit::sector && count != 0)
      return static_cast<std::uint8_t>(count * network::flits_of(kSectorBytes, flit_bytes));
    return static_cast<std::uint8_t>(network::flits_of(count * kSectorBytes, flit_bytes));
  }
};

}  // namespace wharf
