// A kernel that faults poisons the context: the error returns, and stays.
__global__ void fault() {}
int main() {
  fault<<<1, 32>>>();
  if (cudaDeviceSynchronize() != cudaErrorIllegalAddress) return 1;
  if (cudaGetLastError() != cudaErrorIllegalAddress) return 2;
  if (cudaGetLastError() != cudaErrorIllegalAddress) return 3;
  void* pointer;
  return cudaMalloc(&pointer, 8) == cudaErrorIllegalAddress ? 0 : 4;
}
