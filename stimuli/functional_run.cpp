#include "stimuli/functional_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/base/barriers/barrier_waits.h"
#include "model/base/barriers/bulk_copy.h"
#include "model/base/bits.h"
#include "model/base/cluster_order.h"
#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf {
namespace {

/// Instructions of a warp before it is another warp's turn. Warps of a CTA advance together, as on a GPU: programs exist whose warps all write
/// the same sums from the same old values, which is right only where no warp runs far ahead.
constexpr std::uint64_t kTurn = 1;
/// Of a CTA of a cooperative launch, which may only be waiting for others.
constexpr std::uint64_t kCooperativeRounds = 32;
/// Turns of all open CTAs, none of which ends, before more begin (CtaTurns::begins_more).
constexpr unsigned kTurnsInVain = 2;
/// Open warps beyond which no more CTAs are opened for that reason; no GPU holds more.
constexpr std::uint64_t kMostOpenWarps = 10240;
/// Lines of the report of a deadlock.
constexpr std::size_t kMostWaits = 10;

/// Counts the warp instructions, and passes those on that access memory.
struct Observer {
  std::uint64_t& instructions;
  const OnMemory& on_memory;

  void executes(std::uint64_t cta, const WarpInstruction& instruction) const {
    instructions += instruction.repeat;
    if (on_memory && is_global_memory(instruction.unit)) on_memory(cta, instruction);
  }
};

class ResidentCta {
 public:
  ResidentCta(std::uint64_t number, std::vector<std::unique_ptr<WarpStream>> warps)
      : number_(number), warps_(std::move(warps)), barrier_pcs_(warps_.size()), vain_tests_(warps_.size()) {
    if (warps_.size() > kMostWarps)
      throw SimulationError("a CTA has " + std::to_string(warps_.size()) + " warps, and at most 64 can run; use smaller CTAs");
    if (!warps_.empty()) members_ = ~Warps{0} >> (kMostWarps - warps_.size());
  }
  /// Gives each warp its turn. Returns false if none can go on until another CTA of the `cluster` arrives at a barrier, or a wait times out.
  bool run(const Observer& observer, std::vector<ResidentCta>& cluster) {
    release();
    const Warps runnable = members_ & ~ended_ & ~waiting_;
    for (const unsigned w : set_bits(runnable)) take_turn(w, observer, cluster);
    release();
    return (waiting_ | ended_ | in_vain_) != members_;
  }
  /// Ends the waits that have a limit, unless they have reached it too often. Returns false if there is none.
  bool time_out() {
    Warps warps = 0;
    for (const unsigned w : set_bits(limited_)) {
      if (vain_tests_[w] >= Mbarriers::kMostVainTests) continue;
      ++vain_tests_[w];
      mbarriers_.stop_waiting(w);
      warps_[w]->time_out();
      warps |= Warps{1} << w;
    }
    waiting_ &= ~warps;
    limited_ &= ~warps;
    return warps != 0;
  }
  bool has_ended() const { return ended_ == members_; }
  /// All its warps have arrived at the cluster's barrier, or ended.
  bool has_arrived() const { return has_ended() || cluster_barrier_.is_complete(members_, ended_); }
  void open_cluster_barrier() { waiting_ &= ~cluster_barrier_.open(); }
  /// A warp that has not ended, and the instruction that is its next.
  std::string place_in(const KernelLaunch& launch) const {
    const unsigned w = static_cast<unsigned>(__builtin_ctzll(members_ & ~ended_));
    const WarpInstruction* next = warps_[w]->peek();
    const std::string place = next == nullptr ? "" : launch.place_of(next->pc);
    return "CTA " + std::to_string(number_) + ", warp " + std::to_string(w) + (place.empty() ? "" : " at " + place);
  }
  /// Appends "CTA 3: ..." for each barrier at which warps wait.
  void describe_waits(const KernelLaunch& launch, std::vector<std::string>& lines) const {
    const auto place_of = [&](unsigned w) { return launch.place_of(barrier_pcs_[w]); };
    for (const BarrierWait& wait : barrier_waits(barriers_, cluster_barrier_, mbarriers_, members_ & ~ended_))
      lines.push_back("CTA " + std::to_string(number_) + ": " + describe(wait, 0, place_of));
    if (const Warps testing = in_vain_ & ~waiting_ & ~ended_; testing != 0)
      lines.push_back("CTA " + std::to_string(number_) + ": " + describe(vain_tests(testing), 0, place_of));
  }

 private:
  using Warps = CtaBarriers::Warps;
  static constexpr std::size_t kMostWarps = 64;

