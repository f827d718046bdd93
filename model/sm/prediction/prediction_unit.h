#pragma once
// The L2 access-count prediction in an SM's load/store unit (loscache sections 4.1, 5 and 7): a table of pcs, and the phases of a kernel.
// In PREDICT, one CTA, the predictor, runs first, and each of its pcs that reaches L2 leaves a line there as its example. In TRANSFER, the
// SM asks L2 how often each example has been accessed. From then on every request carries the count of its pc plus the pc's threshold. A
// reply that reports that the line was given up too early raises the threshold.
//
// External events (an access of this SM leaves for L2, an answer arrives) are posted with the cycle in which they become visible. advance()
// applies them in order of cycle and access, so the order of calls within a cycle does not matter.
//
// Not modelled: the table's access cycle, which address generation hides, and its ports.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/access.h"
#include "model/base/rng.h"
#include "model/base/stats/stats.h"
#include "model/sm/prediction/prediction_params.h"

namespace wharf {

/// L2 accesses of the predictor CTAs of all SMs, if the GPU shares one period (period_scope: gpu). Additions become visible at commit.
class PredictionPeriod {
 public:
  explicit PredictionPeriod(std::uint32_t accesses) : limit_(accesses) {}
  void add() { ++added_; }
  void kernel_ended() { counted_ = added_ = 0; }
  /// Publishes the additions; returns true if they end the period.
  bool commit() {
    const bool before = over();
    counted_ = added_;
    return over() && !before;
  }
  bool over() const { return counted_ >= limit_; }
  /// Nothing has been counted, as between kernels.
  bool idle() const { return added_ == 0 && counted_ == 0; }

 private:
  std::uint64_t limit_, added_ = 0, counted_ = 0;
};

class PredictionUnit {
 public:
  enum class Phase : std::uint8_t { idle, predict, transfer, normal };

  struct Entry {
    std::uint32_t pc = 0;
    bool known = false;          // L2 has reported the count, which gives a prediction
    std::uint8_t count = 0;      // P
    std::uint8_t threshold = 0;  // T
    LineAddress block;           // the example of the pc: a line in L2
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

  /// `group` is that of the SM. `period` is null if the SM has its own.
  PredictionUnit(const PredictionParams& params, stats::Group& group, unsigned sm, std::uint64_t seed, PredictionPeriod* period = nullptr);

  /// A CTA has been launched. Returns true if it becomes the predictor. The predictor is drawn at random among the CTAs that arrive in
  /// consecutive cycles from the kernel's first CTA on, while the front end fills the SM.
  bool cta_launched(std::uint64_t cta, Cycle now);
  void cta_ended(std::uint64_t cta, Cycle now);
  /// Called at the end of a kernel, when nothing of it is in flight.
  void kernel_ended(Cycle now);
  bool predicting() const { return phase_ == Phase::predict; }
  Phase phase() const { return phase_; }

  /// The count that the request for `access` carries: P + T of its pc, at least 1; 0 if there is no prediction.
  std::uint8_t predict(const Access& access);

  /// True while an example has not been probed. next_probe() returns the number of its entry, which travels with the probe and returns with
  /// the answer.
  bool probe_waits() const { return phase_ == Phase::transfer && asked_ < table_.size(); }
  std::uint32_t next_probe() { return asked_++; }
  const Entry& entry(std::uint32_t index) const { return table_[index]; }

  /// True in the phases in which sent_to_l2() has an effect.
  bool listens() const { return phase_ == Phase::predict || phase_ == Phase::transfer; }
  /// `access`, of this SM, has left for L2; this becomes visible in `cycle`.
  void sent_to_l2(const Access& access, Cycle cycle) { post({cycle, access.id, What::sent, access}); }
  void count_sent() { ++counters_.l2_accesses; }
  /// A reply reports that the prediction of `access` was too small.
  void mispredicted(const Access& access, Cycle cycle) { post({cycle, access.id, What::mispredict, access}); }
  /// L2 has answered `probe`, whose `slot` names the entry.
  void answered(const Access& probe, std::uint16_t count, Cycle cycle) { post({cycle, probe.id, What::answer, probe, count}); }
  /// Applies the events posted up to `now`.
  void advance(Cycle now);
  /// The cycle in which advance() must be called next; kNever if nothing is posted.
  Cycle next_event() const { return next_; }
  /// Called between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.expect_quiet(phase_ == Phase::idle && posted_.empty(), "a prediction phase");
    file(choice_, random_, table_, mispredicts_);
  }

  const std::vector<Entry>& table() const { return table_; }
  const Counters& counters() const { return counters_; }
  /// Entries with a count that had this threshold, summed over the ends of kernels.
  std::uint64_t entries_with(std::size_t threshold) const { return counters_.thresholds[threshold].value(); }
  /// Mispredict replies by pc, over the whole run.
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
  void apply_posted(Cycle until, Cycle now);
  void handle(const Posted& posted, Cycle now);
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
  Cycle since_ = 0;               // start of the phase
  std::uint64_t predictor_ = 0;   // CTA
  std::uint64_t candidates_ = 0;  // number of CTAs in the draw
  Cycle drawn_at_ = 0;
  std::uint32_t counted_ = 0;  // L2 accesses of the predictor
  std::vector<Entry> table_;
  std::size_t last_ = 0;  // the entry found last: accesses of one instruction search for the same pc
  std::uint32_t asked_ = 0, answers_ = 0;
  std::vector<Posted> posted_, due_;
  Cycle next_ = kNever;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> mispredicts_;
};

}  // namespace wharf
