/* Provokes every error of the command processor: prints the error, the wrong argument and the command. */
#include <stdio.h>
#include <string.h>

#include "gpu.h"
#include "platform.h"

static void say(const char *what) {
  while (gpu_error() == WHARF_GPU_ERROR_NONE) {
  }
  printf("%s: error %d argument %u command %u status %u\n", what, gpu_error(), (unsigned)gpu_error_argument(),
         (unsigned)read32(WHARF_GPU_BASE + WHARF_GPU_ERROR_COMMAND), (unsigned)read32(WHARF_GPU_BASE + WHARF_GPU_STATUS));
  gpu_reset();
}

static void set(unsigned reg, uint32_t value) { write32(WHARF_GPU_BASE + reg, value); }

int main(void) {
  gpu_open();
  uint8_t *bytes = gpu_alloc(64);
  const struct wharf_gpu_argument array = gpu_array(bytes, 32), n = gpu_integer(32);

  set(WHARF_GPU_RING_BASE, 0x80300010);
  set(WHARF_GPU_RING_TAIL, 1);
  say("ring misaligned");
  set(WHARF_GPU_RING_SIZE, 3);
  set(WHARF_GPU_RING_TAIL, 1);
  say("ring size");
  set(WHARF_GPU_RING_BASE, 0x40000000);
  set(WHARF_GPU_RING_TAIL, 1);
  say("ring outside RAM");
  set(WHARF_GPU_RING_TAIL, 17);
  say("ring overflow");

  struct wharf_gpu_command *ring = gpu_alloc(sizeof *ring);
  ring->kind = 77;
  set(WHARF_GPU_RING_BASE, (uint32_t)(uintptr_t)ring);
  set(WHARF_GPU_RING_SIZE, 1);
  set(WHARF_GPU_RING_TAIL, 1);
  say("unknown command");
  gpu_launch("sgemv", n);
  say("unknown kernel");
  gpu_launch("bfs_advance", array, array, array, array);
  say("argument missing");
  gpu_launch("bfs_advance", array, array, array, array, gpu_integer(-1));
  say("number out of range");
  gpu_launch("bfs_advance", array, array, gpu_array((void *)0x50000000, 32), array, n);
  say("array unmapped");
  gpu_launch("bfs_advance", array, array, gpu_array((void *)0x83fffff8, 32), array, n);
  say("array beyond RAM");
  gpu_launch("bfs_advance", array, gpu_array(bytes, 31), array, array, n);
  say("array too small");
  gpu_launch("spmv", gpu_array(bytes + 2, 4), array, array, array, array, gpu_integer(1), gpu_integer(0));
  say("array misaligned");
  gpu_launch("gemm", gpu_array(bytes, 8), array, array, gpu_integer(1), gpu_integer(1), gpu_integer(4), gpu_integer(3), gpu_real(1),
             gpu_real(0), gpu_integer(0));
  say("numbers at odds");

  /* It still works after all errors. */
  bytes[5] = 1;
  uint8_t *flags = gpu_alloc(96), *over = flags + 64;
  const uint32_t launch = gpu_launch("bfs_advance", gpu_array(flags, 32), array, gpu_array(flags + 32, 32), gpu_array(over, 1), n);
  set(WHARF_GPU_RING_SIZE, 8);
  say("ring changed while busy");
  const uint32_t again = gpu_launch("bfs_advance", gpu_array(flags, 32), array, gpu_array(flags + 32, 32), gpu_array(over, 1), n);
  const int error = gpu_wait(again);
  printf("launch %u error %d found %d %d %d\n", (unsigned)launch, error, flags[5], flags[32 + 5], *over);
  return 0;
}
