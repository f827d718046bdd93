#include "policies/sharing_predictor/pc_two_bit.h"

#include <algorithm>

#include "model/base/archive.h"

namespace wharf {

PcTwoBitSharing::PcTwoBitSharing(const PcTwoBitParams& params) : params_(params), entries_(params.entries) {}

/// The entry of `pc`; a new entry replaces the least recently used one (RS-15).
std::uint32_t PcTwoBitSharing::find(std::uint32_t pc) {
  std::uint32_t oldest = 0;
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].used && entries_[i].pc == pc) return i;
    if (entries_[i].last_use < entries_[oldest].last_use) oldest = i;
  }
  Entry& entry = entries_[oldest];
  restart(entry);
  entry.pc = pc;
  entry.state = 0;
  entry.used = true;
  return oldest;
}

void PcTwoBitSharing::restart(Entry& entry) {
  ++entry.epoch;
  entry.issued = entry.done = entry.from_cores = 0;
}

/// True if this miss of the window is probed (RS-13): the first S_i of them, or every (W_i / S_i)-th. Beyond a full window, which only
/// counting at completion can see, the rest of the window continues.
bool PcTwoBitSharing::in_probed_share(const Entry& entry) const {
  const std::uint32_t share = probed(entry.state);
  if (entry.state == 0) return true;
  if (params_.probed == ProbedShare::first) return entry.issued <= share;
  return (entry.issued - 1) % (window(entry.state) / share) == 0 && entry.issued <= window(entry.state);
}

SharingPredictor::Answer PcTwoBitSharing::predict(const Miss& miss) {
  const std::uint32_t index = find(miss.pc);
  Entry& entry = entries_[index];
  entry.last_use = ++uses_;
  ++entry.issued;
  const Answer answer{in_probed_share(entry), {static_cast<std::uint16_t>(index), entry.epoch}};
  if (params_.count_at == CountAt::issue && entry.issued == window(entry.state)) finish_window(entry);
  return answer;
}

void PcTwoBitSharing::filled(Ticket ticket, bool from_core) {
  Entry& entry = entries_[ticket.entry];
  if (entry.epoch != ticket.epoch) return;
  if (from_core) ++entry.from_cores;
  if (params_.count_at == CountAt::complete && ++entry.done == window(entry.state)) finish_window(entry);
}

void PcTwoBitSharing::finish_window(Entry& entry) {
  if (entry.from_cores >= threshold(entry.state)) {
    if (entry.state > 0) --entry.state;
  } else if (entry.state < kStates - 1) {
    ++entry.state;
  }
  restart(entry);
}

void PcTwoBitSharing::kernel_started() {
  if (params_.survives_kernels) return;
  for (Entry& entry : entries_) {
    restart(entry);
    entry.used = false;
    entry.last_use = 0;
  }
}

bool PcTwoBitSharing::archive(Archive& file) {
  file.elements(entries_);
  file(uses_);
  return true;
}

unsigned PcTwoBitSharing::state(std::uint32_t pc) const {
  for (const Entry& entry : entries_)
    if (entry.used && entry.pc == pc) return entry.state;
  return kStates;
}

}  // namespace wharf
