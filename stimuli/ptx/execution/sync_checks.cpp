// The check of functions of the warp and of barriers (CU-49, 50).
#include <fmt/format.h>

#include <cstring>

#include "model/base/bits.h"
#include "stimuli/ptx/execution/checks.h"
#include "stimuli/ptx/lanes/rows.h"
#include "stimuli/ptx/lanes/warp_functions.h"
#include "stimuli/ptx/program/special_registers.h"

namespace wharf::ptx {

namespace {

/// The lanes' member masks: the last operand of a .sync function.
const std::uint32_t* members_of(const Operation& operation, const Rows& rows) {
  unsigned last = static_cast<unsigned>(operation.operands.size()) - 1;
  while (!operation.operands[last].present()) --last;
  return row_of<std::uint32_t>(rows, operation.operands[last]);
}

/// The lane whose value each lane gets from a shuffle in which all lanes take part: the shuffle itself, of the lanes' numbers.
std::array<std::uint32_t, kLanes> sources_of(const Operation& shuffle, const Rows& rows) {
  enum Row : unsigned { kLane, kB, kC, kOut, kRows };
  std::array<std::array<std::uint32_t, kLanes>, kRows> bank{};
  for (unsigned lane = 0; lane < kLanes; ++lane) bank[kLane][lane] = lane;
  std::memcpy(bank[kB].data(), rows.of(shuffle.operands[3]), kRow32);
  std::memcpy(bank[kC].data(), rows.of(shuffle.operands[4]), kRow32);
  const auto row = [](Row which) { return Operand(Bank::frame, static_cast<std::uint32_t>(which * kRow32)); };
  Operation probe = shuffle;
  probe.operands = {row(kOut), Operand(), row(kLane), row(kB), row(kC)};
  Rows probe_rows;
  probe_rows.banks[static_cast<unsigned>(Bank::frame)] = reinterpret_cast<std::byte*>(bank.data());
  shuffle.compute(probe, probe_rows, kAllLanes);
  return bank[kOut];
}

}  // namespace

void CtaChecks::on_compute(const Operation& operation, const Rows& rows, const FaultPlace& warp, LaneMask mask, LaneMask split) {
  const bool is_shuffle = warp_functions::is_shuffle(operation.compute);
  if ((!operation.waits_for_lanes && !is_shuffle) || mask == 0 || !checks_.has(Check::sync)) return;
  if (operation.waits_for_lanes) check_members(operation, rows, warp, mask, split);
  if (is_shuffle) check_sources(operation, rows, warp, mask);
}

void CtaChecks::check_members(const Operation& operation, const Rows& rows, const FaultPlace& warp, LaneMask mask, LaneMask split) {
  const std::uint32_t* const members = members_of(operation, rows);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    if ((members[lane] >> lane & 1) != 0) continue;
    if (Finding* const finding = count(Check::sync, {warp.pc, warp.warp, lane}))
      finding->what = fmt::format("the lane {} is not in its own member mask {:#x}", lane, members[lane]);
  }
  const unsigned first = lowest_bit(mask);
  const LaneMask missing = members[first] & split & ~mask;
  if (missing != 0) on_missing({warp.pc, warp.warp, first}, missing_lanes(missing, members[first]));
}

std::string missing_lanes(LaneMask missing, std::uint32_t members) {
  return fmt::format("the lanes {:#x} of the member mask {:#x} never reach this instruction together with the others", missing, members);
}

std::string missing_at_barrier(LaneMask missing) {
  return fmt::format("the lanes {:#x} do not execute this barrier, which is for all threads of the block that have not ended", missing);
}

void CtaChecks::on_missing(const FaultPlace& place, const std::string& what, const FaultPlace* parted) {
  if (!checks_.has(Check::sync)) return;
  Finding* const finding = count(Check::sync, place, parted != nullptr ? parted->pc : kNone);
  if (finding == nullptr) return;
  finding->what = what;
  if (parted != nullptr) name_other(*finding, *parted, cta_.index, "goes on without it, and ends");
}

void CtaChecks::check_sources(const Operation& operation, const Rows& rows, const FaultPlace& warp, LaneMask mask) {
  const std::array<std::uint32_t, kLanes> sources = sources_of(operation, rows);
  const std::uint32_t* const members = operation.waits_for_lanes ? members_of(operation, rows) : nullptr;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_bit(rest);
    const LaneMask participants = members == nullptr ? mask : mask & (members[lane] | LaneMask{1} << lane);
    if ((participants >> sources[lane] & 1) != 0) continue;
    if (Finding* const finding = count(Check::sync, {warp.pc, warp.warp, lane}))
      finding->what = fmt::format("a shuffle reads from lane {}, which does not take part; the value is undefined", sources[lane]);
  }
}

void CtaChecks::on_barrier(const BarrierArrival& arrival, const std::vector<FaultPlace>& others) {
  const BarrierArrival first = order_.arrive(arrival);
  if (!checks_.has(Check::sync)) return;
  const FaultPlace place{arrival.pc, arrival.warp, arrival.lane};
  for (const FaultPlace& other : others) {
    Finding* const finding = count(Check::sync, place, other.pc);
    if (finding == nullptr) continue;
    finding->what = fmt::format("lanes of a warp meet barrier {} at different instructions", arrival.number);
    name_other(*finding, other, cta_.index, "barrier");
  }
  // Barriers of some of the warps are met at different instructions by design: producers and consumers.
  if (first.pc == arrival.pc || arrival.number != 0 || arrival.threads != 0) return;
  Finding* const finding = count(Check::sync, place, first.pc);
  if (finding == nullptr) return;
  finding->what = "warps of a CTA meet the barrier of all threads at different instructions";
  name_other(*finding, {first.pc, first.warp, first.lane}, cta_.index, "barrier");
}

}  // namespace wharf::ptx
