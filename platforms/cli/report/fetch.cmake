# Fetches the npm packages of package-lock.json, with its versions and hashes, into the build folder. Sets
#
#   NPM_FOLDER  their folder
#   echarts     the charting library; an empty file if it cannot be fetched, and then the report has only tables

find_program(NPM npm)
set(NPM_FOLDER ${PROJECT_BINARY_DIR}/npm)
set(echarts ${NPM_FOLDER}/node_modules/echarts/dist/echarts.min.js)
set(lock ${CMAKE_CURRENT_LIST_DIR}/package-lock.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})

# Have they been fetched with this lock file?
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${lock} ${NPM_FOLDER}/package-lock.json RESULT_VARIABLE differs ERROR_QUIET)
if(WHARF_CHARTS AND NPM AND (differs OR NOT EXISTS ${echarts}))
  message(STATUS "Fetching the npm packages of the report")
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/package.json ${lock} DESTINATION ${NPM_FOLDER})
  file(REMOVE ${echarts})
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --fetch-retries 1 WORKING_DIRECTORY ${NPM_FOLDER} RESULT_VARIABLE failure
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failure)
    message(STATUS "npm says:\n${output}")
  endif()
endif()

if(WHARF_CHARTS AND NOT NPM)
  message(STATUS "without charts: npm is missing")
elseif(WHARF_CHARTS AND NOT EXISTS ${echarts})
  message(STATUS "without charts: npm cannot fetch them; a mirror of its registry is named with: npm config set registry URL")
endif()
if(NOT WHARF_CHARTS OR NOT EXISTS ${echarts})
  set(echarts ${PROJECT_BINARY_DIR}/no_charts.js)
  file(WRITE ${echarts} "")
endif()
