#include "platforms/cli/bench/hardware_report.h"

#include <fmt/core.h>

#include <cmath>

#include "stimuli/synthetic/micro_kernels.h"

namespace wharf::cli {
namespace {

/// What the kernel `long` has more than `short`.
struct Steady {
  double cycles = 0.0, ns = 0.0, instructions = 0.0;  // instructions: of all warps
};

Steady steady_part(const Json& result) {
  const Json& kernels = result.at("kernels");
  const Json &longer = kernels.at(kernels.size() - 1), &shorter = kernels.at(kernels.size() - 2);
  const auto more = [&](const char* key) { return longer.at(key).get<double>() - shorter.at(key).get<double>(); };
  return {more("cycles"), more("time_ns"), more("warp_instructions")};
}

double quotient(double of, double by) { return by > 0.0 ? of / by : std::nan(""); }

double bytes_of(const std::string& stimulus, const Steady& steady) {
  const std::size_t colon = stimulus.find(':');
  const StreamParams params = parse_stream(colon == std::string::npos ? "" : stimulus.substr(colon + 1));
  return steady.instructions * params.bytes_per_instruction();
}

std::string number(double value) { return fmt::format("{:.{}f}", value, value < 100.0 ? 2 : 1); }

std::string published_text(const HardwareRow& row) {
  const std::string low = fmt::format("{:g}", row.low);
  return row.low == row.high ? low : fmt::format("{} to {:g}", low, row.high);
}

std::string percent(double deviation) { return std::isnan(deviation) ? "?" : fmt::format("{:+.1f} %", deviation * 100.0); }

bool is_beyond(double deviation, double limit) { return !(std::abs(deviation) <= limit); }  // NaN is beyond every limit

/// A JSON number of six digits; null for NaN.
Json digits(double value) { return std::isnan(value) ? Json() : Json(std::stod(fmt::format("{:.6g}", value))); }

Json row_json(const HardwareResult& result) {
  const HardwareRow& row = result.row;
  Json json = {{"what", row.what}, {"machine", row.machine}, {"unit", name_of(row.unit)}, {"source", row.source}};
  json["published"] = row.low == row.high ? Json(row.low) : Json::array({row.low, row.high});
  json["verdict"] = name_of(verdict_of(result));
  if (!row.not_modelled.empty()) {
    json["not_modelled"] = row.not_modelled;
    return json;
  }
  json["stimulus"] = row.stimulus;
  if (!row.relative_to.empty()) json["relative_to"] = row.relative_to;
  json["kind"] = name_of(row.kind);
  json["limit"] = row.limit();
  if (!result.failure.empty()) {
    json["failure"] = result.failure;
    return json;
  }
  json["measured"] = digits(result.measured);
  json["deviation"] = digits(deviation_of(result));
  if (row.known) json["known"] = {{"deviation", row.known->deviation}, {"cause", row.known->cause}, {"page", row.known->page}};
  return json;
}

std::string title_of(const HardwareRow& row) { return fmt::format("{}, {}", row.machine, row.what); }

}  // namespace

const char* name_of(HardwareVerdict verdict) {
  constexpr const char* kNames[] = {"within", "known", "outside", "failed", "not modelled"};
  return kNames[static_cast<std::size_t>(verdict)];
}

double hardware_figure(const HardwareRow& row, const Json& result, const Json& divisor) {
  if (row.unit == HardwareUnit::microseconds) return result.at("kernels").back().at("time_ns").get<double>() / 1000.0;
  const Steady steady = steady_part(result);
  switch (row.unit) {
    case HardwareUnit::cycles:
      return quotient(steady.cycles, steady.instructions);
    case HardwareUnit::gigabytes_per_second:
      return quotient(bytes_of(row.stimulus, steady), steady.ns);
    case HardwareUnit::ratio: {
      const Steady other = steady_part(divisor);
      return quotient(bytes_of(row.stimulus, steady), steady.cycles) / quotient(bytes_of(row.relative_to, other), other.cycles);
    }
    default:
      return quotient(bytes_of(row.stimulus, steady), steady.cycles);
  }
}

double deviation_of(const HardwareResult& result) {
  const double measured = result.measured;
  if (measured < result.row.low) return measured / result.row.low - 1.0;
  if (measured > result.row.high) return measured / result.row.high - 1.0;
  return std::isnan(measured) ? measured : 0.0;
}

HardwareVerdict verdict_of(const HardwareResult& result) {
  const HardwareRow& row = result.row;
  if (!row.not_modelled.empty()) return HardwareVerdict::not_modelled;
  if (!result.failure.empty()) return HardwareVerdict::failed;
  const double deviation = deviation_of(result);
  if (!is_beyond(deviation, row.limit())) return HardwareVerdict::within;
  return row.known && !is_beyond(deviation - row.known->deviation, row.limit()) ? HardwareVerdict::known : HardwareVerdict::outside;
}

Table hardware_table(const std::string& title, const std::vector<HardwareResult>& results) {
  Table table;
  table.title = title;
  table.columns = {"what", "machine", "unit", "measured", "published", "deviation", "limit", "kind", "verdict", "source"};
  for (const HardwareResult& result : results) {
    const HardwareRow& row = result.row;
    const bool ran = row.not_modelled.empty(), has_figure = ran && result.failure.empty();
    table.rows.push_back({row.what, row.machine, name_of(row.unit), has_figure ? number(result.measured) : "-", published_text(row),
                          has_figure ? percent(deviation_of(result)) : "-", ran ? fmt::format("{:g} %", row.limit() * 100.0) : "-",
                          ran ? name_of(row.kind) : "-", name_of(verdict_of(result)), row.source});
  }
  return table;
}

Json hardware_json(const std::string& hardware, const std::vector<HardwareResult>& results) {
  Json json = Json::object();
  json["hardware"] = hardware;
  json["rows"] = Json::array();
  for (const HardwareResult& result : results) json["rows"].push_back(row_json(result));
  json["exceeded"] = exceeded_rows(results);
  return json;
}

std::vector<std::string> known_deviations(const std::vector<HardwareResult>& results) {
  std::vector<std::string> sentences;
  for (const HardwareResult& result : results)
    if (verdict_of(result) == HardwareVerdict::known)
      sentences.push_back(fmt::format("{}: {} ({})", title_of(result.row), result.row.known->cause, result.row.known->page));
  return sentences;
}

std::vector<std::string> exceeded_rows(const std::vector<HardwareResult>& results) {
  std::vector<std::string> sentences;
  for (const HardwareResult& result : results) {
    const HardwareRow& row = result.row;
    const HardwareVerdict verdict = verdict_of(result);
    if (verdict == HardwareVerdict::failed) sentences.push_back(fmt::format("{}: the run failed: {}", title_of(row), result.failure));
    if (verdict != HardwareVerdict::outside) continue;
    const std::string known = row.known ? fmt::format(", known {}", percent(row.known->deviation)) : "";
    sentences.push_back(
        fmt::format("{}: deviates by {}, limit {:g} %{}", title_of(row), percent(deviation_of(result)), row.limit() * 100.0, known));
  }
  return sentences;
}

}  // namespace wharf::cli
