#pragma once
// What each instruction of each kernel has cost one SM, and where its loads found their data. Kept with the cycle stack.

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/base/access.h"
#include "model/base/warp_instruction.h"
#include "stimuli/stimulus.h"

namespace wharf {

class InstructionProfile {
 public:
  struct Entry {
    Unit unit = Unit::alu;
    std::uint64_t slots = 0;                          // millionths of slots lost to it
    std::array<std::uint64_t, kServedBy> served{};    // accesses of loads and atomics, by who answered
    std::uint64_t misses = 0, held_elsewhere = 0;     // primary misses of the L1; those whose sectors another L1 held

    Entry& operator+=(const Entry& other) {
      unit = other.unit;
      slots += other.slots;
      misses += other.misses;
      held_elsewhere += other.held_elsewhere;
      for (unsigned server = 0; server < kServedBy; ++server) served[server] += other.served[server];
      return *this;
    }
  };
  /// Launches of one name are one kernel.
  struct Kernel {
    std::string name, source_file;
    std::uint32_t pcs_a_line = 0;
    std::unordered_map<std::uint32_t, Entry> entries;  // by pc
  };

  InstructionProfile() : kernels_(1) {}

  /// The instructions from now on are those of `launch`.
  void start(const KernelLaunch& launch) {
    for (running_ = 0; running_ < kernels_.size(); ++running_)
      if (kernels_[running_].name == launch.name) return;
    kernels_.push_back({launch.name, launch.source_file, launch.pcs_a_line, {}});
  }
  /// The entry of the running kernel's instruction; stays where it is.
  Entry& at(std::uint32_t pc) { return kernels_[running_].entries[pc]; }
  Entry& at(const WarpInstruction& instruction) {
    Entry& entry = at(instruction.pc);
    entry.unit = instruction.unit;
    return entry;
  }

  /// The first one has no name: of instructions before any launch.
  const std::vector<Kernel>& kernels() const { return kernels_; }

 private:
  std::vector<Kernel> kernels_;
  std::size_t running_ = 0;
};

}  // namespace wharf
