// Two threads of the host use CUDA at once.
#include <thread>
__global__ void nothing() {}
void work() {
  for (int i = 0; i < 50; ++i) {
    int* pointer;
    cudaMalloc(&pointer, 4000);
    nothing<<<1, 32>>>();
    cudaFree(pointer);
  }
}
int main() {
  std::thread other(work);
  work();
  other.join();
  return cudaGetLastError();
}
