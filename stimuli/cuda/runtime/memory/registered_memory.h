#pragma once
// Memory of the host's own that the program has registered with cudaHostRegister (CU-29). Kernels access a copy in the range of device
// addresses: brought there before each launch, and back behind it.

#include <cstdint>
#include <map>

#include "stimuli/cuda/include/cuda_runtime.h"

namespace wharf::cuda::runtime {

class Channel;

class RegisteredMemory {
 public:
  struct Region {
    char* host = nullptr;
    std::uint64_t bytes = 0, copy = 0;  // copy: its device address
    unsigned flags = 0;                 // of cudaHostRegister
  };

  /// The region that holds the host's address `host`, or overlaps the `bytes` bytes from there; nullptr if there is none.
  const Region* find(const void* host, std::uint64_t bytes = 1) const;
  /// The region whose copy holds the device address `address`; nullptr if there is none.
  const Region* find_copy(std::uint64_t address) const;
  void add(const Region& region) { regions_[region.host] = region; }
  void remove(const Region& region) { regions_.erase(region.host); }

  /// Brings what the host has stored to the copies. Memory that the program has returned to the system is left alone.
  void to_device(const Channel& channel) const;
  /// Brings what kernels have stored to the host.
  void to_host(const Channel& channel) const;

 private:
  std::map<const char*, Region> regions_;
};

/// True if the process can access [address, address + bytes).
bool is_mapped(const void* address, std::uint64_t bytes);

}  // namespace wharf::cuda::runtime
