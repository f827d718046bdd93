// Cooperative groups, half precision, complex numbers, shuffles, atomics by overload and device system calls: that the headers have them,
// and that they compute what they should.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>

#include <cstdio>
#include <type_traits>

namespace cg = cooperative_groups;

__global__ void groups(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  const int rank = static_cast<int>(block.thread_rank());
  out[rank] = cg::reduce(tile, rank, cg::plus<int>());
  out[64 + rank] = cg::exclusive_scan(tile, 1);
  out[128 + rank] = static_cast<int>(tile.ballot(rank % 2));
  out[192 + rank] = tile.shfl(rank, 3) + static_cast<int>(tile.meta_group_rank());
  out[256 + rank] = -1;
  if (rank % 3 == 0) {
    const cg::coalesced_group some = cg::coalesced_threads();
    out[256 + rank] = cg::reduce(some, 1, cg::plus<int>()) * 100 + static_cast<int>(some.thread_rank());
  }
  block.sync();
}

// Values of any type move between lanes: a structure, an odd number of bytes, an enumeration.
struct Pair {
  double sum;
  float largest;
};
struct Odd {
  char bytes[5];
};
enum class Colour : short { red = 3, green };

__global__ void structures(Pair* pairs, int* out) {
  const cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int rank = static_cast<int>(threadIdx.x);
  pairs[rank] = cg::reduce(tile, Pair{rank + 0.25, static_cast<float>(rank)}, [](Pair a, Pair b) {
    return Pair{a.sum + b.sum, a.largest > b.largest ? a.largest : b.largest};
  });
  const Odd odd = {{0, 1, 2, 3, static_cast<char>(rank)}};
  const Colour colour = rank % 2 == 0 ? Colour::red : Colour::green;
  out[rank] = tile.shfl(odd, 9).bytes[4] + (tile.shfl_up(colour, 1) == colour ? 100 : 0) + tile.shfl_down(odd, 2).bytes[3] * 1000;
  if (rank % 4 == 1) out[rank] = cg::coalesced_threads().shfl(odd, 2).bytes[4] + 10000 * cg::coalesced_threads().shfl_up(odd, 1).bytes[4];
}

// Groups of the lanes that give the same label.
__global__ void partitions(int* out) {
  const int rank = static_cast<int>(threadIdx.x);
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  const cg::coalesced_group third = cg::labeled_partition(warp, rank % 3);
  const cg::coalesced_group half = cg::binary_partition(third, rank < 12);
  out[rank] = cg::reduce(third, rank, cg::plus<int>()) * 100 + static_cast<int>(half.size() * 10 + half.thread_rank());
}

// Tiles of blocks, of tiles and of groups without order: which of them a thread is in, and how many there are.
__global__ void tiles(int* out) {
  const int rank = static_cast<int>(cg::this_thread_block().thread_rank());
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quarter = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<4> half = cg::tiled_partition<4>(quarter);
  out[rank] = static_cast<int>(quarter.meta_group_rank() * 1000 + quarter.meta_group_size() * 100 + half.meta_group_rank() * 10 +
                               half.meta_group_size());
  out[64 + rank] = static_cast<int>(warp.meta_group_rank() * 10 + warp.meta_group_size());
  if (rank % 3 == 0) {
    const cg::thread_group pair = cg::tiled_partition(cg::coalesced_threads(), 2);
    out[128 + rank] = static_cast<int>(pair.size() * 10 + pair.thread_rank());
  }
}

__global__ void halves(const float* in, float* out) {
  const __half a = __float2half(in[0]), b = in[1];
  const __half2 pair = __floats2half2_rn(in[0], in[1]);
  out[0] = a + b;
  out[1] = a * b - b;
  out[2] = __high2float(__hfma2(pair, pair, pair));
  out[3] = a < b;
  out[4] = hsqrt(b);
  out[5] = cuCabsf(cuCmulf(make_cuFloatComplex(in[0], in[1]), make_cuFloatComplex(0, 1)));
  out[6] = static_cast<float>(max(3, 7u)) + min(2.5, 1.5f) + max(-1.0f, 4.0f);
  out[7] = static_cast<float>(__popc(0xff) + __clz(1) + __ffs(8));
}

// Short floats and pairs keep their type when they move between lanes.
template <class Scalar, class Pair>
__device__ float moved_halves(unsigned rank) {
  const Scalar own(static_cast<float>(rank));
  const Pair pair(own, Scalar(static_cast<float>(2 * rank)));
  static_assert(std::is_same<decltype(__shfl_sync(~0u, own, 3)), Scalar>::value &&
                    std::is_same<decltype(__shfl_up_sync(~0u, own, 3)), Scalar>::value &&
                    std::is_same<decltype(__shfl_up_sync(~0u, pair, 3)), Pair>::value,
                "types");
  const Scalar swapped = __hadd(__shfl_xor_sync(~0u, own, 1), __shfl_sync(~0u, own, 3, 8));
  const Scalar apart = __hadd(__shfl_up_sync(~0u, own, 1), __shfl_down_sync(~0u, own, 1));
  const Pair other = __hadd2(__shfl_up_sync(~0u, pair, 1), __shfl_xor_sync(~0u, pair, 1));
  return static_cast<float>(swapped) + static_cast<float>(apart) + static_cast<float>(other.y);
}
__global__ void shuffles(float* out) {
  out[threadIdx.x] = moved_halves<__half, __half2>(threadIdx.x);
  out[32 + threadIdx.x] = moved_halves<__nv_bfloat16, __nv_bfloat162>(threadIdx.x);
}

