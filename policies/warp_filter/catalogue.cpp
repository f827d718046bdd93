#include "policies/catalogue.h"

#include <string>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "policies/warp_filter/ccws.h"
#include "policies/warp_filter/ciao.h"
#include "policies/warp_filter/static_pcal.h"
#include "policies/warp_filter/swl.h"
#include "policies/warp_filter/warp_filter.h"

namespace wharf {
namespace {

class NoFilter final : public WarpFilter {
 public:
  bool restricts() const override { return false; }
  bool archive(Archive& file) override {
    file(masks_);
    return true;
  }

 private:
  void changed(const WarpEvent&) override {}
};

/// Throws InputError if the SM cannot have such a pool.
void check_pool(const char* filter, const WarpFilterOptions& options) {
  const std::string name = std::string("warp filter ") + filter;
  if (options.limit == 0 || options.limit > kMaxWarps)
    throw InputError(name + " has a limit of " + std::to_string(options.limit) + " warps; choose 1 to " + std::to_string(kMaxWarps));
  if (options.schedulers == 0) throw InputError(name + " has 0 schedulers; give the SM at least one");
}

std::unique_ptr<WarpFilter> make_none(const WarpFilterOptions&) { return std::make_unique<NoFilter>(); }

std::unique_ptr<WarpFilter> make_predictor_cta(const WarpFilterOptions&) {
  auto filter = std::make_unique<NoFilter>();
  filter->put_predictor_first();
  return filter;
}

std::unique_ptr<WarpFilter> make_swl(const WarpFilterOptions& options) {
  check_pool("swl", options);
  return std::make_unique<StaticWarpLimit>(options.limit, options.schedulers);
}

std::unique_ptr<WarpFilter> make_ccws(const WarpFilterOptions& options) { return std::make_unique<Ccws>(options.ccws); }

std::unique_ptr<WarpFilter> make_statpcal(const WarpFilterOptions& options) {
  check_pool("statpcal", options);
  return std::make_unique<StaticPcal>(options.limit, options.schedulers, options.pcal);
}

template <CiaoMode mode>
std::unique_ptr<WarpFilter> make_ciao(const WarpFilterOptions& options) {
  return std::make_unique<Ciao>(mode, options.ciao);
}

constexpr WarpFilterEntry kTable[] = {
    {"none", "every warp may issue", make_none},
    {"swl", "static wavefront limiting: only the `limit` oldest warps of an SM may issue", make_swl},
    {"predictor_cta", "warps of the predictor CTA go first while it predicts (loscache section 5.3)", make_predictor_cta},
    {"ccws", "warps with the most lost locality may load, within a fixed sum of scores (ciao section 3.3)", make_ccws},
    {"statpcal", "swl, plus warps that install nothing in the L1, while L2 and DRAM have bandwidth to spare (ciao section 3.4)",
     make_statpcal},
    {"ciao_p", "CIAO-P: redirects the warps that cause the most interference to the shared-memory cache (ciao section 5)",
     make_ciao<CiaoMode::isolate>},
    {"ciao_t", "CIAO-T: stalls the warps that cause the most interference (ciao section 5)", make_ciao<CiaoMode::stall>},
    {"ciao_c", "CIAO-C: redirects the warps that cause the most interference, and stalls them if they interfere there as well",
     make_ciao<CiaoMode::both>},
};

Catalogue<WarpFilterEntry>& catalogue() {
  static Catalogue<WarpFilterEntry> members("warp filter", kTable);
  return members;
}

}  // namespace

std::unique_ptr<WarpFilter> make_warp_filter(std::string_view name, WarpFilterOptions options) {
  options.arguments = catalogue().arguments_in(name);
  auto filter = catalogue().make(name, options);
  if (options.predictor_first) filter->put_predictor_first();
  return filter;
}

std::vector<config::PolicyName> warp_filter_catalogue_names() { return catalogue().names(); }

void add_warp_filter(const WarpFilterEntry& entry, std::vector<Argument> arguments) { catalogue().add(entry, std::move(arguments)); }

}  // namespace wharf
