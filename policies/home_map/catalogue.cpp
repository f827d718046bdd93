#include "policies/catalogue.h"

#include <string>

#include "policies/home_map/chunk_bits.h"
#include "policies/home_map/dealt.h"
#include "policies/home_map/home_map.h"
#include "policies/home_map/slice_range.h"
#include "policies/home_map/tag_low_bits.h"

namespace wharf {
namespace {

std::unique_ptr<HomeMap> make_tag_low_bits(const HomeMapOptions& options) { return std::make_unique<TagLowBits>(options); }

std::unique_ptr<HomeMap> make_slice_range(const HomeMapOptions& options) {
  if (options.addresses == nullptr || options.slices == 0 || options.slices % options.homes != 0)
    throw InputError("home map slice_range distributes " + std::to_string(options.slices) + " L2 slices to " + std::to_string(options.homes) +
                     " homes; choose homes that divide the slices, or another home map");
  return std::make_unique<SliceRange>(*options.addresses, options.homes, options.slices);
}

std::unique_ptr<HomeMap> make_chunk_bits(const HomeMapOptions& options) { return std::make_unique<ChunkBits>(options.homes); }
std::unique_ptr<HomeMap> make_chunk_mod(const HomeMapOptions& options) { return std::make_unique<Dealt>(options.homes, 2); }
std::unique_ptr<HomeMap> make_line_mod(const HomeMapOptions& options) { return std::make_unique<Dealt>(options.homes, 1); }

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<HomeMap> (*make)(const HomeMapOptions&);
};

constexpr Entry kCatalogue[] = {
    {"tag_low_bits", "the low bits of the tag: consecutive runs of as many lines as an L1 has sets go to consecutive homes (SL-2)",
     make_tag_low_bits},
    {"slice_range", "the group of consecutive L2 slices that owns the line, one group per home (DC-4)", make_slice_range},
    {"chunk_bits", "address bits from bit 8 up, enough to name every home; values beyond the homes wrap around (DC-5)",
     make_chunk_bits},
    {"chunk_mod", "256 B chunks interleaved over the homes (DC-5)", make_chunk_mod},
    {"line_mod", "lines interleaved over the homes (ATA-O28)", make_line_mod},
};

}  // namespace

std::unique_ptr<HomeMap> make_home_map(std::string_view name, const HomeMapOptions& options) {
  const Entry& entry = find_policy(kCatalogue, "home map", name);
  if (options.homes == 0 || options.sets == 0) throw InputError("a home map needs at least one home with one set");
  return entry.make(options);
}

std::vector<config::PolicyName> home_map_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
