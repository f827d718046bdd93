#pragma once
// Driver of the GPU's command processor: arrays, launches by name, waiting, statistics.

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

/* Sets up the ring and the interrupt. Prints why and exits where there is no GPU. */
void gpu_open(void);

/* Zeroed memory for an array, aligned to a page. Exits where there is none left. */
void* gpu_alloc(size_t bytes);

/* Arguments of a launch, in the order of the kernel's parameters. */
struct wharf_gpu_argument gpu_array(const void* data, uint64_t elements);
struct wharf_gpu_argument gpu_integer(int64_t value);
struct wharf_gpu_argument gpu_real(double value);

/* Queues a kernel; returns its number for gpu_wait(). Waits where the ring is full. */
uint32_t gpu_launch_with(const char* kernel, const struct wharf_gpu_argument* arguments, unsigned count);
#define gpu_launch(kernel, ...)                                             \
  gpu_launch_with(kernel, (const struct wharf_gpu_argument[]){__VA_ARGS__}, \
                  sizeof((const struct wharf_gpu_argument[]){__VA_ARGS__}) / sizeof(struct wharf_gpu_argument))

/* Sleeps until this launch has completed. 0, or the error that stopped the command processor. */
enum wharf_gpu_error gpu_wait(uint32_t launch);

/* The same without sleeping: reads the status again and again. */
enum wharf_gpu_error gpu_poll(uint32_t launch);

/* Of the last kernel that completed. */
uint64_t gpu_count(enum wharf_gpu_count which);

/* The command processor's error registers. */
enum wharf_gpu_error gpu_error(void);
uint32_t gpu_error_argument(void);

/* After an error: forgets it and what was queued. */
void gpu_reset(void);
