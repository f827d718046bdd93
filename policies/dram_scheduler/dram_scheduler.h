#pragma once
// Which of a DRAM bank's waiting requests is served next (common section 7). The controller asks whenever a bank has no
// request at work; timing, read/write preference and same-line order are the controller's and already applied to the view.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/base/arguments.h"
#include "model/base/config/binder.h"
#include "model/base/types.h"

namespace wharf {

/// What a free bank shows. A slot is a queue entry, named by its bit. The bank's entries form a chain in order of acceptance;
/// some may have to wait, and only candidates may be chosen.
struct DramBankView {
  std::uint64_t candidates = 0;            // never 0
  std::uint64_t row_hits = 0;              // slots of this bank whose row is open, candidates or not
  std::uint64_t arrivals = 0;              // requests accepted by the channel so far
  const std::uint64_t* arrival = nullptr;  // [slot] how many were accepted before this one
  const std::uint8_t* next = nullptr;      // [slot] the next younger slot of the bank
  unsigned first = 0;                      // its oldest slot

  /// The slot of `slots` (not 0, a subset of the candidates) that was accepted first.
  unsigned oldest(std::uint64_t slots) const {
    unsigned slot = first;
    while ((slots >> slot & 1) == 0) slot = next[slot];
    return slot;
  }
};

class DramScheduler {
 public:
  virtual ~DramScheduler() = default;
  /// The slot to serve, one of view.candidates. Must not starve: see DramSchedulerOptions::age_cap.
  virtual unsigned choose(const DramBankView& view) const = 0;
};

struct DramSchedulerOptions {
  /// Starvation bound, which every scheduler keeps: at most this many later requests of its bank are chosen before a request
  /// that was a candidate all the time. kUnlimited: a steady stream of row hits may overtake for as long as it lasts.
  std::uint32_t age_cap = kUnlimited;
  Arguments arguments = {};  // of one that has been added: what follows its name
};

/// Names and one line of help each, for Binder::policy.
std::vector<config::PolicyName> dram_scheduler_catalogue_names();

/// Throws InputError for a name that is not in the catalogue; the message lists those that are.
std::unique_ptr<DramScheduler> make_dram_scheduler(std::string_view name, DramSchedulerOptions options);

/// A member of the family. The texts are kept as they are given.
struct DramSchedulerEntry {
  const char* name;
  const char* help;
  std::unique_ptr<DramScheduler> (*make)(const DramSchedulerOptions&);
};
/// Before the first configuration is read. Throws InputError where the name is taken.
void add_dram_scheduler(const DramSchedulerEntry& entry, std::vector<Argument> arguments = {});

}  // namespace wharf
