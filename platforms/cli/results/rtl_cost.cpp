#include "platforms/cli/results/rtl_cost.h"

#include <fmt/core.h>

namespace wharf::cli {
namespace {

double share(const rtl::Cost& cost, double wall_s) { return wall_s > 0.0 ? cost.host_s / wall_s : 0.0; }

}  // namespace

Json rtl_json(const std::vector<rtl::Cost>& costs, double wall_s) {
  Json json = Json::array();
  for (const rtl::Cost& cost : costs)
    json.push_back({{"block", cost.block},
                    {"parameters", cost.parameters},
                    {"instances", cost.instances},
                    {"operations", cost.operations},
                    {"evaluations", cost.evaluations},
                    {"crowded_cycles", cost.crowded_cycles},
                    {"seconds", cost.host_s},
                    {"share", share(cost, wall_s)}});
  return json;
}

Table rtl_table(const std::vector<rtl::Cost>& costs, double wall_s) {
  Table table{"RTL in the loop",
              "crowded: cycles in which an RTL port had more than one operation, which hardware would have to queue",
              {"block", "instances", "operations", "evaluations", "crowded", "host ms", "of the run"},
              {},
              0};
  for (const rtl::Cost& cost : costs)
    table.rows.push_back({cost.block + " " + cost.parameters, std::to_string(cost.instances), with_commas(cost.operations),
                          with_commas(cost.evaluations), with_commas(cost.crowded_cycles), fmt::format("{:.1f}", 1e3 * cost.host_s),
                          fmt::format("{:.1f} %", 100.0 * share(cost, wall_s))});
  return table;
}

}  // namespace wharf::cli
