#include <algorithm>

#include "model/sm/prediction/prediction_unit.h"

namespace wharf {

namespace {

constexpr std::uint64_t kChoiceStream = 0x10, kRandomStream = 0x11;
constexpr std::uint64_t kMostRandom = 6;  // random predictions are small, because most counts are

std::uint64_t stream_of(std::uint64_t user, unsigned sm) { return user << 32 | sm; }

/// True for accesses that the table may predict. Instruction, texture and constant traffic has no entry (loscache section 5.4).
bool has_pc(const Access& access) {
  return access.kind == AccessKind::load || access.kind == AccessKind::store || access.kind == AccessKind::atomic;
}

}  // namespace

PredictionUnit::Counters::Counters(stats::Group& g)
    : table_accesses(g, "prediction_table.accesses", "searches and writes of the prediction table", stats::Unit::accesses),
      distinct_pcs(g, "prediction_table.pcs", "pcs that got an entry, summed over prediction phases", stats::Unit::count),
      left_out(g, "prediction_table.left_out", "accesses of predictor CTAs whose pc found the table full", stats::Unit::accesses),
      predict_cycles(g, "phase.predict.cycles", "cycles in PREDICT", stats::Unit::cycles),
      transfer_cycles(g, "phase.transfer.cycles", "cycles in TRANSFER", stats::Unit::cycles),
      normal_cycles(g, "phase.normal.cycles", "cycles in NORMAL", stats::Unit::cycles),
      predict_accesses(g, "phase.predict.accesses", "accesses of predictor CTAs to L2 in PREDICT", stats::Unit::accesses),
      ended_by_accesses(g, "phase.predict.ended_by_accesses", "prediction phases that ended with their accesses", stats::Unit::count),
      ended_by_cta(g, "phase.predict.ended_by_cta", "prediction phases that ended with their CTA", stats::Unit::count),
      ended_by_kernel(g, "phase.predict.ended_by_kernel", "prediction phases that ended with their kernel", stats::Unit::count),
      l2_accesses(g, "prediction.l2_accesses", "accesses sent to L2", stats::Unit::accesses),
      l2_accesses_predict(g, "prediction.l2_accesses.predict", "accesses sent to L2 in PREDICT", stats::Unit::accesses),
      l2_accesses_transfer(g, "prediction.l2_accesses.transfer", "accesses sent to L2 in TRANSFER", stats::Unit::accesses),
      probes(g, "prediction.probes", "count probes answered", stats::Unit::accesses),
      present(g, "prediction.probes.present", "count probes that returned a count", stats::Unit::accesses),
      absent(g, "prediction.probes.absent", "count probes whose block was not in L2: a count of 0", stats::Unit::accesses),
      mispredicts(g, "prediction.mispredicts", "replies that report a prediction that was too small", stats::Unit::accesses),
      raises(g, "prediction.raises", "thresholds raised", stats::Unit::count),
      thresholds{{{g, "prediction.threshold.0", "entries with a count and threshold 0 at the end of kernels", stats::Unit::count},
                  {g, "prediction.threshold.1", "entries with a count and threshold 1 at the end of kernels", stats::Unit::count},
                  {g, "prediction.threshold.2", "entries with a count and threshold 2 at the end of kernels", stats::Unit::count},
                  {g, "prediction.threshold.3", "entries with a count and threshold 3 at the end of kernels", stats::Unit::count}}} {
  g.law("prediction.probes == prediction.probes.present + prediction.probes.absent",
        [this] { return probes.value() == present.value() + absent.value(); });
}

PredictionUnit::PredictionUnit(const PredictionParams& params, stats::Group& group, unsigned sm, std::uint64_t seed,
                               PredictionPeriod* period)
    : params_(params),
      period_(period),
      counters_(group),
      choice_(seed, stream_of(kChoiceStream, sm)),
      random_(seed, stream_of(kRandomStream, sm)) {
  table_.reserve(params.entries);
}

// ---- phases

bool PredictionUnit::cta_launched(std::uint64_t cta, Cycle now) {
  if (!params_.has_phases()) return false;
  if (phase_ == Phase::idle) {
    if (params_.reuse_table_across_launches && !table_.empty()) {
      enter(Phase::normal, now);
      return false;
    }
    clear();
    candidates_ = 0;
    enter(Phase::predict, now);
  } else if (phase_ != Phase::predict || now != drawn_at_ + 1) {
    return false;
  }
  drawn_at_ = now;
  if (choice_.below(++candidates_) != 0) return false;
  predictor_ = cta;
  clear();
  return true;
}

void PredictionUnit::cta_ended(std::uint64_t cta, Cycle now) {
  if (phase_ == Phase::predict && cta == predictor_) end_prediction(counters_.ended_by_cta, now);
}

void PredictionUnit::kernel_ended(Cycle now) {
  apply_posted(kNever, now);  // including events that would become visible in the next cycle
  if (phase_ == Phase::predict) ++counters_.ended_by_kernel;
  for (const Entry& entry : table_)
    if (entry.known) ++counters_.thresholds[entry.threshold];
  enter(Phase::idle, now);
}

void PredictionUnit::clear() {
  table_.clear();
  last_ = 0;
  counted_ = asked_ = answers_ = 0;
}

void PredictionUnit::end_prediction(stats::Counter& reason, Cycle now) {
  ++reason;
  enter(Phase::transfer, now);
  if (params_.source == PredictionSource::nowhere || table_.empty()) enter(Phase::normal, now);
}

void PredictionUnit::enter(Phase phase, Cycle now) {
  stats::Counter* const cycles[] = {nullptr, &counters_.predict_cycles, &counters_.transfer_cycles, &counters_.normal_cycles};
  if (phase_ != Phase::idle) *cycles[static_cast<unsigned>(phase_)] += now - since_;
  phase_ = phase;
  since_ = now;
}

// ---- the table

PredictionUnit::Entry* PredictionUnit::find(std::uint32_t pc) {
  if (last_ < table_.size() && table_[last_].pc == pc) return &table_[last_];
  for (std::size_t i = 0; i < table_.size(); ++i)
    if (table_[i].pc == pc) {
      last_ = i;
      return &table_[i];
    }
  return nullptr;
}

std::uint8_t PredictionUnit::predict(const Access& access) {
  if (!has_pc(access)) return 0;
  if (params_.source == PredictionSource::fixed) return static_cast<std::uint8_t>(params_.fixed_count);
  if (params_.source == PredictionSource::random) return static_cast<std::uint8_t>(random_.below(kMostRandom + 1));
  if (phase_ != Phase::transfer && phase_ != Phase::normal) return 0;
  ++counters_.table_accesses;
  const Entry* entry = find(access.pc);
  if (entry == nullptr || !entry->known) return 0;
  return static_cast<std::uint8_t>(std::clamp<unsigned>(entry->count + entry->threshold, 1, PredictionParams::kMostCounted));
}

void PredictionUnit::sent(const Access& access, Cycle now) {
  if (phase_ == Phase::transfer) ++counters_.l2_accesses_transfer;
  if (phase_ != Phase::predict) return;
  ++counters_.l2_accesses_predict;
  if (access.cta != predictor_ || !has_pc(access)) return;
  ++counters_.predict_accesses;
  ++counters_.table_accesses;
  if (find(access.pc) == nullptr) {
    if (table_.size() < params_.entries) {
      table_.push_back({access.pc, false, 0, 0, access.line});
      ++counters_.distinct_pcs;
    } else {
      ++counters_.left_out;
    }
  }
  if (period_ != nullptr)
    period_->add();
  else if (++counted_ >= params_.period_accesses)
    end_prediction(counters_.ended_by_accesses, now);
}

void PredictionUnit::raise(std::uint32_t pc) {
  ++counters_.mispredicts;
  note_mispredict(pc);
  if (params_.scheme != PredictionScheme::adaptive) return;
  Entry* entry = find(pc);
  if (entry == nullptr || entry->threshold >= params_.threshold_max) return;
  ++entry->threshold;
  ++counters_.raises;
  ++counters_.table_accesses;
}

void PredictionUnit::note_mispredict(std::uint32_t pc) {
  for (auto& [known, times] : mispredicts_)
    if (known == pc) {
      ++times;
      return;
    }
  mispredicts_.emplace_back(pc, 1);
}

// ---- events from outside

void PredictionUnit::post(const Posted& posted) {
  posted_.push_back(posted);
  next_ = std::min(next_, posted.cycle);
}

void PredictionUnit::advance(Cycle now) {
  if (period_ != nullptr && phase_ == Phase::predict && period_->over()) end_prediction(counters_.ended_by_accesses, now);
  if (next_ <= now) apply_posted(now, now);
}

void PredictionUnit::apply_posted(Cycle until, Cycle now) {
  due_.clear();
  next_ = kNever;
  std::size_t kept = 0;
  for (const Posted& posted : posted_) {
    if (posted.cycle <= until) {
      due_.push_back(posted);
    } else {
      next_ = std::min(next_, posted.cycle);
      posted_[kept++] = posted;
    }
  }
  posted_.erase(posted_.begin() + static_cast<std::ptrdiff_t>(kept), posted_.end());
  std::sort(due_.begin(), due_.end(), [](const Posted& a, const Posted& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.id != b.id ? a.id < b.id : a.what < b.what;
  });
  for (const Posted& posted : due_) handle(posted, now);
}

void PredictionUnit::handle(const Posted& posted, Cycle now) {
  switch (posted.what) {
    case What::sent:
      sent(posted.access, now);
      break;
    case What::mispredict:
      raise(posted.access.pc);
      break;
    case What::answer:
      ++counters_.probes;
      ++(posted.count != 0 ? counters_.present : counters_.absent);
      ++counters_.table_accesses;
      table_[posted.access.slot].count = static_cast<std::uint8_t>(posted.count);
      table_[posted.access.slot].known = posted.count != 0 || params_.absent_example == AbsentExample::one;
      if (++answers_ == table_.size()) enter(Phase::normal, now);
      break;
  }
}

}  // namespace wharf
