#include "platforms/measure/stream_table.h"

#include <algorithm>
#include <map>
#include <string>

#include "model/sm/kernel_ledger.h"
#include "platforms/measure/time_curve.h"

namespace wharf {

namespace {

struct Stream {
  std::vector<Interval> kernels;
  KernelCounts counts{};
};

std::string total_of(unsigned count) { return std::string("sm.") + kKernelCountNames[count]; }

stats::TableRows rows(const std::vector<Interval>& kernels) {
  std::map<std::uint64_t, Stream> streams;
  for (const Interval& kernel : kernels) {
    Stream& stream = streams[kernel.stream];
    stream.kernels.push_back(kernel);
    for (unsigned count = 0; count < kKernelCounts; ++count) stream.counts[count] += (*kernel.own)[count];
  }
  stats::TableRows table{{"stream", "kernels", "begin_cycle", "end_cycle", "busy_cycles"}, {}};
  table.columns.insert(table.columns.end(), std::begin(kKernelCountNames), std::end(kKernelCountNames));
  for (const auto& [number, stream] : streams) {
    Cycle end = 0;
    for (const Interval& kernel : stream.kernels) end = std::max(end, kernel.end_cycle);
    auto& row = table.rows.emplace_back();
    for (const std::uint64_t cell :
         {number, std::uint64_t{stream.kernels.size()}, stream.kernels.front().begin_cycle, end, cycles_of_any(stream.kernels)})
      row.emplace_back(cell);
    for (const std::uint64_t count : stream.counts) row.emplace_back(count);
  }
  return table;
}

}  // namespace

void declare_streams(stats::Registry& registry, stats::Group& group, const std::vector<Interval>& kernels) {
  registry.table("streams", "work of the kernels of each stream; its sums are the totals of the SMs", [&kernels] { return rows(kernels); });
  for (unsigned count = 0; count < kKernelCounts; ++count) {
    group.law("sum over all kernels of " + std::string(kKernelCountNames[count]) + " == " + total_of(count), [&registry, &kernels, count] {
      std::uint64_t sum = 0;
      for (const Interval& kernel : kernels) sum += (*kernel.own)[count];
      const CounterTotals totals(registry, {total_of(count)});
      return sum == totals.of(total_of(count), totals.now());
    });
  }
}

Cycle cycles_of_any(const std::vector<Interval>& kernels) {
  Cycle cycles = 0, counted_to = 0;
  for (const Interval& kernel : kernels) {  // in order of start; a kernel that runs together with others has no rest
    cycles += std::max(kernel.end_cycle, counted_to) - std::max(kernel.begin_cycle, counted_to);
    cycles -= kernel.rest_cycles;
    counted_to = std::max(counted_to, kernel.end_cycle);
  }
  return cycles;
}

}  // namespace wharf
