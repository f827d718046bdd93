// Names of special registers.
#include "stimuli/ptx/program/special_registers.h"

#include <array>
#include <utility>

namespace wharf::ptx {

namespace {

// The driver defines %envreg: those of the address of a cooperative launch's workspace are ours.
constexpr std::array<std::pair<std::string_view, LaunchRow>, 28> kLaunch = {{
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
    {"%nclusterid.x", LaunchRow::nclusterid_x},
    {"%nclusterid.y", LaunchRow::nclusterid_y},
    {"%nclusterid.z", LaunchRow::nclusterid_z},
    {"%cluster_nctaid.x", LaunchRow::cluster_nctaid_x},
    {"%cluster_nctaid.y", LaunchRow::cluster_nctaid_y},
    {"%cluster_nctaid.z", LaunchRow::cluster_nctaid_z},
    {"%cluster_nctarank", LaunchRow::cluster_nctarank},
    {"%envreg1", LaunchRow::grid_workspace_high},
    {"%envreg2", LaunchRow::grid_workspace_low},
    {"%tid.w", LaunchRow::zero},
    {"%ctaid.w", LaunchRow::zero},
}};
constexpr std::array<std::pair<std::string_view, CtaRow>, 11> kCta = {{
    {"%ctaid.x", CtaRow::ctaid_x},
    {"%ctaid.y", CtaRow::ctaid_y},
    {"%ctaid.z", CtaRow::ctaid_z},
    {"%smid", CtaRow::smid},
    {"%clusterid.x", CtaRow::clusterid_x},
    {"%clusterid.y", CtaRow::clusterid_y},
    {"%clusterid.z", CtaRow::clusterid_z},
    {"%cluster_ctaid.x", CtaRow::cluster_ctaid_x},
    {"%cluster_ctaid.y", CtaRow::cluster_ctaid_y},
    {"%cluster_ctaid.z", CtaRow::cluster_ctaid_z},
    {"%cluster_ctarank", CtaRow::cluster_ctarank},
}};
constexpr std::array<std::pair<std::string_view, WarpRow>, 4> kWarp = {{
    {"%tid.x", WarpRow::tid_x},
    {"%tid.y", WarpRow::tid_y},
    {"%tid.z", WarpRow::tid_z},
    {"%warpid", WarpRow::warpid},
}};
constexpr std::array<std::pair<std::string_view, Clock>, 6> kClocks = {{
    {"%clock", Clock::low},
    {"%clock_hi", Clock::high},
    {"%clock64", Clock::both},
    {"%globaltimer", Clock::nanoseconds},
    {"%globaltimer_lo", Clock::nanoseconds_low},
    {"%globaltimer_hi", Clock::nanoseconds_high},
}};

template <class Names>
std::optional<Operand> find_row(Bank bank, const Names& names, std::string_view name) {
  for (const auto& [spelling, row] : names)
    if (spelling == name) return Operand(bank, static_cast<std::uint32_t>(row) * kRow32);
  return std::nullopt;
}

}  // namespace

std::optional<Operand> special_row(std::string_view name) {
  if (const auto row = find_row(Bank::launch, kLaunch, name)) return row;
  if (const auto row = find_row(Bank::cta, kCta, name)) return row;
  return find_row(Bank::warp, kWarp, name);
}

std::optional<Clock> clock_named(std::string_view name) {
  for (const auto& [spelling, clock] : kClocks)
    if (spelling == name) return clock;
  return std::nullopt;
}

}  // namespace wharf::ptx
