#include "stimuli/ptx/lanes/cache_policy.h"

#include <algorithm>
#include <cmath>

#include "stimuli/ptx/lanes/rows.h"

namespace wharf::ptx::cache_policy {
namespace {

constexpr unsigned kCountAt = 37, kFirstAt = 44, kShareAt = 52, kBlockAt = 52, kOthersAt = 56, kPrimaryAt = 57, kModeAt = 59;
constexpr std::uint64_t kFractional = 2, kRange = 3;  // modes
constexpr std::uint64_t kShares = 16, kBlocks = 128;
constexpr unsigned kSmallestBlock = 12;  // log2 of its bytes

constexpr Eviction kPriorities[] = {Eviction::unhinted, Eviction::first, Eviction::last, Eviction::normal};

std::uint32_t priority_named(std::string_view word) {
  return word == "L2::evict_first" ? 1 : word == "L2::evict_last" ? 2 : word == "L2::evict_normal" ? 3 : 0;
}

void add_share(const Operation& operation, const Rows& rows, LaneMask active) {
  std::uint64_t out[kLanes];
  const bool whole = !operation.operands[1].present();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const float fraction = whole ? 1.0f : from_stored<float>(row_of<float>(rows, operation.operands[1])[lane]);
    const float shares = std::ceil(std::min(std::max(fraction, 0.0f), 1.0f) * static_cast<float>(kShares));
    out[lane] = std::uint64_t{operation.target} << kOthersAt | (static_cast<std::uint64_t>(std::max(shares, 1.0f)) - 1) << kShareAt;
  }
  write_row(rows.of(operation.operands[0]), out, active);
}

bool is_primary(std::uint64_t policy, LineAddress line) {
  const auto field = [policy](unsigned at, std::uint64_t values) { return policy >> at & (values - 1); };
  if (field(kModeAt, 4) == kFractional) return line.number * 0x9e3779b97f4a7c15u >> 60 <= field(kShareAt, kShares);  // a hash of 0 to 15
  const std::uint64_t block = line.number * kLineBytes >> (kSmallestBlock + field(kBlockAt, 16));
  return ((block - field(kFirstAt, kBlocks)) & (kBlocks - 1)) < field(kCountAt, kBlocks);
}

}  // namespace

std::uint32_t kind_of(const Form& form) {
  std::uint32_t priorities[2] = {};  // the second defaults to evict_unchanged
  unsigned next = 0;
  for (const std::string_view word : form.words)
    if (word.substr(0, 4) == "L2::") priorities[next++] = priority_named(word);
  const std::uint64_t mode = form.has("range") ? kRange : kFractional;
  return static_cast<std::uint32_t>(mode << (kModeAt - kOthersAt)) | priorities[0] << (kPrimaryAt - kOthersAt) | priorities[1];
}

Compute fractional(const Form&) { return &add_share; }

std::uint64_t range(std::uint32_t kind, Address begin, std::uint32_t primary, std::uint32_t total) {
  unsigned block = kSmallestBlock;  // log2 of its bytes
  while (kBlocks << block < total) ++block;
  const std::uint64_t first = begin >> block, end = (begin + primary + (std::uint64_t{1} << block) - 1) >> block;
  return std::uint64_t{kind} << kOthersAt | std::uint64_t{block - kSmallestBlock} << kBlockAt | (first & (kBlocks - 1)) << kFirstAt |
         std::min(end - first, kBlocks - 1) << kCountAt;
}

Eviction eviction_of(std::uint64_t policy, LineAddress line) {
  const std::uint64_t mode = policy >> kModeAt & 3;
  if (mode != kFractional && mode != kRange) return Eviction::unhinted;
  return kPriorities[is_primary(policy, line) ? policy >> kPrimaryAt & 3 : policy >> kOthersAt & 1];
}

}  // namespace wharf::ptx::cache_policy
