#pragma once
// The dynamic scheme of one SM (shared_l1 section 8): it samples, with even sets private and odd sets shared, decides, executes in the
// chosen mode, and samples again. SMs decide independently. The first phase is sampling. Nothing is cleared between kernels; with
// persist_phases off, each kernel starts with fresh sampling (SL-16).
//
// Events of a cycle take effect in the next one: counts of the cycle that ends a phase belong to that phase.

#include "policies/cache_organisation/cache_organisation.h"
#include "policies/cache_organisation/decision.h"

namespace wharf {

enum class OrganisationMetric { amat, eb };

class DynamicOrganisation final : public CacheOrganisation {
 public:
  DynamicOrganisation(OrganisationMetric metric, const DynamicParams& params);

  void observe(const OrganisationEvent& event, Cycle now) override;
  void advance(Cycle now, std::uint64_t stores_in_flight) override;
  void kernel_starts(Cycle now, std::uint64_t stores_in_flight) override;
  const std::vector<PhaseStart>& phases() const override { return phases_; }

  void archive(Archive& file) override;

  Phase phase() const { return phases_.back().phase; }
  /// Counts of the present sampling phase, or of the last one.
  const SampleGroup& group(bool odd) const { return groups_[odd]; }

 private:
  struct Mean {
    std::uint64_t sum = 0, count = 0;
    void add(std::uint64_t value) {
      sum += value;
      ++count;
    }
    double or_else(double value) const { return count == 0 ? value : static_cast<double>(sum) / static_cast<double>(count); }
  };

  void start(Phase phase, Cycle now);
  bool counts(const OrganisationEvent& event) const;
  bool phase_is_over() const;
  bool decides_for_shared() const;
  AmatLatencies latencies() const;
  void count(const OrganisationEvent& event);

  OrganisationMetric metric_;
  DynamicParams params_;
  std::array<SampleGroup, 2> groups_{};     // even, odd
  Mean hit_, home_, l2_;                    // latencies in this sampling phase
  std::uint64_t own_accesses_ = 0;          // in this sampling phase
  std::array<std::uint64_t, 2> counted_{};  // accesses that measure this phase, of even and odd sets
  bool restarts_ = false;                   // the phase ended because a kernel started
  std::vector<PhaseStart> phases_;
};

}  // namespace wharf
