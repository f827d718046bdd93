#pragma once
// The newest contents of global memory, byte by byte, including stores whose data so far only caches hold.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

#include "model/base/types.h"

namespace wharf {

/// The image is a stimulus's arrays, a host's memory, or the memory behind a foreign module. SMs are functional first: a store changes the
/// image when it issues, and the model then carries the change as versions of sectors (model/cache/sector_contents.h). No call crosses the
/// end of a line.
class ByteImage {
 public:
  virtual ~ByteImage() = default;
  /// Unmapped bytes read as zeros.
  virtual void read(Address address, std::byte* to, std::size_t count) const = 0;
  virtual void write(Address address, const std::byte* from, std::size_t count) = 0;
  /// As write(), for a debug access, which also changes the memory below.
  virtual void patch(Address address, const std::byte* from, std::size_t count) { write(address, from, count); }
  /// Reports that memory now holds these bytes of a sector.
  virtual void mark_settled(Address address, const std::byte* bytes) {
    static_cast<void>(address);
    static_cast<void>(bytes);
  }
};

/// Holds the sectors that stores have changed and reads all others from `below`. Used where memory receives stores later than the image.
class OverlayImage final : public ByteImage {
 public:
  using Read = std::function<void(Address, std::byte*, std::size_t)>;
  /// `below` reads the bytes that no store has changed since they settled; an empty function reads zeros.
  explicit OverlayImage(Read below = {}) : below_(std::move(below)) {}

  void read(Address address, std::byte* to, std::size_t count) const override {
    if (below_)
      below_(address, to, count);
    else
      std::fill_n(to, count, std::byte{0});
    for_each(address, count, [&](Address sector, std::size_t offset, std::size_t at, std::size_t n) {
      if (const auto it = sectors_.find(sector); it != sectors_.end()) std::copy_n(it->second.begin() + offset, n, to + at);
    });
  }
  void write(Address address, const std::byte* from, std::size_t count) override {
    for_each(address, count, [&](Address sector, std::size_t offset, std::size_t at, std::size_t n) {
      const auto [it, fresh] = sectors_.try_emplace(sector);
      if (fresh && below_) below_(sector * kSectorBytes, it->second.data(), kSectorBytes);
      std::copy_n(from + at, n, it->second.begin() + offset);
    });
  }
  void patch(Address address, const std::byte* from, std::size_t count) override {
    if (!below_) return write(address, from, count);
    for_each(address, count, [&](Address sector, std::size_t offset, std::size_t at, std::size_t n) {
      if (const auto it = sectors_.find(sector); it != sectors_.end()) std::copy_n(from + at, n, it->second.begin() + offset);
    });
  }
  void mark_settled(Address address, const std::byte* bytes) override {
    const auto it = sectors_.find(address / kSectorBytes);
    if (below_ && it != sectors_.end() && std::equal(it->second.begin(), it->second.end(), bytes)) sectors_.erase(it);
  }
  /// True if any byte of the line is held here rather than below.
  bool has(LineAddress line) const {
    for (unsigned s = 0; s < kSectorsPerLine; ++s)
      if (sectors_.count(line.number * kSectorsPerLine + s) != 0) return true;
    return false;
  }
  template <class File>
  void archive(File& file) {
    file(sectors_);
  }

 private:
  /// visit(sector number, offset in the sector, offset in the call's bytes, bytes)
  template <class Visit>
  static void for_each(Address address, std::size_t count, Visit visit) {
    for (std::size_t at = 0; at < count;) {
      const std::size_t offset = (address + at) % kSectorBytes, n = std::min<std::size_t>(count - at, kSectorBytes - offset);
      visit((address + at) / kSectorBytes, offset, at, n);
      at += n;
    }
  }

  Read below_;
  std::unordered_map<std::uint64_t, std::array<std::byte, kSectorBytes>> sectors_;
};

}  // namespace wharf
