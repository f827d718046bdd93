// Pools of device memory, from the user's view.

#include <catch2/catch.hpp>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

const char* const kPools = R"(#include <cstdio>
#include <cstdint>
__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }
uint64_t read(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 12345;
  const cudaError_t error = cudaMemPoolGetAttribute(pool, attribute, &value);
  return error == cudaSuccess ? value : 1000 + error;
}
void print(const char* what, cudaMemPool_t pool) {
  std::printf("%s: used %d, most %d, reserved %d, most %d\n", what, int(read(pool, cudaMemPoolAttrUsedMemCurrent)),
              int(read(pool, cudaMemPoolAttrUsedMemHigh)), int(read(pool, cudaMemPoolAttrReservedMemCurrent)),
              int(read(pool, cudaMemPoolAttrReservedMemHigh)));
}
int main() {
  int supported = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0);
  cudaMemPool_t standard, current, own, second;
  cudaDeviceGetDefaultMemPool(&standard, 0);
  cudaDeviceGetMemPool(&current, 0);
  std::printf("%d supported, %d current, %d %d of device 1\n", supported, standard == current, cudaDeviceGetMemPool(&current, 1),
              cudaDeviceGetDefaultMemPool(&current, -1));
  uint64_t threshold = UINT64_MAX;
  int reuse = 0;
  cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolSetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse);
  reuse = 7;
  cudaMemPoolGetAttribute(standard, cudaMemPoolReuseAllowOpportunistic, &reuse);
  std::printf("threshold kept %d, reuse %d\n", read(standard, cudaMemPoolAttrReleaseThreshold) == UINT64_MAX, reuse);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *x, *y, *z, out[32] = {};
  cudaMallocAsync(&x, 128, stream);
  fill<<<1, 32, 0, stream>>>(x, 42);
  cudaMemcpyAsync(out, x, 128, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(x, stream);
  std::printf("x %d\n", out[31]);
  print("default", standard);
  uint64_t none = 0, some = 1;
  std::printf("%d %d %d\n", cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &some),
              cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemCurrent, &none),
              cudaMemPoolSetAttribute(standard, cudaMemPoolAttrUsedMemHigh, &none));
  print("reset", standard);

  cudaMemPoolProps properties = {};
  properties.location = {cudaMemLocationTypeDevice, 0};
  std::printf("%d ", cudaMemPoolCreate(&own, &properties));                  // no type of allocation
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.id = 1;
  std::printf("%d ", cudaMemPoolCreate(&own, &properties));                  // no such device
  properties.location.id = 0, properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  std::printf("%d ", cudaMemPoolCreate(&own, &properties));                  // for other processes
  properties.handleTypes = cudaMemHandleTypeNone, properties.maxSize = 1000;
  std::printf("%d\n", cudaMemPoolCreate(&own, &properties));
  std::printf("%d ", cudaMallocFromPoolAsync(&y, 600, own, stream));
  std::printf("%d ", cudaMallocAsync(&z, 600, own, stream));                 // more than 1000 bytes
  cudaFreeAsync(y, stream);
  std::printf("%d\n", cudaMallocAsync(&z, 600, own, stream));
  print("own", own);
  cudaDeviceSetMemPool(0, own);
  cudaMallocAsync((void**)&y, 400, stream);
  print("own", own);
  cudaFree(y);
  cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite}, of_other = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtRead};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  std::printf("access %d %d %d %d, trim %d, ", cudaMemPoolSetAccess(own, &access, 1), cudaMemPoolSetAccess(own, &of_other, 1),
              cudaMemPoolGetAccess(&flags, own, &access.location), flags, cudaMemPoolTrimTo(own, 0));
  std::printf("destroyed %d, again %d, default %d, ", cudaMemPoolDestroy(own), cudaMemPoolDestroy(own), cudaMemPoolDestroy(standard));
  cudaDeviceGetMemPool(&second, 0);
  std::printf("current %d\n", second == standard);
  fill<<<1, 32, 0, stream>>>(z, 6);                                          // is still there
  cudaMemcpy(out, z, 128, cudaMemcpyDeviceToHost);
  std::printf("z %d, freed %d, %d\n", out[5], cudaFreeAsync(z, stream), cudaMallocFromPoolAsync(&y, 4, own, stream));
  size_t free_bytes, total;
  cudaMemGetInfo(&free_bytes, &total);
  std::printf("all free %d\n", free_bytes == total);
  return 0;
}
)";

}  // namespace

TEST_CASE(
    "CU-19: streams allocate from pools, which count what is in use, refuse more than their limit, and outlive nothing that they gave") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("pools.cu", kPools);
  const Ended run = wharf(folder, {"cuda", "pools.cu", "--functional", "--check=init,race,sync,bounds"});
  INFO(run.output);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("1 supported, 1 current, 101 101 of device 1\n"
                                  "threshold kept 1, reuse 0\n"
                                  "x 42\n"
                                  "default: used 0, most 128, reserved 0, most 128\n"
                                  "1 1 0\n"
                                  "reset: used 0, most 0, reserved 0, most 128\n"
                                  "1 101 801 0\n"
                                  "0 2 0\n"
                                  "own: used 600, most 600, reserved 600, most 600\n"
                                  "own: used 1000, most 1000, reserved 1000, most 1000\n"
                                  "access 0 1 0 3, trim 0, destroyed 0, again 1, default 1, current 1\n"
                                  "z 6, freed 0, 1\n"
                                  "all free 1\n"));
}

}  // namespace wharf::cli
