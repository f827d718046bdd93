#pragma once
// Implements transport_dbg down the hierarchy: each block supplies the bytes of the sectors that it holds, and asks the block below for the
// others.
//
// Only command, address, data pointer and length of a debug transaction matter (IEEE 1666-2011, 11.3). It is served line by line; the
// result counts the bytes up to the first line that no block supplies.

#include <algorithm>
#include <functional>
#include <tlm>

#include "model/cache/sector_contents.h"
#include "model/tlm/payload.h"

namespace wharf {

/// The target of debug accesses below a block that is bound to a network. Networks carry only messages, so the platform names the block at
/// the other end. Empty if there is none.
using DebugWay = std::function<unsigned(tlm::tlm_generic_payload&)>;

/// Calls visit(part) for each part of the debug transaction; a part is within one line, and visit returns the bytes served. Stops after the
/// first part that is served short. Returns the sum of the bytes served.
template <class Visit>
unsigned debug_by_lines(tlm::tlm_generic_payload& transaction, Visit visit) {
  const unsigned length = transaction.get_data_length();
  if (transaction.is_read() == transaction.is_write() || transaction.get_data_ptr() == nullptr) return 0;
  unsigned done = 0;
  while (done < length) {
    const Address address = transaction.get_address() + done;
    const unsigned bytes = std::min<unsigned>(length - done, static_cast<unsigned>(kLineBytes - address % kLineBytes));
    tlm::tlm_generic_payload part;
    part.set_command(transaction.get_command());
    part.set_address(address);
    part.set_data_ptr(transaction.get_data_ptr() + done);
    part.set_data_length(bytes);
    part.set_streaming_width(bytes);
    const unsigned served = visit(part);
    done += std::min(served, bytes);
    if (served < bytes) break;
  }
  return done;
}

/// Copies the bytes of those of the part's sectors that are in `held`.
inline void debug_copy(tlm::tlm_generic_payload& part, const SectorContents& contents, SectorMask held, const SectorVersions& versions) {
  const LineAddress line = LineAddress::of(part.get_address());
  const auto first = static_cast<unsigned>(part.get_address() % kLineBytes);
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((held >> s & 1) == 0) continue;
    const unsigned from = std::max(first, s * kSectorBytes), to = std::min(first + part.get_data_length(), (s + 1) * kSectorBytes);
    if (from >= to) continue;
    const SectorBytes bytes = contents.read(line, s, versions[s]);
    std::copy_n(reinterpret_cast<const unsigned char*>(bytes.data()) + from % kSectorBytes, to - from,
                part.get_data_ptr() + (from - first));
  }
}

/// Applies a waiting store of the line: its sectors become present, with its versions. Call it oldest first.
inline void apply_stored(Payload& payload, LineAddress line, SectorMask& here, SectorVersions& versions) {
  const Access& access = payload.access();
  if (access.line != line || access.kind != AccessKind::store) return;
  here |= access.sectors;
  for (unsigned s = 0; s < kSectorsPerLine; ++s)
    if (access.sectors >> s & 1) versions[s] = payload.versions()[s];
}

/// The sectors that a part touches.
inline SectorMask debug_sectors(const tlm::tlm_generic_payload& part) {
  const auto first = static_cast<unsigned>(part.get_address() % kLineBytes);
  SectorMask sectors = 0;
  for (unsigned s = first / kSectorBytes; s * kSectorBytes < first + part.get_data_length(); ++s)
    sectors |= static_cast<SectorMask>(1u << s);
  return sectors;
}

/// Serves a debug access at a block. `held(line, versions)` returns the sectors that the block holds, and their versions; `below(part)`
/// asks the block below. `contents` is null if blocks have no bytes; then the block below serves everything.
template <class Held, class Below>
unsigned debug_through(tlm::tlm_generic_payload& transaction, SectorContents* contents, Held held, Below below) {
  if (contents == nullptr) return below(transaction);
  return debug_by_lines(transaction, [&](tlm::tlm_generic_payload& part) -> unsigned {
    if (part.is_write()) {
      contents->patch(part.get_address(), reinterpret_cast<const std::byte*>(part.get_data_ptr()), part.get_data_length());
      below(part);  // for memory that keeps bytes of its own
      return part.get_data_length();
    }
    SectorVersions versions{};
    const SectorMask here = held(LineAddress::of(part.get_address()), versions);
    const bool all = (debug_sectors(part) & ~here) == 0;
    const unsigned served = all ? part.get_data_length() : below(part);
    debug_copy(part, *contents, here, versions);
    return served;
  });
}

}  // namespace wharf
