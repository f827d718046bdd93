#pragma once
// An SM's logic that counts its issue slots, between scripted warps and a scripted L1.

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "tests/unit/sm/sm_script.h"

namespace wharf::test {

inline constexpr std::uint64_t kOne = CycleStack::kSlot;
inline constexpr Cycle kLaunch = 5;

inline SmParams stack_sm(unsigned schedulers = 1) {
  SmParams p = plain_sm();
  p.schedulers = schedulers;
  return p;
}

struct StackRig : SmRig {
  explicit StackRig(const SmParams& params) : SmRig(params), group(registry, "sm", 0) {
    logic.keep_cycle_stack(group, stages_of(false));
    logic.cycle_stack()->kernel_started(0);
  }
  /// Slots by cause up to the kernel's end in cycle `end`, in millionths; causes without slots are left out. Checks that all laws hold.
  std::map<std::string, std::uint64_t> stack(Cycle end) {
    run(end - 1, ticking);
    logic.kernel_ended(end);
    logic.catch_up(end);
    for (const std::string& law : registry.broken_laws()) CHECK(law.find("slots") == std::string::npos);
    std::map<std::string, std::uint64_t> slots;
    for (const auto& entry : registry.counters())
      if (entry.name().rfind("slots.", 0) == 0 && entry.name().rfind("slots.load.by_", 0) != 0 && entry.counter->value() != 0)
        slots[std::string(entry.name().substr(6))] = entry.counter->value();
    return slots;
  }

  stats::Group group;
  bool ticking = false;
};

}  // namespace wharf::test
