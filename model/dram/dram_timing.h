#pragma once
// The timing rules of a DRAM channel as a table, and the earliest clock of each command that follows from them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/base/types.h"
#include "model/dram/dram_params.h"

namespace wharf {

enum class DramCommand : std::uint8_t { activate, precharge, read, write };
inline constexpr unsigned kDramCommands = 4;
/// The banks to which a rule applies: the commanded bank, its bank group, or all.
enum class DramScope : std::uint8_t { bank, group, channel };
inline constexpr unsigned kDramScopes = 3;

/// A command `before` in clock c allows the command `after` from clock c + clocks on.
struct DramTimingRow {
  DramCommand before, after;
  DramScope scope;
  std::uint32_t clocks;
};

inline std::uint32_t not_below_zero(std::int64_t clocks) { return static_cast<std::uint32_t>(std::max<std::int64_t>(clocks, 0)); }

/// All rules. If several rules have the same commands and scope, the longest applies.
inline std::vector<DramTimingRow> dram_timing_rows(const DramParams& params) {
  const DramTiming& t = params.timing;
  const std::uint32_t burst = params.burst_clocks();
  const std::uint32_t column = std::max(t.tCCD, burst), column_in_group = std::max(t.tCCDL, burst);
  // Read data, turnaround and write data follow each other on one bus, and write data must have arrived before a read may start.
  const std::uint32_t read_to_write = not_below_zero(std::int64_t{t.tCL} + burst + t.bus_turnaround - t.tWL);
  const std::uint32_t write_to_read = t.tWL + burst + t.tCDLR;
  const std::uint32_t activate_to_write = not_below_zero(std::int64_t{t.tRCD} - (std::int64_t{t.tWL} + 1));
  using C = DramCommand;
  using S = DramScope;
  return {
      {C::activate, C::activate, S::channel, t.tRRD},
      {C::activate, C::activate, S::bank, t.tRC},
      {C::activate, C::precharge, S::bank, t.tRAS},
      {C::activate, C::read, S::bank, t.tRCD},
      {C::activate, C::write, S::bank, activate_to_write},
      {C::precharge, C::activate, S::bank, t.tRP},
      {C::read, C::read, S::channel, column},
      {C::read, C::read, S::group, column_in_group},
      {C::read, C::write, S::channel, std::max(column, read_to_write)},
      {C::read, C::write, S::group, column_in_group},
      {C::read, C::precharge, S::bank, t.tRTP},
      {C::read, C::precharge, S::group, t.tRTPL},
      {C::write, C::write, S::channel, column},
      {C::write, C::write, S::group, column_in_group},
      {C::write, C::read, S::channel, std::max(column, write_to_read)},
      {C::write, C::read, S::group, column_in_group},
      {C::write, C::precharge, S::bank, t.tWL + burst + t.tWR},
  };
}

/// The earliest clock of each command at each bank. The four commands of a bank, of a group and of the channel are stored together.
class DramTimers {
 public:
  explicit DramTimers(const DramParams& params) : group_mask_(params.bank_groups - 1) {
    for (const DramTimingRow& row : dram_timing_rows(params)) {
      std::uint32_t& clocks = clocks_[index(row.before)][index(row.scope)][index(row.after)];
      clocks = std::max(clocks, row.clocks);
    }
  }

  /// Earliest clock of `command` by the bank's own rules; it changes only with commands to the bank.
  Cycle bank(DramCommand command, unsigned bank) const { return banks_[bank][index(command)]; }
  /// Earliest clock of `command` by the rules of the bank's group and of the channel.
  Cycle shared(DramCommand command, unsigned bank) const {
    return std::max(channel_[index(command)], groups_[bank & group_mask_][index(command)]);
  }
  Cycle earliest(DramCommand command, unsigned at) const { return std::max(bank(command, at), shared(command, at)); }

  /// Delays every command for which the table may have a rule. Without a rule the delay is zero clocks, because a test would cost more.
  void column_issued(DramCommand command, unsigned bank, Cycle now) {
    using C = DramCommand;
    const auto& clocks = clocks_[index(command)];
    postpone<C::read, C::write>(channel_, clocks[index(DramScope::channel)], now);
    postpone<C::read, C::write, C::precharge>(groups_[bank & group_mask_], clocks[index(DramScope::group)], now);
    postpone<C::precharge>(banks_[bank], clocks[index(DramScope::bank)], now);
  }
  void row_issued(DramCommand command, unsigned bank, Cycle now) {
    using C = DramCommand;
    const auto& clocks = clocks_[index(command)];
    postpone<C::activate>(channel_, clocks[index(DramScope::channel)], now);
    postpone<C::activate, C::precharge, C::read, C::write>(banks_[bank], clocks[index(DramScope::bank)], now);
  }
  template <class File>
  void archive(File& file) {
    file(channel_, banks_, groups_);
  }
  /// Holds this bank's activate until clock `until` (refresh).
  void hold_activate(unsigned bank, Cycle until) {
    Cycle& earliest = banks_[bank][index(DramCommand::activate)];
    earliest = std::max(earliest, until);
  }

 private:
  template <class Enum>
  static constexpr unsigned index(Enum value) {
    return static_cast<unsigned>(value);
  }
  using Clocks = std::array<std::uint32_t, kDramCommands>;
  using Earliest = std::array<Cycle, kDramCommands>;
  template <DramCommand... after>
  static void postpone(Earliest& earliest, const Clocks& clocks, Cycle now) {
    ((earliest[index(after)] = std::max(earliest[index(after)], now + clocks[index(after)])), ...);
  }

  Earliest channel_{};
  std::uint32_t group_mask_;
  std::array<std::array<Clocks, kDramScopes>, kDramCommands> clocks_{};
  std::array<Earliest, DramParams::kMaxBanks> banks_{};
  std::array<Earliest, DramParams::kMaxBanks> groups_{};
};

}  // namespace wharf
