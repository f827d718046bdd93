#pragma once
// report.html: one page that holds its data, style, scripts and charting library, and needs nothing from outside.

#include <map>
#include <string>
#include <vector>

#include "platforms/cli/sweeps/comparison.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// What the page says around its charts.
struct ReportText {
  std::string title, introduction;
  std::vector<Table> headlines, details;  // as text in the page; readable without scripts
};

/// `groups`: at least one. Everything that comes from inputs is escaped.
std::string report_html(const ReportText& text, const std::vector<Comparison>& groups);

/// `text` with each `{{name}}` replaced by its part, whose own braces mean nothing. Throws std::out_of_range for an unknown name.
std::string fill_template(std::string_view text, const std::map<std::string, std::string_view>& parts);

/// JSON for the inside of a <script>: whatever the names in it, it cannot end the element.
std::string json_in_script(const Json& json);

}  // namespace wharf::cli
