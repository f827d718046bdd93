#include "stimuli/traces/warning_log.h"

#include <algorithm>

namespace wharf::traces {

WarningLog::Id WarningLog::id_of(std::string_view text, const std::string& file, std::uint64_t line) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.text == text; });
  if (found != entries_.end()) return static_cast<Id>(found - entries_.begin());
  if (entries_.size() > kDistinct) return kDistinct;
  if (entries_.size() == kDistinct) text = "further warnings of other kinds";
  entries_.push_back({std::string(text), file + ":" + std::to_string(line), 0});
  return static_cast<Id>(entries_.size() - 1);
}

std::vector<std::pair<std::string, std::uint64_t>> WarningLog::list() const {
  std::vector<std::pair<std::string, std::uint64_t>> out;
  for (const Entry& entry : entries_) {
    if (entry.count != 0) out.emplace_back(entry.text + " (first at " + entry.first_place + ")", entry.count);
  }
  return out;
}

}  // namespace wharf::traces
