#include "policies/catalogue.h"

#include "policies/replacement/replacement.h"

namespace wharf {
namespace {

struct Entry {
  const char* name;
  const char* help;
  ReplacementKind kind;
};

constexpr Entry kCatalogue[] = {
    {"lru", "least recently used", ReplacementKind::lru},
    {"fifo", "first in, first out", ReplacementKind::fifo},
    {"random", "every eligible way equally likely, from the run's seed", ReplacementKind::random},
    {"tree_plru", "pseudo-LRU by a binary tree of the ways", ReplacementKind::tree_plru},
};

}  // namespace

Replacement make_replacement(std::string_view name, std::uint32_t sets, std::uint32_t ways, std::uint64_t seed) {
  return Replacement(find_policy(kCatalogue, "replacement policy", name).kind, sets, ways, seed);
}

std::vector<config::PolicyName> replacement_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
