#pragma once
// The groups of cooperative_groups.h.

#define WHARF_GROUP static __inline__ __device__

namespace cooperative_groups {
namespace wharf_detail {

WHARF_GROUP unsigned thread_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
WHARF_GROUP unsigned threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }
WHARF_GROUP unsigned lane() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
WHARF_GROUP unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
/// The lane of the `rank`-th thread of a mask.
WHARF_GROUP int lane_of_rank(unsigned mask, unsigned rank) {
  for (unsigned i = 0; i < rank; ++i) mask &= mask - 1;
  return __ffs(static_cast<int>(mask)) - 1;
}
/// The bits of `ballot` that belong to `mask`, packed by rank.
WHARF_GROUP unsigned pack(unsigned ballot, unsigned mask) {
  unsigned packed = 0;
  for (unsigned rank = 0; mask != 0; ++rank, mask &= mask - 1) packed |= (ballot >> (__ffs(static_cast<int>(mask)) - 1) & 1) << rank;
  return packed;
}

// The shuffles as objects, for moved().
#define WHARF_SHUFFLE(Name, shuffle, Operand)                                                            \
  struct Name {                                                                                          \
    unsigned mask;                                                                                       \
    Operand operand;                                                                                     \
    int width;                                                                                           \
    template <class T>                                                                                   \
    __device__ auto operator()(const T& value) const -> decltype(shuffle(mask, value, operand, width)) { \
      return shuffle(mask, value, operand, width);                                                       \
    }                                                                                                    \
  };
WHARF_SHUFFLE(FromLane, __shfl_sync, int)
WHARF_SHUFFLE(FromBelow, __shfl_up_sync, unsigned)
WHARF_SHUFFLE(FromAbove, __shfl_down_sync, unsigned)
WHARF_SHUFFLE(FromPartner, __shfl_xor_sync, int)
#undef WHARF_SHUFFLE

/// The value of the lane that `shuffle` names. A type without a shuffle of its own, such as a structure, moves in words of 4 bytes.
template <class T, class Shuffle,
          typename std::enable_if<std::is_same<decltype(std::declval<Shuffle>()(std::declval<T>())), T>::value, int>::type = 0>
WHARF_GROUP T moved(const T& value, const Shuffle& shuffle, int) {
  return shuffle(value);
}
template <class T, class Shuffle>
WHARF_GROUP T moved(const T& value, const Shuffle& shuffle, long) {
  static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32, "a shuffle moves trivially copyable values of up to 32 bytes");
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = shuffle(word);
  T result = value;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

}  // namespace wharf_detail

class coalesced_group;

/// Any of the groups: threads of a block (`mask` 0), or lanes of a warp.
class thread_group {
 public:
  __device__ void sync() const {
    if (mask_ == 0)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  __device__ unsigned long long size() const { return mask_ == 0 ? wharf_detail::threads_in_block() : __popc(static_cast<int>(mask_)); }
  __device__ unsigned long long num_threads() const { return size(); }
  __device__ unsigned long long thread_rank() const {
    return mask_ == 0 ? wharf_detail::thread_in_block() : __popc(static_cast<int>(mask_ & wharf_detail::lanes_below()));
  }
  __device__ bool is_valid() const { return true; }

 protected:
  __device__ explicit thread_group(unsigned mask) : mask_(mask) {}
  unsigned mask_;
  friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned size);
  template <class Group, class Label>
  friend __device__ coalesced_group labeled_partition(const Group& group, Label label);
};

class thread_block : public thread_group {
 public:
  static __device__ void sync() { __syncthreads(); }
  static __device__ unsigned size() { return wharf_detail::threads_in_block(); }
  static __device__ unsigned num_threads() { return size(); }
  static __device__ unsigned thread_rank() { return wharf_detail::thread_in_block(); }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return group_dim(); }

 private:
  __device__ thread_block() : thread_group(0) {}
  friend __device__ thread_block this_thread_block();
};
__device__ inline thread_block this_thread_block() { return thread_block(); }

/// The memory by which tiles of several warps would work.
template <unsigned threads = 1024>
struct block_tile_memory {};
template <unsigned threads>
__device__ inline thread_block this_thread_block(block_tile_memory<threads>&) {
  return this_thread_block();
}

