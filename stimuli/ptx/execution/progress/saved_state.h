#pragma once
// What decides what a warp does next, as it was at a jump.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wharf::ptx {

class SavedState {
 public:
  struct Part {
    const void* bytes;
    std::size_t count;
  };

  bool is_empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }
  void save(std::uint32_t pc, const std::vector<Part>& parts) {
    clear();
    pc_ = pc;
    for (const Part& part : parts) {
      const auto* const from = static_cast<const std::byte*>(part.bytes);
      bytes_.insert(bytes_.end(), from, from + part.count);
    }
  }
  bool equals(std::uint32_t pc, const std::vector<Part>& parts) const {
    if (pc != pc_) return false;
    std::size_t at = 0;
    for (const Part& part : parts) {
      const auto* const from = static_cast<const std::byte*>(part.bytes);
      if (part.count > bytes_.size() - at || !std::equal(from, from + part.count, bytes_.data() + at)) return false;
      at += part.count;
    }
    return at == bytes_.size();
  }

 private:
  std::uint32_t pc_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace wharf::ptx
