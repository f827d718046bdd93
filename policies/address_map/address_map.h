#pragma once
// Maps a byte address to its L2 slice and memory channel (common section 8, CM-20 and CM-38; morpheus section 4).

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

/// A static map of lines to slices. (slice, local line) and the line number are in one-to-one correspondence, so the local line number
/// alone indexes the sets of a slice and the rows of its memory, and the bits that select the slice are not wasted.
class AddressMap {
 public:
  struct Target {
    std::uint32_t channel = 0;     // memory channel
    std::uint32_t slice = 0;       // global number: slices per channel * channel + slice within the channel
    std::uint64_t local_line = 0;  // line number within the slice
    friend constexpr bool operator==(const Target& a, const Target& b) {
      return a.channel == b.channel && a.slice == b.slice && a.local_line == b.local_line;
    }
  };

  virtual ~AddressMap() = default;
  /// The target of the line of `address`; the same for every byte of the line.
  virtual Target locate(Address address) const = 0;
};

/// Throws InputError for an unknown name, for 0 channels or slices, and for counts that the map does not support (ipoly: the number of
/// slices must be a power of two, at most 4096; ipoly_modulo: at most 4096 as a factor; rotating: as RotatingMap). Only rotating uses `channels_per_partition`.
std::unique_ptr<AddressMap> make_address_map(std::string_view name, std::uint32_t channels, std::uint32_t slices_per_channel,
                                             std::uint32_t channels_per_partition = 1);

/// The map of an L2 in two partitions (MG-10): the halves of `channels` have the map `name` each, and chunks of `chunk_bytes` bytes alternate
/// between them. Throws InputError as make_address_map, for an odd number of channels, and unless `chunk_bytes` is a power of two of at
/// least 256.
std::unique_ptr<AddressMap> make_partitioned_address_map(std::string_view name, std::uint32_t channels, std::uint32_t slices_per_channel,
                                                         std::uint32_t channels_per_partition, std::uint32_t chunk_bytes);

std::vector<config::PolicyName> address_map_catalogue_names();

}  // namespace wharf