  void take_turn(unsigned w, const Observer& observer, std::vector<ResidentCta>& cluster) {
    WarpStream& stream = *warps_[w];
    for (std::uint64_t turn = 0; turn < kTurn; ++turn) {
      const WarpInstruction* next = stream.peek();
      if (next == nullptr) {
        warps_[w].reset();
        ended_ |= Warps{1} << w;
        for (const unsigned number : set_bits(barriers_.in_use())) open(number);
        return;
      }
      observer.executes(number_, *next);
      const bool is_barrier = next->unit == Unit::barrier;
      if (is_barrier || next->fails_test) barrier_pcs_[w] = next->pc;
      if (next->fails_test) count_vain_test(w);
      if (is_global_memory(next->unit)) forget_vain_tests(w);
      const BarrierUse use = next->barrier;
      const MbarrierUse mbarrier = is_barrier && MbarrierUse::is_by(use) ? MbarrierUse::of(*next) : MbarrierUse();
      const BulkCopy copy = mbarrier.op == MbarrierOp::copy ? BulkCopy::of(*next) : BulkCopy();
      if (next->mbarrier != kNoMbarrier) {
        const WarpInstruction store = *next;
        stream.advance();
        for (const unsigned lane : set_bits(store.active))
          cluster[rank_of(store.addresses[lane])].receive(store.mbarrier, store.access_bytes);
        continue;
      }
      stream.advance();
      if (!is_barrier) continue;
      for (const unsigned rank : set_bits(copy.ranks)) cluster[rank].receive(copy.mbarrier, copy.bytes());
      if (mbarrier.op != MbarrierOp::none) return use_mbarrier(w, mbarrier, cluster);
      forget_vain_tests(w);
      if (use.of_cluster) return use_cluster_barrier(w, use);
      barriers_.arrive(w, use);
      if (!use.arrives_only) waiting_ |= Warps{1} << w;
      open(use.number);
      if (!use.arrives_only) return;
    }
  }

  void use_mbarrier(unsigned w, const MbarrierUse& use, std::vector<ResidentCta>& cluster) {
    const auto offset = static_cast<std::uint32_t>(use.at);
    if (use.op == MbarrierOp::init) mbarriers_.init(offset, use.value);
    if (use.op == MbarrierOp::invalidate) mbarriers_.invalidate(offset);
    if (use.op == MbarrierOp::wait && mbarriers_.wait(offset, use.value, w)) {
      waiting_ |= Warps{1} << w;
      if (use.limit_ns != 0) limited_ |= Warps{1} << w;
      return;
    }
    forget_vain_tests(w);
    if (use.op == MbarrierOp::expect_arrivals) mbarriers_.expect_arrivals(offset, use.value);
    if (use.op != MbarrierOp::arrive && use.op != MbarrierOp::arrive_later && use.op != MbarrierOp::arrive_drop)
      return;  // loads have no time in which others could go on
    ResidentCta& owner = cluster[rank_of(use.at)];
    owner.released_ |= owner.mbarriers_.arrive(use);
  }

  /// `bytes` have been written that an mbarrier counts.
  void receive(std::uint32_t mbarrier, std::uint32_t bytes) {
    released_ |= mbarriers_.arrive(mbarrier, 0, -static_cast<std::int32_t>(bytes));
  }

  void use_cluster_barrier(unsigned w, const BarrierUse& use) {
    if (use.arrives_only ? cluster_barrier_.arrive(w) : cluster_barrier_.wait(w) != ClusterBarrier::Wait::never_arrived) {
      waiting_ |= cluster_barrier_.waiting();
      return;
    }
    throw InputError(std::string("a warp ") + ClusterBarrier::misuse(use.arrives_only));
  }

  /// Released warps go on in the next round, so that the order does not depend on which warp arrives last.
  void open(unsigned number) { released_ |= barriers_.open(number, members_, ended_); }
  void release() {
    const Warps warps = std::exchange(released_, 0);
    waiting_ &= ~warps;
    limited_ &= ~warps;
    for (const unsigned w : set_bits(warps)) forget_vain_tests(w);
  }

  void count_vain_test(unsigned w) {
    if (++vain_tests_[w] >= Mbarriers::kMostVainTests) in_vain_ |= Warps{1} << w;
  }
  void forget_vain_tests(unsigned w) {
    vain_tests_[w] = 0;
    in_vain_ &= ~(Warps{1} << w);
  }

  std::uint64_t number_;
  std::vector<std::unique_ptr<WarpStream>> warps_;  // null when one has ended
  std::vector<std::uint32_t> barrier_pcs_;          // of each warp's last barrier instruction
  CtaBarriers barriers_;
  ClusterBarrier cluster_barrier_;
  Mbarriers mbarriers_;
  std::vector<std::uint32_t> vain_tests_;  // of each warp: of mbarriers, in a row
  Warps members_ = 0, ended_ = 0, waiting_ = 0;
  Warps limited_ = 0;   // of those that wait: with a limit
  Warps in_vain_ = 0;   // have tested mbarriers in vain too often to count as running
  Warps released_ = 0;  // since their last turn
};

/// The CTAs of a cluster; one CTA where the kernel has no clusters.
class ResidentCluster {
 public:
  void add(std::uint64_t cta, std::vector<std::unique_ptr<WarpStream>> warps) { ctas_.emplace_back(cta, std::move(warps)); }
  /// As ResidentCta::place_in(), of its first CTA that has not ended.
  std::string place_in(const KernelLaunch& launch) const {
    const auto runs = std::find_if(ctas_.begin(), ctas_.end(), [](const ResidentCta& cta) { return !cta.has_ended(); });
    return runs == ctas_.end() ? "" : runs->place_in(launch);
  }
  /// Gives each warp its turn; returns false where all warps have ended.
  bool run(const Observer& observer, const KernelLaunch& launch) {
    bool runs = false, ended = true, arrived = true;
    for (ResidentCta& cta : ctas_) {
      if (!cta.has_ended()) runs |= cta.run(observer, ctas_);
      ended &= cta.has_ended();
      arrived &= cta.has_arrived();
    }
    if (ended) return false;
    if (arrived)
      for (ResidentCta& cta : ctas_) cta.open_cluster_barrier();
    if (!runs && !arrived && !time_out()) report_deadlock(launch);
    return true;
  }

