#include "platforms/tables/cycle_stack_table.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "model/base/warp_instruction.h"

namespace wharf {

namespace {

double in_slots(std::uint64_t parts) { return static_cast<double>(parts) / static_cast<double>(CycleStack::kSlot); }

/// Returns the cycle stacks of the SMs that count their slots.
std::vector<const CycleStack*> stacks_of(const std::vector<std::unique_ptr<Sm>>& sms) {
  std::vector<const CycleStack*> stacks;
  for (const auto& sm : sms)
    if (sm->logic().cycle_stack() != nullptr) stacks.push_back(sm->logic().cycle_stack());
  return stacks;
}

stats::TableRows rows_of(const std::vector<const CycleStack*>& stacks) {
  stats::TableRows table{{"cause", "served_by", "stage", "slots", "share"}, {}};
  std::uint64_t all = 0, open = 0;
  for (const CycleStack* stack : stacks) {
    all += stack->all_slots();
    open += stack->open_slots();
  }
  const auto add = [&](const char* cause, const char* server, const char* stage, std::uint64_t parts) {
    if (parts == 0) return;
    table.rows.push_back({std::string(cause), std::string(server), std::string(stage), in_slots(parts),
                          static_cast<double>(parts) / static_cast<double>(all)});
  };
  const auto sum = [&](auto part) {
    std::uint64_t parts = 0;
    for (const CycleStack* stack : stacks) parts += part(*stack);
    return parts;
  };
  for (unsigned cause = 0; cause < kSlotCauses; ++cause)
    add(kSlotCauseNames[cause], "", "", sum([&](const CycleStack& stack) { return stack.slots(static_cast<SlotCause>(cause)); }));
  for (unsigned server = 0; server < kServedBy; ++server)
    for (unsigned stage = 0; stage < kStages; ++stage)
      add("load", kServedByNames[server], kStageNames[stage],
          sum([&](const CycleStack& stack) { return stack.loads(static_cast<ServedBy>(server))[stage]; }));
  add("open", "", "", open);
  return table;
}

/// One instruction over all SMs. Copies of a source line, as in an unrolled loop, count as one instruction.
struct Instruction {
  std::string kernel, file;
  std::uint64_t line = 0;  // 0 if unknown
  std::uint32_t pc = 0;    // the first one
  Unit unit = Unit::alu;
  InstructionProfile::Entry sum;
};

/// Number of accesses of loads and atomics.
std::uint64_t accesses_of(const InstructionProfile::Entry& entry) {
  return std::accumulate(entry.served.begin(), entry.served.end(), std::uint64_t{0});
}

/// Returns the instructions, those that cost most slots first. Omits instructions that cost nothing and have no accesses.
std::vector<Instruction> instructions_of(const std::vector<const CycleStack*>& stacks) {
  std::map<std::tuple<std::string, std::uint64_t, Unit>, Instruction> sums;
  for (const CycleStack* stack : stacks) {
    for (const InstructionProfile::Kernel& kernel : stack->profile().kernels()) {
      for (const auto& [key, entry] : kernel.entries) {
        const std::uint64_t line = kernel.pcs_a_line == 0 ? 0 : entry.pc() / kernel.pcs_a_line;
        const auto place = std::make_tuple(kernel.name, line == 0 ? std::uint64_t{entry.pc()} << 32 : line, entry.unit());
        Instruction& one =
            sums.try_emplace(place, Instruction{kernel.name, line == 0 ? "" : kernel.source_file, line, entry.pc(), entry.unit(), {}})
                .first->second;
        one.pc = std::min(one.pc, entry.pc());
        one.sum += entry;
      }
    }
  }
  std::vector<Instruction> all;
  for (const auto& [place, instruction] : sums)
    if (instruction.sum.slots != 0 || accesses_of(instruction.sum) != 0) all.push_back(instruction);
  std::stable_sort(all.begin(), all.end(), [](const Instruction& a, const Instruction& b) { return a.sum.slots > b.sum.slots; });
  return all;
}

stats::TableRows rows_of_instructions(const std::vector<const CycleStack*>& stacks, bool knows_copies) {
  constexpr std::size_t kMost = 100;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  stats::TableRows table{{"kernel", "file", "line", "pc", "unit", "slots", "share", "loads", "hit_rate", "replication"}, {}};
  table.columns.insert(table.columns.end(), std::begin(kServedByNames) + 1, std::end(kServedByNames));
  std::uint64_t all_slots = 0;
  for (const CycleStack* stack : stacks) all_slots += stack->all_slots();
  const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? kNone : static_cast<double>(part) / static_cast<double>(whole);
  };
  for (const Instruction& one : instructions_of(stacks)) {
    if (table.rows.size() == kMost) break;
    const std::uint64_t loads = accesses_of(one.sum);
    auto& row = table.rows.emplace_back();
    row = {one.kernel,
           one.file,
           one.line,
           std::uint64_t{one.pc},
           std::string(kUnitNames[static_cast<std::size_t>(one.unit)]),
           in_slots(one.sum.slots),
           ratio(one.sum.slots, all_slots),
           loads,
           ratio(one.sum.served[static_cast<unsigned>(ServedBy::l1)], loads),
           knows_copies ? ratio(one.sum.held_elsewhere, one.sum.misses) : kNone};
    for (unsigned server = 1; server < kServedBy; ++server) row.emplace_back(one.sum.served[server]);
  }
  return table;
}

/// Counts the primary misses of loads: all, those whose sectors another L1 held, and those of them for which no other L1 supplied a sector.
stats::TableRows rows_of_replication(const std::vector<const CycleStack*>& stacks, bool knows_copies) {
  stats::TableRows table{{"misses", "held_elsewhere", "not_supplied"}, {}};
  InstructionProfile::Entry sum;
  for (const CycleStack* stack : stacks)
    for (const InstructionProfile::Kernel& kernel : stack->profile().kernels())
      for (const auto& [key, entry] : kernel.entries) sum += entry;
  if (knows_copies) table.rows.push_back({sum.misses, sum.held_elsewhere, sum.not_supplied});
  return table;
}

/// Returns the work of each L2 slice and each DRAM channel.
stats::TableRows rows_of_parts(const stats::Registry& registry) {
  stats::TableRows table{{"metric", "part", "value"}, {}};
  std::vector<const stats::Registry::Metric*> metrics;
  for (const char* name : {"l2.accesses", "dram.requests", "dram.bus_busy_cycles"}) metrics.push_back(registry.find_metric(name));
  for (const auto& entry : registry.counters()) {
    if (std::find(metrics.begin(), metrics.end(), entry.metric) != metrics.end())
      table.rows.push_back({entry.metric->name, static_cast<std::uint64_t>(entry.instance), entry.counter->value()});
  }
  return table;
}

}  // namespace

