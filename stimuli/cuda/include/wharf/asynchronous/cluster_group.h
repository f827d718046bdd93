#pragma once
// cooperative_groups: the cluster of the block, and copies by a group.

namespace cooperative_groups {

class cluster_group {
 public:
  struct arrival_token {};
  static __device__ arrival_token barrier_arrive() {
    wharf_asynchronous::arrive_at_cluster();
    return {};
  }
  static __device__ void barrier_wait() { wharf_asynchronous::wait_for_cluster(); }
  static __device__ void barrier_wait(arrival_token&&) { barrier_wait(); }
  static __device__ void sync() {
    barrier_arrive();
    barrier_wait();
  }
  static __device__ dim3 block_index() { return wharf_asynchronous::block_in_cluster(); }
  static __device__ dim3 dim_blocks() { return wharf_asynchronous::blocks_of_cluster(); }
  static __device__ unsigned block_rank() { return wharf_asynchronous::rank_in_cluster(); }
  static __device__ unsigned num_blocks() { return wharf_asynchronous::ranks_of_cluster(); }
  static __device__ dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z);
  }
  static __device__ dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static __device__ unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static __device__ unsigned num_threads() { return num_blocks() * thread_block::size(); }
  static __device__ unsigned size() { return num_threads(); }
  /// The same variable of shared memory in the block of that rank.
  template <class T>
  static __device__ T* map_shared_rank(T* variable, int rank) {
    T* mapped;
    asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(variable), "r"(rank));
    return mapped;
  }
  template <class T>
  static __device__ unsigned query_shared_rank(const T* variable) {
    unsigned rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(variable));
    return rank;
  }
};
__device__ inline cluster_group this_cluster() { return cluster_group(); }

/// The threads of the group copy together; wait() is for all threads of it.
template <class Group, class To, class From, class Size>
__device__ inline void memcpy_async(const Group& group, To* to, const From* from, Size bytes) {
  wharf_asynchronous::copy_share<wharf_asynchronous::known_alignment<To, From, Size>()>(to, from, bytes, group.thread_rank(), group.size());
  wharf_asynchronous::commit_copies();
}
/// Copies elements, at most as many as fit the target.
template <class Group, class T, class Places, class Count>
__device__ inline void memcpy_async(const Group& group, T* to, Places places, const T* from, Count count) {
  memcpy_async(group, to, from, sizeof(T) * (static_cast<size_t>(count) < static_cast<size_t>(places) ? count : places));
}
template <class Group>
__device__ inline void wait(const Group& group) {
  wharf_asynchronous::await_copies(0);
  group.sync();
}
template <unsigned open, class Group>
__device__ inline void wait_prior(const Group& group) {
  wharf_asynchronous::await_copies(open);
  group.sync();
}

}  // namespace cooperative_groups
