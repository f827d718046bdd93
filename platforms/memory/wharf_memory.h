#ifndef WHARF_MEMORY_H
#define WHARF_MEMORY_H
/* Wharf's caches, networks, L2 and DRAM as the memory system of another simulator, in C. The host has the cores: it says which access which
 * core makes in which cycle, and is told when each is answered. docs/howto-memory.md has examples and what a host needs.
 *
 * Time. Everything happens in cycles of the GPU's core clock (wharf_memory_clock_mhz). Time stands still until wharf_memory_advance_to()
 * moves it. A request of cycle c reaches the core's L1 in cycle c + 2, as the load/store unit of an SM would send it in c + 1.
 *
 * Data. The memory system is timed and holds no bytes: the host keeps its memory, and reads or writes it when it makes the request
 * or when that is answered, as it prefers. With `verify` every load is checked for old data all the same.
 *
 * Errors. No C++ exception leaves these functions. A function that can fail says how it tells; wharf_memory_error() has the text.
 *
 * Threads. Thread-compatible: calls must not overlap. SystemC has one simulation a process, so a process can create one memory system,
 * once; a second wharf_memory_create() fails and says so. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wharf_memory wharf_memory;

typedef enum wharf_memory_kind { WHARF_MEMORY_LOAD = 0, WHARF_MEMORY_STORE = 1, WHARF_MEMORY_ATOMIC = 2 } wharf_memory_kind;

/* Which level answered. */
typedef enum wharf_memory_level {
  WHARF_MEMORY_L1 = 1,
  WHARF_MEMORY_PEER = 2, /* another SM's L1, asked by a probe */
  WHARF_MEMORY_HOME = 3, /* the L1 that is the line's home */
  WHARF_MEMORY_L2 = 4,
  WHARF_MEMORY_EXTENDED_LLC = 5,
  WHARF_MEMORY_DRAM = 6
} wharf_memory_level;

/* Zero it, then set what is needed. */
typedef struct wharf_memory_options {
  const char* configuration;        /* a name (`private`, `dc_l1`), or the path of a YAML file. Required. */
  const char* const* settings;      /* key=value, as --set takes them; they stand above the file. NULL: none */
  size_t setting_count;
  const char* data_folder;          /* with platforms/configs in it; NULL: WHARF_HOME, or where Wharf was installed or built */
  uint64_t seed;                    /* of random replacement and the like; 0 is taken as 1 */
  int verify;                       /* not 0: versions in every sector, and each load checked for old data */
} wharf_memory_options;

/* One transaction of one core. Zero it, then set what is needed. */
typedef struct wharf_memory_request {
  uint64_t address;       /* byte address in global memory */
  uint32_t bytes;         /* 1 to wharf_memory_transaction_bytes(), within one naturally aligned block of that size */
  uint32_t core;          /* below wharf_memory_cores() */
  uint32_t kind;          /* a wharf_memory_kind; a number, since it may be any until it is checked */
  int bypass_l1;          /* not 0: the L1 is not looked up (cache operator .cg) */
  uint32_t warp, cta, pc; /* who makes it: predictors and per-warp statistics read these; 0 where the host has no such thing */
  uint64_t tag;           /* the host's own; comes back with the reply */
} wharf_memory_request;

typedef struct wharf_memory_reply {
  uint64_t tag;
  uint64_t cycle; /* core cycle in which the answer is at the core */
  uint32_t core;
  wharf_memory_kind kind;
  wharf_memory_level level; /* of stores and atomics: where they were done */
} wharf_memory_reply;

/* Called from within wharf_memory_advance_to() for each reply, in order of cycle and core. It may make requests, which are of the present
 * cycle, and ask for the cycle, and call nothing else. */
typedef void (*wharf_memory_callback)(void* user, const wharf_memory_reply* reply);

/* Builds the memory system; the time is cycle 0. `callback` may be NULL. Returns NULL on failure: wharf_memory_error(NULL) says why, for a
 * configuration with every mistake as file:line:column and its remedy. */
wharf_memory* wharf_memory_create(const wharf_memory_options* options, wharf_memory_callback callback, void* user);
void wharf_memory_destroy(wharf_memory* memory);

/* Offers a request in the present cycle. Returns 1 where it is taken; 0 where the core's L1 has no room, or the core has already made a
 * request in this cycle: offer it again in a later one; -1 where the request itself is wrong. A request that is taken is answered exactly
 * once, by a reply. */
int wharf_memory_try_request(wharf_memory* memory, const wharf_memory_request* request);

/* Advances to core cycle `cycle`, but no further than the first cycle in which a reply is due, and delivers what is due then. Returns 1 where
 * `cycle` is reached, 0 where it stopped at a reply before it, -1 on failure: old data, a deadlock with the name of what waits for what, or
 * a `cycle` in the past. After a failure of the simulation only statistics, the error and destroy can be asked for. */
int wharf_memory_advance_to(wharf_memory* memory, uint64_t cycle);
/* The same by one cycle, for a host that is driven by its clock. */
int wharf_memory_tick(wharf_memory* memory);

/* The present core cycle. */
uint64_t wharf_memory_cycle(const wharf_memory* memory);
/* Requests that have not been answered. */
uint64_t wharf_memory_in_flight(const wharf_memory* memory);
uint32_t wharf_memory_cores(const wharf_memory* memory);
uint32_t wharf_memory_clock_mhz(const wharf_memory* memory);
/* The largest request: 128 (a line), or 32 (a sector) with `transaction: sector`. */
uint32_t wharf_memory_transaction_bytes(const wharf_memory* memory);

/* What a kernel boundary does to the caches: written-back L1s are drained and L1s emptied as l1.kernel_boundary says. Takes the time that it
 * takes. Returns 1; 0 where requests are in flight; -1 on failure. */
int wharf_memory_kernel_boundary(wharf_memory* memory);

/* A counter or derived metric since creation, by its name in result.json and `wharf list metrics` (`l1.miss_rate`, `dram.reads`). Returns 0,
 * or -1 where this machine has no such metric, or it is undefined so far (a rate of nothing). */
int wharf_memory_metric(wharf_memory* memory, const char* name, double* value);
/* All of them as a JSON object; valid until the next call for this memory. NULL on failure. */
const char* wharf_memory_metrics(wharf_memory* memory);

/* Ends the simulation in the cycle of the last answer, or of the last write that reaches memory, and not before the present cycle. Checks the
 * laws of the counters. Returns 0, or -1 with the broken laws as the error. Metrics can be asked for afterwards: where nothing was in flight,
 * they are those of before. */
int wharf_memory_finish(wharf_memory* memory);

/* The text of the last failure of `memory`, or of the last wharf_memory_create() where it is NULL; "" where nothing failed. */
const char* wharf_memory_error(const wharf_memory* memory);

#ifdef __cplusplus
}
#endif
#endif
