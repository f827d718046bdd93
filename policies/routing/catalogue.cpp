#include "policies/catalogue.h"
#include "policies/routing/topology.h"

namespace wharf::routing {
namespace {

struct Member {
  const char* name;
  const char* help;
  Topology (*make)(const Shape& shape);
};

constexpr Member kCatalogue[] = {
    {"mesh", "2D mesh, first along the row, then along the column", mesh},
    {"ring", "one or two directions, the shorter way", ring},
    {"butterfly", "k-ary n-fly, most significant digit of the destination first", butterfly},
};

}  // namespace

std::vector<config::PolicyName> catalogue_names() { return names_of(kCatalogue); }

Topology make_topology(std::string_view name, const Shape& shape) { return find_policy(kCatalogue, "topology", name).make(shape); }

}  // namespace wharf::routing
