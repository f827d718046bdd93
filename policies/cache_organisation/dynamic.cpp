#include "policies/cache_organisation/dynamic.h"

#include "model/base/archive.h"

#include <algorithm>

namespace wharf {

using Kind = OrganisationEvent::Kind;

DynamicOrganisation::DynamicOrganisation(OrganisationMetric metric, const DynamicParams& params) : metric_(metric), params_(params) {
  dynamic_ = true;
  start(params.force == ForcedMode::none           ? Phase::sampling
        : params.force == ForcedMode::private_mode ? Phase::executes_private
                                                   : Phase::executes_shared,
        0);
}

void DynamicOrganisation::start(Phase phase, Cycle now) {
  // Sampling that a new kernel restarts is the same phase.
  if (phases_.empty() || phases_.back().phase != phase) phases_.push_back({phase, now});
  shared_[0] = phase == Phase::executes_shared;
  shared_[1] = phase != Phase::executes_private;
  if (phase == Phase::sampling) {
    groups_ = {};
    hit_ = home_ = l2_ = {};
    own_accesses_ = 0;
  }
  counted_ = {};
  over_at_ = kNever;
  restarts_ = false;
}

void DynamicOrganisation::kernel_starts(Cycle now, std::uint64_t stores_in_flight) {
  if (params_.persist_phases || params_.force != ForcedMode::none) return;
  advance(now, stores_in_flight);
  restarts_ = true;
  over_at_ = std::min(over_at_, now);
}

void DynamicOrganisation::observe(const OrganisationEvent& event, Cycle now) {
  if (phase() == Phase::sampling) count(event);
  counted_[event.odd] += counts(event);
  if (over_at_ == kNever && phase_is_over()) over_at_ = now;
}

/// True if the event measures the phase.
bool DynamicOrganisation::counts(const OrganisationEvent& event) const {
  switch (params_.phase_counts) {
    case PhaseCounts::issued:
      return event.kind == Kind::own_access;
    case PhaseCounts::own:
      return event.kind == Kind::own_lookup;
    case PhaseCounts::incoming:
      break;
  }
  // A private group would see no other SMs (SL-23).
  const bool private_group = phase() == Phase::sampling && !event.odd && !params_.incoming_in_private_group;
  return event.kind == Kind::own_lookup || (event.kind == Kind::incoming_lookup && !private_group);
}

void DynamicOrganisation::count(const OrganisationEvent& event) {
  SampleGroup& group = groups_[event.odd];
  const bool miss = !event.hit && !event.merged;
  switch (event.kind) {
    case Kind::own_access:
      ++own_accesses_;
      break;
    case Kind::own_remote:
      ++group.own_remote;
      break;
    case Kind::own_lookup:
      ++group.own.accesses;
      group.own.misses += miss;
      group.own.merges += event.merged;
      if (event.hit) hit_.add(event.latency);
      break;
    case Kind::incoming_lookup:
      ++group.incoming.accesses;
      group.incoming.misses += miss;
      group.incoming.merges += event.merged;
      break;
    case Kind::own_l2_reply:
      ++group.own_l2_replies;
      if (event.latency != 0) l2_.add(event.latency);
      break;
    case Kind::incoming_l2_reply:
      ++group.incoming_l2_replies;
      break;
    case Kind::home_reply:
      ++group.home_replies;
      if (event.latency != 0) home_.add(event.latency);
      break;
    case Kind::direct_reply:
      ++group.direct_replies;
      break;
  }
}

bool DynamicOrganisation::phase_is_over() const {
  if (params_.force != ForcedMode::none) return false;
  if (phase() != Phase::sampling) return counted_[0] + counted_[1] >= params_.execute_accesses;
  if (params_.sample_access_cap != 0 && own_accesses_ >= params_.sample_access_cap) return true;
  return std::min(counted_[0], counted_[1]) >= params_.sample_accesses;
}

void DynamicOrganisation::advance(Cycle now, std::uint64_t stores_in_flight) {
  if (!due(now) || (params_.wait_for_own_stores && stores_in_flight != 0)) return;
  if (restarts_ || phase() != Phase::sampling)
    start(Phase::sampling, now);
  else
    start(decides_for_shared() ? Phase::executes_shared : Phase::executes_private, now);
}

bool DynamicOrganisation::decides_for_shared() const {
  const SampleGroup even = groups_[0].read(params_.merge_is_miss), odd = groups_[1].read(params_.merge_is_miss);
  if (even.own.accesses == 0 || counted_[1] == 0) return false;  // SL-17
  const auto wins = [this](double higher, double lower) {
    return higher > lower || (params_.tie == MetricTie::shared_mode && higher == lower);
  };
  const LookupCounts alone_or_all = params_.incoming_in_private_group ? groups_[0].own + groups_[0].incoming : groups_[0].own;
  const LookupCounts checked = alone_or_all.read(params_.check_merge_is_miss);
  if (params_.miss_rate_check && checked.misses * 100 < params_.miss_rate_threshold_percent * checked.accesses) return false;
  if (metric_ == OrganisationMetric::amat) {
    if (odd.own.accesses + odd.own_remote == 0) return false;
    SampleGroup alone = even;
    alone.own_remote = 0;
    return wins(amat(alone, latencies()), amat(odd, latencies()));
  }
  return wins(eb_shared(odd, params_.eb_scope, params_.eb_direct_replies), eb_private(even, params_.incoming_in_private_group));
}

AmatLatencies DynamicOrganisation::latencies() const {
  const AmatLatencies constant{static_cast<double>(params_.amat_hit_cycles), static_cast<double>(params_.amat_home_cycles),
                               static_cast<double>(params_.amat_l2_cycles)};
  if (params_.amat_latency == AmatLatency::constant) return constant;
  const double hit = hit_.or_else(constant.hit);
  const auto beyond_hit = [hit](const Mean& mean, double otherwise) {
    return mean.count == 0 ? otherwise : std::max(0.0, mean.or_else(0.0) - hit);
  };
  return {hit, beyond_hit(home_, constant.home), beyond_hit(l2_, constant.l2)};
}

void DynamicOrganisation::archive(Archive& file) {
  file(shared_, over_at_, groups_, hit_, home_, l2_, own_accesses_, counted_, restarts_, phases_);
}

}  // namespace wharf
