#include "stimuli/traces/version_6/synchronization.h"

#include <algorithm>

#include "model/base/barriers/cta_barriers.h"
#include "model/base/bits.h"

namespace wharf::traces {

namespace {

using Operand = MbarrierForm::Operand;

constexpr std::uint64_t kMostThreads = 1024;  // of a CTA

bool begins_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }
bool has_suffix(std::string_view text, std::string_view suffix) {
  const std::size_t at = text.find(suffix);
  return at != std::string_view::npos && (at + suffix.size() == text.size() || text[at + suffix.size()] == '.');
}

/// The word of an mbarrier as a program initialises it: 2^20 less its arrivals stands above the lowest bit.
std::uint32_t arrivals_of_word(std::uint64_t word) { return static_cast<std::uint32_t>((1u << 20) - ((word & 0xFFFFFFFF) >> 1)) & 0xFFFFF; }

/// ARRIVE names its arrivals (A) and bytes (T): 0, 1, R (from the register) or X (from it, and written). Without them it is one arrival and
/// bytes from the register.
MbarrierForm form_of_arrival(std::string_view opcode) {
  MbarrierForm form;
  form.op = MbarrierOp::arrive;
  form.by_rank = has_suffix(opcode, ".RED");
  form.arrivals = Operand::one;
  form.bytes = Operand::value;
  const auto operand_of = [](char letter) { return letter == '0' ? Operand::none : letter == '1' ? Operand::one : Operand::value; };
  for (const std::string_view suffix : {".ART0", ".A1T0", ".A0TR", ".A0TX", ".A0T1"}) {
    if (!has_suffix(opcode, suffix)) continue;
    form.arrivals = operand_of(suffix[2]);
    form.bytes = operand_of(suffix[4]);
    form.written = suffix[4] == 'X';
  }
  return form;
}

std::uint32_t value_of(Operand operand, std::uint64_t value) {
  return operand == Operand::none ? 0 : operand == Operand::one ? 1 : static_cast<std::uint32_t>(value);
}

}  // namespace

WrongField read_barrier(bool has_destination, const LineEnd& end, BarrierUse& use) {
  const bool in_register = has_destination && end.has_register && end.value[1] == 0;
  const std::uint64_t number = in_register ? end.in_lane[0] : end.value[0], threads = in_register ? end.value[0] : end.value[1];
  if (number >= CtaBarriers::kCount) return {"the number of the barrier", "0 to 15"};
  if (threads % kLanes != 0 || threads > kMostThreads) return {"the count of threads of the barrier", "a multiple of 32 up to 1024"};
  use.number = static_cast<std::uint8_t>(number);
  use.warps = static_cast<std::uint8_t>(threads / kLanes);
  return {};
}

bool uses_cluster_barrier(std::string_view opcode, BarrierUse& use) {
  const bool arrives = begins_with(opcode, "UCGABAR_ARV"), waits = begins_with(opcode, "UCGABAR_WAIT");
  if (arrives || waits) use = {0, 0, arrives, true};
  return arrives || waits;
}

MbarrierForm mbarrier_form_of(std::string_view opcode) {
  MbarrierForm form;
  if (begins_with(opcode, "SYNCS.EXCH.64")) form.op = MbarrierOp::init;
  if (begins_with(opcode, "SYNCS.CCTL.IV")) form.op = MbarrierOp::invalidate;
  if (begins_with(opcode, "UTMACMDFLUSH")) form.op = MbarrierOp::commit_copies;
  if (begins_with(opcode, "SYNCS.ARRIVE.TRANS64")) return form_of_arrival(opcode);
  if (begins_with(opcode, "UTCBAR")) {  // the arrival of earlier products
    form.op = MbarrierOp::arrive;
    form.arrivals = Operand::one;
    form.of_several = has_suffix(opcode, ".MULTICAST");
  }
  if (begins_with(opcode, "ARRIVES.LDGSTSBAR.64")) {
    form.op = MbarrierOp::arrive_later;
    form.arrivals = Operand::one;
    form.adds = has_suffix(opcode, ".TRANSCNT");
  }
  if (begins_with(opcode, "SYNCS.PHASECHK.TRANS64")) {
    form.op = MbarrierOp::wait;
    form.only_replay = !has_suffix(opcode, ".TRYWAIT");
  }
  return form;
}

MbarrierOp group_op_of(std::string_view opcode) {
  if (opcode == "LDGDEPBAR") return MbarrierOp::commit_loads;
  return begins_with(opcode, "DEPBAR.LE") ? MbarrierOp::wait_loads : MbarrierOp::none;
}

std::vector<MbarrierLanes> uses_of(const MbarrierForm& form, LaneMask active, const Address* at,
                                   const std::array<std::uint64_t, kLanes>& values) {
  std::vector<MbarrierLanes> uses;
  for (const unsigned lane : set_bits(active)) {
    const std::uint64_t value = form.has_value() ? values[lane] : 0;
    MbarrierUse own{form.op, *at++, 0, 0};
    if (form.op == MbarrierOp::init) own.value = arrivals_of_word(value);
    if (form.op == MbarrierOp::wait) own.value = (value & 0xFFFFFFFF) != 0 ? 1 : 0;
    const bool arrives = form.op == MbarrierOp::arrive || form.op == MbarrierOp::arrive_later;
    const auto same = std::find_if(uses.begin(), uses.end(), [&](const MbarrierLanes& other) {
      return other.use.at == own.at && (arrives || other.use.value == own.value);
    });
    MbarrierLanes& lanes = same == uses.end() ? uses.emplace_back(MbarrierLanes{own, 0}) : *same;
    lanes.lanes |= LaneMask{1} << lane;
    if (!arrives) continue;
    const auto bytes = static_cast<std::int32_t>(value_of(form.bytes, value));
    lanes.use.lanes = static_cast<std::uint32_t>(__builtin_popcount(lanes.lanes));
    lanes.use.value += value_of(form.arrivals, value);
    lanes.use.bytes += form.written ? -bytes : bytes;
  }
  return uses;
}

}  // namespace wharf::traces
