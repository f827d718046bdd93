// cudaHostRegister: the host's own memory, which kernels access (CU-29).

#include <catch2/catch.hpp>

#include "tests/cli/cuda/clang.h"
#include "tests/support/program_under_test.h"

namespace wharf::cli {
namespace {

using Catch::Contains;

/// Kernels, copies and fills of registered memory, seen by the host; and every error of the calls.
const char* const kRegistering = R"(#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void add(int* to, const int* from, int n) { if (threadIdx.x < n) to[threadIdx.x] += from[threadIdx.x]; }
static int global[32];
int main() {
  std::vector<int> heap(100, 1);
  int *of_heap, *of_global, *device, copied[2];
  for (int i = 0; i < 32; ++i) global[i] = i;
  int errors = cudaHostRegister(heap.data(), 400, cudaHostRegisterMapped) + cudaHostRegister(global, sizeof global, cudaHostRegisterReadOnly);
  errors += cudaHostGetDevicePointer(&of_heap, heap.data() + 2, 0) + cudaHostGetDevicePointer(&of_global, global, 0);
  heap[3] = 1000;
  add<<<1, 32>>>(of_heap, of_global, 32);
  errors += cudaDeviceSynchronize();
  std::printf("%d; %d %d %d %d %d; ", errors, heap[1], heap[2], heap[3], heap[33], heap[34]);
  add<<<1, 32>>>(of_global, of_heap, 32);
  cudaMemcpy(of_heap, of_heap + 1, 4, cudaMemcpyDeviceToDevice);
  cudaMemset(of_heap + 31, 0, 4);
  cudaMalloc(&device, 8);
  cudaMemcpy(device, heap.data() + 2, 8, cudaMemcpyHostToDevice);
  cudaMemcpy(copied, of_heap, 8, cudaMemcpyDeviceToHost);
  std::printf("%d %d %d; %d %d; ", heap[2], heap[33], global[31], copied[0], copied[1]);
  cudaPointerAttributes a, b;
  unsigned flags;
  cudaPointerGetAttributes(&a, heap.data() + 3);
  cudaPointerGetAttributes(&b, of_heap + 1);
  cudaHostGetFlags(&flags, heap.data());
  std::printf("%d%d%d%d %u; ", a.type == cudaMemoryTypeHost, a.devicePointer == of_heap + 1, b.hostPointer == heap.data() + 3,
              b.type == cudaMemoryTypeHost, flags);
  std::printf("%d %d %d %d %d %d %d %d; ", cudaHostRegister(heap.data() + 99, 8, 0), cudaHostRegister(device, 4, 0), cudaHostRegister(0, 4, 0),
              cudaHostRegister(&heap, 0, 0), cudaHostRegister((void*)4096, 4, 0), cudaHostUnregister(heap.data() + 1), cudaFreeHost(of_heap - 2),
              cudaMemcpy(copied, of_heap + 97, 8, cudaMemcpyDefault));
  int* large = (int*)std::calloc(1 << 20, 4);
  cudaHostRegister(large, 4 << 20, 0);
  std::free(large);
  std::printf("%d ", cudaHostUnregister(heap.data()));
  heap[34] = 5;
  add<<<1, 1>>>(device, device, 1);
  std::printf("%d %d %d\n", cudaDeviceSynchronize(), heap[34], cudaHostRegister(heap.data(), 4, 0));
}
)";
// heap[2 + i] += global[i]: 1 + 0, 1000 + 1, 1 + 31; then heap[2] = heap[3], heap[33] = 0. global is read-only.
const std::string kRegisteredOutput = "0; 1 1 1001 32 1; 1001 0 31; 1001 1001; 1111 2; 712 712 1 1 1 713 1 1; 0 0 5 0\n";

TEST_CASE("CU-29: kernels, copies and fills change registered memory of the host, and a recording has the same cycles") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("register.cu", kRegistering);
  const Ended ended = wharf(folder, {"cuda", "register.cu", "--verify", "--record", "r.wcr", "--out", "live"});
  INFO(ended.output);
  REQUIRE(ended.exit_code == 0);
  CHECK_THAT(ended.output, Contains(kRegisteredOutput));
  REQUIRE(wharf(folder, {"run", "private", "--stimulus", "cuda:r.wcr", "--verify", "--out", "replayed"}).exit_code == 0);
  const auto kernels = read_json(folder / "live/result.json")["kernels"];
  CHECK(kernels.size() == 3);
  CHECK(kernels == read_json(folder / "replayed/result.json")["kernels"]);
}

TEST_CASE("CU-29: a kernel that accesses registered memory by its host pointer ends the program with the remedy") {
  REQUIRE_CLANG();
  const TemporaryFolder folder;
  folder.file("host.cu",
              "__global__ void set(int* p) { *p = 1; }\n"
              "int main() { static int x; cudaHostRegister(&x, 4, 0); set<<<1, 1>>>(&x); return cudaDeviceSynchronize(); }\n");
  const Ended ended = wharf(folder, {"cuda", "host.cu", "--functional"});
  CHECK(ended.exit_code == 1);
  CHECK_THAT(ended.output, Contains("host pointers are no device memory, and registered memory has the address that "
                                    "cudaHostGetDevicePointer returns"));
}

}  // namespace
}  // namespace wharf::cli