 private:
  bool time_out() {
    bool any = false;
    for (ResidentCta& cta : ctas_) any |= cta.time_out();
    return any;
  }
  [[noreturn]] void report_deadlock(const KernelLaunch& launch) const {
    std::vector<std::string> lines;
    for (const ResidentCta& cta : ctas_) cta.describe_waits(launch, lines);
    std::string text = "deadlock in kernel " + readable_name(launch.name) + ": all unfinished warps of a " +
                       (ctas_.size() == 1 ? "CTA" : "cluster") + " wait at barriers that other warps cannot reach";
    for (std::size_t i = 0; i < std::min(lines.size(), kMostWaits); ++i) text += "\n  " + lines[i];
    if (lines.size() > kMostWaits) text += "\n  and " + std::to_string(lines.size() - kMostWaits) + " more";
    throw SimulationError(text);
  }

  std::vector<ResidentCta> ctas_;
};

/// Runs the CTAs from place `next` to before `end` of their order. Where go_on() returns false, `stopped_at`, if there is one, says where.
bool run_in_order(std::uint64_t next, std::uint64_t end, const KernelLaunch& launch, const OpenCta& open_cta, const Observer& observer,
                  const std::function<bool()>& go_on, const CtaTurns& usual_turns, std::string* stopped_at = nullptr) {
  const CtaTurns turns = launch.cooperative ? CtaTurns{launch.grid.count(), kCooperativeRounds} : usual_turns;
  const ClusterOrder order{launch.grid, launch.cluster};
  const std::uint64_t size = launch.ctas_per_cluster();
  std::vector<ResidentCluster> resident;
  std::uint64_t at_a_time = turns.at_a_time;
  unsigned in_vain = 0;
  const auto opened = [&](std::uint64_t cta) {
    auto warps = open_cta(cta);
    for (const auto& warp : warps) warp->pass_over_compute(observer.instructions);
    return warps;
  };
  while (next < end || !resident.empty()) {
    while (next < end && resident.size() * size < at_a_time) {
      resident.emplace_back();
      for (std::uint64_t rank = 0; rank < size; ++rank, ++next) {
        const std::uint64_t cta = order.cta(next);
        resident.back().add(cta, opened(cta));
      }
    }
    const auto ends = [&](ResidentCluster& cluster) {
      for (std::uint64_t round = 0; round < turns.rounds; ++round)
        if (!cluster.run(observer, launch)) return true;
      return false;
    };
    const std::size_t open = resident.size();
    resident.erase(std::remove_if(resident.begin(), resident.end(), ends), resident.end());
    in_vain = resident.size() < open ? 0 : in_vain + 1;
    if (turns.begins_more && in_vain == kTurnsInVain && next < end && at_a_time * launch.warps_per_cta() < kMostOpenWarps) {
      at_a_time *= 2;
      in_vain = 0;
    }
    if (go_on()) continue;
    if (stopped_at != nullptr)
      *stopped_at = "kernel " + readable_name(launch.name) + (resident.empty() ? "" : ", " + resident.front().place_in(launch));
    return false;
  }
  return true;
}

}  // namespace

bool run_kernel_functionally(const KernelLaunch& launch, const OpenCta& open_cta, std::uint64_t& instructions,
                             const std::function<bool()>& go_on, const OnMemory& on_memory, const CtaTurns& turns) {
  return run_in_order(0, launch.grid.count(), launch, open_cta, {instructions, on_memory}, go_on, turns);
}

bool run_ctas_functionally(const KernelLaunch& launch, std::uint64_t first, std::uint64_t end, const OpenCta& open_cta,
                           std::uint64_t& instructions, const std::function<bool()>& go_on, const OnMemory& on_memory,
                           const CtaTurns& turns) {
  return run_in_order(first, end, launch, open_cta, {instructions, on_memory}, go_on, turns);
}

FunctionalRun run_functionally(Stimulus& stimulus, const std::function<bool(const FunctionalRun&)>& go_on) {
  FunctionalRun run;
  const OpenCta open_cta = [&](std::uint64_t cta) { return stimulus.open_cta(cta); };
  while (const KernelLaunch* launch = run.stopped ? nullptr : stimulus.next_kernel()) {
    ++run.kernels;
    run.stopped = !run_in_order(
        0, launch->grid.count(), *launch, open_cta, {run.warp_instructions, {}}, [&] { return go_on(run); }, {}, &run.stopped_at);
  }
  return run;
}

}  // namespace wharf
