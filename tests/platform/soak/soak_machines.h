#pragma once
// The machines of the soak: every configuration unchanged, with its queues as short as it accepts, with randomly changed keys, and as a
// small machine with randomly changed keys. Needs no test framework.

#include <cstdint>
#include <string>
#include <vector>

namespace wharf::test {

enum class SoakKeys : std::uint8_t { own, smallest_queues, random, small_machine };
inline constexpr const char* kSoakKeyNames[] = {"own", "smallest", "random", "small"};

/// Every configuration that can be run, by name.
std::vector<std::string> soak_configurations();

/// Settings that make each queue as short as the configuration accepts.
std::vector<std::string> smallest_queues(const std::string& configuration);

/// Up to a dozen keys with other values that the configuration accepts together: inverted flags, other policies, numbers at the lower end
/// of their range or up to four times as large, clocks at a quarter or more. Keys of energy and of the watchdog do not change.
std::vector<std::string> random_keys(const std::string& configuration, std::uint64_t seed);

/// A machine of few SMs, slices, warps and lines, on which random keys meet all at once: sizes of this seed that the configuration accepts,
/// then random keys.
std::vector<std::string> small_machine(const std::string& configuration, std::uint64_t seed);

/// The settings of `keys`, in the form of --set.
std::vector<std::string> soak_settings(const std::string& configuration, SoakKeys keys, std::uint64_t seed);

}  // namespace wharf::test
