#include "policies/catalogue.h"

#include "policies/l2_line/l2_line.h"
#include "policies/l2_line/last_sharer.h"

namespace wharf {
namespace {

std::unique_ptr<L2LinePolicy> make_none() { return nullptr; }
std::unique_ptr<L2LinePolicy> make_last_sharer() { return std::make_unique<LastSharer>(); }

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<L2LinePolicy> (*make)();
};

constexpr Entry kCatalogue[] = {
    {"none", "lines of a slice are all alike", make_none},
    {"last_sharer", "a read that hits is forwarded to the SM that read the line last (LA-LLC, RS-40)", make_last_sharer},
};

}  // namespace

std::unique_ptr<L2LinePolicy> make_l2_line_policy(std::string_view name) { return find_policy(kCatalogue, "L2 line policy", name).make(); }

std::vector<config::PolicyName> l2_line_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
