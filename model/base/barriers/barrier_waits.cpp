#include "model/base/barriers/barrier_waits.h"

#include <fmt/format.h>

#include <map>

#include "model/base/bits.h"
#include "model/base/text.h"

namespace wharf {
namespace {

std::string plural(std::int64_t count, const char* noun) { return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s"); }

}  // namespace

std::vector<BarrierWait> barrier_waits(const CtaBarriers& barriers, const ClusterBarrier& of_cluster, const Mbarriers& mbarriers,
                                       std::uint64_t live) {
  std::vector<BarrierWait> waits;
  for (const unsigned number : set_bits(barriers.in_use())) {
    if (barriers.waiting(number) == 0) continue;
    const unsigned expected = barriers.expected(number) == 0 ? popcount(live) : barriers.expected(number);
    waits.push_back(
        {"barrier", fmt::format("barrier {}, at which {} of {} have arrived,", number, barriers.arrivals(number), plural(expected, "warp")),
         barriers.waiting(number)});
  }
  if (of_cluster.waiting() != 0)
    waits.push_back({"cluster_barrier",
                     fmt::format("the barrier of the cluster, at which {} of {} of the CTA have arrived,",
                                 popcount(of_cluster.arrived() & live), plural(popcount(live), "warp")),
                     of_cluster.waiting()});
  for (const Mbarriers::Word& word : mbarriers.words())
    if (word.waiting != 0)
      waits.push_back({"mbarrier",
                       fmt::format("the mbarrier at byte {} of shared memory, whose phase of parity {} lacks {} and {},", word.offset,
                                   word.parity, plural(word.missing, "arrival"), plural(word.missing_bytes, "byte")),
                       word.waiting});
  return waits;
}

BarrierWait vain_tests(std::uint64_t warps) { return {"mbarrier", "the end of a phase of an mbarrier, tested in vain,", warps}; }

std::string describe(const BarrierWait& wait, unsigned first, const std::function<std::string(unsigned warp)>& place_of) {
  std::map<std::string, std::vector<std::string>> warps;  // by place
  for (const unsigned warp : set_bits(wait.warps)) warps[place_of(warp)].push_back(std::to_string(warp - first));
  std::vector<std::string> groups;
  for (const auto& [place, numbers] : warps)
    groups.push_back(fmt::format("{} {}{}{}", numbers.size() == 1 ? "warp" : "warps", join(numbers), place.empty() ? "" : " at ", place));
  return fmt::format("{} is awaited by {}", wait.state, join(groups));
}

}  // namespace wharf
