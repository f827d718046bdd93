/* The host reads an array while a kernel computes it, and writes to an array that is in the GPU's caches. */
#include <stdio.h>

#include "gpu.h"
#include "platform.h"

enum { n = 64 };

static uint32_t multiply(const float *a, const float *b, float *c) {
  return gpu_launch("gemm", gpu_array(a, n * n), gpu_array(b, n * n), gpu_array(c, n * n), gpu_integer(n), gpu_integer(n), gpu_integer(n),
                    gpu_integer(n), gpu_real(1), gpu_real(0), gpu_integer(0));
}

int main(void) {
  gpu_open();
  float *a = gpu_alloc(sizeof(float) * n * n), *b = gpu_alloc(sizeof(float) * n * n);
  volatile float *c = gpu_alloc(sizeof(float) * n * n);
  for (int i = 0; i < n; ++i) a[i * n + i] = 1, b[i * n + i] = (float)(i + 1);

  /* The kernel adds to the product step by step. When does the host see the first new value of the element? */
  const uint32_t first = multiply(a, b, (float *)c);
  while (c[0] == 0) {
  }
  const uint64_t seen = now_ns();
  const int running = read32(WHARF_GPU_BASE + WHARF_GPU_RING_HEAD) != first;
  gpu_wait(first);
  printf("seen at %lu ns, while the kernel %s\n", (unsigned long)seen, running ? "runs" : "has ended");

  /* The host writes to a line that a cache holds; the next kernel must read the new value. */
  b[0] = 50;
  const float written = b[0];
  gpu_wait(multiply(a, b, (float *)c));
  printf("%s\n", written == 50 && c[0] == 50 && c[n + 1] == 2 ? "written through" : "STALE");
  return 0;
}
