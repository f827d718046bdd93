#pragma once
// The prediction of L2 access counts in an SM's load/store unit (loscache sections 4.1, 5 and 7): a table of pcs, and the phases of a
// kernel. In PREDICT one CTA, the predictor, goes first; each pc of it that reaches L2 leaves a block there as its example. In TRANSFER
// the SM asks L2 how often each block has been accessed. From then on every request carries the count of its pc, raised by the pc's
// threshold, and a reply that says the line had been given up too early raises that threshold.
//
// What comes from outside (an access of this SM has left for L2, an answer) is posted with the cycle in which it is seen, and takes effect
// in advance(), in order of those cycles and of accesses: who was called first in a cycle does not matter.
//
// Not modelled: the table's cycle of access, which address generation hides; its ports.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/access.h"
#include "model/base/rng.h"
#include "model/base/stats/stats.h"
#include "model/sm/prediction_params.h"

namespace wharf {

/// Predictors' accesses of all SMs, where the period is the GPU's (period_scope: gpu). What is added is seen when it has been committed.
class PredictionPeriod {
 public:
  explicit PredictionPeriod(std::uint32_t accesses) : limit_(accesses) {}
  void add() { ++added_; }
  void kernel_ended() { counted_ = added_ = 0; }
  /// True where the period has ended by this.
  bool commit() {
    const bool before = over();
    counted_ = added_;
    return over() && !before;
  }
  bool over() const { return counted_ >= limit_; }

 private:
  std::uint64_t limit_, added_ = 0, counted_ = 0;
};

class PredictionUnit {
 public:
  enum class Phase : std::uint8_t { idle, predict, transfer, normal };

  struct Entry {
    std::uint32_t pc = 0;
    bool known = false;          // L2 has said the count, and there is one
    std::uint8_t count = 0;      // P
    std::uint8_t threshold = 0;  // T
    LineAddress block;           // the pc's example
  };

  struct Counters {
    explicit Counters(stats::Group& group);
    stats::Counter table_accesses, distinct_pcs, left_out;
    stats::Counter predict_cycles, transfer_cycles, normal_cycles, predict_accesses;
    stats::Counter ended_by_accesses, ended_by_cta, ended_by_kernel;
    stats::Counter l2_accesses, l2_accesses_predict, l2_accesses_transfer;
    stats::Counter probes, present, absent, mispredicts, raises;
    std::array<stats::Counter, PredictionParams::kMostThreshold + 1> thresholds;
  };

  /// `group`: of the SM. `period` may be null: the SM's own.
  PredictionUnit(const PredictionParams& params, stats::Group& group, unsigned sm, std::uint64_t seed, PredictionPeriod* period = nullptr);

  /// A CTA has come. True where it is the predictor from now on: one drawn among those that come cycle by cycle from the kernel's first on,
  /// which is when the front end fills the SM.
  bool cta_launched(std::uint64_t cta, Cycle now);
  void cta_ended(std::uint64_t cta, Cycle now);
  /// Nothing of the kernel is in flight any more.
  void kernel_ended(Cycle now);
  bool predicting() const { return phase_ == Phase::predict; }
  Phase phase() const { return phase_; }

  /// What the request carries for the access: P + T of its pc and at least 1, or 0 where there is no prediction.
  std::uint8_t predict(const Access& access);

  /// The next block to ask L2 for; false where there is none. Then `entry` of take_probe() goes with the probe and comes with its answer.
  bool probe_waits() const { return phase_ == Phase::transfer && asked_ < table_.size(); }
  std::uint32_t take_probe() { return asked_++; }
  const Entry& entry(std::uint32_t index) const { return table_[index]; }

  /// Whether sent_to_l2() matters now.
  bool listens() const { return phase_ == Phase::predict || phase_ == Phase::transfer; }
  /// `access`, of this SM, has left for L2; seen at `cycle`.
  void sent_to_l2(const Access& access, Cycle cycle) { post({cycle, access.id, What::sent, access}); }
  void count_sent() { ++counters_.l2_accesses; }
  /// A reply says that the prediction of `access` was too small.
  void mispredicted(const Access& access, Cycle cycle) { post({cycle, access.id, What::mispredict, access}); }
  /// L2 has answered `probe`, whose access has the entry as its slot.
  void answered(const Access& probe, std::uint16_t count, Cycle cycle) { post({cycle, probe.id, What::answer, probe, count}); }
  /// What is posted up to `now` takes effect.
  void advance(Cycle now);
  /// When it has to be called again; kNever where nothing is posted.
  Cycle next_event() const { return next_; }

  const std::vector<Entry>& table() const { return table_; }
  const Counters& counters() const { return counters_; }
  /// Entries with a count that had this threshold at the ends of kernels.
  std::uint64_t entries_with(std::size_t threshold) const { return counters_.thresholds[threshold].value(); }
  /// Mispredict replies by pc, of the whole run.
  const std::vector<std::pair<std::uint32_t, std::uint64_t>>& mispredicts() const { return mispredicts_; }

 private:
  enum class What : std::uint8_t { sent, mispredict, answer };
  struct Posted {
    Cycle cycle;
    std::uint64_t id;
    What what;
    Access access;
    std::uint16_t count = 0;
  };
  void post(const Posted& posted);
  void take_posted(Cycle until, Cycle now);
  void take(const Posted& posted, Cycle now);
  void sent(const Access& access, Cycle now);
  void raise(std::uint32_t pc);
  void note_mispredict(std::uint32_t pc);
  void end_prediction(stats::Counter& reason, Cycle now);
  void enter(Phase phase, Cycle now);
  void clear();
  Entry* find(std::uint32_t pc);

  const PredictionParams params_;
  PredictionPeriod* period_;
  Counters counters_;
  Rng choice_, random_;
  Phase phase_ = Phase::idle;
  Cycle since_ = 0;                // of the phase
  std::uint64_t predictor_ = 0;    // CTA
  std::uint64_t candidates_ = 0;   // CTAs that it was drawn from
  Cycle drawn_at_ = 0;
  std::uint32_t counted_ = 0;      // accesses of the predictor to L2
  std::vector<Entry> table_;
  std::size_t last_ = 0;           // the entry last found: accesses of one instruction ask for it again
  std::uint32_t asked_ = 0, answers_ = 0;
  std::vector<Posted> posted_, due_;
  Cycle next_ = kNever;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> mispredicts_;
};

}  // namespace wharf
