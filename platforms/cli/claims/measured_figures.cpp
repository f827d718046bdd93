#include "platforms/cli/claims/measured_figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "model/base/error.h"
#include "platforms/cli/results/result.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace {

constexpr const char* kNotMeasured = "has not been measured since it was written";

/// The means of a part that the file keeps.
constexpr std::pair<const char*, std::optional<double> MeasureResult::*> kMeans[] = {
    {"measured", &MeasureResult::completed},
    {"named_only", &MeasureResult::named_only},
    {"with_merges", &MeasureResult::with_merges},
    {"in_program_order", &MeasureResult::in_program_order}};

double rounded(double value) { return std::stod(fmt::format("{:.8g}", value)); }

Json part_json(const MeasureResult& part) {
  Json json = Json::object();
  for (const auto& [name, mean] : kMeans)
    if (part.*mean) json[name] = rounded(*(part.*mean));
  if (const auto& over = part.over_fill_ins)
    json["over_fill_ins"] = {{"low", rounded(over->low)},
                             {"high", rounded(over->high)},
                             {"some_agree", over->some_agree},
                             {"some_disagree", over->some_disagree}};
  return json;
}

MeasureResult part_of(const Json& json) {
  MeasureResult part;
  for (const auto& [name, mean] : kMeans)
    if (json.contains(name)) part.*mean = json[name].get<double>();
  if (json.contains("over_fill_ins")) {
    const Json& over = json["over_fill_ins"];
    part.over_fill_ins = FillInInterval{over.at("low"), over.at("high"), over.at("some_agree"), over.at("some_disagree")};
  }
  return part;
}

Json record_of(const WorkloadCharacteristics& workload) {
  if (!workload.known()) return {{"missing", workload.why_missing}};
  Json json = Json::object();
  if (workload.warp_instructions) json["warp_instructions"] = rounded(*workload.warp_instructions);
  for (const auto& [metric, value] : workload.measured) json[metric] = rounded(value);
  return json;
}

WorkloadCharacteristics workload_of(const Json& json) {
  WorkloadCharacteristics workload;
  for (const auto& [name, value] : json.items()) {
    if (name == "missing")
      workload.why_missing = value.get<std::string>();
    else if (name == "warp_instructions")
      workload.warp_instructions = value.get<double>();
    else
      workload.measured[name] = value.get<double>();
  }
  return workload;
}

/// The origins of a file, each once, by their place.
class Origins {
 public:
  std::size_t place_of(const Origin& origin) {
    const auto at = std::find(all_.begin(), all_.end(), origin);
    if (at != all_.end()) return static_cast<std::size_t>(at - all_.begin());
    all_.push_back(origin);
    return all_.size() - 1;
  }
  const std::vector<Origin>& all() const { return all_; }

 private:
  std::vector<Origin> all_;
};

