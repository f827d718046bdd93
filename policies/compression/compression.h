#pragma once
// Compresses lines to three levels (morpheus section 7), so that 4, 2 or 1 lines share one 128 B register of a warp.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

using LineBytes = std::array<std::byte, kLineBytes>;

/// In ascending order of tightness.
enum class CompressionLevel : std::uint8_t { uncompressed, low, high };
inline constexpr unsigned kCompressionLevels = 3;
/// Lines of a level per register: 128 / (bytes of a compressed line).
constexpr unsigned lines_per_register(CompressionLevel level) { return 1u << static_cast<unsigned>(level); }

/// A compressed line: `bytes[0 .. 128 / lines_per_register(level))`, and the base, which an auxiliary register keeps.
struct CompressedLine {
  CompressionLevel level = CompressionLevel::uncompressed;
  std::uint32_t base = 0;
  LineBytes bytes{};
};

class Compressor {
 public:
  virtual ~Compressor() = default;
  virtual CompressedLine compress(const LineBytes& line) const = 0;
  virtual LineBytes decompress(const CompressedLine& line) const = 0;
};

/// Throws InputError for an unknown name.
std::unique_ptr<Compressor> make_compressor(std::string_view name);

std::vector<config::PolicyName> compression_catalogue_names();

}  // namespace wharf
