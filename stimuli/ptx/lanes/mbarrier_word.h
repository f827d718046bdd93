#pragma once
// An mbarrier as the eight bytes in shared memory that programs hand about: the state of the present phase (PTX ISA, mbarrier). It changes
// as instructions issue, so a copy counts before the machine has performed it; the machine decides how long a warp waits.

#include <cstdint>

namespace wharf::ptx {

struct MbarrierWord {
  static constexpr std::uint32_t kBytes = 8, kMostArrivals = (1u << 20) - 1;
  static constexpr std::int64_t kMostBytes = (1 << 20) - 1;

  std::uint32_t arrivals = 0;  // that end a phase
  std::uint32_t missing = 0;   // of the present phase
  std::int64_t missing_bytes = 0;
  std::uint32_t parity = 0;  // of the present phase
  bool valid = false;

  static MbarrierWord unpacked(std::uint64_t word) {
    const auto field = [word](unsigned at, unsigned bits) { return word >> at & ((std::uint64_t{1} << bits) - 1); };
    return {static_cast<std::uint32_t>(field(20, 20)), static_cast<std::uint32_t>(field(0, 20)),
            static_cast<std::int64_t>(field(40, 21)) - kMostBytes, static_cast<std::uint32_t>(field(63, 1)), field(61, 2) == kValid};
  }
  std::uint64_t packed() const {
    return std::uint64_t{missing} | std::uint64_t{arrivals} << 20 | static_cast<std::uint64_t>(missing_bytes + kMostBytes) << 40 |
           (valid ? kValid << 61 : 0) | std::uint64_t{parity} << 63;
  }
  /// Ends the phase if nothing is missing.
  void end_if_complete() {
    if (missing != 0 || missing_bytes != 0) return;
    missing = arrivals;
    parity ^= 1;
  }

 private:
  static constexpr std::uint64_t kValid = 1;  // which neither zeros nor poison have
};

}  // namespace wharf::ptx