void declare_cycle_stack(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms, bool knows_copies, unsigned stages) {
  registry.table(
      "cycle_stack",
      "issue slots of the SMs that count them (run --explain, --explain-every), by cause; slots that waited for loads also by the block that answered and by the stage that took the time",
      [&sms] { return rows_of(stacks_of(sms)); });
  registry.table(
      "instructions",
      "the hundred instructions that cost most issue slots. A load costs the slots in which warps waited for it, any other instruction the slots in which it "
      "waited itself. Loads and atomics also with their accesses, by the block that answered",
      [&sms, knows_copies] { return rows_of_instructions(stacks_of(sms), knows_copies); });
  registry.table(
      "replication",
      "primary misses of loads in the SMs that count their slots: all; those whose sectors another L1 held; those held elsewhere of which no other L1 "
      "supplied a sector. No rows if oracle_directory is false",
      [&sms, knows_copies] { return rows_of_replication(stacks_of(sms), knows_copies); });
  registry.table("parts", "counters of each L2 slice and each DRAM channel", [&registry] { return rows_of_parts(registry); });
  const auto share = [&registry](const std::string& name, const std::string& help) {
    const std::string counter = "sm.slots." + name;
    registry.derived("slots." + name, help, stats::Unit::ratio,
                     [counter](const stats::View& v) { return v.ratio(counter, "sm.slots.all"); });
  };
  for (const char* cause : kSlotCauseNames) share(cause, "share of all issue slots, by cause");
  for (unsigned i = 0; i < stages; ++i)
    share(std::string("load.in_") + kStageNames[i], "share of all issue slots that waited for loads, by stage");
  for (const char* server : kServedByNames)
    share(std::string("load.by_") + server, "share of all issue slots that waited for loads, by the block that answered");
}

}  // namespace wharf
