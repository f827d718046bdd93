#include "stimuli/ptx/execution/special_rows.h"

#include <cstring>

#include "stimuli/ptx/program/special_registers.h"

namespace wharf::ptx {
namespace {

/// Writes value_of(lane) to the lanes of the row of 32 bits at `to`.
template <class ValueOf>
void fill_row32(std::byte* to, ValueOf value_of) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t value = value_of(lane);
    std::memcpy(to + lane * sizeof value, &value, sizeof value);
  }
}

void fill_shared_addresses(const LaunchState& launch, std::byte* rows) {
  for (std::uint32_t i = 0; i < launch.resources.shared_offsets.size(); ++i) {
    const std::uint32_t offset = launch.resources.shared_offsets[i];
    fill_row32(rows + shared_address_row(i, false), [offset](unsigned) { return offset; });
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t wide = offset;
      std::memcpy(rows + shared_address_row(i, true) + lane * sizeof wide, &wide, sizeof wide);
    }
  }
}

}  // namespace

std::vector<std::byte> launch_rows(const LaunchState& launch, std::uint64_t number) {
  const auto variables = static_cast<std::uint32_t>(launch.program.shared_variables().size());
  std::vector<std::byte> rows(shared_address_row(variables, true) + kRow64);
  const auto row = [&rows](LaunchRow which, auto value_of) { fill_row32(&rows[static_cast<std::size_t>(which) * kRow32], value_of); };
  const auto same = [&row](LaunchRow which, std::uint32_t value) { row(which, [value](unsigned) { return value; }); };
  const Dim3 &grid = launch.request.grid, &block = launch.request.block;
  same(LaunchRow::ntid_x, block.x);
  same(LaunchRow::ntid_y, block.y);
  same(LaunchRow::ntid_z, block.z);
  same(LaunchRow::nctaid_x, grid.x);
  same(LaunchRow::nctaid_y, grid.y);
  same(LaunchRow::nctaid_z, grid.z);
  same(LaunchRow::nwarpid, static_cast<std::uint32_t>((block.count() + kLanes - 1) / kLanes));
  same(LaunchRow::nsmid, launch.options.gpu == nullptr ? 1 : launch.options.gpu->sms());
  same(LaunchRow::gridid, static_cast<std::uint32_t>(number));
  row(LaunchRow::laneid, [](unsigned lane) { return lane; });
  row(LaunchRow::lanemask_eq, [](unsigned lane) { return 1u << lane; });
  row(LaunchRow::lanemask_lt, [](unsigned lane) { return (1u << lane) - 1; });
  row(LaunchRow::lanemask_le, [](unsigned lane) { return (1u << lane) | ((1u << lane) - 1); });
  row(LaunchRow::lanemask_ge, [](unsigned lane) { return ~((1u << lane) - 1); });
  row(LaunchRow::lanemask_gt, [](unsigned lane) { return ~((1u << lane) - 1) & ~(1u << lane); });
  same(LaunchRow::dynamic_smem_size, launch.request.dynamic_shared_bytes);
  same(LaunchRow::total_smem_size, launch.shared_bytes());
  const Dim3 &cluster = launch.request.cluster, clusters = launch.order().clusters();
  same(LaunchRow::nclusterid_x, clusters.x);
  same(LaunchRow::nclusterid_y, clusters.y);
  same(LaunchRow::nclusterid_z, clusters.z);
  same(LaunchRow::cluster_nctaid_x, cluster.x);
  same(LaunchRow::cluster_nctaid_y, cluster.y);
  same(LaunchRow::cluster_nctaid_z, cluster.z);
  same(LaunchRow::cluster_nctarank, static_cast<std::uint32_t>(cluster.count()));
  same(LaunchRow::grid_workspace_high, static_cast<std::uint32_t>(launch.request.grid_workspace >> 32));
  same(LaunchRow::grid_workspace_low, static_cast<std::uint32_t>(launch.request.grid_workspace));
  fill_shared_addresses(launch, rows.data());
  return rows;
}

std::vector<std::byte> warp_rows(const Dim3& block) {
  const auto warps = static_cast<unsigned>((block.count() + kLanes - 1) / kLanes);
  std::vector<std::byte> rows(std::size_t{warps} * kWarpRowsBytes);
  for (unsigned warp = 0; warp < warps; ++warp) {
    const auto row = [&rows, warp](WarpRow which, auto value_of) {
      fill_row32(&rows[std::size_t{warp} * kWarpRowsBytes + static_cast<std::size_t>(which) * kRow32], value_of);
    };
    const unsigned first = warp * kLanes;
    row(WarpRow::tid_x, [&](unsigned lane) { return (first + lane) % block.x; });
    row(WarpRow::tid_y, [&](unsigned lane) { return (first + lane) / block.x % block.y; });
    row(WarpRow::tid_z, [&](unsigned lane) { return (first + lane) / block.x / block.y; });
    row(WarpRow::warpid, [&](unsigned) { return warp; });
  }
  return rows;
}

void fill_cta_rows(CtaState& cta) {
  const RunningGpu* const gpu = cta.launch.options.gpu;
  const auto same = [&cta](CtaRow which, std::uint32_t value) {
    fill_row32(&cta.rows[static_cast<std::size_t>(which) * kRow32], [value](unsigned) { return value; });
  };
  same(CtaRow::ctaid_x, cta.index.x);
  same(CtaRow::ctaid_y, cta.index.y);
  same(CtaRow::ctaid_z, cta.index.z);
  same(CtaRow::smid, gpu == nullptr ? 0 : gpu->sm_of_cta());
  const Dim3& cluster = cta.launch.request.cluster;
  same(CtaRow::clusterid_x, cta.index.x / cluster.x);
  same(CtaRow::clusterid_y, cta.index.y / cluster.y);
  same(CtaRow::clusterid_z, cta.index.z / cluster.z);
  same(CtaRow::cluster_ctaid_x, cta.index.x % cluster.x);
  same(CtaRow::cluster_ctaid_y, cta.index.y % cluster.y);
  same(CtaRow::cluster_ctaid_z, cta.index.z % cluster.z);
  same(CtaRow::cluster_ctarank, cta.rank);
}

}  // namespace wharf::ptx
