/* Launches the smallest kernel again and again, for `wharf bench`: measures the cost of ring, doorbell, interrupt and WFI. */
#include <stdio.h>

#include "gpu.h"

int main(void) {
  gpu_open();
  uint8_t *bytes = gpu_alloc(128);
  for (int i = 0; i < 300; ++i) {
    const uint32_t launch = gpu_launch("bfs_advance", gpu_array(bytes, 32), gpu_array(bytes + 32, 32), gpu_array(bytes + 64, 32),
                                       gpu_array(bytes + 96, 1), gpu_integer(32));
    if (gpu_wait(launch) != WHARF_GPU_ERROR_NONE) return 1;
  }
  printf("300 launches\n");
  return 0;
}
