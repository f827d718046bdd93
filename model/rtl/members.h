#pragma once
// Names of the RTL policies. They exist with and without Verilator, so that a configuration always reads the same.

namespace wharf::rtl {

struct Member {
  const char *name, *help;
};

inline constexpr Member kBloomRtl = {"bloom_rtl", "bloom as RTL, verilated (docs/howto-rtl.md)"};
inline constexpr Member kBloomLockstep = {"bloom_lockstep", "bloom and its RTL side by side; the first difference ends the run"};
inline constexpr Member kPcTwoBitRtl = {"pc_two_bit_rtl", "pc_two_bit as RTL, verilated (docs/howto-rtl.md)"};
inline constexpr Member kPcTwoBitLockstep = {"pc_two_bit_lockstep",
                                             "pc_two_bit and its RTL side by side; the first difference ends the run"};
inline constexpr Member kIslipRtl = {"islip_rtl", "islip as RTL, verilated (docs/howto-rtl.md)"};
inline constexpr Member kIslipLockstep = {"islip_lockstep", "islip and its RTL side by side; the first difference ends the run"};
// Members of the aggregated tag array, whose TLM form is the map.
inline constexpr Member kTagArrayRtl = {"rtl", "banks, selectors and comparators as RTL, verilated (docs/howto-rtl.md)"};
inline constexpr Member kTagArrayLockstep = {"lockstep", "the map and the RTL side by side; the first difference ends the run"};

}  // namespace wharf::rtl
