#include "platforms/cli/bench/sensitivity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::cli {
namespace {

/// At the commas outside of brackets.
std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  for (const char letter : text) {
    if (letter == '[' || letter == '{') ++depth;
    if (letter == ']' || letter == '}') --depth;
    if (letter == ',' && depth <= 0)
      values.emplace_back();
    else
      values.back() += letter;
  }
  return values;
}

std::string verdict_of(double deviation, double response) {
  if (deviation == 0.0) return "exact";
  if (std::isnan(deviation) || std::isnan(response)) return "?";
  return std::abs(deviation) <= response ? "within the response" : "beyond it";
}

std::vector<std::string> row_of(const Response& response, const Figure& figure) {
  const double deviation = deviations_of(response.as_is).*figure.deviation, largest = largest_change(response, figure);
  std::vector<std::string> row = {response.as_is.name, figure.name, deviation_text(figure, deviation)};
  for (std::size_t i = 0; i < response.varied.size(); ++i) {
    row.push_back(response.varied[i].failure.empty() ? deviation_text(figure, change_of(response, figure, i)) : "failed");
  }
  // An absolute value: without its sign.
  row.push_back(deviation_text(figure, largest).substr(std::isnan(largest) ? 0 : 1));
  row.push_back(verdict_of(deviation, largest));
  return row;
}

}  // namespace

VariedKey parse_varied_key(const std::string& text) {
  const std::size_t equals = text.find('=');
  const char* const remedy = "write KEY=VALUE,VALUE, such as --sensitivity l1.tag_cycles=19,21";
  if (equals == std::string::npos || equals == 0)
    throw InputError(fmt::format("--sensitivity: {} is not a key with values; {}", quote(text), remedy));
  VariedKey varied{text.substr(0, equals), split_values(text.substr(equals + 1))};
  for (auto value = varied.values.begin(); value != varied.values.end(); ++value) {
    if (value->empty()) throw InputError(fmt::format("--sensitivity: {} has an empty value; {}", quote(text), remedy));
    if (std::find(varied.values.begin(), value, *value) != value)
      throw InputError(fmt::format("--sensitivity: {} has the value {} twice; write it once", quote(text), quote(*value)));
  }
  return varied;
}

double change_of(const Response& response, const Figure& figure, std::size_t value) {
  const ValidationCase& varied = response.varied.at(value);
  if (!varied.failure.empty() || !response.as_is.failure.empty()) return std::numeric_limits<double>::quiet_NaN();
  return deviations_of(varied).*figure.deviation - deviations_of(response.as_is).*figure.deviation;
}

double largest_change(const Response& response, const Figure& figure) {
  double largest = 0.0;
  for (std::size_t i = 0; i < response.varied.size(); ++i) {
    const double change = std::abs(change_of(response, figure, i));
    if (std::isnan(change)) return change;  // a failed run may have changed it by anything
    largest = std::max(largest, change);
  }
  return largest;
}

Table sensitivity_table(const Sensitivity& sensitivity) {
  Table table;
  table.title = "sensitivity to " + sensitivity.varied.key;
  table.note =
      "deviation: of the unchanged machine from the reference; at each value: the change of the deviation; response: the largest change. "
      "A deviation within the response is smaller than the effect of the key.";
  table.columns = {"name", "figure", "deviation"};
  for (const std::string& value : sensitivity.varied.values) table.columns.push_back("at " + value);
  table.columns.insert(table.columns.end(), {"response", "deviation is"});
  for (const Response& response : sensitivity.responses) {
    if (!response.as_is.failure.empty()) {
      table.rows.push_back({response.as_is.name, "failed"});
      table.rows.back().resize(table.columns.size());
      continue;
    }
    const Deviations deviations = deviations_of(response.as_is);
    for (const Figure& figure : kFigures)
      if (&figure == kFigures.begin() || deviations.*figure.deviation != 0.0) table.rows.push_back(row_of(response, figure));
  }
  return table;
}

Json sensitivity_json(const std::vector<Sensitivity>& sensitivities) {
  Json json = Json::array();
  for (const Sensitivity& sensitivity : sensitivities) {
    Json& entry = json.emplace_back(Json::object());
    entry["key"] = sensitivity.varied.key;
    entry["values"] = sensitivity.varied.values;
    entry["cases"] = Json::array();
    for (const Response& response : sensitivity.responses) {
      Json& row = entry["cases"].emplace_back(Json::object());
      row["name"] = response.as_is.name;
      if (!response.as_is.failure.empty()) continue;
      const Deviations deviations = deviations_of(response.as_is);
      for (const Figure& figure : kFigures) {
        const double deviation = deviations.*figure.deviation, largest = largest_change(response, figure);
        Json& entry_of = row[figure.key];
        entry_of["deviation"] = number_or_null(deviation);
        entry_of["changes"] = Json::array();
        for (std::size_t i = 0; i < response.varied.size(); ++i)
          entry_of["changes"].push_back(number_or_null(change_of(response, figure, i)));
        entry_of["response"] = number_or_null(largest);
        entry_of["within"] = std::isnan(deviation) || std::isnan(largest) ? Json() : Json(std::abs(deviation) <= largest);
      }
    }
  }
  return json;
}

std::vector<std::string> failed_variations(const Sensitivity& sensitivity) {
  std::vector<std::string> failed;
  for (const Response& response : sensitivity.responses)
    for (std::size_t i = 0; i < response.varied.size(); ++i)
      if (!response.varied[i].failure.empty())
        failed.push_back(fmt::format("{} with {}={}: the run failed: {}", response.as_is.name, sensitivity.varied.key,
                                     sensitivity.varied.values[i], response.varied[i].failure));
  return failed;
}

}  // namespace wharf::cli
