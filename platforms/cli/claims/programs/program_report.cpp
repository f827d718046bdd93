#include "platforms/cli/claims/programs/program_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "model/base/text.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/terminal/table_format.h"

namespace wharf::cli {
namespace {

constexpr const char* kLegend =
    "Each claim is measured twice over the same applications: with this project's stimuli, and with the user's programs. Applications without a\n"
    "program are in neither figure. The figures of whole groups are in docs/results.md. Signs and sizes are judged as there.\n\n";

std::string sign_text(const ClaimResult& result) {
  const std::optional<SignVerdict> sign = result.sign();
  return sign ? verdict_text(*sign) : "-";
}

std::string size_text(const JudgedClaim& judged) { return agreement_text(size_agrees(judged.claim, judged.result)); }

std::string value_text(const JudgedClaim& judged) {
  return judged.result.shown ? measured_text(judged.claim, judged.result.measured()) : "not computed";
}

std::string value_text(const Claim& claim, const Measure& measure, const WorkloadFigure& figure) {
  return figure.known() ? measured_text(claim, in_unit_of(claim, measure, figure.system / figure.baseline)) : figure.why_missing;
}

/// The figures of the part that represents the claim, one row per stimulus.
void add_applications(const ComparedClaim& compared, Table& table) {
  const Claim& claim = compared.over_programs.claim;
  const ClaimResult& by_programs = compared.over_programs.result;
  const std::size_t part = by_programs.shown.value_or(0);
  if (part >= by_programs.parts.size()) return;
  const Measure& measure = claim.measures[part];
  const std::vector<WorkloadFigure>& programs = by_programs.parts[part].figures;
  for (const WorkloadFigure& stimulus : compared.over_stimuli.result.parts[part].figures) {
    const auto program = std::find_if(programs.begin(), programs.end(), [&](const WorkloadFigure& figure) {
      return workload_of(figure.workload) == workload_of(stimulus.workload);
    });
    table.rows.push_back({claim.id, stimulus.workload, value_text(claim, measure, stimulus),
                          program == programs.end() ? "-" : value_text(claim, measure, *program)});
  }
}

std::vector<JudgedClaim> over_programs_of(const std::vector<ComparedClaim>& claims) {
  std::vector<JudgedClaim> judged;
  std::transform(claims.begin(), claims.end(), std::back_inserter(judged), [](const ComparedClaim& claim) { return claim.over_programs; });
  return judged;
}

std::vector<JudgedClaim> over_stimuli_of(const std::vector<ComparedClaim>& claims) {
  std::vector<JudgedClaim> judged;
  std::transform(claims.begin(), claims.end(), std::back_inserter(judged), [](const ComparedClaim& claim) { return claim.over_stimuli; });
  return judged;
}

std::string markdown(const Table& table) { return as_format({table}, TableFormat::markdown); }

}  // namespace

Table claims_over_programs(const std::vector<ComparedClaim>& claims) {
  Table table{"",
              "",
              {"claim", "published", "stimuli", "programs", "sign: stimuli", "sign: programs", "size: stimuli", "size: programs",
               "without a program"},
              {},
              0};
  for (const auto& [stimuli, programs, without] : claims)
    table.rows.push_back({stimuli.claim.id, published_text(stimuli.claim), value_text(stimuli), value_text(programs),
                          sign_text(stimuli.result), sign_text(programs.result), size_text(stimuli), size_text(programs),
                          without.empty() ? "-" : join(without)});
  return table;
}

std::string programs_markdown(const std::vector<ComparedClaim>& claims, const std::vector<ClaimProgram>& programs, const Origin& origin,
                              const std::string& mark) {
  std::string text = "# Claims over a user's programs\n\n";
  text += fmt::format("**{}**\n\nMeasured by {}.\n\n", mark, origin_text(origin));
  text += kLegend + markdown(claims_over_programs(claims));
  Table named{"The programs", "", {"application", "program", "timed kernels"}, {}, 0};
  for (const ClaimProgram& program : programs)
    named.rows.push_back({program.application, program.text(), program.kernels.empty() ? "all" : program.kernels});
  Table applications{"Figures of each application", "", {"claim", "stimulus", "stimulus's figure", "program's figure"}, {}, 0};
  for (const ComparedClaim& claim : claims) add_applications(claim, applications);
  return text + '\n' + markdown(named) + '\n' + markdown(applications);
}

Json programs_json(const std::vector<ComparedClaim>& claims, const std::vector<ClaimProgram>& programs, const Origin& origin,
                   const std::string& mark) {
  Json json = claims_json(over_stimuli_of(claims), origin, mark);
  const Json over_programs = claims_json(over_programs_of(claims), origin, mark)["claims"];
  for (std::size_t i = 0; i < claims.size(); ++i) {
    json["claims"][i]["over_programs"] = over_programs[i];
    json["claims"][i]["without_program"] = claims[i].without_program;
  }
  for (const ClaimProgram& program : programs) json["programs"][program.application] = program.text();
  return json;
}

std::string programs_summary(const std::vector<ComparedClaim>& claims) {
  return fmt::format("stimuli: {}\nprograms: {}", claims_summary(over_stimuli_of(claims)), claims_summary(over_programs_of(claims)));
}

}  // namespace wharf::cli
