#include "policies/catalogue.h"

#include <string>

#include "model/base/bits.h"
#include "model/base/error.h"
#include "policies/address_map/address_map.h"
#include "policies/address_map/interleave.h"
#include "policies/address_map/ipoly.h"
#include "policies/address_map/ipoly_modulo.h"
#include "policies/address_map/partitioned.h"
#include "policies/address_map/rotating.h"

namespace wharf {
namespace {

std::unique_ptr<AddressMap> make_interleave(std::uint32_t channels, std::uint32_t slices_per_channel, std::uint32_t) {
  return std::make_unique<InterleaveMap>(channels, slices_per_channel);
}

std::unique_ptr<AddressMap> make_ipoly(std::uint32_t channels, std::uint32_t slices_per_channel, std::uint32_t) {
  if (!is_power_of_two(channels) || !is_power_of_two(slices_per_channel))
    throw InputError("address map ipoly needs counts that are powers of two, not " + std::to_string(channels) + " channels of " +
                     std::to_string(slices_per_channel) + " slices; choose such counts, or the map interleave");
  return std::make_unique<IpolyMap>(channels, slices_per_channel);
}

std::unique_ptr<AddressMap> make_ipoly_modulo(std::uint32_t channels, std::uint32_t slices_per_channel, std::uint32_t) {
  return std::make_unique<IpolyModuloMap>(channels, slices_per_channel);
}

std::unique_ptr<AddressMap> make_rotating(std::uint32_t channels, std::uint32_t slices_per_channel, std::uint32_t channels_per_partition) {
  return std::make_unique<RotatingMap>(channels, slices_per_channel, channels_per_partition);
}

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<AddressMap> (*make)(std::uint32_t channels, std::uint32_t slices_per_channel, std::uint32_t channels_per_partition);
};

constexpr Entry kCatalogue[] = {
    {"interleave", "256-byte chunks interleaved over channels, then over the slices of a channel (CM-20)", make_interleave},
    {"ipoly", "polynomial hash of the address above the 256-byte chunk, power-of-two slices (CM-38)", make_ipoly},
    {"ipoly_modulo", "polynomial hash and rotating modulo of the 256-byte chunk, any number of slices (MG-10)", make_ipoly_modulo},
    {"rotating", "chunks of 256 B interleaved over partitions in rotating order, lines over their banks by a hash (morpheus section 4)",
     make_rotating},
};

}  // namespace

std::unique_ptr<AddressMap> make_address_map(std::string_view name, std::uint32_t channels, std::uint32_t slices_per_channel,
                                             std::uint32_t channels_per_partition) {
  const Entry& entry = find_policy(kCatalogue, "address map", name);
  if (channels == 0 || slices_per_channel == 0)
    throw InputError("address map " + std::string(name) + " has " + std::to_string(channels) + " channels of " +
                     std::to_string(slices_per_channel) + " slices; give at least one of each");
  return entry.make(channels, slices_per_channel, channels_per_partition);
}

std::unique_ptr<AddressMap> make_partitioned_address_map(std::string_view name, std::uint32_t channels, std::uint32_t slices_per_channel,
                                                         std::uint32_t channels_per_partition, std::uint32_t chunk_bytes) {
  if (channels % 2 != 0)
    throw InputError("address map " + std::string(name) + " has " + std::to_string(channels) +
                     " channels for two partitions; choose an even number");
  if (!is_power_of_two(chunk_bytes) || chunk_bytes < 256)
    throw InputError("address map " + std::string(name) + " has chunks of " + std::to_string(chunk_bytes) +
                     " bytes; choose a power of two of at least 256");
  return std::make_unique<PartitionedMap>(make_address_map(name, channels / 2, slices_per_channel, channels_per_partition), channels / 2,
                                          slices_per_channel, floor_log2(chunk_bytes));
}

std::vector<config::PolicyName> address_map_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
