#include "policies/catalogue.h"

#include "policies/l2_line/l2_line.h"
#include "policies/l2_line/last_sharer.h"
#include "policies/l2_line/loscache.h"

namespace wharf {
namespace {

std::unique_ptr<L2LinePolicy> make_none(const L2LineOptions&) { return nullptr; }
std::unique_ptr<L2LinePolicy> make_last_sharer(const L2LineOptions&) { return std::make_unique<LastSharer>(); }
std::unique_ptr<L2LinePolicy> make_loscache(const L2LineOptions& options) { return std::make_unique<LosCache>(options.gate_compare); }

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<L2LinePolicy> (*make)(const L2LineOptions&);
};

constexpr Entry kCatalogue[] = {
    {"none", "no line policy", make_none},
    {"last_sharer", "a read that hits is forwarded to the SM that read the line last (LA-LLC, RS-40)", make_last_sharer},
    {"loscache", "a line's data are switched off after the predicted last access (loscache section 6)", make_loscache},
};

}  // namespace

std::unique_ptr<L2LinePolicy> make_l2_line_policy(std::string_view name, const L2LineOptions& options) {
  return find_policy(kCatalogue, "L2 line policy", name).make(options);
}

std::vector<config::PolicyName> l2_line_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
