#include "platforms/cli/explain/instructions.h"

#include <fmt/core.h>

#include "platforms/cli/explain/diagnosis.h"

namespace wharf::cli {
namespace {

constexpr std::size_t kMostInstructions = 10;

/// "stimuli/kernels/rodinia/bfs.cpp:48", or the pc if the line is unknown.
std::string place_of(const Json& instruction) {
  const std::string file = instruction.at("file");
  return file.empty() ? fmt::format("pc {:#x}", instruction.at("pc").get<std::uint64_t>())
                      : fmt::format("{}:{}", file, instruction.at("line").get<std::uint64_t>());
}

/// "-" in a table and null in a file if there is none.
std::string rate_of(const Json& cell) { return cell.is_number() ? percent(cell.get<double>()) : "-"; }

/// "l2 60 %, dram 30 %": who answered a twentieth of the accesses or more.
std::string servers_of(const Json& instruction) {
  std::string text;
  const double loads = instruction.at("loads");
  for (const char* server : {"l1", "peer", "home", "l2", "ellc", "dram"})
    if (const double share = loads == 0.0 ? 0.0 : instruction.at(server).get<double>() / loads; share >= 0.05)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", server, percent(share));
  return text.empty() ? "-" : text;
}

}  // namespace

Json costly_instructions_json(const Json& result) {
  Json list = Json::array();
  if (!result.contains("tables") || !result["tables"].contains("instructions")) return list;
  const Json& table = result["tables"]["instructions"];
  for (const Json& row : table.at("rows")) {
    if (list.size() == kMostInstructions || row.at(6) == 0.0) break;  // sorted by their shares
    Json& instruction = list.emplace_back(Json::object());
    for (std::size_t i = 0; i < row.size(); ++i) instruction[table.at("columns").at(i).get<std::string>()] = row[i];
  }
  return list;
}

Table costly_instructions(const Json& result) {
  Table table;
  table.columns = {"place", "instruction", "kernel", "slots", "hit rate", "replication", "served by"};
  for (const Json& one : costly_instructions_json(result))
    table.rows.push_back({place_of(one), one.at("unit").get<std::string>(), one.at("kernel").get<std::string>(), percent(one.at("share")),
                          rate_of(one.at("hit_rate")), rate_of(one.at("replication")), servers_of(one)});
  table.note = "Slots: for a load, those in which warps waited for it; for any other instruction, those in which it waited itself.";
  return table;
}

}  // namespace wharf::cli
