#pragma once
// Which L1 of the chip is the home of a line where a line may be in one of them only (common section 8, CM-21).

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/types.h"
#include "policies/address_map/address_map.h"

namespace wharf {

/// What a line goes to when the home bits take more values than there are homes (SL-2).
enum class HomeFold : std::uint8_t {
  mod,     // to the value modulo the homes: those that get a second value have twice the share
  spread,  // to the tag above the home bits, modulo the homes: all values that name none go to one home, to the next one in the next round;
           // evenly over the whole space, one home at a time in a part of it
};

/// A static map, the same for the whole run (shared_l1 section 2, dc_l1 section 2).
class HomeMap {
 public:
  struct Home {
    std::uint32_t core = 0;   // the L1 of that core, or the DC-L1 of a cluster: 0 .. homes - 1
    std::uint64_t line = 0;   // line number inside the home: what its sets are indexed with
  };
  virtual ~HomeMap() = default;
  virtual Home locate(LineAddress line) const = 0;
};

struct HomeMapOptions {
  std::uint32_t homes = 1;
  std::uint32_t sets = 1;  // of one home
  HomeFold fold = HomeFold::mod;
  const AddressMap* addresses = nullptr;  // slice_range: which slice owns a line; must outlive the map
  std::uint32_t slices = 0;               // slice_range: how many there are
};

/// Throws InputError for an unknown name, for 0 homes or sets, and for slice_range where the homes do not divide the slices.
std::unique_ptr<HomeMap> make_home_map(std::string_view name, const HomeMapOptions& options);

std::vector<config::PolicyName> home_map_catalogue_names();

}  // namespace wharf
