#include "policies/catalogue.h"

#include "model/base/bits.h"
#include "policies/hit_predictor/bloom.h"
#include "policies/hit_predictor/fixed.h"
#include "policies/hit_predictor/hit_predictor.h"

namespace wharf {
namespace {

constexpr std::uint32_t kMostBytes = 4096;

std::unique_ptr<HitPredictor> make_none(const HitPredictorOptions&) { return std::make_unique<NoHitPrediction>(); }

std::unique_ptr<HitPredictor> make_bloom(const HitPredictorOptions& options) {
  const BloomParams& params = options.bloom;
  if (params.bytes > kMostBytes || !is_power_of_two(params.bytes))
    throw InputError("the hit predictor bloom needs filters of 1, 2, 4 ... 4096 bytes");
  if (params.hashes == 0 || params.hashes > BloomHitPredictor::kMostHashes) throw InputError("the hit predictor bloom has 1 to 4 hashes");
  return std::make_unique<BloomHitPredictor>(params, options.associativity);
}

std::unique_ptr<HitPredictor> make_perfect(const HitPredictorOptions& options) {
  if (!options.resident) throw InputError("the hit predictor perfect is not connected to the sets' contents");
  return std::make_unique<PerfectHitPrediction>(options.resident);
}

constexpr HitPredictorEntry kTable[] = {
    {"none", "every request goes to its set (No-Prediction)", make_none},
    {"bloom", "two Bloom filters per set, swapped when the second contains all that the set can hold (morpheus section 5.1)", make_bloom},
    {"perfect", "knows what each set holds (Perfect-Prediction)", make_perfect},
};

Catalogue<HitPredictorEntry>& catalogue() {
  static Catalogue<HitPredictorEntry> members("hit predictor", kTable);
  return members;
}

}  // namespace

void BloomParams::bind(config::Binder& b) {
  using config::Unit;
  b.integer("bytes", bytes, Unit::bytes, "size of one filter; each set has two", 1, kMostBytes);
  b.integer("hashes", hashes, Unit::count, "bits that a block sets in a filter", 1, BloomHitPredictor::kMostHashes);
  b.require(is_power_of_two(bytes), "bytes", "is no power of two", "choose 16, 32, 64 ...");
}

std::unique_ptr<HitPredictor> make_hit_predictor(std::string_view name, HitPredictorOptions options) {
  options.arguments = catalogue().arguments_in(name);
  return catalogue().make(name, options);
}

std::vector<config::PolicyName> hit_predictor_catalogue_names() { return catalogue().names(); }

void add_hit_predictor(const HitPredictorEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
