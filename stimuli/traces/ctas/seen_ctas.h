#pragma once
// The CTAs of a kernel that a reader has met.

#include <cstdint>
#include <string>
#include <unordered_set>

#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

/// Its memory does not grow with the grid where CTAs come in linear order.
class SeenCtas {
 public:
  /// Returns false where `cta` was seen before.
  bool add(std::uint64_t cta) {
    if (cta < all_below_ || !beyond_.insert(cta).second) return false;
    while (beyond_.erase(all_below_) != 0) ++all_below_;
    return true;
  }
  std::uint64_t count() const { return all_below_ + beyond_.size(); }
  std::uint64_t first_missing() const { return all_below_; }

 private:
  std::uint64_t all_below_ = 0;
  std::unordered_set<std::uint64_t> beyond_;
};

inline TraceError duplicate_cta(const std::string& path, std::uint64_t line, std::uint64_t cta) {
  return {path, line, "CTA " + std::to_string(cta) + " appears twice", "delete one of the two"};
}

/// The error of a file that ends in `line` and has fewer than `all` CTAs.
inline TraceError ctas_missing(const std::string& path, std::uint64_t line, const SeenCtas& seen, std::uint64_t all) {
  return {path, line,
          std::to_string(all - seen.count()) + " of " + std::to_string(all) + " CTAs are missing, first CTA " +
              std::to_string(seen.first_missing()),
          kRecordAgain};
}

}  // namespace wharf::traces
