#pragma once
// Predicts whether another L1 holds the line of a missed load (remote_sharing sections 5 and 13). The host asks for the primary read misses
// of one SM, in order, and reports the outcome of each.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"

namespace wharf {

class Archive;

class SharingPredictor {
 public:
  struct Miss {
    std::uint32_t pc = 0;
    bool held_elsewhere = false;  // the oracle of RS-10 at the miss; false if no directory is kept
  };
  /// Identifies the state behind an answer; the host keeps it until the data arrive. The top bit is free for the host.
  struct Ticket {
    std::uint16_t entry = 0;  // < 2^15
    std::uint16_t epoch = 0;
    std::uint32_t packed() const { return std::uint32_t{entry} << 16 | epoch; }
    static Ticket of(std::uint32_t packed) { return {static_cast<std::uint16_t>(packed >> 16), static_cast<std::uint16_t>(packed)}; }
  };
  struct Answer {
    bool shared = false;  // send probes
    Ticket ticket;
  };

  virtual ~SharingPredictor() = default;
  virtual Answer predict(const Miss& miss) = 0;
  /// The data of a miss have filled its MSHR entry, from another SM or from L2.
  virtual void filled(Ticket ticket, bool from_core) {
    static_cast<void>(ticket);
    static_cast<void>(from_core);
  }
  /// A kernel starts.
  virtual void kernel_started() {}
  /// Saves or loads its state between kernels (model/base/archive.h); false if it cannot be saved; checkpoints are then refused.
  virtual bool archive(Archive& /*file*/) { return false; }
};

enum class CountAt { issue, complete };    // RS-14
enum class ProbedShare { first, spread };  // RS-13

/// The two-bit predictor's table and windows (remote_sharing section 5.3).
struct PcTwoBitParams {
  std::uint32_t entries = 64;
  std::uint32_t window = 32;
  CountAt count_at = CountAt::complete;
  ProbedShare probed = ProbedShare::first;
  bool survives_kernels = true;

  void bind(config::Binder& b);
};

struct SharingPredictorOptions {
  double precision_percent = 100.0;  // oracle: 100 - this percentage of the non-shared misses is taken for shared
  PcTwoBitParams pc_two_bit;
  std::vector<std::uint32_t> hint_pcs;  // hints
  std::uint64_t seed = 0;               // the run's seed
  unsigned core = 0;
  Arguments arguments = {};  // of an added member: those that follow its name
};

/// Throws InputError for an unknown name or an option out of its range.
std::unique_ptr<SharingPredictor> make_sharing_predictor(std::string_view name, SharingPredictorOptions options);

std::vector<config::PolicyName> sharing_predictor_catalogue_names();

/// An entry of the catalogue, which keeps the pointers to its texts.
struct SharingPredictorEntry {
  const char* name;
  const char* help;
  std::unique_ptr<SharingPredictor> (*make)(const SharingPredictorOptions&);
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add_sharing_predictor(const SharingPredictorEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
