#pragma once
// Selects the SMs to search for a missed line, and their order (remote_sharing section 6).

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"
#include "model/base/holder_mask.h"
#include "model/base/types.h"

namespace wharf {

class Archive;

/// SMs in visiting order, each at most once, and never the requester.
struct CoreList {
  static constexpr unsigned kMost = 159;  // a GPU has at most 160 SMs
  std::array<std::uint8_t, kMost> cores;
  unsigned count = 0;
  void add(unsigned core) { cores[count++] = static_cast<std::uint8_t>(core); }
};

class CoreSelector {
 public:
  virtual ~CoreSelector() = default;
  /// Selects at most `count` SMs, 1 to all others. `holders` is the oracle's knowledge of the line (RS-10), for selectors that are
  /// defined on it.
  virtual void select(unsigned count, const HolderMask& holders, Cycle now, CoreList& out) = 0;
  /// A reply with data has arrived from `core`, needed or not (RS-23).
  virtual void replied(unsigned core, Cycle now) {
    static_cast<void>(core);
    static_cast<void>(now);
  }
  /// Saves or loads its state between kernels (model/base/archive.h); false if it cannot be saved; checkpoints are then refused.
  virtual bool archive(Archive& /*file*/) { return false; }
};

enum class SelectorMode { previous_period, running };  // RS-18

struct SupplierParams {
  std::uint64_t period_cycles = 8192;
  SelectorMode mode = SelectorMode::previous_period;

  void bind(config::Binder& b);
};

struct CoreSelectorOptions {
  unsigned cores = 2;  // of the GPU, 2 to 160
  unsigned self = 0;
  SupplierParams supplier;
  std::vector<std::uint16_t> hops;  // nearest: the distance of each SM
  std::uint64_t seed = 0;           // the run's seed
  Arguments arguments = {};         // of an added member: those that follow its name
};

/// Throws InputError for an unknown name or an option out of its range.
std::unique_ptr<CoreSelector> make_core_selector(std::string_view name, CoreSelectorOptions options);

std::vector<config::PolicyName> core_selector_catalogue_names();

/// An entry of the catalogue, which keeps the pointers to its texts.
struct CoreSelectorEntry {
  const char* name;
  const char* help;
  std::unique_ptr<CoreSelector> (*make)(const CoreSelectorOptions&);
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add_core_selector(const CoreSelectorEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
