#include "platforms/cli/results/run_warnings.h"

#include <fmt/core.h>

#include <algorithm>

#include "platforms/cli/terminal/plural.h"

namespace wharf::cli {
namespace {

std::string text_of(const Json& warning) { return warning["text"].get<std::string>(); }
std::uint64_t count_of(const Json& warning) { return warning["count"].get<std::uint64_t>(); }

struct SharedWarning {
  std::string text, first_run;
  std::uint64_t count = 0;
  std::size_t runs = 0;
};

}  // namespace

std::string warning_line(const std::string& text, std::uint64_t count) {
  return fmt::format("warning: {} ({} time{})", text, count, plural_ending(count));
}

Json warnings_of(const Json& result) { return result.is_object() ? result.value("warnings", Json::array()) : Json::array(); }

std::vector<std::string> warning_lines(const std::vector<WarnedRun>& runs) {
  std::vector<SharedWarning> shared;
  for (const WarnedRun& run : runs) {
    for (const Json& warning : run.second) {
      const std::string text = text_of(warning);
      auto found = std::find_if(shared.begin(), shared.end(), [&](const SharedWarning& one) { return one.text == text; });
      if (found == shared.end()) found = shared.insert(shared.end(), {text, run.first});
      found->count += count_of(warning);
      ++found->runs;
    }
  }
  std::vector<std::string> lines;
  for (const SharedWarning& one : shared) {
    const std::string others = one.runs == 1 ? "" : fmt::format(" and {} more run{}", one.runs - 1, plural_ending(one.runs - 1));
    lines.push_back(fmt::format("{} in {}{}", warning_line(one.text, one.count), one.first_run, others));
  }
  return lines;
}

Table warning_table(const std::vector<WarnedRun>& runs) {
  Table table{"Warnings", "Mistakes in the input that the runs tolerated.", {"run", "warning", "times"}, {}, 0};
  for (const WarnedRun& run : runs)
    for (const Json& warning : run.second) table.rows.push_back({run.first, text_of(warning), with_commas(count_of(warning))});
  return table;
}

}  // namespace wharf::cli
