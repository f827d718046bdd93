#include "platforms/cli/claims/claim_summary.h"

#include <fmt/core.h>

#include "model/base/text.h"
#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {
namespace {

std::string share_text(std::size_t part, std::size_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{} of {} ({:.0f} %)", part, whole, 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

SourceCounts sum_of(const std::vector<SourceCounts>& sources) {
  SourceCounts all{"all", {}, {}};
  for (const SourceCounts& one : sources) {
    all.headline += one.headline;
    all.mechanism += one.mechanism;
  }
  return all;
}

void count(const ClaimLines& claim, SourceCounts& counts) {
  const std::vector<std::string> cells = cells_of(claim.row);
  if (claim.table == ClaimTable::not_computed) {
    ++(cells.at(kTierCell) == "headline" ? counts.headline : counts.mechanism).claims;
    return;
  }
  ClaimCounts& own = claim.table == ClaimTable::headline ? counts.headline : counts.mechanism;
  ++own.claims;
  ++own.computed;
  if (cells.at(kSignCell).rfind(kAgrees, 0) == 0) ++own.agree_in_sign;
  if (cells.at(kSizeCell) != "-") ++own.sized;
  if (cells.at(kSizeCell) == kAgrees) ++own.agree_in_size;
}

std::vector<std::string> row_of(const std::string& name, const std::string& programs, const SourceCounts& counts) {
  const ClaimCounts &headline = counts.headline, &mechanism = counts.mechanism;
  return {name,
          programs,
          share_text(headline.computed, headline.claims),
          share_text(headline.agree_in_sign, headline.computed),
          share_text(headline.agree_in_size, headline.sized),
          share_text(mechanism.computed, mechanism.claims),
          share_text(mechanism.agree_in_sign, mechanism.computed),
          share_text(mechanism.agree_in_size, mechanism.sized)};
}

Json counts_json(const ClaimCounts& counts) {
  return {{"claims", counts.claims},
          {"computed", counts.computed},
          {"agree_in_sign", counts.agree_in_sign},
          {"sized", counts.sized},
          {"agree_in_size", counts.agree_in_size}};
}

}  // namespace

ClaimCounts& ClaimCounts::operator+=(const ClaimCounts& other) {
  claims += other.claims;
  computed += other.computed;
  agree_in_sign += other.agree_in_sign;
  sized += other.sized;
  agree_in_size += other.agree_in_size;
  return *this;
}

std::vector<SourceCounts> counts_of(const std::vector<ClaimSection>& sections) {
  std::vector<SourceCounts> list;
  for (const ClaimSection& section : sections) {
    SourceCounts& counts = list.emplace_back();
    counts.source = source_of(section);
    for (const ClaimLines& claim : parse_section(section.text).claims) count(claim, counts);
  }
  return list;
}

Table summary_table(const std::vector<ClaimSection>& sections) {
  Table table{"", "", {"source", "commit", "headline: computed", "sign", "size", "mechanism: computed", "sign", "size"}, {}, 1};
  const std::vector<SourceCounts> sources = counts_of(sections);
  for (std::size_t i = 0; i < sources.size(); ++i)
    table.rows.push_back(row_of(sources[i].source, join(programs_of(sections[i].text)), sources[i]));
  table.rows.push_back(row_of("all", "", sum_of(sources)));
  return table;
}

std::string summary_markdown(const std::vector<ClaimSection>& sections) {
  return "\n" + as_format({summary_table(sections)}, TableFormat::markdown);
}

Json summary_json(const std::vector<ClaimSection>& sections, const std::optional<WithinRange>& characteristics) {
  Json json = {{"sources", Json::array()}};
  for (const SourceCounts& one : counts_of(sections))
    json["sources"].push_back({{"source", one.source}, {"headline", counts_json(one.headline)}, {"mechanism", counts_json(one.mechanism)}});
  if (characteristics) json["characteristics"] = {{"within", characteristics->within}, {"named", characteristics->named}};
  return json;
}

}  // namespace wharf::cli
