#pragma once
// A hash that is the same on every machine and in every build. It names results and configurations and must not key a hash table that
// untrusted input can reach. FNV-1a over the bytes, then a bijective finalizer, so that short texts differ in all bits.

#include <cstdint>
#include <string>
#include <string_view>

namespace wharf {

constexpr std::uint64_t hash64(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

/// The hash as 16 lower-case hexadecimal digits, as file names and result.json show it.
inline std::string hash_text(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out(16, '0');
  std::uint64_t hash = hash64(text);
  for (std::size_t i = out.size(); i-- > 0; hash >>= 4) out[i] = kDigits[hash & 0xF];
  return out;
}

}  // namespace wharf
