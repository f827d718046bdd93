#include "stimuli/cuda/runtime/memory/registered_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <iterator>
#include <vector>

#include "stimuli/cuda/runtime/channel.h"

namespace wharf::cuda::runtime {

const RegisteredMemory::Region* RegisteredMemory::find(const void* host, std::uint64_t bytes) const {
  const char* const begin = static_cast<const char*>(host);
  const auto after = regions_.lower_bound(begin + bytes);
  if (after == regions_.begin()) return nullptr;
  const Region& region = std::prev(after)->second;
  return region.host + region.bytes > begin ? &region : nullptr;
}

const RegisteredMemory::Region* RegisteredMemory::find_copy(std::uint64_t address) const {
  for (const auto& [host, region] : regions_)
    if (address - region.copy < region.bytes) return &region;
  return nullptr;
}

void RegisteredMemory::to_device(const Channel& channel) const {
  for (const auto& [host, region] : regions_)
    if (is_mapped(host, region.bytes)) std::memcpy(channel.at(region.copy), host, region.bytes);
}

void RegisteredMemory::to_host(const Channel& channel) const {
  for (const auto& [host, region] : regions_)
    if ((region.flags & cudaHostRegisterReadOnly) == 0 && is_mapped(host, region.bytes))
      std::memcpy(region.host, channel.at(region.copy), region.bytes);
}

bool is_mapped(const void* address, std::uint64_t bytes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t begin = reinterpret_cast<std::uint64_t>(address) / page * page;
  const std::uint64_t length = reinterpret_cast<std::uint64_t>(address) + bytes - begin;
  std::vector<unsigned char> resident((length + page - 1) / page);
  return mincore(reinterpret_cast<void*>(begin), length, resident.data()) == 0;
}

}  // namespace wharf::cuda::runtime
