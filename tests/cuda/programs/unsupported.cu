// Calls a function of the API that has no implementation. It must never see a result.
#include <cstdio>
extern "C" int cudaGraphCreate(void** graph, unsigned flags);
int main() {
  void* graph = nullptr;
  std::printf("error %d\n", cudaGraphCreate(&graph, 0));
  return 0;
}