/// Members of an object or items of a list, one per line.
class Lines {
 public:
  void add(const std::string& line) { text_ += (text_.empty() ? "\n" : ",\n") + line; }
  void add(const std::string& name, const Json& value) { add(Json(name).dump() + ": " + value.dump()); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::filesystem::path MeasuredFigures::project_file() { return project_root() / "platforms" / "claims" / "measured.json"; }

MeasuredFigures MeasuredFigures::read(const std::filesystem::path& file) {
  MeasuredFigures figures;
  try {
    const Json json = Json::parse(read_file(file));
    for (const Json& origin : json.at("origins")) figures.origins_.push_back({origin.at("command"), origin.at("program")});
    const auto origin_of = [&](const Json& entry) { return figures.origins_.at(entry.at("by").get<std::size_t>()); };
    for (const auto& [id, entry] : json.at("claims").items()) {
      OfClaim& claim = figures.claims_[id];
      claim.origin = origin_of(entry);
      for (const Json& part : entry.at("parts")) claim.parts.push_back(part_of(part));
      for (const Json& missing : entry.value("missing", Json::array()))
        claim.missing.push_back({missing.at("workload"), missing.at("why")});
    }
    for (const auto& [name, entry] : json.at("characteristics").items()) {
      OfSource& source = figures.sources_[name];
      source.origin = origin_of(entry);
      for (const auto& [workload, own] : entry.at("workloads").items()) source.workloads[workload] = workload_of(own);
    }
  } catch (const InputError&) {
    throw;                                 // the file cannot be read
  } catch (const std::exception& error) {  // of another form, or a figure by an origin that is not in the list
    throw InputError(fmt::format("{}: {}; `wharf reproduce` writes this file", file.string(), error.what()));
  }
  return figures;
}

void MeasuredFigures::put(const JudgedClaim& judged) {
  if (!judged.claim.measures.empty()) claims_[judged.claim.id] = {judged.origin, judged.result.parts, judged.result.missing};
}

void MeasuredFigures::put(const JudgedCharacteristics& judged) {
  OfSource source{judged.origin, {}};
  for (const WorkloadCharacteristics& workload : judged.result.workloads) source.workloads[workload.workload] = workload;
  sources_[judged.source.source] = std::move(source);
}

std::vector<JudgedClaim> MeasuredFigures::judged(const std::vector<Claim>& claims) const {
  std::vector<JudgedClaim> judged;
  for (const Claim& claim : claims) {
    JudgedClaim& one = judged.emplace_back(JudgedClaim{claim, {}, {}});
    one.result.reason = claim.reason;
    if (claim.measures.empty()) continue;
    const auto found = claims_.find(claim.id);
    if (found == claims_.end() || found->second.parts.size() != claim.measures.size()) {
      one.result.reason = kNotMeasured;
      continue;
    }
    one.origin = found->second.origin;
    std::vector<MeasureResult> parts = found->second.parts;
    for (MeasureResult& part : parts) part.agrees = part.completed && sign_agrees(claim, *part.completed);
    one.result = conclude(claim, std::move(parts), found->second.missing);
  }
  return judged;
}

std::vector<JudgedCharacteristics> MeasuredFigures::judged(const std::vector<SourceCharacteristics>& sources) const {
  std::vector<JudgedCharacteristics> list;
  for (const SourceCharacteristics& source : sources) {
    const auto measured = sources_.find(source.source);
    std::vector<WorkloadCharacteristics> workloads;
    for (const Suite::Member& member : source.workloads.members) {
      WorkloadCharacteristics workload;
      workload.why_missing = kNotMeasured;
      if (measured != sources_.end()) {
        const auto found = measured->second.workloads.find(member.workload);
        if (found != measured->second.workloads.end()) workload = found->second;
      }
      workload.workload = member.workload;
      workload.named = !member.fill_in;
      workload.statements.clear();
      workloads.push_back(std::move(workload));
    }
    list.push_back({source, judge(source, std::move(workloads)), measured == sources_.end() ? Origin() : measured->second.origin});
  }
  return list;
}

bool MeasuredFigures::is_used(const Origin& origin) const {
  const auto is_its = [&](const auto& entry) { return entry.second.origin == origin; };
  return std::any_of(claims_.begin(), claims_.end(), is_its) || std::any_of(sources_.begin(), sources_.end(), is_its);
}

std::string MeasuredFigures::as_json() const {
  Origins origins;
  for (const Origin& origin : origins_)
    if (is_used(origin)) origins.place_of(origin);
  Lines claims, sources, origin_lines;
  for (const auto& [id, claim] : claims_) {
    Json entry = {{"by", origins.place_of(claim.origin)}, {"parts", Json::array()}};
    for (const MeasureResult& part : claim.parts) entry["parts"].push_back(part_json(part));
    for (const MissingFigure& one : claim.missing) entry["missing"].push_back({{"workload", one.workload}, {"why", one.why}});
    claims.add(id, entry);
  }
  for (const auto& [name, source] : sources_) {
    Lines workloads;
    for (const auto& [workload, own] : source.workloads) workloads.add(workload, record_of(own));
    sources.add(
        fmt::format("{}: {{\"by\": {}, \"workloads\": {{{}}}}}", Json(name).dump(), origins.place_of(source.origin), workloads.text()));
  }
  for (const Origin& origin : origins.all()) origin_lines.add(Json({{"command", origin.command}, {"program", origin.program}}).dump());
  return fmt::format("{{\n\"origins\": [{}],\n\"claims\": {{{}}},\n\"characteristics\": {{{}}}\n}}\n", origin_lines.text(), claims.text(),
                     sources.text());
}

}  // namespace wharf::cli
