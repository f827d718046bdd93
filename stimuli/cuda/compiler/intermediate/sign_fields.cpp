#include "stimuli/cuda/compiler/intermediate/sign_fields.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>

namespace wharf::cuda {
namespace {

/// The instructions that replace the one at the begin of `text`, or an empty text where it stays.
std::string replacement(const char* text) {
  char to[32], from[32];
  unsigned first, bits;
  if (std::sscanf(text, "bfe.u64 %31[^,], %31[^,], %u, %u;", to, from, &first, &bits) != 4) return {};
  if (first > 63 || bits > 63 || first + bits <= 64) return {};
  return fmt::format("shr.s64 \t{0}, {1}, {2};\n\tand.b64  \t{0}, {0}, {3};", to, from, first, (std::uint64_t{1} << bits) - 1);
}

bool is_inline_assembly(const std::string& ptx, std::size_t at) {
  const std::size_t begin = ptx.rfind("// begin inline asm", at);
  return begin != std::string::npos && ptx.find("// end inline asm", begin) > at;
}

}  // namespace

std::string with_sign_fields(std::string ptx) {
  for (std::size_t at = ptx.find("bfe.u64"); at != std::string::npos; at = ptx.find("bfe.u64", at + 1)) {
    const std::string instructions = replacement(ptx.c_str() + at);
    if (!instructions.empty() && !is_inline_assembly(ptx, at)) ptx.replace(at, ptx.find(';', at) + 1 - at, instructions);
  }
  return ptx;
}

}  // namespace wharf::cuda
