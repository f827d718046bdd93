#pragma once
// Writes report.html: one self-contained page with its data, style, scripts and charting library.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/sweeps/comparison.h"
#include "platforms/cli/terminal/table.h"

namespace wharf::cli {

/// The text around the charts.
struct ReportText {
  std::string title, introduction;
  std::vector<Table> headlines, details;  // as text in the page; readable without scripts
};

/// The library that draws the charts, as a script; empty in a program that was built without it.
std::string_view charting_library();

/// `groups` must not be empty. All text from inputs is escaped. Without a library the page has its tables, and says how to get charts.
std::string report_html(const ReportText& text, const std::vector<Comparison>& groups, std::string_view library = charting_library());

/// Replaces each `{{name}}` in `text` by its part, in which braces have no meaning. Throws std::out_of_range for an unknown name.
std::string fill_template(std::string_view text, const std::map<std::string, std::string_view>& parts);

/// JSON for a <script> element, escaped so that no name in it can end the element.
std::string json_in_script(const Json& json);

}  // namespace wharf::cli
