#pragma once
// The two-bit sharing predictor (remote_sharing section 5.3): a table indexed by the load's pc, whose entries move between four states,
// from Strong Shared (0, the initial state) to Strong Non-shared (3). In state i, S_i of every W_i misses are probed. If fewer than T_i
// misses of a window brought data from an SM, the entry moves away from sharing, otherwise towards it.
//   W_i = W_0 * 2^i    S_i = W_i / 4^i    T_i = ceil(S_i / 8)
// A pc that never shares ends in state 3, where 4 of 256 misses are still probed, so that it can recover.

#include <cstdint>
#include <vector>

#include "policies/sharing_predictor/sharing_predictor.h"

namespace wharf {

class PcTwoBitSharing final : public SharingPredictor {
 public:
  static constexpr unsigned kStates = 4;

  explicit PcTwoBitSharing(const PcTwoBitParams& params);

  Answer predict(const Miss& miss) override;
  void filled(Ticket ticket, bool from_core) override;
  void kernel_started() override;
  bool archive(Archive& file) override;

  std::uint32_t window(unsigned state) const { return params_.window << state; }
  std::uint32_t probed(unsigned state) const { return window(state) >> 2 * state; }
  std::uint32_t threshold(unsigned state) const { return (probed(state) + 7) / 8; }
  /// The state of the entry of `pc`; kStates if there is none.
  unsigned state(std::uint32_t pc) const;

 private:
  /// The counts of one pc in its present window (RS-14).
  struct Entry {
    std::uint32_t pc = 0;
    std::uint16_t epoch = 0;  // of the window; identifies misses still in flight from an older one
    std::uint8_t state = 0;
    bool used = false;
    std::uint32_t issued = 0, done = 0, from_cores = 0;
    std::uint64_t last_use = 0;
  };
  std::uint32_t find(std::uint32_t pc);
  void finish_window(Entry& entry);
  static void restart(Entry& entry);
  bool in_probed_share(const Entry& entry) const;

  const PcTwoBitParams params_;
  std::vector<Entry> entries_;
  std::uint64_t uses_ = 0;
};

}  // namespace wharf
