// What the C++ language does in device code without a header: classes with pure virtual functions, new and delete, and declarations of
// variadic functions that only overload resolution uses. Allocations by pointers to constants, and marks for profilers.
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct Rectangle : Shape {
  float sides[2];
  __device__ Rectangle(float a, float b) : sides{a, b} {}
  __device__ float area() const override { return sides[0] * sides[1]; }
};

template <class T>
__device__ char has_area(decltype(&T::area));
template <class T>
__device__ long has_area(...);
template <class T>
constexpr bool kHasArea = sizeof(has_area<T>(nullptr)) == 1;

__global__ void areas(float* out) {
  const int rank = threadIdx.x;
  const Shape* const shape =
      rank % 2 == 0 ? static_cast<const Shape*>(new Square(rank)) : static_cast<const Shape*>(new Rectangle(rank, 10));
  float* const sums = new float[2];
  sums[0] = shape->area();
  sums[1] = kHasArea<Square> + 2 * kHasArea<int>;
  out[rank] = sums[0] + sums[1];
  delete shape;
  delete[] sums;
}

int main() {
  const float* constants;
  const float values[2] = {1.5f, 2.5f};
  float read[2], *out;
  int wrong = cudaMalloc(&constants, sizeof values) + cudaMallocManaged(&out, 32 * sizeof(float));
  wrong += cudaMemcpy(const_cast<float*>(constants), values, sizeof values, cudaMemcpyHostToDevice);
  wrong += cudaMemcpy(read, constants, sizeof read, cudaMemcpyDeviceToHost);
  wrong += read[0] != 1.5f || read[1] != 2.5f;
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION, attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII, attributes.message.ascii = "areas";
  wrong += nvtxRangePushEx(&attributes) + nvtxRangePush("areas") + 4;
  areas<<<1, 32>>>(out);
  wrong += cudaDeviceSynchronize() + nvtxRangePop() + 2;
  for (int rank = 0; rank < 32; ++rank) wrong += out[rank] != (rank % 2 == 0 ? rank * rank : rank * 10) + 1;
  std::printf("language: %s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong;
}
