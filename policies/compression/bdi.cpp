#include "policies/compression/bdi.h"

namespace wharf {

namespace {

using Segments = std::array<std::uint32_t, kLanes>;

std::uint32_t little_endian(const std::byte* bytes, unsigned count) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::to_integer<std::uint32_t>(bytes[i]) << (8 * i);
  return value;
}

void store(std::byte* bytes, std::uint32_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i));
}

unsigned delta_bytes(CompressionLevel level) { return 4 / lines_per_register(level); }

/// Sign-extends the low `count` bytes of the difference.
std::uint32_t sign_extended(std::uint32_t value, unsigned count) {
  if (count == 4) return value;
  const std::uint32_t sign = 1u << (8 * count - 1);
  return ((value & (2 * sign - 1)) ^ sign) - sign;
}

bool fit(const Segments& deltas, unsigned count) {
  for (const std::uint32_t delta : deltas)
    if (sign_extended(delta, count) != delta) return false;
  return true;
}

}  // namespace

CompressedLine Bdi::compress(const LineBytes& line) const {
  Segments segments;
  for (unsigned lane = 0; lane < kLanes; ++lane) segments[lane] = little_endian(&line[4 * lane], 4);
  CompressedLine out;
  out.base = segments[0];
  for (std::uint32_t& segment : segments) segment -= out.base;
  for (const CompressionLevel level : {CompressionLevel::high, CompressionLevel::low}) {
    const unsigned count = delta_bytes(level);
    if (!fit(segments, count)) continue;
    out.level = level;
    for (unsigned lane = 0; lane < kLanes; ++lane) store(&out.bytes[count * lane], segments[lane], count);
    return out;
  }
  out.bytes = line;
  return out;
}

LineBytes Bdi::decompress(const CompressedLine& line) const {
  if (line.level == CompressionLevel::uncompressed) return line.bytes;
  LineBytes out;
  const unsigned count = delta_bytes(line.level);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    store(&out[4 * lane], line.base + sign_extended(little_endian(&line.bytes[count * lane], count), count), 4);
  return out;
}

}  // namespace wharf
