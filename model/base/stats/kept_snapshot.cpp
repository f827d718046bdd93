#include "model/base/stats/kept_snapshot.h"

#include <utility>

namespace wharf::stats {
namespace {

constexpr unsigned kBits = 7;                // of a value in a byte
constexpr std::uint8_t kMore = 1u << kBits;  // other bytes of the value follow

void put(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
  for (; value >= kMore; value >>= kBits) bytes.push_back(static_cast<std::uint8_t>(value | kMore));
  bytes.push_back(static_cast<std::uint8_t>(value));
}

std::uint64_t get(const std::vector<std::uint8_t>& bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += kBits) {
    const std::uint8_t byte = bytes[at++];
    value |= std::uint64_t{static_cast<std::uint8_t>(byte & ~kMore)} << shift;
    if ((byte & kMore) == 0) return value;
  }
}

}  // namespace

/// After a zero stands how many more follow it.
KeptSnapshot::KeptSnapshot(const Snapshot& values) {
  if (values.empty()) return;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(2 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    put(bytes, values[i]);
    if (values[i] != 0) continue;
    const std::size_t first = i;
    while (i + 1 < values.size() && values[i + 1] == 0) ++i;
    put(bytes, i - first);
  }
  bytes.shrink_to_fit();
  bytes_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
}

Snapshot KeptSnapshot::values() const {
  Snapshot values;
  if (bytes_ == nullptr) return values;
  for (std::size_t at = 0; at < bytes_->size();) {
    values.push_back(get(*bytes_, at));
    if (values.back() == 0) values.resize(values.size() + get(*bytes_, at));
  }
  return values;
}

}  // namespace wharf::stats
