#include "policies/catalogue.h"

#include "policies/replacement/replacement.h"

namespace wharf {
namespace {

constexpr ReplacementEntry kTable[] = {
    {"lru", "least recently used", nullptr, ReplacementKind::lru},
    {"fifo", "first in, first out", nullptr, ReplacementKind::fifo},
    {"random", "every eligible way equally likely, from the run's seed", nullptr, ReplacementKind::random},
    {"tree_plru", "pseudo-LRU by a binary tree of the ways", nullptr, ReplacementKind::tree_plru},
};

Catalogue<ReplacementEntry>& catalogue() {
  static Catalogue<ReplacementEntry> members("replacement policy", kTable);
  return members;
}

}  // namespace

Replacement make_replacement(std::string_view name, std::uint32_t sets, std::uint32_t ways, std::uint64_t seed) {
  const ReplacementEntry& entry = catalogue().find(name);
  const Arguments arguments = catalogue().arguments_in(name);
  if (entry.kind != ReplacementKind::added) return Replacement(entry.kind, sets, ways, seed);
  return Replacement(entry.make, {sets, ways, seed, arguments});
}

std::vector<config::PolicyName> replacement_catalogue_names() { return catalogue().names(); }

void add_replacement(const ReplacementEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
