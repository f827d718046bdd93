#pragma once
// Predicts whether a block is in its extended-LLC set (morpheus section 5.1). The host asks for every request to the extended LLC, and
// reports every operation that has used or inserted a block when its result is back at the controller. A predictor may take an absent block
// for present, but never a present one for absent.

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

class Archive;

class HitPredictor {
 public:
  struct Block {
    std::uint32_t row = 0;  // its set, within the partition
    std::uint32_t tag = 0;  // unique within the set
    LineAddress line;
  };

  virtual ~HitPredictor() = default;
  virtual bool predict_hit(const Block& block) const = 0;
  /// An operation has used or inserted `block`. `all_touched`: every block of the set has been used since the kernel was last told to clear
  /// its touched bits (morpheus section 7.5). Returns true if it may be told to clear them now.
  virtual bool accessed(const Block& block, bool all_touched) {
    static_cast<void>(block);
    static_cast<void>(all_touched);
    return false;
  }
  /// Number of recent blocks that the set cannot have evicted; for checks. 0 if nothing is counted.
  virtual std::uint32_t counted(std::uint32_t row) const {
    static_cast<void>(row);
    return 0;
  }
  /// Saves or loads its state between kernels (model/base/archive.h); false if it cannot be saved; checkpoints are then refused.
  virtual bool archive(Archive& /*file*/) { return false; }
};

struct BloomParams {
  std::uint32_t bytes = 32;
  std::uint32_t hashes = 2;

  void bind(config::Binder& b);
};

struct HitPredictorOptions {
  BloomParams bloom;
  /// [row]: blocks that the set holds in strict LRU order; 0 if only `all_touched` says what it no longer holds.
  std::vector<std::uint32_t> associativity;
  std::function<bool(LineAddress)> resident;  // perfect: the contents of the sets
  Arguments arguments = {};                   // of an added member: those that follow its name
};

/// Throws InputError for an unknown name or an option out of its range.
std::unique_ptr<HitPredictor> make_hit_predictor(std::string_view name, HitPredictorOptions options);

std::vector<config::PolicyName> hit_predictor_catalogue_names();

/// An entry of the catalogue, which keeps the pointers to its texts.
struct HitPredictorEntry {
  const char* name;
  const char* help;
  std::unique_ptr<HitPredictor> (*make)(const HitPredictorOptions&);
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add_hit_predictor(const HitPredictorEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
