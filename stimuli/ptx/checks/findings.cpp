// Counts and texts of findings.
#include "stimuli/ptx/checks/findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace wharf::ptx {

namespace {

std::string thread_text(const FindingPlace& place) {
  return fmt::format("block ({},{},{}) thread ({},{},{})", place.block.x, place.block.y, place.block.z, place.thread.x, place.thread.y,
                     place.thread.z);
}

}  // namespace

std::string Finding::text() const {
  std::string text = fmt::format("{}: kernel {}, {}: {}", at.line, kernel, thread_text(at), what);
  if (!allocation.empty()) text += ", " + allocation;
  if (has_other) text += fmt::format("; {}: {}: {}", other.line, thread_text(other), other_access);
  return text;
}

Finding* Findings::count(Check check, const FunctionCode& kernel, std::uint32_t pc, std::uint32_t other_pc) {
  OfCheck& of = of_[index(check)];
  ++of.total;
  const Key key{&kernel, pc, other_pc};
  const auto found = std::find(of.keys.begin(), of.keys.end(), key);
  if (found != of.keys.end()) {
    ++of.shown[static_cast<std::size_t>(found - of.keys.begin())].count;
    return nullptr;
  }
  if (of.shown.size() == kMostShown) return nullptr;
  of.keys.push_back(key);
  of.shown.emplace_back();
  of.shown.back().kernel = kernel.readable_name;
  of.shown.back().count = 1;
  return &of.shown.back();
}

std::uint64_t Findings::total() const {
  std::uint64_t total = 0;
  for (const OfCheck& of : of_) total += of.total;
  return total;
}

}  // namespace wharf::ptx
