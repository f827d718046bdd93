#pragma once
// Special registers: where the warp keeps each, and which change while it runs.

#include <cstdint>
#include <optional>
#include <string_view>

#include "stimuli/ptx/lanes/operation.h"

namespace wharf::ptx {

/// Rows of 32 bits in Bank::launch, in this order.
enum class LaunchRow : std::uint32_t {
  ntid_x,
  ntid_y,
  ntid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  nwarpid,
  nsmid,
  gridid,
  laneid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  cluster_nctarank,
  grid_workspace_high,
  grid_workspace_low,
  zero,
  count
};
/// Rows of 32 bits in Bank::cta, in this order.
enum class CtaRow : std::uint32_t {
  ctaid_x,
  ctaid_y,
  ctaid_z,
  smid,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_ctarank,
  count
};
/// Rows of 32 bits in Bank::warp, in this order.
enum class WarpRow : std::uint32_t { tid_x, tid_y, tid_z, warpid, count };
/// Registers that are read at each use.
enum class Clock : std::uint8_t { low, high, both, nanoseconds, nanoseconds_low, nanoseconds_high };

inline constexpr std::uint32_t kRow32 = 32 * 4, kRow64 = 32 * 8;  // bytes of a row
inline constexpr std::uint32_t kCtaRowsBytes = static_cast<std::uint32_t>(CtaRow::count) * kRow32;
inline constexpr std::uint32_t kWarpRowsBytes = static_cast<std::uint32_t>(WarpRow::count) * kRow32;

/// Shared variable i has two rows behind those of LaunchRow: its offset in 64 bits, and in 32.
constexpr std::uint32_t shared_address_row(std::uint32_t variable, bool wide) {
  constexpr std::uint32_t kFirst = (static_cast<std::uint32_t>(LaunchRow::count) * kRow32 + kRow64 - 1) / kRow64 * kRow64;
  return kFirst + variable * (kRow64 + kRow32) + (wide ? 0 : kRow64);
}

/// The row of a special register that does not change, such as "%tid.x".
std::optional<Operand> special_row(std::string_view name);
/// The register that changes, such as "%clock64".
std::optional<Clock> clock_named(std::string_view name);

}  // namespace wharf::ptx
