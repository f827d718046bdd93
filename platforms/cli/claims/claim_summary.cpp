#include "platforms/cli/claims/claim_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "model/base/text.h"
#include "platforms/cli/claims/claim_report.h"
#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {
namespace {

std::string share_text(std::size_t part, std::size_t whole) {
  if (whole == 0) return "-";
  return fmt::format("{} of {} ({:.0f} %)", part, whole, 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

SourceCounts sum_of(const std::vector<SourceCounts>& sources) {
  SourceCounts all{"all", {}, {}, {}};
  for (const SourceCounts& one : sources) {
    all.headline += one.headline;
    all.mechanism += one.mechanism;
  }
  return all;
}

void count(const JudgedClaim& judged, SourceCounts& counts) {
  ClaimCounts& own = judged.claim.tier == Tier::headline ? counts.headline : counts.mechanism;
  ++own.claims;
  if (!judged.result.shown) return;
  ++own.computed;
  if (*judged.result.sign() == SignVerdict::agrees) ++own.agree_in_sign;
  const std::optional<bool> size = size_agrees(judged.claim, judged.result);
  if (size) ++own.sized;
  if (size.value_or(false)) ++own.agree_in_size;
}

std::string commits_of(const SourceOrigins& source) {
  std::vector<std::string> commits;
  for (const Origin& origin : source.origins) {
    const std::string commit = commit_of(origin);
    if (std::find(commits.begin(), commits.end(), commit) == commits.end()) commits.push_back(commit);
  }
  return join(commits);
}

std::vector<std::string> row_of(const SourceCounts& counts) {
  const ClaimCounts &headline = counts.headline, &mechanism = counts.mechanism;
  return {counts.source,
          counts.commits,
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

std::vector<SourceOrigins> origins_of(const std::vector<JudgedClaim>& claims) {
  std::vector<SourceOrigins> sources;
  for (const JudgedClaim& judged : claims) {
    const auto is_it = [&](const SourceOrigins& one) { return one.source == judged.claim.source; };
    auto source = std::find_if(sources.begin(), sources.end(), is_it);
    if (source == sources.end()) source = sources.insert(source, {judged.claim.source, {}});
    const bool known = std::find(source->origins.begin(), source->origins.end(), judged.origin) != source->origins.end();
    if (!known && !judged.origin.command.empty()) source->origins.push_back(judged.origin);
  }
  return sources;
}

std::string commit_of(const Origin& origin) {
  const std::string mark = ", commit ";
  const std::size_t at = origin.program.find(mark);
  return at == std::string::npos ? origin.program : origin.program.substr(at + mark.size());
}

std::string commits_note(const std::vector<SourceOrigins>& sources) {
  std::set<std::string> commits;
  std::vector<std::string> list;
  for (const SourceOrigins& source : sources) {
    for (const Origin& origin : source.origins) commits.insert(commit_of(origin));
    if (!source.origins.empty()) list.push_back(fmt::format("{} of {}", source.source, commits_of(source)));
  }
  std::string note;
  if (commits.size() > 1)
    note = fmt::format(
        "\n**The sections were measured with different commits:** {}. The command without options measures all with one commit.\n",
        escape_markdown(join(list, list.size())));
  const auto has_changes = [](const std::string& commit) { return commit.find('+') != std::string::npos; };
  if (std::any_of(commits.begin(), commits.end(), has_changes)) note += "\n**The program had uncommitted changes** (+changes).\n";
  return note;
}

std::vector<SourceCounts> counts_of(const std::vector<JudgedClaim>& claims) {
  std::vector<SourceCounts> list;
  for (const SourceOrigins& source : origins_of(claims)) {
    SourceCounts& counts = list.emplace_back(SourceCounts{source.source, commits_of(source), {}, {}});
    for (const JudgedClaim& judged : claims)
      if (judged.claim.source == source.source) count(judged, counts);
  }
  return list;
}

Table summary_table(const std::vector<JudgedClaim>& claims) {
  Table table{"", "", {"source", "commit", "headline: computed", "sign", "size", "mechanism: computed", "sign", "size"}, {}, 1};
  const std::vector<SourceCounts> sources = counts_of(claims);
  for (const SourceCounts& source : sources) table.rows.push_back(row_of(source));
  table.rows.push_back(row_of(sum_of(sources)));
  return table;
}

std::string summary_markdown(const std::vector<JudgedClaim>& claims) {
  return "\n" + as_format({summary_table(claims)}, TableFormat::markdown);
}

Json summary_json(const std::vector<JudgedClaim>& claims, const std::optional<WithinRange>& characteristics) {
  Json json = {{"sources", Json::array()}};
  for (const SourceCounts& one : counts_of(claims))
    json["sources"].push_back({{"source", one.source}, {"headline", counts_json(one.headline)}, {"mechanism", counts_json(one.mechanism)}});
  if (characteristics) json["characteristics"] = {{"within", characteristics->within}, {"named", characteristics->named}};
  return json;
}

}  // namespace wharf::cli
