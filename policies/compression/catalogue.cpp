#include "policies/catalogue.h"

#include "policies/compression/bdi.h"
#include "policies/compression/compression.h"

namespace wharf {
namespace {

class NoCompression final : public Compressor {
 public:
  CompressedLine compress(const LineBytes& line) const override { return {CompressionLevel::uncompressed, 0, line}; }
  LineBytes decompress(const CompressedLine& line) const override { return line.bytes; }
};

template <class Member>
std::unique_ptr<Compressor> make() {
  return std::make_unique<Member>();
}

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<Compressor> (*make)();
};

constexpr Entry kCatalogue[] = {
    {"none", "every line takes 128 B", make<NoCompression>},
    {"bdi", "base-delta-immediate with 4 B segments: 32, 64 or 128 B per line (morpheus section 7)", make<Bdi>},
};

}  // namespace

std::unique_ptr<Compressor> make_compressor(std::string_view name) { return find_policy(kCatalogue, "compression", name).make(); }

std::vector<config::PolicyName> compression_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
