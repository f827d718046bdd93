#pragma once
// Finds what the program's host code has stored to managed and pinned memory: such stores send no command (CU-29).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "stimuli/cuda/recording/device_memory.h"

namespace wharf::cuda {

/// Keeps a copy of each allocation and managed variable that the host may access, as the device knows it, and compares.
class HostVisibleMemory {
 public:
  using Changed = std::function<void(std::uint64_t address, std::uint64_t bytes)>;

  void add(std::uint64_t address, std::uint64_t bytes);
  void remove(std::uint64_t address) { copies_.erase(address); }
  /// Calls `changed` for each run of blocks that differ from the copy, and updates the copy.
  void find_changes(const Changed& changed);
  /// The device, or a command, has changed memory: the copies follow.
  void accept_changes();
  void accept_changes(std::uint64_t address, std::uint64_t bytes);

 private:
  std::map<std::uint64_t, std::vector<std::byte>> copies_;
};

}  // namespace wharf::cuda
