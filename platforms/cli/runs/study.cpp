#include "platforms/cli/runs/study.h"

#include <fmt/ostream.h>

#include <algorithm>

#include "model/base/config/named_files.h"
#include "model/base/error.h"
#include "model/base/files/output_files.h"
#include "platforms/cli/metric_names.h"
#include "platforms/cli/program.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {

namespace {

std::string key_of(const std::string& setting) { return setting.substr(0, setting.find('=')); }

const double* published(const config::StudyPoint& point, const std::string& metric) {
  for (const auto& [name, figure] : point.published)
    if (name == metric) return &figure;
  return nullptr;
}

/// Null where the run has failed or lacks the metric.
Json figure_of(const RunRecord& record, const std::string& metric) {
  if (record.status != RunStatus::done) return {};
  const Json& run = record.result["run"];
  return run.contains(metric) && run[metric].is_number() ? run[metric] : Json();
}

std::string cell(const Json& figure, const double* published) {
  if (figure.is_null()) return "-";
  const double value = figure.get<double>();
  if (published == nullptr) return fmt::format("{:.4g}", value);
  return fmt::format("{:.4g} ({:.4g}, {:+.1f} %)", value, *published, 100 * (value / *published - 1));
}

}  // namespace

std::vector<RunSpec> study_specs(const RunSpec& base, const config::Study& study) {
  const auto file = config::locate(base.config, "", configuration_root());
  const std::string stimulus = as_named_in(file ? file->path.parent_path() : "", study.stimulus);
  std::vector<RunSpec> specs(study.points.size(), base);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    specs[i].stimulus = stimulus;
    for (const std::string& setting : study.points[i].settings) {
      const bool own =
          std::any_of(base.overrides.begin(), base.overrides.end(), [&](const std::string& set) { return key_of(set) == key_of(setting); });
      if (!own) specs[i].overrides.push_back(setting);
    }
  }
  return specs;
}

Table study_table(const config::Study& study, const std::string& title, const std::vector<RunRecord>& records) {
  Table table{title, "in brackets: the published figure, and the departure from it", {"point"}, {}, 0};
  table.columns.insert(table.columns.end(), study.metrics.begin(), study.metrics.end());
  for (std::size_t i = 0; i < study.points.size(); ++i) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{study.points[i].name});
    for (const std::string& metric : study.metrics) row.push_back(cell(figure_of(records[i], metric), published(study.points[i], metric)));
  }
  return table;
}

Json study_json(const config::Study& study, const std::vector<RunRecord>& records) {
  Json table = {{"help", "the points of the study beside the published figures"}, {"columns", {"point"}}, {"rows", Json::array()}};
  for (const std::string& metric : study.metrics) {
    table["columns"].push_back(metric);
    table["columns"].push_back(metric + " published");
  }
  for (std::size_t i = 0; i < study.points.size(); ++i) {
    Json& row = table["rows"].emplace_back(Json::array({study.points[i].name}));
    for (const std::string& metric : study.metrics) {
      const double* figure = published(study.points[i], metric);
      row.push_back(figure_of(records[i], metric));
      row.push_back(figure != nullptr ? Json(*figure) : Json());
    }
  }
  return table;
}

int run_study(const RunSpec& base, const Configuration& configuration, const RunnerOptions& options, const Context& context,
              const TableOutput& output) {
  const config::Study& study = *configuration.study;
  const std::vector<RunSpec> specs = study_specs(base, study);
  MetricNames metrics;
  for (const std::string& metric : study.metrics) metrics.require(metric, base.config, specs.front().overrides);
  const RunBatch batch = run_batch(specs, options, context.err);
  if (options.dry) return kDone;
  if (batch.interrupted) {
    fmt::print(context.err, "stopped; what is finished is kept in {}: the same command continues\n", options.out.string());
    return kInterrupted;
  }
  Json result;
  result["inputs"] = {{"config", base.config}, {"set", base.overrides}, {"stimulus", study.stimulus}, {"seed", base.seed}};
  result["tables"] = {{"study", study_json(study, batch.records)}};
  write_file(options.out / "result.json", result.dump(2) + "\n");
  if (options.progress != ProgressStyle::none) output.print({study_table(study, configuration.description, batch.records)});
  bool failed = false;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (batch.records[i].status == RunStatus::done) continue;
    failed = true;
    fmt::print(output.remarks(), "failed: {}: {}\n", study.points[i].name, batch.records[i].failure);
  }
  if (options.progress != ProgressStyle::none) fmt::print(output.remarks(), "wrote {}\n", (options.out / "result.json").string());
  return failed ? kSimulationFailed : kDone;
}

}  // namespace wharf::cli
