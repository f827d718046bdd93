# Embeds the report's page, style, scripts and charting library in the program: sets REPORT_SOURCE.

find_program(NPM npm)
if(NOT NPM)
  message(FATAL_ERROR "npm is missing; it fetches the charting library of the report. "
                      "Install it with `./wharf setup`, or: apt-get install nodejs npm")
endif()

set(here ${CMAKE_CURRENT_LIST_DIR})
set(NPM_FOLDER ${PROJECT_BINARY_DIR}/npm)
set(echarts ${NPM_FOLDER}/node_modules/echarts/dist/echarts.min.js)
add_custom_command(OUTPUT ${echarts} COMMENT "Fetching the npm packages of the report"
                   COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DSOURCE=${here} -DOUT=${NPM_FOLDER} -P ${here}/fetch.cmake
                   COMMAND ${CMAKE_COMMAND} -E touch ${echarts}
                   DEPENDS ${here}/fetch.cmake ${here}/package.json ${here}/package-lock.json)

# In the order of the page: earlier files define what later ones use.
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
