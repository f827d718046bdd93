/* The host works while kernels run: launches queue up, a fence writes after them, and host and GPU compute at the same time. */
#include <stdio.h>

#include "gpu.h"
#include "platform.h"

enum { n = 64, ring_size = 8 };

int main(void) {
  gpu_open();
  float *a = gpu_alloc(sizeof(float) * n * n), *b = gpu_alloc(sizeof(float) * n * n), *c = gpu_alloc(sizeof(float) * n * n);
  for (int i = 0; i < n * n; ++i) a[i] = (float)(i % 7), b[i] = (float)(i % 5);
  uint32_t last = 0;
  /* More launches than the driver's ring holds; each adds the product again. */
  for (int i = 0; i < 20; ++i)
    last = gpu_launch("gemm", gpu_array(a, n * n), gpu_array(b, n * n), gpu_array(c, n * n), gpu_integer(n), gpu_integer(n), gpu_integer(n),
                      gpu_integer(n), gpu_real(1), gpu_real(1), gpu_integer(1));
  unsigned host = 0;
  while (read32(WHARF_GPU_BASE + WHARF_GPU_RING_HEAD) < last) ++host;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
      wrong |= c[i * n + j] != 20 * sum;
    }
  }
  printf("%s, the host %s, %u kernels\n", wrong ? "WRONG" : "correct", host > 100 ? "polled meanwhile" : "was held up",
         (unsigned)read32(WHARF_GPU_BASE + WHARF_GPU_KERNELS));
  return wrong;
}
