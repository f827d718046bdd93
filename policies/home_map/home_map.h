#pragma once
// Selects the L1 that is the home of a line, where a line may be in only one L1 (common section 8, CM-21).

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/address_map/address_map.h"

namespace wharf {

/// The home of a line when the home bits have more values than there are homes (SL-2).
enum class HomeFold : std::uint8_t {
  mod,     // the value modulo the homes: homes with a second value have twice the share
  spread,  // the tag above the home bits, modulo the homes: all excess values go to one home, and to the next one in the next round
};

/// A static map, the same for the whole run (shared_l1 section 2, dc_l1 section 2).
class HomeMap {
 public:
  struct Home {
    std::uint32_t core = 0;  // 0 .. homes - 1: a core's L1, or a DC-L1 of a cluster
    std::uint64_t line = 0;  // line number within the home, which indexes its sets
  };
  virtual ~HomeMap() = default;
  virtual Home locate(LineAddress line) const = 0;
};

struct HomeMapOptions {
  std::uint32_t homes = 1;
  std::uint32_t sets = 1;  // of one home
  HomeFold fold = HomeFold::mod;
  const AddressMap* addresses = nullptr;  // slice_range: maps a line to its slice; must outlive the map
  std::uint32_t slices = 0;               // slice_range: number of slices
};

/// Throws InputError for an unknown name, for 0 homes or sets, and for slice_range where the homes do not divide the slices.
std::unique_ptr<HomeMap> make_home_map(std::string_view name, const HomeMapOptions& options);

std::vector<config::PolicyName> home_map_catalogue_names();

}  // namespace wharf
