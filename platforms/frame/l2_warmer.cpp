#include "platforms/frame/l2_warmer.h"

#include <array>
#include <memory>

#include "model/base/bits.h"
#include "model/sm/coalescer.h"
#include "platforms/frame/gpu_frame.h"
#include "stimuli/sampling/warmed_caches.h"

namespace wharf {
namespace {

/// Performs every access in L2, in the order of a functional run: no L1 filters them. The machine may have accesses in flight. Local memory is
/// left out, because its addresses depend on the warp's slot. For the half of L2 that CTAs are near, they are on the SMs in turn.
class L2Warmer final : public WarmedCaches, private L2Logic::Below {
 public:
  L2Warmer(const GpuParams& params, const GoldenMemory* golden, stats::Registry& registry, ClockDomain& clock, const AddressMap& addresses,
           std::vector<std::unique_ptr<L2Slice>>& slices, std::vector<std::unique_ptr<L2Entry>>& entries,
           std::vector<std::unique_ptr<DramChannel>>& channels)
      : params_(params),
        golden_(golden),
        registry_(registry),
        clock_(clock),
        addresses_(addresses),
        slices_(slices),
        entries_(entries),
        channels_(channels),
        copies_(params.l2.partition.copies()) {}

  void begin() override {
    before_ = registry_.snapshot();
    if (copies_)
      for (const auto& entry : entries_) entry->begin_warming();
  }

  void launch_starts(const KernelLaunch& launch) override {
    if (params_.l2.partition.expires())
      for (const auto& entry : entries_) entry->expire_copies();
    if (!params_.l2.hints) return;
    for (const auto& slice : slices_) {
      slice->logic().kernel_started(0, launch);
      if (launch.resets_persisting) slice->logic().reset_persisting();
    }
  }

  void access(std::uint64_t cta, const WarpInstruction& instruction) override {
    if (instruction.space != Space::global) return;
    const auto sms = std::min(params_.front_end.eligible_sms, params_.sms);
    half_ = copies_ ? params_.l2.partition.near_partition(static_cast<unsigned>(cta % sms), params_.sms) : 0;
    coalesce(instruction, lines_);
    Transaction transaction;
    Access& access = transaction.access;
    access.kind = kind_of(instruction.unit);
    access.hint.eviction = instruction.eviction;
    access.pc = instruction.pc;
    const bool by_sector = params_.transaction == TransactionUnit::sector || (params_.sm.byte_masks && access.kind == AccessKind::store);
    const bool whole_lines = !params_.l1.sectored && !writes(access);
    for (unsigned i = 0; i < lines_.count; ++i) {
      const CoalescedLines::Part& part = lines_.parts[i];
      access.line = part.line;
      if (!by_sector) {
        access.sectors = whole_lines ? kAllSectors : part.sectors;
        access.covered = part.covered;
        perform(transaction);
        continue;
      }
      for (const unsigned sector : set_bits(std::uint32_t{part.sectors})) {
        access.sectors = static_cast<SectorMask>(1u << sector);
        access.covered = part.covered & access.sectors;
        access.written_bytes = part.written.of_sector(sector);
        perform(transaction);
      }
    }
  }

  L2Traffic end() override {
    if (copies_)
      for (const auto& entry : entries_) entry->end_warming();
    const stats::View since_begin(registry_, before_, registry_.snapshot());
    L2Traffic traffic;
    for (std::size_t i = 0; i < traffic.size(); ++i) traffic[i] = since_begin.sum(kL2Traffic[i]);
    registry_.restore(before_);
    return traffic;
  }

 private:
  static bool writes(const Access& access) { return access.kind == AccessKind::store || access.kind == AccessKind::atomic; }
  void perform(Transaction& transaction) {
    const AddressMap::Target target = addresses_.locate(transaction.access.line.byte_address());
    // A store that the machine does not run has no version of its own: the sector keeps its last one.
    if (golden_ != nullptr) transaction.versions = golden_->load_arrived(transaction.access).at_least;
    const Cycle now = clock_.present_cycle();
    if (!copies_) return slices_[target.slice]->logic().perform(transaction, target.local_line, *this, now);
    const std::size_t half = entries_.size() / 2, number = target.slice % half;
    entries_[number + half * half_]->perform(transaction, *entries_[number + half * (1 - half_)], *this, now);
  }
  void access(const Access& access, SectorVersions& versions) override {
    channels_[addresses_.locate(access.line.byte_address()).channel]->perform(access, versions);
    // The last version may still be on its way to DRAM.
    if (golden_ != nullptr && !writes(access)) versions = golden_->load_arrived(access).at_least;
  }

  const GpuParams& params_;
  const GoldenMemory* golden_;  // null: no versions
  stats::Registry& registry_;
  ClockDomain& clock_;
  const AddressMap& addresses_;
  std::vector<std::unique_ptr<L2Slice>>& slices_;
  std::vector<std::unique_ptr<L2Entry>>& entries_;
  std::vector<std::unique_ptr<DramChannel>>& channels_;
  const bool copies_;
  unsigned half_ = 0;  // that the CTA of the present access is near
  CoalescedLines lines_;
  stats::Snapshot before_;
};

}  // namespace

bool l2_follows_accesses(const GpuParams& params) { return params.l2.line_policy == "none" && params.cache_sms() == 0; }

std::unique_ptr<WarmedCaches> GpuFrame::warmed_l2() {
  return std::make_unique<L2Warmer>(params_, golden(), registry_, *l2_clock_, *addresses_, slices_, l2_entries_, channels_);
}

}  // namespace wharf
