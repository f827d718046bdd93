// Pi by Monte Carlo: the share of random points of a square that lie in its circle. One kernel makes the states, another draws.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

constexpr int kBlocks = 8, kBlockThreads = 64, kThreads = kBlocks * kBlockThreads, kPoints = 64;

__global__ void start(curandState* states, unsigned long long seed) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, thread, 0, &states[thread]);
}

__global__ void throw_points(curandState* states, unsigned* inside) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[thread];
  unsigned hits = 0;
  for (int i = 0; i < kPoints; ++i) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    if (x * x + y * y <= 1) ++hits;
  }
  states[thread] = state;
  atomicAdd(inside, hits);
}

int main() {
  curandState* states;
  unsigned *inside, hits = 0;
  cudaMalloc(&states, kThreads * sizeof(curandState));
  cudaMalloc(&inside, sizeof *inside);
  cudaMemset(inside, 0, sizeof *inside);
  start<<<kBlocks, kBlockThreads>>>(states, 1234);
  throw_points<<<kBlocks, kBlockThreads>>>(states, inside);
  cudaMemcpy(&hits, inside, sizeof hits, cudaMemcpyDeviceToHost);
  const double pi = 4.0 * hits / (kThreads * kPoints), error = 4 * std::sqrt(0.25 * M_PI * (1 - 0.25 * M_PI) / (kThreads * kPoints));
  const bool right = cudaGetLastError() == cudaSuccess && std::fabs(pi - M_PI) < 3 * error;
  std::printf("pi is about %.3f: %s\n", pi, right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
