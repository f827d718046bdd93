#pragma once
// Runs the TLM form and the RTL of a block side by side with the same inputs; the first difference ends the run.

#include <memory>
#include <string>
#include <systemc>
#include <utility>

#include "model/designs/ata/cluster_tags.h"
#include "policies/arbitration/port_allocator.h"
#include "policies/hit_predictor/hit_predictor.h"
#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf::rtl {

/// Throws SimulationError: the two forms of `instance` have just answered `inputs` differently. Names the cycle of every clock.
[[noreturn]] void report_difference(const std::string& instance, const std::string& inputs, const std::string& tlm, const std::string& rtl);

/// The name of the block that is being constructed.
std::string instance_name();

class LockstepHitPredictor final : public HitPredictor {
 public:
  LockstepHitPredictor(std::unique_ptr<HitPredictor> tlm, std::unique_ptr<HitPredictor> rtl) : tlm_(std::move(tlm)), rtl_(std::move(rtl)) {}

  bool predict_hit(const Block& block) const override;
  bool accessed(const Block& block, bool all_touched) override;
  std::uint32_t counted(std::uint32_t row) const override { return tlm_->counted(row); }

 private:
  std::string instance_ = instance_name();
  std::unique_ptr<HitPredictor> tlm_, rtl_;
};

class LockstepSharingPredictor final : public SharingPredictor {
 public:
  LockstepSharingPredictor(std::unique_ptr<SharingPredictor> tlm, std::unique_ptr<SharingPredictor> rtl)
      : tlm_(std::move(tlm)), rtl_(std::move(rtl)) {}

  Answer predict(const Miss& miss) override;
  void filled(Ticket ticket, bool from_core) override;
  void kernel_started() override;

 private:
  std::string instance_ = instance_name();
  std::unique_ptr<SharingPredictor> tlm_, rtl_;
};

class LockstepAllocator final : public arbitration::PortAllocator {
 public:
  LockstepAllocator(std::unique_ptr<PortAllocator> tlm, std::unique_ptr<PortAllocator> rtl) : tlm_(std::move(tlm)), rtl_(std::move(rtl)) {}

  void allocate(const arbitration::RequestView& requests, arbitration::Matching& matching) override;

 private:
  std::string instance_ = instance_name();
  std::unique_ptr<PortAllocator> tlm_, rtl_;
  arbitration::Matching of_rtl_;
};

class LockstepClusterTags final : public ClusterTags {
 public:
  LockstepClusterTags(std::unique_ptr<ClusterTags> tlm, std::unique_ptr<ClusterTags> rtl) : tlm_(std::move(tlm)), rtl_(std::move(rtl)) {}

  HitVector lookup(unsigned l1, LineAddress line) override;
  void hold(unsigned l1, LineAddress line, SectorMask valid) override;
  void empty(unsigned l1) override;
  void commit() override;

 private:
  std::string instance_ = instance_name();
  std::unique_ptr<ClusterTags> tlm_, rtl_;
};

}  // namespace wharf::rtl
