#pragma once
// Parameters of the load/store unit of an SM whose schedulers have units of their own (MG-6).

#include <cstdint>

#include "model/base/config/binder.h"

namespace wharf {

enum class LsuModel { single, subcore };

struct LsuParams {
  LsuModel model = LsuModel::single;
  std::uint32_t subcore_queue = 5;
  std::uint32_t address_interval = 4;
  std::uint32_t address_cycles = 11;
  std::uint32_t shared_interval = 2;
  std::uint32_t return_bytes = 64;

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("model", model, {{"single", LsuModel::single}, {"subcore", LsuModel::subcore}},
             "single: one unit with one queue. subcore: each scheduler has a queue and an address unit in front of the part that all "
             "share (MG-6)");
    b.integer("subcore_queue", subcore_queue, Unit::count, "memory instructions that a scheduler's queue holds", 1, 64);
    b.integer("address_interval", address_interval, Unit::cycles, "from one memory instruction of a scheduler to its next", 1, 64);
    b.integer("address_cycles", address_cycles, Unit::cycles,
              "for which an instruction keeps its place in the queue after its turn at the shared part, which adds no latency", 1, 64);
    b.integer("shared_interval", shared_interval, Unit::cycles, "from one memory instruction of the SM to the next", 1, 64);
    b.integer("return_bytes", return_bytes, Unit::bytes, "from the L1 to registers per cycle; 32 lanes of 4 B add no latency", 8, 1024);
    for (const char* key : {"subcore_queue", "address_interval", "address_cycles", "shared_interval", "return_bytes"})
      b.ineffective_unless(model == LsuModel::subcore, key, "sm.lsu.model is single");
  }
};

}  // namespace wharf
