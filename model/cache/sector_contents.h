#pragma once
// The bytes of each version of a sector (`data: bytes`). Blocks carry versions with the data, as they do when verifying, but no bytes.
// Gates of foreign modules, debug accesses and memory look the bytes up here.
//
// SMs are functional first: a store's version takes its bytes from the image when the store leaves its SM, and again when it reaches the
// ordering point. The last version of a sector therefore includes the stores of all SMs, in whichever order they arrive. A foreign
// initiator's store changes the image when it enters.
//
// An unknown version has the image's current bytes. A version is unknown if no store has written the sector, after forget(), or if kKept
// later versions of the sector have displaced it. The memory used is thus bounded by what a kernel stores. A stale copy whose version has
// been displaced shows newer bytes.

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

class Archive;

using SectorBytes = std::array<std::byte, kSectorBytes>;

class SectorContents {
 public:
  explicit SectorContents(ByteImage& image) : image_(image) {}

  /// From now on, `name` (golden memory) numbers the stores; without it they are numbered here.
  void name_with(std::function<StoreId(const Access&)> name) { name_ = std::move(name); }

  /// Call when a store or atomic leaves: each of its sectors without a version gets one, with the image's current bytes.
  void record(const Access& access, SectorVersions& versions);
  /// Handles a foreign initiator's store: writes the `enabled` bytes of the line to the image, then acts as record().
  void store(const Access& access, SectorVersions& versions, const std::array<std::byte, kLineBytes>& bytes,
             const std::array<bool, kLineBytes>& enabled);
  SectorBytes read(LineAddress line, unsigned sector, StoreId version) const;

  /// A debug write: changes the image and every version of the sector, whichever cache holds it. Must not cross the end of a line.
  void patch(Address address, const std::byte* from, std::size_t count);

  /// Call when foreign memory has returned these bytes. Returns their version: the last one sent there if its bytes are equal, else a new
  /// one.
  StoreId returned(LineAddress line, unsigned sector, const SectorBytes& bytes);
  /// Call when foreign memory has accepted this version.
  void mark_accepted(LineAddress line, unsigned sector, StoreId version);

  /// Forgets all versions. Nothing may be in flight, and every cache must hold the newest contents.
  void forget();

  /// Saves or loads; call it after forget(). Throws InputError if foreign memory holds bytes, because they are not part of this machine.
  void archive(Archive& file);

  ByteImage& image() { return image_; }

 private:
  static constexpr std::size_t kKept = 64;
  struct Version {
    StoreId id;
    SectorBytes bytes;
  };
  struct Sector {
    std::vector<Version> versions;  // in order of arrival
    StoreId in_memory = 0;          // the version that foreign memory holds
  };
  static std::uint64_t key(LineAddress line, unsigned sector) { return line.number * kSectorsPerLine + sector; }
  static Version* find(Sector& sector, StoreId id);
  static void record_version(Sector& sector, StoreId id, const SectorBytes& bytes);
  SectorBytes newest(LineAddress line, unsigned sector) const;

  ByteImage& image_;
  std::function<StoreId(const Access&)> name_;
  StoreId last_ = 0;
  StoreId foreign_ = ~StoreId{0} - 1;  // versions of bytes that others have written to foreign memory, counted down
  std::unordered_map<std::uint64_t, Sector> sectors_;
};

}  // namespace wharf
