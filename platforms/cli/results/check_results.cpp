#include "platforms/cli/results/check_results.h"

#include <fmt/ostream.h>

#include "platforms/cli/terminal/plural.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {
namespace {

Json place_json(const ptx::FindingPlace& place, const std::string& what) {
  return {{"place", place.line}, {"block", dimensions(place.block)}, {"thread", dimensions(place.thread)}, {"what", what}};
}

Json finding_json(const ptx::Finding& finding) {
  Json json = place_json(finding.at, finding.what);
  json["kernel"] = finding.kernel;
  if (!finding.allocation.empty()) json["allocation"] = finding.allocation;
  if (finding.has_other) json["other"] = place_json(finding.other, finding.other_access);
  json["count"] = finding.count;
  json["text"] = finding.text();
  return json;
}

}  // namespace

Json dimensions(const Dim3& d) { return Json::array({d.x, d.y, d.z}); }

Json checks_json(const cuda::PtxDevice& device) {
  const ptx::Checks* checks = device.checks();
  Json json;
  if (checks == nullptr) return json;
  for (std::size_t i = 0; i < ptx::kChecks; ++i) {
    const auto check = static_cast<ptx::Check>(i);
    if (!checks->has(check)) continue;
    Json first = Json::array();
    for (const ptx::Finding& finding : checks->findings().shown(check)) first.push_back(finding_json(finding));
    json[std::string(ptx::name_of(check))] = {{"findings", checks->findings().total(check)}, {"first", std::move(first)}};
  }
  return json;
}

bool report_checks(const Json& checks, bool quiet, std::ostream& out) {
  bool any = false;
  for (const auto& [name, found] : checks.items()) {
    const auto total = found["findings"].get<std::uint64_t>();
    any |= total != 0;
    if (total == 0) {
      if (!quiet) fmt::print(out, "check {}: nothing found\n", name);
      continue;
    }
    fmt::print(out, "check {}: {} finding{}; the first of each instruction:\n", name, with_commas(total), plural_ending(total));
    for (const Json& one : found["first"]) {
      const auto count = one["count"].get<std::uint64_t>();
      fmt::print(out, "  {} ({} time{})\n", one["text"].get<std::string>(), with_commas(count), plural_ending(count));
    }
  }
  return any;
}

}  // namespace wharf::cli
