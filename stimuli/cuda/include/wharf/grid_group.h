#pragma once
// cooperative_groups: the grid of a cooperative launch.

namespace cooperative_groups {
namespace wharf_detail {

/// Where the blocks of a grid meet: how many have arrived, and how often all have. Left as it was found, but for the latter.
struct GridWorkspace {
  unsigned arrived, meetings;
};
/// Null where the launch is not cooperative.
static __inline__ __device__ GridWorkspace* grid_workspace() {
  unsigned high, low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(high));
  asm("mov.u32 %0, %%envreg2;" : "=r"(low));
  return reinterpret_cast<GridWorkspace*>(static_cast<unsigned long long>(high) << 32 | low);
}

}  // namespace wharf_detail

class grid_group {
 public:
  struct arrival_token {
    unsigned meetings;
  };
  __device__ bool is_valid() const { return wharf_detail::grid_workspace() != nullptr; }
  /// Ends the program where the launch is not cooperative, because its blocks might not all run.
  __device__ arrival_token barrier_arrive() const {
    wharf_detail::GridWorkspace* const workspace = wharf_detail::grid_workspace();
    if (workspace == nullptr) __trap();
    __syncthreads();
    arrival_token token = {0};
    if (thread_block::thread_rank() != 0) return token;
    __threadfence();
    token.meetings = *static_cast<volatile unsigned*>(&workspace->meetings);
    if (atomicAdd(&workspace->arrived, 1u) + 1 != num_blocks()) return token;
    *static_cast<volatile unsigned*>(&workspace->arrived) = 0;
    __threadfence();
    atomicAdd(&workspace->meetings, 1u);
    return token;
  }
  __device__ void barrier_wait(arrival_token&& token) const {
    if (thread_block::thread_rank() == 0) {
      const volatile unsigned* const meetings = &wharf_detail::grid_workspace()->meetings;
      while (*meetings == token.meetings) {
      }
      __threadfence();
    }
    __syncthreads();
  }
  __device__ void sync() const { barrier_wait(barrier_arrive()); }

  static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 group_dim() { return dim_blocks(); }
  static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ unsigned long long num_blocks() { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  static __device__ unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) * (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static __device__ unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
  static __device__ unsigned long long size() { return num_threads(); }
  static __device__ unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
};
__device__ inline grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups
