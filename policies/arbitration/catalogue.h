#pragma once
// The arbitration policies by name.

#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "policies/arbitration/port_allocator.h"

namespace wharf::arbitration {

/// Names and help texts of every policy, for Binder::policy.
std::vector<config::PolicyName> catalogue_names();

/// The policy `name` for a switch of `inputs` x `outputs` ports. `iterations` >= 1 is the number of rounds of an iterative policy.
/// Throws InputError for an unknown name, and for sizes outside 1..kMaxPorts.
std::unique_ptr<PortAllocator> make(std::string_view name, unsigned inputs, unsigned outputs, unsigned iterations);

/// True if `iterations` has an effect; false for an unknown policy, which another check refuses.
bool iterative(std::string_view name);

/// An entry of the catalogue, which keeps the pointers to its texts.
struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<PortAllocator> (*make)(unsigned inputs, unsigned outputs, unsigned iterations);
  bool iterative = false;  // has a number of rounds
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add(const Entry& entry);

}  // namespace wharf::arbitration
