#include "platforms/measure/timeline.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/base/error.h"

namespace wharf {

void Timeline::kernel(const std::string& name, Cycle begin, Cycle end) {
  if (!file_.empty()) spans_.push_back({name, 0, 0, begin, end});
}

void Timeline::cta_started(std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, Cycle now) {
  if (!file_.empty()) open_.push_back({sm, slot, cta, now});
}

void Timeline::cta_ended(std::uint32_t sm, std::uint32_t slot, Cycle now) {
  if (file_.empty()) return;
  const auto it = std::find_if(open_.begin(), open_.end(), [&](const Open& o) { return o.sm == sm && o.slot == slot; });
  spans_.push_back({"CTA " + std::to_string(it->cta), sm + 1, slot, it->begin, now});
  open_.erase(it);
}

void Timeline::phase(std::uint32_t sm, const char* name, Cycle begin, Cycle end) {
  constexpr std::uint32_t kPhases = 1000;  // more than an SM's CTA slots
  if (!file_.empty()) spans_.push_back({name, sm + 1, kPhases, begin, end});
}

void Timeline::write() const {
  if (file_.empty()) return;
  nlohmann::json events = nlohmann::json::array();
  const auto microseconds = [this](Cycle cycle) { return static_cast<double>(cycle) / mhz_; };
  for (const Span& span : spans_) {
    events.push_back({{"name", span.name},
                      {"ph", "X"},
                      {"pid", span.process},
                      {"tid", span.thread},
                      {"ts", microseconds(span.begin)},
                      {"dur", microseconds(span.end - span.begin)}});
  }
  std::uint32_t processes = 0;
  for (const Span& span : spans_) processes = std::max(processes, span.process);
  for (std::uint32_t p = 0; p <= processes; ++p)
    events.push_back(
        {{"name", "process_name"}, {"ph", "M"}, {"pid", p}, {"args", {{"name", p == 0 ? "kernels" : "SM " + std::to_string(p - 1)}}}});
  std::error_code ignored;  // if it cannot be created, opening the file fails too
  std::filesystem::create_directories(std::filesystem::path(file_).parent_path(), ignored);
  std::ofstream out(file_);
  out << nlohmann::json{{"traceEvents", events}, {"displayTimeUnit", "ns"}}.dump() << '\n' << std::flush;
  if (!out) throw InputError(file_ + ": cannot be written; choose another --timeline FILE");
}

}  // namespace wharf
