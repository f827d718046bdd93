#include "policies/catalogue.h"

#include "policies/sharing_predictor/hints.h"
#include "policies/sharing_predictor/oracle.h"
#include "policies/sharing_predictor/pc_two_bit.h"
#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf {
namespace {

/// The sub-stream of an SM's random numbers that degrades its oracle (RS-21).
constexpr std::uint64_t kOracleStream = 0x0AC1'0000;

std::unique_ptr<SharingPredictor> make_oracle(const SharingPredictorOptions& options) {
  if (!(options.precision_percent >= 0.0 && options.precision_percent <= 100.0))
    throw InputError("the sharing predictor oracle has a precision outside 0 to 100 %; choose one in this range");
  return std::make_unique<OracleSharing>(options.precision_percent, Rng(options.seed, kOracleStream + options.core));
}

std::unique_ptr<SharingPredictor> make_pc_two_bit(const SharingPredictorOptions& options) {
  const PcTwoBitParams& params = options.pc_two_bit;
  if (params.entries == 0 || params.entries > 4096) throw InputError("the sharing predictor pc_two_bit needs 1 to 4096 entries");
  if (params.window < 32 || params.window > 65536 || (params.window & (params.window - 1)) != 0)
    throw InputError("the sharing predictor pc_two_bit has a window that is not a power of two from 32 to 65536; choose for example 32");
  return std::make_unique<PcTwoBitSharing>(params);
}

std::unique_ptr<SharingPredictor> make_hints(const SharingPredictorOptions& options) {
  return std::make_unique<HintedSharing>(options.hint_pcs);
}

constexpr SharingPredictorEntry kTable[] = {
    {"oracle", "knows whether another L1 holds the line; degraded by oracle_precision_percent (RS-10)", make_oracle},
    {"pc_two_bit", "a two-bit state per load pc, trained by the source of its data", make_pc_two_bit},
    {"hints", "only the load pcs listed in hint_pcs share", make_hints},
};

Catalogue<SharingPredictorEntry>& catalogue() {
  static Catalogue<SharingPredictorEntry> members("sharing predictor", kTable);
  return members;
}

}  // namespace

void PcTwoBitParams::bind(config::Binder& b) {
  using config::Unit;
  b.integer("entries", entries, Unit::count, "load pcs in the table, replaced least recently used first (RS-15)", 1, 4096);
  b.integer("window", window, Unit::accesses, "misses of a pc between two evaluations in state 0; doubles with each state", 32, 65536);
  b.choice("count_at", count_at, {{"issue", CountAt::issue}, {"complete", CountAt::complete}},
           "a miss counts for its window when it is issued, or when its data have arrived (RS-14)");
  b.choice("probed", probed, {{"first", ProbedShare::first}, {"spread", ProbedShare::spread}},
           "which misses of a window are probed: the first ones, or evenly spread ones (RS-13)");
  b.flag("survives_kernels", survives_kernels, "the table is kept across kernels (RS-16)");
  b.require((window & (window - 1)) == 0, "window", "is no power of two", "choose 32, 64, 128 ...");
}

std::unique_ptr<SharingPredictor> make_sharing_predictor(std::string_view name, SharingPredictorOptions options) {
  options.arguments = catalogue().arguments_in(name);
  return catalogue().make(name, options);
}

std::vector<config::PolicyName> sharing_predictor_catalogue_names() { return catalogue().names(); }

void add_sharing_predictor(const SharingPredictorEntry& entry, std::vector<Argument> arguments) {
  catalogue().add(entry, std::move(arguments));
}

}  // namespace wharf
