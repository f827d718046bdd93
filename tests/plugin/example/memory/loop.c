/* A cycle-driven simulator in C with Wharf as its memory system: eight cores that each read their own memory, with up to four loads in
 * flight, and store one word in eight. Built without a line of C++. */

#include <inttypes.h>
#include <stdio.h>

#include "platforms/memory/wharf_memory.h"

enum { kCores = 8, kLoads = 256, kInFlight = 4 };

struct core {
  uint32_t made, in_flight;
  uint64_t latency; /* sum over answered loads */
};

struct simulator {
  struct core cores[kCores];
  uint64_t made_at[kCores * kLoads]; /* [tag] */
};

static void answered(void* user, const wharf_memory_reply* reply) {
  struct simulator* simulator = user;
  struct core* core = &simulator->cores[reply->core];
  --core->in_flight;
  if (reply->kind == WHARF_MEMORY_LOAD) core->latency += reply->cycle - simulator->made_at[reply->tag];
}

static int failed(const wharf_memory* memory) {
  fprintf(stderr, "%s\n", wharf_memory_error(memory));
  return 1;
}

int main(void) {
  static struct simulator simulator;
  const char* const settings[] = {"sms=8", "channels=2"};
  wharf_memory_options options = {.configuration = "private", .settings = settings, .setting_count = 2, .data_folder = WHARF_DATA, .verify = 1};
  wharf_memory* memory = wharf_memory_create(&options, answered, &simulator);
  if (memory == NULL) return failed(NULL);

  for (uint32_t left = kCores * kLoads; left != 0 || wharf_memory_in_flight(memory) != 0;) {
    for (uint32_t c = 0; c < kCores; ++c) {
      struct core* core = &simulator.cores[c];
      if (core->made == kLoads || core->in_flight == kInFlight) continue;
      wharf_memory_request request = {.core = c, .bytes = 32, .tag = c * kLoads + core->made};
      request.address = (uint64_t)(c * kLoads + core->made) * 32;
      request.kind = core->made % 8 == 7 ? WHARF_MEMORY_STORE : WHARF_MEMORY_LOAD;
      const int taken = wharf_memory_try_request(memory, &request);
      if (taken < 0) return failed(memory);
      if (taken == 0) continue; /* offered again in the next cycle */
      simulator.made_at[request.tag] = wharf_memory_cycle(memory);
      ++core->made;
      ++core->in_flight;
      --left;
    }
    if (wharf_memory_tick(memory) < 0) return failed(memory);
  }

  uint64_t latency = 0;
  for (uint32_t c = 0; c < kCores; ++c) latency += simulator.cores[c].latency;
  double miss_rate = 0.0;
  if (wharf_memory_finish(memory) < 0 || wharf_memory_metric(memory, "l1.miss_rate", &miss_rate) < 0) return failed(memory);
  printf("%" PRIu64 " cycles, %" PRIu64 " cycles a load, L1 miss rate %.3f\n", wharf_memory_cycle(memory),
         latency / (kCores * kLoads * 7 / 8), miss_rate);
  wharf_memory_destroy(memory);
  return 0;
}
