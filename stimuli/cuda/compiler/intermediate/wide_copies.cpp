#include "stimuli/cuda/compiler/intermediate/wide_copies.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "stimuli/cuda/compiler/intermediate/memory_call.h"

namespace wharf::cuda {
namespace {

constexpr std::uint64_t kWidest = 16, kMostBytes = 512;
constexpr std::uint64_t kMostByClang = 128;  // clang makes a loop of larger ones

std::string_view type_of(std::uint64_t width) {
  return width == 16 ? "<4 x i32>" : width == 8 ? "i64" : width == 4 ? "i32" : width == 2 ? "i16" : "i8";
}

/// The value whose bytes are all `byte`.
std::string filled(std::uint64_t width, std::uint64_t byte) {
  const std::uint64_t value = byte * (width == 16 ? 0x0101'0101 : ~std::uint64_t{0} / 255 >> (64 - 8 * width));
  return width == 16 ? fmt::format("<i32 {0}, i32 {0}, i32 {0}, i32 {0}>", value) : fmt::format("{}", value);
}

void replace(const MemoryCall& call, std::string& out, ReplacingAccesses::Names& names) {
  ReplacingAccesses accesses(out, call, names);
  std::uint64_t width = std::min({kWidest, call.to.alignment, call.from.alignment});
  for (std::uint64_t offset = 0; offset < call.bytes; offset += width) {
    while (width > call.bytes - offset) width /= 2;
    const std::string_view type = type_of(width);
    accesses.store(offset, type, call.byte ? filled(width, *call.byte) : accesses.load(offset, type));
  }
}

bool is_narrow(const MemoryCall& call) {
  const std::uint64_t alignment = std::min(call.to.alignment, call.from.alignment);
  return call.bytes <= kMostBytes && (call.bytes > kMostByClang || (alignment >= kWidest && call.bytes >= kWidest));
}

}  // namespace

std::string with_wide_copies(const std::string& module) {
  std::string out;
  out.reserve(module.size() + module.size() / 16);
  ReplacingAccesses::Names names{"wide"};
  std::istringstream lines(module);
  for (std::string line; std::getline(lines, line);)
    if (const auto call = MemoryCall::read(line); call && is_narrow(*call))
      replace(*call, out, names);
    else
      out += line + '\n';
  return out;
}

}  // namespace wharf::cuda
