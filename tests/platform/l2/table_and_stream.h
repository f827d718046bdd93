#pragma once
// A table that L2 can keep, and a stream that evicts what does not persist.

#include "tests/platform/machines/scripted.h"
#include "tests/platform/soak/soak_rig.h"

namespace wharf::test {

/// 32 slices of one set of eight ways; with kAside, four may persist.
inline const Settings kSmall = {"l2.slice_kib=1", "l2.ways=8"};
inline const Settings kAside = kSmall + Settings{"l2.hints=true", "l2.persisting_fraction=0.5"};
inline constexpr Address kTable = 0x10'0000, kStream = 0x100'0000;
inline constexpr unsigned kTableLines = 64, kStreamLines = 640;
inline constexpr std::uint64_t kWayBytes = 32 * kLineBytes;  // of the whole L2; the table fills two ways

/// Reads the table, under a window on it.
inline ScriptedKernel protected_table() {
  ScriptedKernel kernel = one_warp(load_chase(kTable, kTableLines));
  kernel.l2_window = {kTable, kTableLines * kLineBytes};
  return kernel;
}

}  // namespace wharf::test
