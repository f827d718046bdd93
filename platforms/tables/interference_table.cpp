#include "platforms/tables/interference_table.h"

namespace wharf {

void declare_interference_table(stats::Registry& registry, const std::vector<std::unique_ptr<Sm>>& sms) {
  registry.table("interference", "times a warp wanted back a line that it had lost to another, by warp slot, over all SMs; the rest is 0",
                 [&sms] {
                   stats::TableRows table{{"victim", "interferer", "hits"}, {}};
                   for (std::uint64_t victim = 0; victim < kMaxWarps; ++victim) {
                     for (std::uint64_t interferer = 0; interferer < kMaxWarps; ++interferer) {
                       std::uint64_t hits = 0;
                       for (const auto& sm : sms)
                         hits += sm->logic().interference()->hits(static_cast<unsigned>(victim), static_cast<unsigned>(interferer));
                       if (hits != 0) table.rows.push_back({victim, interferer, hits});
                     }
                   }
                   return table;
                 });
}

}  // namespace wharf
