// The program crashes between two calls of the API.
#include <cstdlib>
int main() {
  int* values;
  cudaMalloc(&values, 4000);
  std::abort();
}
