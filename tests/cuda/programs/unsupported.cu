// Calls a function of the API that has no implementation. It must never see a result.
#include <cstdio>
extern "C" int cudaGraphConditionalHandleCreate(unsigned long long* handle, void* graph, unsigned value, unsigned flags);
int main() {
  unsigned long long handle = 0;
  std::printf("error %d\n", cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0));
  return 0;
}
