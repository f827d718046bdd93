#include "policies/replacement/rrip.h"

#include <algorithm>

#include "model/base/archive.h"
#include "model/base/rng.h"

namespace wharf {

Rrip::Rrip(const ReplacementOptions& options)
    : ways_(options.ways),
      distant_(static_cast<std::uint8_t>((1 << options.arguments("bits")) - 1)),
      predictions_(std::size_t{options.sets} * options.ways, distant_) {}

void Rrip::touch(std::uint32_t set, std::uint32_t way, const Access&) { predictions_[index_of(set, way)] = 0; }

void Rrip::fill(std::uint32_t set, std::uint32_t way, const Access& access) {
  std::uint8_t* const predictions = &predictions_[index_of(set, 0)];
  const int age = distant_ - predictions[way];
  for (std::uint32_t w = 0; w < ways_; ++w) predictions[w] = static_cast<std::uint8_t>(std::min<int>(distant_, predictions[w] + age));
  predictions[way] = insertion(set, access);
}

int Rrip::victim(std::uint32_t set, const EligibleWays& eligible, const Access&) const {
  const std::uint8_t* const predictions = &predictions_[index_of(set, 0)];
  int victim = Replacement::kNone;
  for (std::uint32_t way = 0; way < ways_; ++way)
    if ((victim < 0 || predictions[way] > predictions[victim]) && eligible(way)) victim = static_cast<int>(way);
  return victim;
}

/// Marks the way as distant, so that filling it ages no other line.
void Rrip::remove(std::uint32_t set, std::uint32_t way) { predictions_[index_of(set, way)] = distant_; }

Drrip::Drrip(const ReplacementOptions& options)
    : Rrip(options),
      constituency_(std::max(options.sets / static_cast<std::uint32_t>(options.arguments("leaders")), std::min(options.sets, 4u))),
      selector_(1u << (options.arguments("selector_bits") - 1)),
      most_((1u << options.arguments("selector_bits")) - 1),
      one_in_(static_cast<std::uint32_t>(options.arguments("one_in"))) {}

/// Called for a miss. The first set of a constituency leads for SRRIP, and the last one for bimodal insertion.
std::uint8_t Drrip::insertion(std::uint32_t set, const Access&) {
  const std::uint32_t place = set % constituency_;
  bool bimodal = selector_ > most_ / 2 + 1;
  if (constituency_ == 1) {
    bimodal = false;
  } else if (place == 0) {
    bimodal = false;
    if (selector_ < most_) ++selector_;
  } else if (place == constituency_ - 1) {
    bimodal = true;
    if (selector_ > 0) --selector_;
  }
  if (!bimodal) return intermediate();
  return ++bimodal_fills_ % one_in_ == 0 ? intermediate() : distant();
}

Ship::Ship(const ReplacementOptions& options)
    : Rrip(options),
      outcomes_(std::size_t{options.sets} * options.ways),
      counters_(static_cast<std::size_t>(options.arguments("entries")), 1),
      most_(static_cast<std::uint8_t>((1 << options.arguments("counter_bits")) - 1)) {}

std::uint32_t Ship::signature_of(const Access& access) const {
  return static_cast<std::uint32_t>(SplitMix64(access.pc).next() % counters_.size());
}

void Ship::touch(std::uint32_t set, std::uint32_t way, const Access& access) {
  Rrip::touch(set, way, access);
  Outcome& outcome = outcomes_[index_of(set, way)];
  outcome.reused = true;
  std::uint8_t& counter = counters_[outcome.signature];
  if (counter < most_) ++counter;
}

void Ship::fill(std::uint32_t set, std::uint32_t way, const Access& access) {
  Outcome& outcome = outcomes_[index_of(set, way)];
  if (outcome.present && !outcome.reused && counters_[outcome.signature] > 0) --counters_[outcome.signature];
  outcome = {signature_of(access), true, false};
  Rrip::fill(set, way, access);
}

/// An invalidation does not show whether the line would have been reused.
void Ship::remove(std::uint32_t set, std::uint32_t way) {
  Rrip::remove(set, way);
  outcomes_[index_of(set, way)].present = false;
}

std::uint8_t Ship::insertion(std::uint32_t, const Access& access) {
  return counters_[signature_of(access)] == 0 ? distant() : intermediate();
}

bool Rrip::archive(Archive& file) {
  file.elements(predictions_);
  return true;
}

bool Drrip::archive(Archive& file) {
  file(selector_, bimodal_fills_);
  return Rrip::archive(file);
}

bool Ship::archive(Archive& file) {
  file.elements(outcomes_);
  file.elements(counters_);
  return Rrip::archive(file);
}

std::unique_ptr<AddedReplacement> make_srrip(const ReplacementOptions& options) { return std::make_unique<Srrip>(options); }
std::unique_ptr<AddedReplacement> make_drrip(const ReplacementOptions& options) { return std::make_unique<Drrip>(options); }
std::unique_ptr<AddedReplacement> make_ship(const ReplacementOptions& options) { return std::make_unique<Ship>(options); }

}  // namespace wharf
