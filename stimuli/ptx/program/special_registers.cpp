// Names of special registers.
#include "stimuli/ptx/program/special_registers.h"

#include <array>
#include <utility>

namespace wharf::ptx {

namespace {

constexpr std::array<std::pair<std::string_view, LaunchRow>, 19> kLaunch = {{
    {"%ntid.x", LaunchRow::ntid_x},
    {"%ntid.y", LaunchRow::ntid_y},
    {"%ntid.z", LaunchRow::ntid_z},
    {"%nctaid.x", LaunchRow::nctaid_x},
    {"%nctaid.y", LaunchRow::nctaid_y},
    {"%nctaid.z", LaunchRow::nctaid_z},
    {"%nwarpid", LaunchRow::nwarpid},
    {"%nsmid", LaunchRow::nsmid},
    {"%gridid", LaunchRow::gridid},
    {"%laneid", LaunchRow::laneid},
    {"%lanemask_eq", LaunchRow::lanemask_eq},
    {"%lanemask_le", LaunchRow::lanemask_le},
    {"%lanemask_lt", LaunchRow::lanemask_lt},
    {"%lanemask_ge", LaunchRow::lanemask_ge},
    {"%lanemask_gt", LaunchRow::lanemask_gt},
    {"%dynamic_smem_size", LaunchRow::dynamic_smem_size},
    {"%total_smem_size", LaunchRow::total_smem_size},
    {"%tid.w", LaunchRow::zero},
    {"%ctaid.w", LaunchRow::zero},
}};
constexpr std::array<std::pair<std::string_view, WarpRow>, 8> kWarp = {{
    {"%tid.x", WarpRow::tid_x},
    {"%tid.y", WarpRow::tid_y},
    {"%tid.z", WarpRow::tid_z},
    {"%ctaid.x", WarpRow::ctaid_x},
    {"%ctaid.y", WarpRow::ctaid_y},
    {"%ctaid.z", WarpRow::ctaid_z},
    {"%warpid", WarpRow::warpid},
    {"%smid", WarpRow::smid},
}};
constexpr std::array<std::pair<std::string_view, Clock>, 6> kClocks = {{
    {"%clock", Clock::low},
    {"%clock_hi", Clock::high},
    {"%clock64", Clock::both},
    {"%globaltimer", Clock::nanoseconds},
    {"%globaltimer_lo", Clock::nanoseconds_low},
    {"%globaltimer_hi", Clock::nanoseconds_high},
}};

}  // namespace

std::optional<Operand> special_row(std::string_view name) {
  for (const auto& [spelling, row] : kLaunch)
    if (spelling == name) return Operand(Bank::launch, static_cast<std::uint32_t>(row) * kRow32);
  for (const auto& [spelling, row] : kWarp)
    if (spelling == name) return Operand(Bank::warp, static_cast<std::uint32_t>(row) * kRow32);
  return std::nullopt;
}

std::optional<Clock> clock_named(std::string_view name) {
  for (const auto& [spelling, clock] : kClocks)
    if (spelling == name) return clock;
  return std::nullopt;
}

}  // namespace wharf::ptx
