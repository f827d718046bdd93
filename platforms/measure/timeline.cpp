#include "platforms/measure/timeline.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "model/base/files/output_files.h"

namespace wharf {

namespace {
constexpr std::uint32_t kRun = 0;                                         // process
constexpr std::uint32_t kKernels = 0, kPhasesOfKernels = 1, kCauses = 2;  // threads of this process
constexpr std::uint32_t kTogether = 10;                                   // first thread of the kernels that run together, one per place
constexpr std::uint32_t kCachePhases = 1000;                              // thread of an SM's process, above all CTA slots
}  // namespace

void Timeline::kernel(const std::string& name, Cycle begin, Cycle end) {
  if (file_.empty()) return;
  phases_of_kernel(begin, end);
  spans_.push_back({name, kRun, kKernels, begin, end});
  kernel_spans_ = spans_.size();
}

void Timeline::kernel_together(const std::string& name, unsigned place, Cycle begin, Cycle end) {
  if (!file_.empty()) spans_.push_back({name, kRun, kTogether + place, begin, end});
}

void Timeline::phases_of_kernel(Cycle begin, Cycle end) {
  Cycle first = end;
  std::map<std::uint32_t, Cycle> done;  // by SM: end of its last CTA
  for (std::size_t i = kernel_spans_; i < spans_.size(); ++i) {
    first = std::min(first, spans_[i].begin);
    done[spans_[i].process] = std::max(done[spans_[i].process], spans_[i].end);
  }
  Cycle tail = end, drain = first;
  for (const auto& [sm, at] : done) {
    tail = std::min(tail, at);
    drain = std::max(drain, at);
  }
  const auto add = [&](const char* name, Cycle from, Cycle to) {
    if (from < to) spans_.push_back({name, kRun, kPhasesOfKernels, from, to});
  };
  add("launch", begin, first);
  add("work", first, tail);
  add("tail", tail, drain);
  add("drain", drain, end);
}

void Timeline::cause(const std::string& name, Cycle begin, Cycle end) {
  if (!file_.empty()) spans_.push_back({name, kRun, kCauses, begin, end});
}

void Timeline::rates(const char* track, Cycle at, std::vector<std::pair<std::string, double>> values) {
  if (!file_.empty()) rates_.push_back({track, at, std::move(values)});
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
  if (!file_.empty()) spans_.push_back({name, sm + 1, kCachePhases, begin, end});
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
  for (const Rates& rates : rates_)
    events.push_back({{"name", rates.track},
                      {"ph", "C"},
                      {"pid", kRun},
                      {"ts", microseconds(rates.at)},
                      {"args", std::map<std::string, double>(rates.values.begin(), rates.values.end())}});
  const auto name_thread = [&](std::uint32_t thread, const char* name) {
    events.push_back({{"name", "thread_name"}, {"ph", "M"}, {"pid", kRun}, {"tid", thread}, {"args", {{"name", name}}}});
  };
  name_thread(kKernels, "kernels");
  name_thread(kPhasesOfKernels, "phases");
  name_thread(kCauses, "largest cause of lost issue slots");
  std::uint32_t processes = 0;
  for (const Span& span : spans_) processes = std::max(processes, span.process);
  for (std::uint32_t p = 0; p <= processes; ++p)
    events.push_back(
        {{"name", "process_name"}, {"ph", "M"}, {"pid", p}, {"args", {{"name", p == kRun ? "run" : "SM " + std::to_string(p - 1)}}}});
  write_file(file_, nlohmann::json{{"traceEvents", events}, {"displayTimeUnit", "ns"}}.dump() + '\n');
}

}  // namespace wharf
