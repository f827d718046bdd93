#pragma once
// Replacement by re-reference interval prediction: a number a line predicts how late it is used again, a hit predicts at once, and the
// line that is predicted last gives way.
//   srrip, drrip: Jaleel et al., "High Performance Cache Replacement Using Re-Reference Interval Prediction (RRIP)", ISCA 2010
//   ship:         Wu et al., "SHiP: Signature-based Hit Predictor for High Performance Caching", MICRO 2011
// Not modelled: the storage that the predictions need.

#include <cstdint>
#include <memory>
#include <vector>

#include "policies/replacement/replacement.h"

namespace wharf {

/// Predictions of every line, and ageing. A question for a victim changes nothing, so lines age when the victim has gone.
class Rrip : public AddedReplacement {
 public:
  /// Argument `bits`, 1..8: width of a prediction.
  explicit Rrip(const ReplacementOptions& options);

  void touch(std::uint32_t set, std::uint32_t way, const Access& access) override;
  void fill(std::uint32_t set, std::uint32_t way, const Access& access) override;
  int victim(std::uint32_t set, const EligibleWays& eligible, const Access& access) const override;
  void remove(std::uint32_t set, std::uint32_t way) override;

 protected:
  /// The prediction of a line that comes in: intermediate() or distant().
  virtual std::uint8_t insertion(std::uint32_t set, const Access& access) = 0;

  std::uint8_t distant() const { return distant_; }
  std::uint8_t intermediate() const { return static_cast<std::uint8_t>(distant_ - 1); }
  std::size_t index_of(std::uint32_t set, std::uint32_t way) const { return std::size_t{set} * ways_ + way; }

 private:
  std::uint32_t ways_;
  std::uint8_t distant_;                   // the prediction of a line that goes next
  std::vector<std::uint8_t> predictions_;  // [set][way]
};

/// Lines come in with an intermediate prediction: scans pass without pushing out what is used again.
class Srrip final : public Rrip {
 public:
  using Rrip::Rrip;

 private:
  std::uint8_t insertion(std::uint32_t, const Access&) override { return intermediate(); }
};

/// SRRIP or bimodal insertion (distant but for one line in `one_in`), whichever misses less in the sets that always use one of them.
class Drrip final : public Rrip {
 public:
  /// Arguments `leaders`: sets that lead for each of the two, fewer in a small cache, where half of the sets follow; `selector_bits`;
  /// `one_in`.
  explicit Drrip(const ReplacementOptions& options);

 private:
  std::uint8_t insertion(std::uint32_t set, const Access& access) override;

  std::uint32_t constituency_;    // sets from one leader of a kind to the next; 1: SRRIP alone
  std::uint32_t selector_, most_; // counts the misses of SRRIP's leaders up and those of the bimodal ones down
  std::uint32_t one_in_, bimodal_fills_ = 0;
};

/// Lines whose signature, the pc of the load that brings them in, was not used again while others of it were here, come in with a distant
/// prediction (SHiP-PC).
class Ship final : public Rrip {
 public:
  /// Arguments `entries`: counters of signatures, a power of two; `counter_bits`.
  explicit Ship(const ReplacementOptions& options);

  void touch(std::uint32_t set, std::uint32_t way, const Access& access) override;
  void fill(std::uint32_t set, std::uint32_t way, const Access& access) override;
  void remove(std::uint32_t set, std::uint32_t way) override;

 private:
  std::uint8_t insertion(std::uint32_t set, const Access& access) override;
  std::uint32_t signature_of(const Access& access) const;

  struct Outcome {
    std::uint32_t signature = 0;
    bool present = false, reused = false;
  };
  std::vector<Outcome> outcomes_;       // [set][way]
  std::vector<std::uint8_t> counters_;  // [signature]: lines of it that were used again, less those that were not
  std::uint8_t most_;
};

std::unique_ptr<AddedReplacement> make_srrip(const ReplacementOptions& options);
std::unique_ptr<AddedReplacement> make_drrip(const ReplacementOptions& options);
std::unique_ptr<AddedReplacement> make_ship(const ReplacementOptions& options);

}  // namespace wharf
