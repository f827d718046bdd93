#include "stimuli_walk.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "model/base/cluster_order.h"

namespace wharf::test {
namespace {

/// The line or sector numbers that the active lanes touch, each once.
std::vector<std::uint64_t> blocks_of(const WarpInstruction& instruction, unsigned block_bytes) {
  std::vector<std::uint64_t> blocks;
  for (unsigned l = 0; l < kLanes; ++l) {
    if (((instruction.active >> l) & 1u) == 0) continue;
    const Address first = instruction.addresses[l], last = first + instruction.access_bytes - 1;
    for (auto block = first / block_bytes; block <= last / block_bytes; ++block) blocks.push_back(block);
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

std::uint64_t ones(const std::vector<std::uint64_t>& words) {
  std::uint64_t count = 0;
  for (const auto word : words) count += std::uint64_t(__builtin_popcountll(word));
  return count;
}

/// The warps of a cluster's CTAs, in turn until all have ended. A barrier of a CTA is one of the cluster here.
class ClusterRun {
 public:
  ClusterRun(Stimulus& stimulus, const KernelLaunch& launch, std::uint64_t first) {
    for (std::uint64_t nth = first; nth < first + launch.ctas_per_cluster(); ++nth) {
      ctas_.push_back(ClusterOrder{launch.grid, launch.cluster}.cta(nth));
      for (auto& warp : stimulus.open_cta(ctas_.back())) warps_.push_back(std::move(warp));
    }
    state_.assign(warps_.size(), State::runs);
  }
  std::size_t warps() const { return warps_.size(); }
  std::uint64_t cta(unsigned warp) const { return ctas_[warp / warps_a_cta()]; }
  unsigned warp_of_cta(unsigned warp) const { return warp % warps_a_cta(); }

  template <class Issue>
  void run(Issue issue) {
    for (std::size_t running = warps_.size(); running > 0;) {
      bool progress = false;
      for (unsigned w = 0; w < warps_.size(); ++w) {
        if (state_[w] != State::runs) continue;
        progress = true;
        const WarpInstruction* const instruction = warps_[w]->peek();
        if (instruction == nullptr) {
          state_[w] = State::ended, --running;
          continue;
        }
        issue(*instruction, w);
        if (instruction->unit == Unit::barrier && !instruction->barrier.arrives_only) state_[w] = State::waits;
        warps_[w]->advance();
      }
      if (progress) continue;
      std::replace(state_.begin(), state_.end(), State::waits, State::runs);  // the CTA does not wait for warps that have ended
    }
  }

 private:
  enum class State { runs, waits, ended };
  unsigned warps_a_cta() const { return static_cast<unsigned>(warps_.size() / ctas_.size()); }
  std::vector<std::uint64_t> ctas_;
  std::vector<std::unique_ptr<WarpStream>> warps_;
  std::vector<State> state_;
};

}  // namespace

void AccessFigures::add(const WarpInstruction& instruction, std::uint64_t warp, unsigned warps_per_cta) {
  unit = instruction.unit;
  warps_per_cta_ = warps_per_cta;
  ++accesses;
  lanes += std::uint64_t(__builtin_popcount(instruction.active));
  sectors += blocks_of(instruction, kSectorBytes).size();
  const auto lines_now = blocks_of(instruction, kLineBytes);
  lines += lines_now.size();
  for (const auto line : lines_now) {
    Warps& warps = touched_[line];
    if (warps.size() <= warp / 64) warps.resize(warp / 64 + 1);
    warps[warp / 64] |= std::uint64_t{1} << (warp % 64);
  }
  for (unsigned l = 0; l < kLanes; ++l) {
    if (((instruction.active >> l) & 1u) == 0) continue;
    lowest_ = std::min(lowest_, instruction.addresses[l]);
    highest_ = std::max(highest_, instruction.addresses[l] + instruction.access_bytes - 1);
  }
}

void AccessFigures::add(const AccessFigures& other) {
  accesses += other.accesses, lanes += other.lanes, lines += other.lines, sectors += other.sectors;
  unit = other.unit;
  warps_per_cta_ = other.warps_per_cta_;
  lowest_ = std::min(lowest_, other.lowest_);
  highest_ = std::max(highest_, other.highest_);
  for (const auto& [line, warps] : other.touched_) {
    Warps& own = touched_[line];
    if (own.size() < warps.size()) own.resize(warps.size());
    for (std::size_t i = 0; i < warps.size(); ++i) own[i] |= warps[i];
  }
}

double AccessFigures::warps_per_line() const {
  std::uint64_t sum = 0;
  for (const auto& item : touched_) sum += ones(item.second);
  return double(sum) / double(touched_.size());
}

double AccessFigures::ctas_per_line() const {
  std::uint64_t sum = 0;
  for (const auto& item : touched_) {
    std::uint64_t last = ~std::uint64_t{0};
    for (std::uint64_t warp = 0; warp < item.second.size() * 64; ++warp) {
      if (((item.second[warp / 64] >> (warp % 64)) & 1u) == 0 || warp / warps_per_cta_ == last) continue;
      last = warp / warps_per_cta_;
      ++sum;
    }
  }
  return double(sum) / double(touched_.size());
}

WalkResult walk(Stimulus& stimulus, const Observer& observe) {
  WalkResult result;
  while (const KernelLaunch* launch = stimulus.next_kernel()) {
    ++result.kernels;
    for (std::uint64_t first = 0; first < launch->grid.count(); first += launch->ctas_per_cluster()) {
      ClusterRun run(stimulus, *launch, first);
      result.warps += run.warps();
      run.run([&](const WarpInstruction& instruction, unsigned warp) {
        result.instructions += instruction.repeat;
        result.by_unit[static_cast<unsigned>(instruction.unit)] += instruction.repeat;
        if (observe) observe(*launch, instruction, run.cta(warp), run.warp_of_cta(warp));
      });
    }
  }
  return result;
}

std::vector<AccessFigures> accesses_of(Stimulus& stimulus, const std::string& kernel, const Launches& launches) {
  std::map<std::uint32_t, AccessFigures> by_pc;
  std::uint64_t seen = 0, before = 0, ended = 0;  // launches of the kernel, CTAs of all earlier launches, warps of this one
  walk(stimulus, [&](const KernelLaunch& launch, const WarpInstruction& instruction, std::uint64_t cta, unsigned warp) {
    if (instruction.unit == Unit::exit && ++ended == launch.grid.count() * launch.warps_per_cta()) {
      seen += launch.name == kernel;
      before += launch.grid.count();
      ended = 0;
    }
    if (launch.name != kernel || seen >= launches.first || !is_global_memory(instruction.unit)) return;
    const std::uint64_t number = launches.warps_differ ? before + cta : cta;
    by_pc[instruction.pc].add(instruction, number * launch.warps_per_cta() + warp, launch.warps_per_cta());
  });
  std::vector<AccessFigures> list;
  for (auto& item : by_pc) list.push_back(std::move(item.second));
  return list;
}

}  // namespace wharf::test
