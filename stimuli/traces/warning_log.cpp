#include "stimuli/traces/warning_log.h"

#include <algorithm>

namespace wharf::traces {

WarningLog::Id WarningLog::id_of(std::string_view text, const std::string& file, std::uint64_t line) {
  return id_of(text, file + ":" + std::to_string(line));
}

WarningLog::Id WarningLog::id_of(std::string_view text, const std::string& place) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Warning& entry) { return entry.text == text; });
  if (found != entries_.end()) return static_cast<Id>(found - entries_.begin());
  if (entries_.size() > kDistinct) return kDistinct;
  if (entries_.size() == kDistinct) text = "further warnings of other kinds";
  entries_.push_back({std::string(text), place, 0});
  return static_cast<Id>(entries_.size() - 1);
}

void WarningLog::add(const std::vector<Warning>& taken) {
  for (const Warning& warning : taken) entries_[id_of(warning.text, warning.first_place)].count += warning.count;
}

std::vector<Warning> WarningLog::drain() {
  std::vector<Warning> taken;
  if (!any_) return taken;
  any_ = false;
  for (Warning& entry : entries_) {
    if (entry.count != 0) taken.push_back(entry);
    entry.count = 0;
  }
  return taken;
}

std::vector<std::pair<std::string, std::uint64_t>> WarningLog::list() const {
  std::vector<std::pair<std::string, std::uint64_t>> out;
  for (const Warning& entry : entries_) {
    if (entry.count != 0) out.emplace_back(entry.text + " (first at " + entry.first_place + ")", entry.count);
  }
  return out;
}

}  // namespace wharf::traces
