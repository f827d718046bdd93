#include "policies/catalogue.h"
#include "policies/home_map/home_map.h"
#include "policies/home_map/tag_low_bits.h"

namespace wharf {
namespace {

std::unique_ptr<HomeMap> make_tag_low_bits(const HomeMapOptions& options) { return std::make_unique<TagLowBits>(options); }

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<HomeMap> (*make)(const HomeMapOptions&);
};

constexpr Entry kCatalogue[] = {
    {"tag_low_bits", "the low bits of the tag: consecutive runs of as many lines as an L1 has sets go to consecutive homes (SL-2)",
     make_tag_low_bits},
};

}  // namespace

std::unique_ptr<HomeMap> make_home_map(std::string_view name, const HomeMapOptions& options) {
  const Entry& entry = find_policy(kCatalogue, "home map", name);
  if (options.homes == 0 || options.sets == 0) throw InputError("a home map needs at least one home with one set");
  return entry.make(options);
}

std::vector<config::PolicyName> home_map_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
