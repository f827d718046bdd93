#include "stimuli/spmd/image_history.h"

#include <algorithm>
#include <cstring>

#include "model/base/error.h"

namespace wharf::spmd {

namespace {
constexpr std::uint64_t kPartBytes = 4096;  // compared, and kept if different, as one
}

void ImageHistory::take_snapshot() {
  known_.resize(memory_.regions().size());
  for (const Change& change : changes()) known_[change.region].replace(change.offset, change.bytes.size(), change.bytes);
}

ImageHistory::Changes ImageHistory::changes() const {
  Changes changes;
  for (std::uint32_t r = 0; r < known_.size(); ++r) {
    const Memory::Region& region = memory_.regions()[r];
    const auto* const now = reinterpret_cast<const char*>(region.data);
    const std::string& before = known_[r];
    for (std::uint64_t at = 0; at < region.bytes; at += kPartBytes) {
      const std::uint64_t bytes = std::min(kPartBytes, region.bytes - at);
      if (at < before.size() && std::memcmp(now + at, before.data() + at, bytes) == 0) continue;
      const bool follows = !changes.empty() && changes.back().region == r && changes.back().offset + changes.back().bytes.size() == at;
      if (!follows) changes.push_back({r, at, {}});
      changes.back().bytes.append(now + at, bytes);
    }
  }
  return changes;
}

void ImageHistory::apply(const Changes& changes, Memory& memory) {
  for (const Change& change : changes) {
    const auto& regions = memory.regions();
    const bool fits = change.region < regions.size() && change.offset <= regions[change.region].bytes &&
                      change.bytes.size() <= regions[change.region].bytes - change.offset;
    if (!fits) throw InputError("checkpoint: the stimulus has other arrays than the one that was saved; load it with that stimulus");
    std::memcpy(regions[change.region].data + change.offset, change.bytes.data(), change.bytes.size());
  }
}

}  // namespace wharf::spmd
