#pragma once
// What the bytes of each version of a sector are (`data: bytes`). Blocks carry versions with the data, as they do when verifying, and know
// nothing of bytes; whoever meets the outside asks here: gates of foreign modules, debug access, memory.
//
// SMs are functional first: a store's version takes its bytes from the image when it leaves its SM, and again when it comes to the ordering
// point, so that what several SMs have stored into one sector is in the last of its versions, whichever that is. A foreign initiator's store
// changes the image when it enters.
//
// A version that is not known has the image's present bytes: sectors that no store has written; all of them after forget(); and versions
// that kKept others of the sector have come after. So memory stays bounded by what a kernel stores, and a stale copy that outlives that
// shows newer bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/base/access.h"
#include "model/base/byte_image.h"

namespace wharf {

using SectorBytes = std::array<std::byte, kSectorBytes>;

class SectorContents {
 public:
  explicit SectorContents(ByteImage& image) : image_(image) {}

  /// Whoever names stores from now on (golden memory); without it they are numbered here.
  void name_with(std::function<StoreId(const Access&)> name) { name_ = std::move(name); }

  /// A store or atomic is on its way: those of its sectors without a name get one, and their bytes are what the image has now.
  void record(const Access& access, SectorVersions& versions);
  /// The store of a foreign initiator: bytes of the line, of which `enabled` are written, go to the image; then as record().
  void store(const Access& access, SectorVersions& versions, const std::array<std::byte, kLineBytes>& bytes,
             const std::array<bool, kLineBytes>& enabled);
  SectorBytes read(LineAddress line, unsigned sector, StoreId version) const;

  /// A debug write: changes every version, whoever has it, and the image. Not across the end of a line.
  void patch(Address address, const std::byte* from, std::size_t count);

  /// Foreign memory has returned these bytes: their version, the one that it was last sent where that has these bytes.
  StoreId returned(LineAddress line, unsigned sector, const SectorBytes& bytes);
  /// Foreign memory has taken this version.
  void taken(LineAddress line, unsigned sector, StoreId version);

  /// Nothing is in flight, and what every cache has is the newest.
  void forget();

  ByteImage& image() { return image_; }

 private:
  static constexpr std::size_t kKept = 64;
  struct Version {
    StoreId id;
    SectorBytes bytes;
  };
  struct Sector {
    std::vector<Version> versions;  // in the order in which they came
    StoreId in_memory = 0;          // of foreign memory
  };
  static std::uint64_t key(LineAddress line, unsigned sector) { return line.number * kSectorsPerLine + sector; }
  static Version* find(Sector& sector, StoreId id);
  static void keep(Sector& sector, StoreId id, const SectorBytes& bytes);
  SectorBytes newest(LineAddress line, unsigned sector) const;

  ByteImage& image_;
  std::function<StoreId(const Access&)> name_;
  StoreId last_ = 0;
  StoreId foreign_ = ~StoreId{0} - 1;  // names of what foreign memory has got from others, counted down
  std::unordered_map<std::uint64_t, Sector> sectors_;
};

}  // namespace wharf
