#include "model/cache/sector_contents.h"

#include "model/base/archive.h"

#include <algorithm>

namespace wharf {

SectorContents::Version* SectorContents::find(Sector& sector, StoreId id) {
  for (Version& version : sector.versions)
    if (version.id == id) return &version;
  return nullptr;
}

void SectorContents::record_version(Sector& sector, StoreId id, const SectorBytes& bytes) {
  if (Version* known = find(sector, id)) {
    known->bytes = bytes;
    return;
  }
  if (sector.versions.size() == kKept) sector.versions.erase(sector.versions.begin());
  sector.versions.push_back({id, bytes});
}

SectorBytes SectorContents::newest(LineAddress line, unsigned sector) const {
  SectorBytes bytes;
  image_.read(line.byte_address() + sector * kSectorBytes, bytes.data(), bytes.size());
  return bytes;
}

void SectorContents::record(const Access& access, SectorVersions& versions) {
  StoreId id = 0;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((access.sectors >> s & 1) == 0) continue;
    if (versions[s] == 0) {
      if (id == 0) id = name_ ? name_(access) : ++last_;
      versions[s] = id;
    }
    record_version(sectors_[key(access.line, s)], versions[s], newest(access.line, s));
  }
}

void SectorContents::store(const Access& access, SectorVersions& versions, const std::array<std::byte, kLineBytes>& bytes,
                           const std::array<bool, kLineBytes>& enabled) {
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((access.sectors >> s & 1) == 0) continue;
    SectorBytes now = newest(access.line, s);
    // Cached copies of the initial contents keep their bytes.
    if (Sector& sector = sectors_[key(access.line, s)]; sector.versions.empty()) record_version(sector, sector.in_memory, now);
    for (unsigned i = 0; i < kSectorBytes; ++i)
      if (enabled[s * kSectorBytes + i]) now[i] = bytes[s * kSectorBytes + i];
    image_.write(access.line.byte_address() + s * kSectorBytes, now.data(), now.size());
  }
  record(access, versions);
}

SectorBytes SectorContents::read(LineAddress line, unsigned sector, StoreId version) const {
  if (const auto it = sectors_.find(key(line, sector)); it != sectors_.end())
    for (const Version& known : it->second.versions)
      if (known.id == version) return known.bytes;
  return newest(line, sector);
}

void SectorContents::patch(Address address, const std::byte* from, std::size_t count) {
  image_.patch(address, from, count);
  for (std::size_t at = 0; at < count;) {
    const std::size_t offset = (address + at) % kSectorBytes, n = std::min<std::size_t>(count - at, kSectorBytes - offset);
    if (const auto it = sectors_.find((address + at) / kSectorBytes); it != sectors_.end())
      for (Version& version : it->second.versions) std::copy_n(from + at, n, version.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    at += n;
  }
}

StoreId SectorContents::returned(LineAddress line, unsigned sector, const SectorBytes& bytes) {
  Sector& state = sectors_[key(line, sector)];
  const Version* known = find(state, state.in_memory);
  if (known != nullptr && known->bytes != bytes) state.in_memory = foreign_--;  // another initiator has written there
  record_version(state, state.in_memory, bytes);
  return state.in_memory;
}

void SectorContents::mark_accepted(LineAddress line, unsigned sector, StoreId version) {
  sectors_[key(line, sector)].in_memory = version;
  const SectorBytes bytes = read(line, sector, version);
  image_.mark_settled(line.byte_address() + sector * kSectorBytes, bytes.data());
}

void SectorContents::forget() {
  for (auto it = sectors_.begin(); it != sectors_.end();) {
    it->second.versions.clear();
    it = it->second.in_memory == 0 ? sectors_.erase(it) : std::next(it);
  }
}

void SectorContents::archive(Archive& file) {
  if (!sectors_.empty()) Archive::refuse("memory behind a foreign module");
  file(last_, foreign_);
}

}  // namespace wharf
