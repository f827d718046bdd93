#include "stimuli/cuda/modules/fat_binary.h"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "model/base/error.h"
#include "stimuli/cuda/modules/lz4_block.h"
#include "stimuli/cuda/recording/records.h"

namespace wharf::cuda {
namespace {

// Layout (CU-4): a header of 16 bytes, then entries of a header and a payload each.
constexpr std::uint32_t kFatMagic = 0xba55ed50;
constexpr std::size_t kFatHeaderBytes = 16, kShortestEntry = 64;
constexpr std::uint16_t kFatVersion = 1, kPtx = 1, kElf = 2;
constexpr std::uint64_t kLz4Flag = 0x2000, kZstdFlag = 0x8000;
constexpr std::uint32_t kHighestArchitecture = 90;  // beyond it PTX needs what the executor lacks (wgmma, tcgen05)

class Bytes {
 public:
  Bytes(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}
  template <class Number>
  Number at(std::size_t offset) const {
    Number number;
    std::memcpy(&number, part(offset, sizeof number).data(), sizeof number);
    return number;
  }
  std::string_view part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) damaged("it ends too early");
    return bytes_.substr(offset, size);
  }
  [[noreturn]] void damaged(const std::string& what) const {
    throw InputError(fmt::format("{}: the fat binary is damaged: {}; build the program again", name_, what));
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

std::string decompressed(const FatBinaryEntry& entry, const Bytes& bytes) {
  if ((entry.flags & (kLz4Flag | kZstdFlag)) == 0) return std::string(entry.payload);
  if (entry.raw_bytes > kLongestRecord) bytes.damaged(fmt::format("its PTX would have {} bytes", entry.raw_bytes));
  std::string text;
  if ((entry.flags & kLz4Flag) != 0) {
    if (!decode_lz4_block(entry.payload, entry.raw_bytes, text)) bytes.damaged("its LZ4 block is damaged");
    return text;
  }
  text.resize(entry.raw_bytes);
  const std::size_t made = ZSTD_decompress(text.data(), text.size(), entry.payload.data(), entry.payload.size());
  if (ZSTD_isError(made) || made != entry.raw_bytes) bytes.damaged("its zstd frame is damaged");
  return text;
}

}  // namespace

bool is_fat_binary(std::string_view image) {
  return image.size() >= sizeof kFatMagic && std::memcmp(image.data(), &kFatMagic, sizeof kFatMagic) == 0;
}

std::vector<FatBinaryEntry> entries_of_fat_binary(std::string_view image, const std::string& name) {
  const Bytes header(image, name);
  if (header.at<std::uint32_t>(0) != kFatMagic) header.damaged("it does not begin with its magic number");
  if (header.at<std::uint16_t>(4) != kFatVersion)
    header.damaged(fmt::format("it has version {}, and version 1 is known", header.at<std::uint16_t>(4)));
  const auto header_bytes = header.at<std::uint16_t>(6);
  if (header_bytes < kFatHeaderBytes) header.damaged("its header is too short");
  const std::string_view all = header.part(header_bytes, header.at<std::uint64_t>(8));

  std::vector<FatBinaryEntry> entries;
  for (std::size_t offset = 0; offset < all.size();) {
    const Bytes entry(all.substr(offset), name);
    const auto kind = entry.at<std::uint16_t>(0);
    const auto entry_header = entry.at<std::uint32_t>(4);
    const auto padded = entry.at<std::uint64_t>(8);
    const auto compressed = entry.at<std::uint32_t>(16);
    if (entry_header < kShortestEntry) entry.damaged("an entry's header is too short");
    const std::string_view payload = entry.part(entry_header, padded);
    FatBinaryEntry found;
    found.is_ptx = kind == kPtx;
    found.architecture = entry.at<std::uint32_t>(28);
    found.flags = entry.at<std::uint64_t>(40);
    found.raw_bytes = entry.at<std::uint64_t>(56);
    if ((found.flags & (kLz4Flag | kZstdFlag)) != 0 && compressed > payload.size()) entry.damaged("an entry is longer than its payload");
    found.payload = (found.flags & (kLz4Flag | kZstdFlag)) != 0 ? payload.substr(0, compressed) : payload;
    if (kind == kPtx || kind == kElf) entries.push_back(found);
    offset += entry_header + padded;
  }
  return entries;
}

std::string ptx_of_fat_binary(std::string_view image, const std::string& name) {
  const std::vector<FatBinaryEntry> entries = entries_of_fat_binary(image, name);
  const FatBinaryEntry* best = nullptr;
  std::uint32_t lowest = UINT32_MAX;
  for (const FatBinaryEntry& entry : entries) {
    if (!entry.is_ptx) continue;
    lowest = std::min(lowest, entry.architecture);
    if (entry.architecture <= kHighestArchitecture && (best == nullptr || entry.architecture > best->architecture)) best = &entry;
  }
  if (best == nullptr && lowest != UINT32_MAX) {
    throw InputError(
        fmt::format("{}: this program holds PTX for compute_{} and higher only; rebuild with `-gencode arch=compute_70,code=compute_70` "
                    "(nvcc 13: compute_75), or with `wharf nvcc`",
                    name, lowest));
  }
  if (best == nullptr) {
    throw InputError(name +
                     ": this program holds machine code only; rebuild with `-gencode arch=compute_70,code=compute_70` (nvcc 13: "
                     "compute_75), or with `wharf nvcc`");
  }
  std::string text = decompressed(*best, Bytes(image, name));
  // PTX is stored with zero bytes behind it.
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

}  // namespace wharf::cuda
