#include "stimuli/cuda/modules/container.h"

#include <fmt/core.h>

#include "model/base/error.h"
#include "model/base/hash.h"
#include "stimuli/cuda/recording/byte_fields.h"

namespace wharf::cuda {
namespace {

constexpr std::string_view kMagic = "WHARFPTX";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 24;
constexpr std::uint32_t kMostTexts = 65536;

}  // namespace

bool is_container(std::string_view image) { return image.substr(0, kMagic.size()) == kMagic; }

std::string pack_container(const std::vector<PtxText>& texts) {
  FieldPacker body;
  for (const PtxText& text : texts) body(text, hash64(text.text));
  FieldPacker header;
  header(kVersion, static_cast<std::uint32_t>(texts.size()), std::uint64_t{kHeaderBytes + body.bytes().size()});
  return std::string(kMagic) + header.bytes() + body.bytes();
}

std::vector<PtxText> unpack_container(std::string_view image, const std::string& name) {
  try {
    if (!is_container(image)) throw DamagedRecord("it does not begin with WHARFPTX");
    FieldUnpacker fields(image.substr(kMagic.size()));
    std::uint32_t version = 0, count = 0;
    std::uint64_t bytes = 0;
    fields(version, count, bytes);
    if (version != kVersion) throw DamagedRecord(fmt::format("it has format version {}, and this Wharf knows {}", version, kVersion));
    if (bytes != image.size()) throw DamagedRecord(fmt::format("it names {} bytes, but has {}", bytes, image.size()));
    if (count > kMostTexts) throw DamagedRecord(fmt::format("it names {} texts", count));
    std::vector<PtxText> texts(count);
    for (PtxText& text : texts) {
      std::uint64_t hash = 0;
      fields(text, hash);
      if (hash != hash64(text.text)) throw DamagedRecord("a text does not match its hash");
    }
    fields.expect_end();
    return texts;
  } catch (const DamagedRecord& damage) {
    throw InputError(fmt::format("{}: the container of PTX is damaged: {}; build the program again with this Wharf's `wharf nvcc`", name,
                                 damage.what()));
  }
}

}  // namespace wharf::cuda
