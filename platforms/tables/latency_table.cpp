#include "platforms/tables/latency_table.h"

namespace wharf {

namespace {

/// The stages that are columns of the table.
std::vector<unsigned> columns_of(bool has_partitions) {
  std::vector<unsigned> columns;
  for (unsigned stage = 0; stage < stages_of(has_partitions); ++stage)
    if (static_cast<unsigned>(kColumnOf[stage]) == stage) columns.push_back(stage);
  return columns;
}

void add_row(stats::TableRows& table, const char* served_by, const LatencyStack& stack, const std::vector<unsigned>& columns) {
  if (stack.loads == 0) return;
  std::vector<stats::TableRows::Cell> row{std::string(served_by), stack.loads};
  for (const unsigned column : columns) row.emplace_back(static_cast<double>(stack.column(column)) / static_cast<double>(stack.loads));
  table.rows.push_back(std::move(row));
}

}  // namespace

void declare_latency_table(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms, bool has_partitions) {
  registry.table("latency_stack", "mean core cycles of a load by the stage in which they passed, and by who answered",
                 [&sms, columns = columns_of(has_partitions)] {
                   stats::TableRows table{{"served_by", "loads"}, {}};
                   for (const unsigned column : columns) table.columns.emplace_back(kStageNames[column]);
                   LatencyStack all;
                   for (unsigned server = 0; server < kServedBy; ++server) {
                     LatencyStack stack;
                     for (const auto& sm : sms) stack += sm->logic().latency_stack(static_cast<ServedBy>(server));
                     add_row(table, kServedByNames[server], stack, columns);
                     all += stack;
                   }
                   add_row(table, "all", all, columns);
                   return table;
                 });
}

}  // namespace wharf
