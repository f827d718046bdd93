// Gravitation between bodies: every body attracts every other. A CTA loads bodies tile by tile into shared memory.
//
//   wharf cuda n_body.cu             1,024 bodies, 2 steps
//   wharf cuda n_body.cu -- 4096 4   other numbers; bodies in multiples of 128
//
// Shows: a compute-bound kernel with float4 loads, rsqrtf, and shared memory that all threads read at the same place.

#include "check.h"

constexpr int kBlock = 128;
constexpr float kSoftening = 0.01f, kTimeStep = 0.01f;

// The acceleration of a body at `at` by one at `from`, whose mass is in w.
__host__ __device__ inline void attract(float4 at, float4 from, float3& acceleration, float inverse) {
  const float factor = from.w * inverse * inverse * inverse;
  acceleration.x += (from.x - at.x) * factor;
  acceleration.y += (from.y - at.y) * factor;
  acceleration.z += (from.z - at.z) * factor;
}
__host__ __device__ inline float distance_squared(float4 a, float4 b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z) + kSoftening;
}
__host__ __device__ inline float4 moved(float4 body, float3& velocity, float3 acceleration) {
  velocity.x += acceleration.x * kTimeStep;
  velocity.y += acceleration.y * kTimeStep;
  velocity.z += acceleration.z * kTimeStep;
  return make_float4(body.x + velocity.x * kTimeStep, body.y + velocity.y * kTimeStep, body.z + velocity.z * kTimeStep, body.w);
}

__global__ void step(const float4* bodies, float4* next, float3* velocities, int n) {
  __shared__ float4 tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const float4 body = bodies[i];
  float3 acceleration = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += kBlock) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kBlock; ++j) attract(body, tile[j], acceleration, rsqrtf(distance_squared(body, tile[j])));
    __syncthreads();
  }
  next[i] = moved(body, velocities[i], acceleration);
}

int main(int argc, char** argv) {
  const int n = argument(argc, argv, 1, 1024), steps = argument(argc, argv, 2, 2);
  if (n <= 0 || n % kBlock != 0) {
    std::fprintf(stderr, "the number of bodies must be a multiple of %d\n", kBlock);
    return 2;
  }
  Random random;
  std::vector<float4> bodies(n);
  std::vector<float3> velocities(n, make_float3(0, 0, 0));
  for (float4& body : bodies) body = make_float4(random.uniform(), random.uniform(), random.uniform(), random.uniform());

  DeviceArray<float4> first(bodies), second(n);
  const DeviceArray<float3> device_velocities(velocities);
  float4 *from = first.data(), *to = second.data();
  for (int i = 0; i < steps; ++i) {
    step<<<n / kBlock, kBlock>>>(from, to, device_velocities.data(), n);
    CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  std::vector<float4> got(n);
  CHECK(cudaMemcpy(got.data(), from, n * sizeof(float4), cudaMemcpyDeviceToHost));

  for (int s = 0; s < steps; ++s) {
    std::vector<float4> next(n);
    for (int i = 0; i < n; ++i) {
      float3 acceleration = make_float3(0, 0, 0);
      for (int j = 0; j < n; ++j) attract(bodies[i], bodies[j], acceleration, 1.0f / std::sqrt(distance_squared(bodies[i], bodies[j])));
      next[i] = moved(bodies[i], velocities[i], acceleration);
    }
    bodies.swap(next);
  }
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += !(std::fabs(got[i].x - bodies[i].x) < 1e-3f && std::fabs(got[i].y - bodies[i].y) < 1e-3f &&
               std::fabs(got[i].z - bodies[i].z) < 1e-3f);
  return verdict("n-body", wrong);
}