/// `count` neighbouring lanes, a power of two up to 32.
template <unsigned count, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(count >= 1 && (count & (count - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  static_assert(count <= 32, "tiles of several warps are not supported; a tile has up to 32 threads");

 public:
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<count, Other>& other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}

  __device__ void sync() const { __syncwarp(mask_); }
  static constexpr __device__ unsigned size() { return count; }
  static constexpr __device__ unsigned num_threads() { return count; }
  static __device__ unsigned thread_rank() { return wharf_detail::lane() % count; }
  __device__ unsigned meta_group_rank() const { return meta_group_rank_; }
  __device__ unsigned meta_group_size() const { return meta_group_size_; }

  template <class T>
  __device__ T shfl(T value, int rank) const {
    return wharf_detail::moved(value, wharf_detail::FromLane{mask_, rank, count}, 0);
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned distance) const {
    return wharf_detail::moved(value, wharf_detail::FromAbove{mask_, distance, count}, 0);
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned distance) const {
    return wharf_detail::moved(value, wharf_detail::FromBelow{mask_, distance, count}, 0);
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned lanes) const {
    return wharf_detail::moved(value, wharf_detail::FromPartner{mask_, static_cast<int>(lanes), count}, 0);
  }
  // A vote's mask covers this tile alone.
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned ballot(int predicate) const { return own(__ballot_sync(mask_, predicate)); }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return own(__match_any_sync(mask_, value));
  }
  template <class T>
  __device__ unsigned match_all(T value, int& all_equal) const {
    return own(__match_all_sync(mask_, value, &all_equal));
  }

 private:
  /// The `rank`-th of the `tiles` tiles into which the parent is divided.
  __device__ thread_block_tile(unsigned rank, unsigned tiles)
      : thread_group((0xffffffffu >> (32 - count)) << (wharf_detail::lane() / count * count)),
        meta_group_rank_(rank),
        meta_group_size_(tiles) {}
  __device__ unsigned own(unsigned lanes) const { return (lanes & mask_) >> (wharf_detail::lane() / count * count); }
  template <unsigned other_count, class Other>
  friend class thread_block_tile;
  template <unsigned size, class Group>
  friend __device__ thread_block_tile<size, Group> tiled_partition(const Group& parent);

  unsigned meta_group_rank_, meta_group_size_;
};

namespace wharf_detail {

/// The threads of a group that is divided into tiles, and the caller's rank in it.
struct Divided {
  unsigned threads, rank;
};
template <unsigned size>
WHARF_GROUP Divided divided(const thread_block&) {
  return {threads_in_block(), thread_in_block()};
}
template <unsigned size, unsigned count, class Parent>
WHARF_GROUP Divided divided(const thread_block_tile<count, Parent>&) {
  static_assert(size <= count, "a tile is not larger than the tile that is divided");
  return {count, lane() % count};
}

}  // namespace wharf_detail

template <unsigned size, class Group>
__device__ inline thread_block_tile<size, Group> tiled_partition(const Group& parent) {
  const wharf_detail::Divided divided = wharf_detail::divided<size>(parent);
  return thread_block_tile<size, Group>(divided.rank / size, (divided.threads + size - 1) / size);
}
/// Groups of `size` threads whose ranks follow each other.
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  const unsigned lanes = parent.mask_ == 0 ? 0xffffffffu : parent.mask_;
  const unsigned tile = static_cast<unsigned>(__popc(static_cast<int>(lanes & wharf_detail::lanes_below()))) / size;
  unsigned mask = 0, rank = 0;
  for (unsigned rest = lanes; rest != 0; rest &= rest - 1, ++rank)
    if (rank / size == tile) mask |= rest & -rest;
  return thread_group(mask);
}

/// The lanes of the warp that run together at this place.
class coalesced_group : public thread_group {
 public:
  __device__ void sync() const { __syncwarp(mask_); }
  __device__ unsigned size() const { return __popc(static_cast<int>(mask_)); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const { return __popc(static_cast<int>(mask_ & wharf_detail::lanes_below())); }
  template <class T>
  __device__ T shfl(T value, int rank) const {
    return from_lane(value, wharf_detail::lane_of_rank(mask_, static_cast<unsigned>(rank)));
  }
  // A thread without a partner keeps its own value.
  template <class T>
  __device__ T shfl_down(T value, unsigned distance) const {
    const unsigned rank = thread_rank() + distance;
    return from_lane(value, rank < size() ? wharf_detail::lane_of_rank(mask_, rank) : static_cast<int>(wharf_detail::lane()));
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned distance) const {
    const unsigned rank = thread_rank();
    return from_lane(value, rank >= distance ? wharf_detail::lane_of_rank(mask_, rank - distance) : static_cast<int>(wharf_detail::lane()));
  }
  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned ballot(int predicate) const { return wharf_detail::pack(__ballot_sync(mask_, predicate), mask_); }

 private:
  __device__ explicit coalesced_group(unsigned mask) : thread_group(mask) {}
  template <class T>
  __device__ T from_lane(const T& value, int lane) const {
    return wharf_detail::moved(value, wharf_detail::FromLane{mask_, lane, 32}, 0);
  }
  friend __device__ coalesced_group coalesced_threads();
  template <class Group, class Label>
  friend __device__ coalesced_group labeled_partition(const Group& group, Label label);
};
__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

/// Groups of the threads of a tile or of a coalesced group that give the same label.
template <class Group, class Label>
__device__ inline coalesced_group labeled_partition(const Group& group, Label label) {
  static_assert(!std::is_same<Group, thread_block>::value, "a partition divides the threads of a warp");
  return coalesced_group(__match_any_sync(static_cast<const thread_group&>(group).mask_, label));
}
template <class Group>
__device__ inline coalesced_group binary_partition(const Group& group, bool predicate) {
  return labeled_partition(group, static_cast<int>(predicate));
}

template <class Group>
__device__ inline void sync(const Group& group) {
  group.sync();
}
template <class Group>
__device__ inline unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
__device__ inline unsigned long long group_size(const Group& group) {
  return group.size();
}

}  // namespace cooperative_groups

#undef WHARF_GROUP
