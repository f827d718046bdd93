// A pipeline of two streams: each copies a part of the data to the device, works on it and copies it back, asynchronously. An event orders
// the streams' last step, and two events measure the time.
//
//   wharf cuda streams_and_events.cu               4 parts of 65,536 elements
//   wharf cuda streams_and_events.cu -- 8 100000   other numbers
//
// Shows: cudaMallocHost, cudaMemcpyAsync, streams, cudaStreamWaitEvent, and elapsed times, which under Wharf are those of the simulated
// GPU.

#include "check.h"

__global__ void polynomial(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = (values[i] * 2.0f + 1.0f) * values[i] - 3.0f;
}

__global__ void add_total(const float* values, int n, int* positive) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes = __ballot_sync(0xffffffffu, i < n && values[i] > 0);
  if (threadIdx.x % 32 == 0 && votes != 0) atomicAdd(positive, __popc(votes));
}

int main(int argc, char** argv) {
  const int parts = argument(argc, argv, 1, 4), n = argument(argc, argv, 2, 65536);
  const int all = parts * n, block = 256;
  float *host, *device;
  CHECK(cudaMallocHost(&host, all * sizeof(float)));
  CHECK(cudaMalloc(&device, all * sizeof(float)));
  DeviceArray<int> positive(1);
  positive.clear();
  std::vector<float> expected(all);
  int expected_positive = 0;
  for (int i = 0; i < all; ++i) {
    host[i] = static_cast<float>(i % 64) * 0.0625f;
    expected[i] = (host[i] * 2.0f + 1.0f) * host[i] - 3.0f;
    expected_positive += expected[i] > 0;
  }

  cudaStream_t streams[2];
  cudaEvent_t start, end, other_done;
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventCreateWithFlags(&other_done, cudaEventDisableTiming));
  CHECK(cudaDeviceSynchronize());

  CHECK(cudaEventRecord(start, streams[0]));
  for (int part = 0; part < parts; ++part) {
    const cudaStream_t stream = streams[part % 2];
    float *on_host = host + part * n, *on_device = device + part * n;
    CHECK(cudaMemcpyAsync(on_device, on_host, n * sizeof(float), cudaMemcpyHostToDevice, stream));
    polynomial<<<(n + block - 1) / block, block, 0, stream>>>(on_device, n);
    CHECK(cudaMemcpyAsync(on_host, on_device, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  }
  // The count needs the results of both streams.
  CHECK(cudaEventRecord(other_done, streams[1]));
  CHECK(cudaStreamWaitEvent(streams[0], other_done, 0));
  add_total<<<(all + block - 1) / block, block, 0, streams[0]>>>(device, all, positive.data());
  CHECK(cudaEventRecord(end, streams[0]));
  CHECK(cudaEventSynchronize(end));
  for (cudaStream_t& stream : streams) CHECK(cudaStreamSynchronize(stream));
  float milliseconds;
  CHECK(cudaEventElapsedTime(&milliseconds, start, end));

  int wrong = count_wrong(std::vector<float>(host, host + all), expected, 1e-6);
  wrong += positive.to_host()[0] != expected_positive;
  wrong += milliseconds < 0;
  std::printf("elapsed: %.4f ms\n", milliseconds);
  for (cudaStream_t& stream : streams) CHECK(cudaStreamDestroy(stream));
  for (const cudaEvent_t event : {start, end, other_done}) CHECK(cudaEventDestroy(event));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  return verdict("streams and events", wrong);
}
