#include "platforms/frame/table_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "model/base/error.h"
#include "model/cache/mshr_file.h"
#include "model/cache/tag_array.h"

namespace wharf {

namespace {

/// Bytes per entry, measured, for tables whose size cannot be queried.
constexpr std::uint64_t kVictimTag = 22, kTimedLine = 13;

/// The number after `name` in a file of lines `name number`; the first number of the file if `name` is empty.
std::optional<std::uint64_t> number_in(const std::string& path, const std::string& name = "") {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    if (!name.empty() && (!(words >> word) || word != name)) continue;
    if (std::uint64_t number = 0; words >> number) return number;
    if (name.empty()) return std::nullopt;  // "max": no limit
  }
  return std::nullopt;
}

/// The memory that a control group has left. Cached file pages count as free, because the kernel can reclaim them.
std::uint64_t left_in_group(const std::string& folder, const char* limit, const char* used, const char* cached) {
  const auto most = number_in(folder + limit), now = number_in(folder + used);
  if (!most || !now) return kNever;
  const std::uint64_t kept = *now - std::min(*now, number_in(folder + "/memory.stat", cached).value_or(0));
  return *most - std::min(*most, kept);
}

/// The least memory that any control group around this process has left.
std::uint64_t left_in_groups() {
  std::uint64_t left = kNever;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t controllers = line.find(':') + 1, path = line.find(':', controllers) + 1;
    const bool unified = path == controllers + 1, memory = line.substr(controllers, path - 1 - controllers) == "memory";
    if (!unified && !memory) continue;
    for (std::string group = line.substr(path);; group.erase(group.rfind('/'))) {
      if (group == "/") group.clear();
      left = std::min(left, unified ? left_in_group("/sys/fs/cgroup" + group, "/memory.max", "/memory.current", "inactive_file")
                                    : left_in_group("/sys/fs/cgroup/memory" + group, "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                                                    "total_inactive_file"));
      if (group.empty()) break;
    }
  }
  return left;
}

std::uint64_t left_in_address_space() {
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNever;
  const std::uint64_t used = number_in("/proc/self/statm").value_or(0) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

std::string size_text(std::uint64_t bytes) {
  const double mib = static_cast<double>(bytes) / (1 << 20);
  return mib < 1024.0 ? fmt::format("{:.0f} MiB", mib) : fmt::format("{:.1f} GiB", mib / 1024.0);
}

}  // namespace

std::vector<TableMemory> table_memory(const GpuParams& params, bool verify) {
  std::vector<TableMemory> tables;
  const auto add = [&tables](const char* key, std::uint64_t value, std::uint64_t bytes) {
    tables.push_back({fmt::format("{}: {}", key, value), bytes});
  };
  const std::uint64_t sms = params.sms, slices = params.slices();
  constexpr std::uint64_t kLinesPerKib = 1024 / kLineBytes;
  const bool versions = verify || params.data == DataKept::bytes;
  // Every design has the lines and MSHRs of the SMs' caches, wherever it puts them.
  add("l1.capacity_kib", params.l1.capacity_kib,
      TagArray::bytes(sms * params.l1.capacity_kib * kLinesPerKib, params.l1.ways, {versions, true, params.l1.byte_masks}));
  add("l1.mshr_entries", params.l1.mshr_entries, sms * MshrFile::bytes(params.l1.mshr_entries));
  const std::uint64_t l2_lines = slices * params.l2.lines();
  const bool timed = params.l2.gates_lines() || params.l2.line_times != LineTimesKept::off;
  add("l2.slice_kib", params.l2.slice_kib,
      TagArray::bytes(l2_lines, params.l2.most_ways(), {versions, false, params.l2.byte_masks}) + (timed ? l2_lines * kTimedLine : 0));
  add("l2.mshr_entries", params.l2.mshr_entries, slices * MshrFile::bytes(params.l2.mshr_entries));
  if (params.sm.interference.measured()) {
    const auto& tags = params.sm.interference;
    add("sm.interference.victim_ways", tags.victim_ways,
        sms * params.sm.warps * std::max(tags.victim_sets, 1u) * tags.victim_ways * kVictimTag);
  }
  for (TableMemory& own : params.facts().tables) tables.push_back(std::move(own));
  std::stable_sort(tables.begin(), tables.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return tables;
}

std::uint64_t available_memory() {
  const std::uint64_t system = number_in("/proc/meminfo", "MemAvailable:").value_or(kNever / 1024) * 1024;
  return std::min({system, left_in_groups(), left_in_address_space()});
}

void require_memory(const GpuParams& params, bool verify) {
  const std::vector<TableMemory> tables = table_memory(params, verify);
  std::uint64_t total = 0;
  for (const TableMemory& table : tables) total += table.bytes;
  const std::uint64_t available = available_memory();
  if (total <= available) return;
  throw InputError(fmt::format("{} needs tables of {}, and all tables of the machine need {} of memory, but this host has {} left; make it "
                               "smaller, use a host with more memory, or run fewer machines at a time",
                               tables.front().key, size_text(tables.front().bytes), size_text(total), size_text(available)));
}

}  // namespace wharf
