#pragma once
// Replacement by re-reference interval prediction: each line has a number that predicts how late it is used again. A hit predicts immediate
// reuse, and the line with the latest predicted reuse is evicted.
//   srrip, drrip: Jaleel et al., "High Performance Cache Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010
//   ship:         Wu et al., "SHiP: Signature-based Hit Predictor for High Performance Caching", MICRO 2011
// Not modelled: the storage that the predictions need.

#include <cstdint>
#include <memory>
#include <vector>

#include "policies/replacement/replacement.h"

namespace wharf {

/// The predictions of all lines, and their ageing. Asking for a victim changes nothing, so lines age when the victim is replaced.
class Rrip : public AddedReplacement {
 public:
  /// Argument `bits`, 1..8: width of a prediction.
  explicit Rrip(const ReplacementOptions& options);

  void touch(std::uint32_t set, std::uint32_t way, const Access& access) override;
  void fill(std::uint32_t set, std::uint32_t way, const Access& access) override;
  int victim(std::uint32_t set, const EligibleWays& eligible, const Access& access) const override;
  void remove(std::uint32_t set, std::uint32_t way) override;
  bool archive(Archive& file) override;

 protected:
  /// The prediction for a new line: intermediate() or distant().
  virtual std::uint8_t insertion(std::uint32_t set, const Access& access) = 0;

  std::uint8_t distant() const { return distant_; }
  std::uint8_t intermediate() const { return static_cast<std::uint8_t>(distant_ - 1); }
  std::size_t index_of(std::uint32_t set, std::uint32_t way) const { return std::size_t{set} * ways_ + way; }

 private:
  std::uint32_t ways_;
  std::uint8_t distant_;                   // the prediction of a line to be evicted next
  std::vector<std::uint8_t> predictions_;  // [set][way]
};

/// New lines get an intermediate prediction, so that scans do not evict lines that are reused.
class Srrip final : public Rrip {
 public:
  using Rrip::Rrip;

 private:
  std::uint8_t insertion(std::uint32_t, const Access&) override { return intermediate(); }
};

/// Uses SRRIP or bimodal insertion (distant except for one line in `one_in`), whichever misses less in the sets that always use it.
class Drrip final : public Rrip {
 public:
  /// Arguments: `leaders`, the leader sets of each kind, fewer in a small cache, where half of the sets follow; `selector_bits`; `one_in`.
  explicit Drrip(const ReplacementOptions& options);

  bool archive(Archive& file) override;

 private:
  std::uint8_t insertion(std::uint32_t set, const Access& access) override;

  std::uint32_t constituency_;     // distance between leaders of a kind; 1: SRRIP alone
  std::uint32_t selector_, most_;  // counts misses of SRRIP's leaders up, and those of bimodal leaders down
  std::uint32_t one_in_, bimodal_fills_ = 0;
};

/// SHiP-PC: the signature of a line is the pc of the load that brings it in. A new line gets a distant prediction if lines of its signature
/// were not reused.
class Ship final : public Rrip {
 public:
  /// Arguments: `entries`, the number of signature counters, a power of two; `counter_bits`.
  explicit Ship(const ReplacementOptions& options);

  void touch(std::uint32_t set, std::uint32_t way, const Access& access) override;
  void fill(std::uint32_t set, std::uint32_t way, const Access& access) override;
  void remove(std::uint32_t set, std::uint32_t way) override;
  bool archive(Archive& file) override;

 private:
  std::uint8_t insertion(std::uint32_t set, const Access& access) override;
  std::uint32_t signature_of(const Access& access) const;

  struct Outcome {
    std::uint32_t signature = 0;
    bool present = false, reused = false;
  };
  std::vector<Outcome> outcomes_;       // [set][way]
  std::vector<std::uint8_t> counters_;  // [signature]: its lines that were reused, less those that were not
  std::uint8_t most_;
};

std::unique_ptr<AddedReplacement> make_srrip(const ReplacementOptions& options);
std::unique_ptr<AddedReplacement> make_drrip(const ReplacementOptions& options);
std::unique_ptr<AddedReplacement> make_ship(const ReplacementOptions& options);

}  // namespace wharf
