# Generates platforms/plugin_build.h. Sets GENERATED_HEADERS, its include folder, and PLUGIN_BUILD_HEADER.

set(GENERATED_HEADERS ${PROJECT_BINARY_DIR}/generated)
set(PLUGIN_BUILD_HEADER ${GENERATED_HEADERS}/platforms/plugin_build.h)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/*.h ${PROJECT_SOURCE_DIR}/policies/*.h
     ${PROJECT_SOURCE_DIR}/stimuli/*.h ${PROJECT_SOURCE_DIR}/platforms/*.h)
set(script ${CMAKE_CURRENT_LIST_DIR}/write_plugin_build.cmake)
add_custom_command(OUTPUT ${PLUGIN_BUILD_HEADER} DEPENDS ${headers} ${script} COMMENT "Hashing the headers for plugins"
                   COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUT=${PLUGIN_BUILD_HEADER} -P ${script})
