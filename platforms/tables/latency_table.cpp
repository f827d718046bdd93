#include "platforms/tables/latency_table.h"

namespace wharf {

namespace {

void add_row(stats::TableRows& table, const char* served_by, const LatencyStack& stack) {
  if (stack.loads == 0) return;
  std::vector<stats::TableRows::Cell> row{std::string(served_by), stack.loads};
  for (unsigned column = 0; column < kStageColumns; ++column)
    row.emplace_back(static_cast<double>(stack.column(column)) / static_cast<double>(stack.loads));
  table.rows.push_back(std::move(row));
}

}  // namespace

void declare_latency_table(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms) {
  registry.table("latency_stack", "mean core cycles of a load by the stage in which they passed, and by who answered", [&sms] {
    stats::TableRows table{{"served_by", "loads"}, {}};
    table.columns.insert(table.columns.end(), std::begin(kStageNames), std::begin(kStageNames) + kStageColumns);
    LatencyStack all;
    for (unsigned server = 0; server < kServedBy; ++server) {
      LatencyStack stack;
      for (const auto& sm : sms) stack += sm->logic().latency_stack(static_cast<ServedBy>(server));
      add_row(table, kServedByNames[server], stack);
      all += stack;
    }
    add_row(table, "all", all);
    return table;
  });
}

}  // namespace wharf
