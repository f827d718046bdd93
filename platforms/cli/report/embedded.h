#pragma once
// The files of this folder and the charting library, as the build embeds them in the program (embed.cmake).

#include <string_view>

namespace wharf::cli::embedded {

extern const std::string_view page;     // page/page.html
extern const std::string_view style;    // page/style.css
extern const std::string_view script;   // the .js files, concatenated
extern const std::string_view echarts;  // Apache ECharts, as published on npm; empty where the build could not have it

}  // namespace wharf::cli::embedded
