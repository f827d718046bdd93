#include "policies/catalogue.h"

#include "policies/replacement/replacement.h"
#include "policies/replacement/rrip.h"

namespace wharf {
namespace {

constexpr ReplacementEntry kTable[] = {
    {"lru", "least recently used", nullptr, ReplacementKind::lru},
    {"fifo", "first in, first out", nullptr, ReplacementKind::fifo},
    {"random", "every eligible way equally likely, from the run's seed", nullptr, ReplacementKind::random},
    {"tree_plru", "pseudo-LRU by a binary tree of the ways", nullptr, ReplacementKind::tree_plru},
};

Catalogue<ReplacementEntry> in_tree() {
  Catalogue<ReplacementEntry> members("replacement policy", kTable);
  const Argument bits{"bits", "2", 1, 8, "width of a prediction"};
  members.add({"srrip", "static re-reference interval prediction (ISCA 2010)", make_srrip}, {bits});
  members.add({"drrip", "dynamic re-reference interval prediction: srrip and bimodal insertion duel (ISCA 2010)", make_drrip},
              {bits,
               {"leaders", "32", 1, 4096, "leader sets of each of the two"},
               {"selector_bits", "10", 1, 16, "width of the counter that selects"},
               {"one_in", "32", 1, 1024, "bimodal insertion treats one line in this many as srrip does"}});
  members.add({"ship", "signature-based hit prediction by the load's pc (MICRO 2011)", make_ship},
              {bits,
               {"entries", "16384", 1, 1 << 20, "counters of signatures"},
               {"counter_bits", "3", 1, 8, "width of one"}});
  return members;
}

Catalogue<ReplacementEntry>& catalogue() {
  static Catalogue<ReplacementEntry> members = in_tree();
  return members;
}

}  // namespace

namespace {

Replacement make_unnamed(std::string_view name, std::uint32_t sets, std::uint32_t ways, std::uint64_t seed) {
  const ReplacementEntry& entry = catalogue().find(name);
  const Arguments arguments = catalogue().arguments_in(name);
  if (entry.kind != ReplacementKind::added) return Replacement(entry.kind, sets, ways, seed);
  return Replacement([&entry](const ReplacementOptions& options) { return catalogue().made_by(entry, entry.make(options)); },
                     {sets, ways, seed, arguments});
}

}  // namespace

Replacement make_replacement(std::string_view name, std::uint32_t sets, std::uint32_t ways, std::uint64_t seed) {
  Replacement made = make_unnamed(name, sets, ways, seed);
  made.set_name(name);
  return made;
}

std::vector<config::PolicyName> replacement_catalogue_names() { return catalogue().names(); }

void add_replacement(const ReplacementEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
