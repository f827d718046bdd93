#include "model/base/config/tree/mistakes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/base/error.h"

namespace wharf::config {
namespace {
// Limits the lines so that a garbage file does not fill the terminal.
constexpr std::size_t kMostLines = 100;
}  // namespace

std::string to_string(const Position& position) {
  if (position.line == 0) return position.file;
  return position.file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

void Mistakes::add(Position where, std::string what) { list_.push_back({std::move(where), std::move(what)}); }

void Mistakes::throw_if_any() const {
  if (list_.empty()) return;
  const auto key = [](const Mistake& m) { return std::tie(m.where.file, m.where.line, m.where.column, m.what); };
  std::vector<Mistake> sorted = list_;
  std::sort(sorted.begin(), sorted.end(), [&](const Mistake& a, const Mistake& b) { return key(a) < key(b); });
  // A file that two others extend is read twice and reports its mistakes twice.
  sorted.erase(std::unique(sorted.begin(), sorted.end(), [&](const Mistake& a, const Mistake& b) { return key(a) == key(b); }),
               sorted.end());
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < kMostLines; ++i) {
    text += (i ? "\n" : "") + to_string(sorted[i].where) + ": " + sorted[i].what;
  }
  if (sorted.size() > kMostLines) text += "\n... and " + std::to_string(sorted.size() - kMostLines) + " more mistakes";
  throw InputError(text);
}

}  // namespace wharf::config
