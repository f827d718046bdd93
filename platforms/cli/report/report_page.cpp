#include "platforms/cli/report/report_page.h"

#include "platforms/cli/report/embedded.h"
#include "platforms/cli/report/report_data.h"

namespace wharf::cli {

namespace {

constexpr std::string_view kNoCharts =
    "<p class=\"no-charts\">This report has no charts: the program was built without the library that draws them. "
    "<code>./wharf setup charts</code> fetches it and builds it in; the same command then writes the report with its charts. "
    "The tables below hold all figures.</p>\n";

}  // namespace

std::string fill_template(std::string_view text, const std::map<std::string, std::string_view>& parts) {
  std::string out;
  for (;;) {
    const std::size_t open = text.find("{{"), close = text.find("}}", open);
    if (open == std::string_view::npos || close == std::string_view::npos) return out.append(text);
    out.append(text.substr(0, open));
    out.append(parts.at(std::string(text.substr(open + 2, close - open - 2))));
    text.remove_prefix(close + 2);
  }
}

std::string json_in_script(const Json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";  // < occurs only in strings
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view charting_library() { return embedded::echarts; }

std::string report_html(const ReportText& text, const std::vector<Comparison>& groups, std::string_view library) {
  const std::string title = escape_html(text.title), introduction = escape_html(text.introduction);
  const std::string data = json_in_script(report_data(groups));
  std::string headlines, details;
  for (const Table& table : text.headlines) headlines += as_html(table);
  for (const Table& table : text.details) details += as_html(table);
  return fill_template(embedded::page, {{"title", title},
                                        {"introduction", introduction},
                                        {"headlines", headlines},
                                        {"details", details},
                                        {"data", data},
                                        {"style", embedded::style},
                                        {"script", embedded::script},
                                        {"no_charts", library.empty() ? kNoCharts : ""},
                                        {"echarts", library}});
}

}  // namespace wharf::cli
