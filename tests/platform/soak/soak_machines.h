#pragma once
// The machines of the soak: every configuration as it is, with its queues as short as it accepts, and with keys changed at random. Needs no
// test framework.

#include <cstdint>
#include <string>
#include <vector>

namespace wharf::test {

enum class SoakKeys : std::uint8_t { own, smallest_queues, random };
inline constexpr const char* kSoakKeyNames[] = {"own", "smallest", "random"};

/// Every configuration that can be run, by name.
std::vector<std::string> soak_configurations();

/// Settings that make each queue of the configuration as short as it is accepted.
std::vector<std::string> smallest_queues(const std::string& configuration);

/// Up to a dozen keys with other values, which the configuration accepts together: flags turned, other policies, numbers at the lower end
/// of their range or up to four times as large, clocks at a quarter or more. Keys of energy and of the watchdog stay.
std::vector<std::string> random_keys(const std::string& configuration, std::uint64_t seed);

/// What `keys` set, as --set takes it.
std::vector<std::string> soak_settings(const std::string& configuration, SoakKeys keys, std::uint64_t seed);

}  // namespace wharf::test
