# Embeds the report's page, style, scripts and charting library in the program: sets REPORT_SOURCE.

set(here ${CMAKE_CURRENT_LIST_DIR})
include(${here}/fetch.cmake)

# In the order of the page: later files use definitions of earlier ones.
set(scripts)
foreach(name common bars curves slots instructions memory roofline detail parts energy interference differences page)
  list(APPEND scripts ${here}/page/${name}.js)
endforeach()
set(script ${PROJECT_BINARY_DIR}/report.js)
add_custom_command(OUTPUT ${script} COMMAND ${CMAKE_COMMAND} -E cat ${scripts} > ${script} DEPENDS ${scripts})

set(REPORT_SOURCE ${PROJECT_BINARY_DIR}/report_embedded.cpp)
set(files "page=${here}/page/page.html" "style=${here}/page/style.css" "script=${script}" "echarts=${echarts}")
add_custom_command(OUTPUT ${REPORT_SOURCE} COMMENT "Embedding the report"
                   COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DOUT=${REPORT_SOURCE} -P ${here}/embed.cmake
                   DEPENDS ${here}/embed.cmake ${here}/page/page.html ${here}/page/style.css ${script} ${echarts} VERBATIM)