int main() {
  int *out, wrong = 0;
  float *in, *results;
  cudaMallocManaged(&out, 320 * sizeof(int));
  cudaMallocManaged(&in, 2 * sizeof(float));
  cudaMallocManaged(&results, 8 * sizeof(float));
  in[0] = 1.5f;
  in[1] = 2.25f;
  Pair* pairs;
  int* moved;
  cudaMallocManaged(&pairs, 32 * sizeof(Pair));
  cudaMallocManaged(&moved, 32 * sizeof(int));
  structures<<<1, 32>>>(pairs, moved);
  int* parts;
  cudaMallocManaged(&parts, 32 * sizeof(int));
  partitions<<<1, 32>>>(parts);
  int* tiled;
  cudaMallocManaged(&tiled, 192 * sizeof(int));
  tiles<<<1, 64>>>(tiled);
  float* shuffled;
  cudaMallocManaged(&shuffled, 64 * sizeof(float));
  shuffles<<<1, 32>>>(shuffled);
  groups<<<1, 64>>>(out);
  halves<<<1, 1>>>(in, results);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  for (int rank = 0; rank < 64; ++rank) {
    const int first = rank / 8 * 8;
    wrong += out[rank] != 8 * first + 28;
    wrong += out[64 + rank] != rank % 8;
    wrong += out[128 + rank] != 0xaa;
    wrong += out[192 + rank] != first + 3 + rank / 8;
    const int in_warp = rank % 32, offset = rank < 32 ? 0 : 1;  // threads 0, 3, ... 30 and 33, 36, ... 63
    if (rank % 3 == 0) wrong += out[256 + rank] != 1100 + (in_warp - offset) / 3;
  }
  for (int rank = 0; rank < 32; ++rank) {
    const int first = rank / 16 * 16;
    wrong += pairs[rank].sum != 16 * first + 120 + 4 || pairs[rank].largest != first + 15.0f;
    wrong += moved[rank] != (rank % 4 == 1 ? 9 + 10000 * (rank == 1 ? 1 : rank - 4) : first + 9 + (rank == first ? 100 : 0) + 3000);
  }
  for (int rank = 0; rank < 32; ++rank) {
    const int sums[] = {165, 176, 155}, sizes[] = {7, 7, 6};  // of the lanes from 12 on
    const int size = rank < 12 ? 4 : sizes[rank % 3], place = rank / 3 - (rank < 12 ? 0 : 4);
    wrong += parts[rank] != sums[rank % 3] * 100 + size * 10 + place;
  }
  for (int rank = 0; rank < 32; ++rank) {
    const int up = rank == 0 ? 0 : rank - 1, down = rank == 31 ? 31 : rank + 1, partner = rank ^ 1;
    const int sum = partner + rank / 8 * 8 + 3 + up + down + 2 * (up + partner);
    wrong += shuffled[rank] != sum || shuffled[32 + rank] != sum;
  }
  for (int rank = 0; rank < 64; ++rank) {
    wrong += tiled[rank] != rank % 32 / 8 * 1000 + 400 + rank % 8 / 4 * 10 + 2;
    wrong += tiled[64 + rank] != rank / 32 * 10 + 2;
    const int place = (rank % 32 - (rank < 32 ? 0 : 1)) / 3;  // among 11 threads of the warp, so that the last is alone
    if (rank % 3 == 0) wrong += tiled[128 + rank] != (place == 10 ? 10 : 20 + place % 2);
  }
  const float expected[] = {3.75f, 1.125f, 7.3125f, 1, 1.5f, 2.7041634f, 12.5f, 43};
  for (int i = 0; i < 8; ++i) {
    if (!(fabsf(results[i] - expected[i]) < 1e-3f)) std::printf("result %d: %g instead of %g\n", i, results[i], expected[i]), ++wrong;
  }
  // The host's conversions, at the edges of the format.
  wrong += __half2float(__float2half(65504.0f)) != 65504.0f;
  wrong += __half_as_ushort(__float2half(65520.0f)) != 0x7c00;
  wrong += __half_as_ushort(__float2half(0x1p-24f)) != 1;
  wrong += __half_as_ushort(__float2half(0x1p-25f)) != 0;
  wrong += __half_as_ushort(__float2half(0x1.8p-25f)) != 1;
  wrong += __half2float(__ushort_as_half(0x03ff)) != 1023 * 0x1p-24f;
  wrong += __half_as_ushort(__float2half(-2.0009765f)) != 0xc000;
  std::printf("groups and halves: %s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong;
}
