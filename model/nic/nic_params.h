#pragma once
// How accesses are packed into flits (common section 2, CM-7, CM-8).

#include <cstdint>

#include "model/base/access.h"
#include "model/base/config/binder.h"
#include "model/network/flits.h"

namespace wharf {

enum class ReplyUnit { line, sector };

struct PacketParams {
  ReplyUnit reply_unit = ReplyUnit::line;
  std::uint32_t write_mask_bytes = 0;

  void bind(config::Binder& b) {
    b.choice("reply_unit", reply_unit, {{"line", ReplyUnit::line}, {"sector", ReplyUnit::sector}},
             "data travel as one packet per line, or as one packet per 32 B sector (CM-7)");
    b.integer("write_mask_bytes", write_mask_bytes, config::Unit::bytes,
              "size of the byte mask of a store that does not write all bytes of its sectors (CM-7; morpheus section 8)", 0, 32);
  }

  /// Flits of an access on its way to memory. `line`: it carries its whole line.
  std::uint8_t request_flits(const Access& access, std::uint32_t flit_bytes, bool line = false) const {
    const bool store = access.kind == AccessKind::store;
    const SectorMask sectors = line ? kAllSectors : store || access.kind == AccessKind::atomic ? access.sectors : SectorMask{0};
    const bool masked = write_mask_bytes != 0 && store && !line && access.covered != access.sectors;
    return static_cast<std::uint8_t>(flits(sectors, flit_bytes) + (masked ? (write_mask_bytes + flit_bytes - 1) / flit_bytes : 0));
  }

  /// Flits of a packet with the data of `sectors`; 0 sectors is a header alone.
  std::uint8_t flits(SectorMask sectors, std::uint32_t flit_bytes) const {
    const unsigned count = sector_count(sectors);
    if (reply_unit == ReplyUnit::sector && count != 0)
      return static_cast<std::uint8_t>(count * network::flits_of(kSectorBytes, flit_bytes));
    return static_cast<std::uint8_t>(network::flits_of(count * kSectorBytes, flit_bytes));
  }
};

}  // namespace wharf
