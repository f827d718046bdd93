#pragma once
// The timing rules of a DRAM channel as rows of data, and the earliest cycle of each command that follows from them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/base/types.h"
#include "model/dram/dram_params.h"

namespace wharf {

enum class DramCommand : std::uint8_t { activate, precharge, read, write };
inline constexpr unsigned kDramCommands = 4;
/// Which banks a rule binds: the commanded one, those of its group, all.
enum class DramScope : std::uint8_t { bank, group, channel };
inline constexpr unsigned kDramScopes = 3;

/// After `before` at cycle c, `after` may come at c + clocks and not sooner.
struct DramTimingRow {
  DramCommand before, after;
  DramScope scope;
  std::uint32_t clocks;
};

inline std::uint32_t not_below_zero(std::int64_t clocks) { return static_cast<std::uint32_t>(std::max<std::int64_t>(clocks, 0)); }

/// All rules; of several rows for the same commands and scope the longest holds.
inline std::vector<DramTimingRow> dram_timing_rows(const DramParams& params) {
  const DramTiming& t = params.timing;
  const std::uint32_t burst = params.burst_clocks();
  const std::uint32_t column = std::max(t.tCCD, burst), column_in_group = std::max(t.tCCDL, burst);
  // Read data, the turnaround, then write data on one bus; and write data must be in before a read may start.
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

/// A rule of the channel makes the group's superfluous.
inline bool implied_by_channel(const DramTimingRow& row, const std::vector<DramTimingRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const DramTimingRow& other) {
    return other.scope == DramScope::channel && other.before == row.before && other.after == row.after && other.clocks >= row.clocks;
  });
}

/// Earliest cycle of every command at every bank. The four commands of a bank lie together, as those of a group and of the channel do.
class DramTimers {
 public:
  explicit DramTimers(const DramParams& params) : group_mask_(params.bank_groups - 1) {
    const std::vector<DramTimingRow> rows = dram_timing_rows(params);
    for (const DramTimingRow& row : rows) {
      if (row.scope == DramScope::group && implied_by_channel(row, rows)) continue;
      Rules& rules = rules_[index(row.before)];
      rules.rule[rules.count++] = {row.clocks, row.scope, row.after};
    }
  }

  /// What the whole channel must wait for before `command`.
  Cycle channel(DramCommand command) const { return channel_[index(command)]; }
  /// What this bank must wait for, for its own and its group's sake. Never moves to an earlier cycle.
  Cycle bank(DramCommand command, unsigned bank) const {
    return std::max(banks_[bank][index(command)], groups_[bank & group_mask_][index(command)]);
  }
  Cycle earliest(DramCommand command, unsigned at) const { return std::max(channel(command), bank(command, at)); }

  void issued(DramCommand command, unsigned bank, Cycle now) {
    Earliest* const bound[kDramScopes] = {&banks_[bank], &groups_[bank & group_mask_], &channel_};
    for (const Rule& r : rules_[index(command)]) put_off((*bound[index(r.scope)])[index(r.after)], now + r.clocks);
  }
  /// No activate of this bank before `until` (refresh).
  void hold_activate(unsigned bank, Cycle until) { put_off(banks_[bank][index(DramCommand::activate)], until); }

 private:
  template <class Enum>
  static constexpr unsigned index(Enum value) { return static_cast<unsigned>(value); }
  static void put_off(Cycle& earliest, Cycle until) { earliest = std::max(earliest, until); }

  struct Rule { std::uint32_t clocks = 0; DramScope scope = DramScope::bank; DramCommand after = DramCommand::activate; };
  struct Rules {
    std::array<Rule, kDramCommands * kDramScopes> rule{};
    unsigned count = 0;
    const Rule* begin() const { return rule.data(); }
    const Rule* end() const { return rule.data() + count; }
  };
  using Earliest = std::array<Cycle, kDramCommands>;

  Earliest channel_{};
  std::array<Rules, kDramCommands> rules_{};
  std::uint32_t group_mask_;
  std::array<Earliest, DramParams::kMaxBanks> banks_{};
  std::array<Earliest, DramParams::kMaxBanks> groups_{};  // what a rule of the group's adds
};

}  // namespace wharf
