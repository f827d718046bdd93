// State that an L1 keeps between kernels (model/base/archive.h).

#include "model/base/archive.h"
#include "model/l1/l1_companion.h"

namespace wharf {

void L1Cache::archive(Archive& file) {
  for (const auto& companion : companions_)
    if (!companion->archive(file)) Archive::refuse("the block attached to " + group_.path());
  bool quiet = logic_.idle() && old_.empty();
  for (Port& port : ports_) {
    quiet = quiet && port.fills.empty() && !port.fills.waiting() && port.misses.empty();
    file(port.filled_at, port.outlet);
    for (Bank& bank : port.banks) {
      quiet = quiet && bank.queue.empty() && !bank.queue.waiting();
      file(bank.refused, bank.stuck);
    }
  }
  file.expect_quiet(quiet, group_.path());
  for (Cycle& cycle : port_wake_) file(cycle);
  file(events_from_, fills_from_, held_banks_, invalidate_at_, response_free_, ways_after_, drain_from_, logic_);
}

}  // namespace wharf
