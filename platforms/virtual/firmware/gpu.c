#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

#define RING_SIZE 16u
#define PAGE 4096u

static struct wharf_gpu_command ring[RING_SIZE] __attribute__((aligned(256)));
static uint32_t tail;
static volatile int interrupted;

static uint32_t get(uintptr_t reg) { return read32(WHARF_GPU_BASE + reg); }
static void set(uintptr_t reg, uint32_t value) { write32(WHARF_GPU_BASE + reg, value); }

static void handle(void) {
  set(WHARF_GPU_INTERRUPT, get(WHARF_GPU_INTERRUPT));
  interrupted = 1;
}

static void set_ring(void) {
  set(WHARF_GPU_RING_BASE, (uint32_t)(uintptr_t)ring);
  set(WHARF_GPU_RING_BASE + 4, (uint32_t)((uintptr_t)ring >> 32));
  set(WHARF_GPU_RING_SIZE, RING_SIZE);
  tail = 0;
}

void gpu_open(void) {
  if (get(WHARF_GPU_ID) != WHARF_GPU_ID_VALUE || get(WHARF_GPU_VERSION) != WHARF_GPU_VERSION_VALUE) {
    printf("there is no GPU that this driver knows\n");
    exit(1);
  }
  set_ring();
  on_interrupt(WHARF_INTERRUPT_GPU, handle);
}

void *gpu_alloc(size_t bytes) {
  const size_t rounded = (bytes + PAGE - 1) / PAGE * PAGE;
  void *memory = aligned_alloc(PAGE, rounded);
  if (memory == NULL) {
    printf("no memory for an array of %lu bytes\n", (unsigned long)bytes);
    exit(1);
  }
  return memset(memory, 0, rounded);
}

struct wharf_gpu_argument gpu_array(const void *data, uint64_t elements) {
  return (struct wharf_gpu_argument){(uint64_t)(uintptr_t)data, elements};
}

struct wharf_gpu_argument gpu_integer(int64_t value) { return (struct wharf_gpu_argument){(uint64_t)value, 0}; }

struct wharf_gpu_argument gpu_real(double value) {
  struct wharf_gpu_argument argument = {0, 0};
  memcpy(&argument.value, &value, sizeof value);
  return argument;
}

uint32_t gpu_launch_with(const char *kernel, const struct wharf_gpu_argument *arguments, unsigned count) {
  if (tail >= RING_SIZE) gpu_poll(tail - RING_SIZE + 1);
  struct wharf_gpu_command *command = &ring[tail % RING_SIZE];
  memset(command, 0, sizeof *command);
  command->kind = WHARF_GPU_COMMAND_LAUNCH;
  command->flags = WHARF_GPU_FLAG_INTERRUPT;
  command->argument_count = count;
  strncpy(command->name, kernel, WHARF_GPU_NAME_BYTES - 1);
  for (unsigned i = 0; i < count && i < WHARF_GPU_MOST_ARGUMENTS; ++i) command->arguments[i] = arguments[i];
  ++tail;
  set(WHARF_GPU_RING_TAIL, tail);
  return tail;
}

static int completed(uint32_t launch) { return (int32_t)(get(WHARF_GPU_RING_HEAD) - launch) >= 0; }

enum wharf_gpu_error gpu_wait(uint32_t launch) {
  for (;;) {
    interrupted = 0;
    if (completed(launch)) return WHARF_GPU_ERROR_NONE;
    if (gpu_error() != WHARF_GPU_ERROR_NONE) return gpu_error();
    sleep_until(&interrupted);
  }
}

enum wharf_gpu_error gpu_poll(uint32_t launch) {
  while (!completed(launch)) {
    if (gpu_error() != WHARF_GPU_ERROR_NONE) return gpu_error();
  }
  return WHARF_GPU_ERROR_NONE;
}

uint64_t gpu_count(enum wharf_gpu_count which) {
  const uintptr_t reg = WHARF_GPU_LAST + 8u * (uintptr_t)which;
  return get(reg) | (uint64_t)get(reg + 4) << 32;
}

enum wharf_gpu_error gpu_error(void) { return (enum wharf_gpu_error)get(WHARF_GPU_ERROR); }

uint32_t gpu_error_argument(void) { return get(WHARF_GPU_ERROR_ARGUMENT); }

void gpu_reset(void) {
  set(WHARF_GPU_CONTROL, WHARF_GPU_CONTROL_RESET);
  set_ring();
}
