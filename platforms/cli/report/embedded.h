#pragma once
// Files of this folder, and the charting library, as the build put them into the program (embed.cmake).

#include <string_view>

namespace wharf::cli::embedded {

extern const std::string_view page;     // page.html
extern const std::string_view style;    // style.css
extern const std::string_view script;   // the .js files, one after the other
extern const std::string_view echarts;  // Apache ECharts, as npm has it

}  // namespace wharf::cli::embedded
