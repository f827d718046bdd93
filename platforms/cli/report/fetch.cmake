# Fetches the npm packages of package-lock.json into the build folder, at the versions and hashes that stand there:
#   cmake -DNPM=PROGRAM -DSOURCE=DIR -DOUT=DIR -P fetch.cmake
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${OUT})
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY ${OUT} RESULT_VARIABLE failure
                OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failure)
  message(FATAL_ERROR "npm cannot fetch the packages that the report is drawn with:\n${output}\n"
                      "With the npm registry within reach, build again; a mirror of it is named with: npm config set registry URL")
endif()
