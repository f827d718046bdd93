#include "stimuli/ptx/lanes/cache_policy.h"

#include <algorithm>
#include <cmath>

#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx::cache_policy {
namespace {

constexpr unsigned kClassAt = 56, kShareAt = 52, kSecondaryAt = 48;
constexpr std::uint64_t kShares = 16;
constexpr std::uint64_t kNormal = 0x10, kFirst = 0x12, kLast = 0x14, kUnchanged = 0x16;
constexpr std::uint64_t kSecondaryFirst = 1;  // what hardware has there is not known

std::uint64_t class_named(std::string_view word) {
  return word == "L2::evict_first" ? kFirst : word == "L2::evict_last" ? kLast : word == "L2::evict_normal" ? kNormal : kUnchanged;
}

void add_share(const Operation& operation, const Rows& rows, LaneMask active) {
  std::uint64_t out[kLanes];
  const bool whole = !operation.operands[1].present();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const float fraction = whole ? 1.0f : from_stored<float>(row_of<float>(rows, operation.operands[1])[lane]);
    const float shares = std::round(std::min(std::max(fraction, 0.0f), 1.0f) * static_cast<float>(kShares));
    out[lane] = static_cast<std::uint64_t>(operation.immediate) | (static_cast<std::uint64_t>(std::max(shares, 1.0f)) - 1) << kShareAt;
  }
  write_row(rows.of(operation.operands[0]), out, active);
}

}  // namespace

Compute fractional(const Form&) { return &add_share; }

std::uint64_t policy_of(const Form& form) {
  const bool secondary_first = form.words.size() > 2 && form.words[2] == "L2::evict_first";
  return class_named(form.words[1]) << kClassAt | (secondary_first ? kSecondaryFirst << kSecondaryAt : 0);
}

Eviction eviction_of(std::uint64_t policy, LineAddress line) {
  const std::uint64_t hash = line.number * 0x9e3779b97f4a7c15u >> 60;  // 0 to 15
  if (hash > (policy >> kShareAt & (kShares - 1)))
    return (policy >> kSecondaryAt & 3) == kSecondaryFirst ? Eviction::first : Eviction::unhinted;
  switch (policy >> kClassAt) {
    case kNormal:
      return Eviction::normal;
    case kFirst:
      return Eviction::first;
    case kLast:
      return Eviction::last;
    default:
      return Eviction::unhinted;
  }
}

}  // namespace wharf::ptx::cache_policy
