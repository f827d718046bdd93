#pragma once
// Chooses which of a DRAM bank's waiting requests is served next (common section 7). The controller asks whenever a bank is free; it has
// already applied timing, read/write preference and same-line order to the view.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

/// The view of a free bank. A slot is a queue entry, named by its bit. The bank's entries form a list in order of acceptance; some may have
/// to wait, and only candidates may be chosen.
struct DramBankView {
  std::uint64_t candidates = 0;            // never empty
  std::uint64_t row_hits = 0;              // slots of this bank whose row is open, candidates or not
  std::uint64_t arrivals = 0;              // requests accepted by the channel so far
  const std::uint64_t* arrival = nullptr;  // [slot] number of requests accepted before this one
  const std::uint8_t* next = nullptr;      // [slot] the next younger slot of the bank
  unsigned first = 0;                      // its oldest slot

  /// The slot of `slots` (a nonempty subset of the candidates) that was accepted first.
  unsigned oldest(std::uint64_t slots) const {
    unsigned slot = first;
    while ((slots >> slot & 1) == 0) slot = next[slot];
    return slot;
  }
};

class DramScheduler {
 public:
  virtual ~DramScheduler() = default;
  /// Returns the slot to serve, one of view.candidates. Must not starve a request: see DramSchedulerOptions::age_cap.
  virtual unsigned choose(const DramBankView& view) const = 0;
};

struct DramSchedulerOptions {
  /// The starvation bound, which every scheduler must keep: at most this many later requests of its bank are chosen before a request that
  /// is continuously a candidate. kUnlimited: a stream of row hits may overtake for as long as it lasts.
  std::uint32_t age_cap = kUnlimited;
  Arguments arguments = {};  // of an added member: those that follow its name
};

/// Names and one line of help each, for Binder::policy.
std::vector<config::PolicyName> dram_scheduler_catalogue_names();

/// Throws InputError for an unknown name; the message lists the known ones.
std::unique_ptr<DramScheduler> make_dram_scheduler(std::string_view name, DramSchedulerOptions options);

/// An entry of the catalogue, which keeps the pointers to its texts.
struct DramSchedulerEntry {
  const char* name;
  const char* help;
  std::unique_ptr<DramScheduler> (*make)(const DramSchedulerOptions&);
};
/// Adds a member; call it before the first configuration is read. Throws InputError if the name is taken.
void add_dram_scheduler(const DramSchedulerEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
