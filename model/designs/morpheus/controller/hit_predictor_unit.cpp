#include "model/designs/morpheus/controller/hit_predictor_unit.h"

#include <cstring>

#include "model/base/archive.h"

namespace wharf {

namespace {

PredictorWord word_of(const unsigned char* data, unsigned length) {
  PredictorWord word;
  if (length != sizeof(word)) throw SimulationError("a hit predictor is queried with a PredictorWord");
  std::memcpy(&word, data, sizeof(word));
  return word;
}

}  // namespace

HitPredictorUnit::HitPredictorUnit(sc_core::sc_module_name name, const MakePolicy& make, unsigned partition, ClockDomain& clock,
                                   stats::Registry& registry)
    : sc_module(name),
      clock_(clock),
      policy_(make()),
      group_(registry, "hit_predictor", static_cast<int>(partition)),
      updates_(group_, "updates", "lines used or inserted by operations", stats::Unit::count),
      swaps_(group_, "swaps", "times that a set's predictor dropped lines that the set can no longer hold", stats::Unit::count),
      port_("port", *this, 0) {}

void HitPredictorUnit::read(unsigned, Address address, unsigned char* data, unsigned length) {
  PredictorWord word = word_of(data, length);
  word.hit = policy_->predict_hit({word.row, word.tag, LineAddress::of(address)});
  std::memcpy(data, &word, sizeof(word));
}

void HitPredictorUnit::write(unsigned, Address address, const unsigned char* data, unsigned length) {
  const PredictorWord word = word_of(data, length);
  pending_.push_back({{word.row, word.tag, LineAddress::of(address)}, word.all_touched});
  clock_.request_commit(*this);
}

void HitPredictorUnit::commit() {
  for (const Update& update : pending_) {
    ++updates_;
    if (policy_->accessed(update.block, update.all_touched)) ++swaps_;
  }
  pending_.clear();
}

bool HitPredictorUnit::archive(Archive& file) {
  file.expect_quiet(pending_.empty(), group_.path());
  return policy_->archive(file);
}

}  // namespace wharf
