// The host dereferences device memory, as only a program with a mistake does.
int main() {
  int* values;
  cudaMalloc(&values, 4000);
  return values[10];
}
