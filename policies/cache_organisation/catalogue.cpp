#include "policies/catalogue.h"
#include "policies/cache_organisation/cache_organisation.h"
#include "policies/cache_organisation/dynamic.h"

namespace wharf {
namespace {

class StaticOrganisation final : public CacheOrganisation {
 public:
  explicit StaticOrganisation(bool shared) { shared_ = {shared, shared}; }
};

std::unique_ptr<CacheOrganisation> make_private(const DynamicParams&) { return std::make_unique<StaticOrganisation>(false); }
std::unique_ptr<CacheOrganisation> make_shared(const DynamicParams&) { return std::make_unique<StaticOrganisation>(true); }
std::unique_ptr<CacheOrganisation> make_dyn_amat(const DynamicParams& params) {
  return std::make_unique<DynamicOrganisation>(OrganisationMetric::amat, params);
}
std::unique_ptr<CacheOrganisation> make_dyn_eb(const DynamicParams& params) {
  return std::make_unique<DynamicOrganisation>(OrganisationMetric::eb, params);
}

struct Entry {
  const char* name;
  const char* help;
  bool shares, dynamic;
  std::unique_ptr<CacheOrganisation> (*make)(const DynamicParams&);
};

constexpr Entry kCatalogue[] = {
    {"private", "each L1 caches what its own SM requests", false, false, make_private},
    {"shared", "every line has one home among the L1s", true, false, make_shared},
    {"dyn_amat", "each SM samples both and takes the lower average memory access time", true, true, make_dyn_amat},
    {"dyn_eb", "each SM samples both and takes the higher effective bandwidth", true, true, make_dyn_eb},
};

}  // namespace

const std::vector<CacheOrganisation::PhaseStart>& CacheOrganisation::phases() const {
  static const std::vector<PhaseStart> none;
  return none;
}

std::unique_ptr<CacheOrganisation> make_cache_organisation(std::string_view name, const DynamicParams& params) {
  return find_policy(kCatalogue, "cache organisation", name).make(params);
}

std::vector<config::PolicyName> cache_organisation_catalogue_names() { return names_of(kCatalogue); }
bool ever_shares(std::string_view organisation) { return find_policy(kCatalogue, "cache organisation", organisation).shares; }
bool is_dynamic(std::string_view organisation) { return find_policy(kCatalogue, "cache organisation", organisation).dynamic; }

}  // namespace wharf
