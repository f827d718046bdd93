#include "policies/catalogue.h"

#include <string>

#include "model/base/error.h"
#include "policies/warp_filter/predictor_cta.h"
#include "policies/warp_filter/swl.h"
#include "policies/warp_filter/warp_filter.h"

namespace wharf {
namespace {

class NoFilter final : public WarpFilter {
 public:
  void observe(WarpEvent) override {}
  bool restricts() const override { return false; }
};

std::unique_ptr<WarpFilter> make_none(const WarpFilterOptions&) { return std::make_unique<NoFilter>(); }

std::unique_ptr<WarpFilter> make_swl(const WarpFilterOptions& options) {
  if (options.limit == 0 || options.limit > kMaxWarps)
    throw InputError("warp filter swl has a limit of " + std::to_string(options.limit) + " warps; choose 1 to " +
                     std::to_string(kMaxWarps));
  if (options.schedulers == 0) throw InputError("warp filter swl has 0 schedulers; give the SM at least one");
  return std::make_unique<StaticWarpLimit>(options.limit, options.schedulers);
}

std::unique_ptr<WarpFilter> make_predictor_cta(const WarpFilterOptions&) { return std::make_unique<PredictorCta>(); }

struct Entry {
  const char* name;
  const char* help;
  std::unique_ptr<WarpFilter> (*make)(const WarpFilterOptions&);
};

constexpr Entry kCatalogue[] = {
    {"none", "every warp may issue", make_none},
    {"swl", "static wavefront limiting: only the `limit` oldest warps of an SM may issue", make_swl},
    {"predictor_cta", "warps of the CTA that predicts for the others go first, as long as it does (loscache section 5.3)",
     make_predictor_cta},
};

}  // namespace

std::unique_ptr<WarpFilter> make_warp_filter(std::string_view name, const WarpFilterOptions& options) {
  return find_policy(kCatalogue, "warp filter", name).make(options);
}

std::vector<config::PolicyName> warp_filter_catalogue_names() { return names_of(kCatalogue); }

}  // namespace wharf
