#include "platforms/tables/cycle_stack_table.h"

#include <string>

namespace wharf {

namespace {

double in_slots(std::uint64_t parts) { return static_cast<double>(parts) / static_cast<double>(CycleStack::kSlot); }

stats::TableRows rows_of(const std::vector<std::unique_ptr<Sm>>& sms) {
  stats::TableRows table{{"cause", "served_by", "stage", "slots", "share"}, {}};
  std::uint64_t all = 0, open = 0;
  std::vector<const CycleStack*> stacks;
  for (const auto& sm : sms)
    if (sm->logic().cycle_stack() != nullptr) stacks.push_back(sm->logic().cycle_stack());
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

/// How the work is spread over the parts of a kind.
stats::TableRows rows_of_parts(const stats::Registry& registry) {
  stats::TableRows table{{"metric", "part", "value"}, {}};
  for (const auto& entry : registry.counters()) {
    for (const char* metric : {"l2.accesses", "dram.requests", "dram.bus_busy_cycles"})
      if (entry.metric() == metric)
        table.rows.push_back({std::string(metric), static_cast<std::uint64_t>(entry.instance), entry.counter->value()});
  }
  return table;
}

}  // namespace

void declare_cycle_stack(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms) {
  registry.table("cycle_stack",
                 "issue slots of the SMs that count them (run --explain, --explain-every) by cause; those that waited for loads also by who answered them and by the stage that took the time",
                 [&sms] { return rows_of(sms); });
  registry.table("parts", "counters of each L2 slice and each DRAM channel", [&registry] { return rows_of_parts(registry); });
  const auto share = [&registry](const std::string& name, const std::string& help) {
    const std::string counter = "sm.slots." + name;
    registry.derived("slots." + name, help, stats::Unit::ratio, [counter](const stats::View& v) { return v.ratio(counter, "sm.slots.all"); });
  };
  for (const char* cause : kSlotCauseNames) share(cause, "share of all issue slots, by cause");
  for (const char* stage : kStageNames) share(std::string("load.in_") + stage, "share of all issue slots that waited for loads, by stage");
  for (const char* server : kServedByNames) share(std::string("load.by_") + server, "the same by who answered the load");
}

}  // namespace wharf
