# `cmake --install` installs the program, its data files, and a package for other projects. find_package(Wharf) provides
#   Wharf::plugin  headers and flags of a shared library for --plugin
#   Wharf::model   the model and its platforms, to link into your own program
#   Wharf::wharf   the program

include(CMakePackageConfigHelpers)

# The libraries that the headers include, and the program's compile options. The program itself provides the functions.
add_library(wharf_plugin INTERFACE)
target_include_directories(wharf_plugin INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${GENERATED_HEADERS}>
                           $<INSTALL_INTERFACE:${WHARF_INSTALL_HEADERS}>)
target_link_libraries(wharf_plugin INTERFACE PkgConfig::SYSTEMC Boost::context)
target_compile_features(wharf_plugin INTERFACE cxx_std_17)
target_compile_options(wharf_plugin INTERFACE -ffp-contract=off)
target_compile_features(wharf_pure PUBLIC cxx_std_17)
set_target_properties(wharf_plugin PROPERTIES EXPORT_NAME plugin)
set_target_properties(wharf_model PROPERTIES EXPORT_NAME model)
set_target_properties(wharf_pure PROPERTIES EXPORT_NAME pure)

install(TARGETS wharf wharf_pure wharf_model wharf_plugin EXPORT WharfTargets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(folder model policies stimuli platforms)
  install(DIRECTORY ${folder} DESTINATION ${WHARF_INSTALL_HEADERS} FILES_MATCHING PATTERN "*.h")
endforeach()
# Plain TLM-2.0 modules, for users who connect their own (docs/tlm.md).
install(FILES tests/block/foreign/foreign_modules.h DESTINATION ${WHARF_INSTALL_HEADERS}/tests/block/foreign)
install(FILES ${PLUGIN_BUILD_HEADER} DESTINATION ${WHARF_INSTALL_HEADERS}/platforms)

# The folders that the program reads, in the same places as in the source tree.
install(DIRECTORY platforms/configs platforms/claims platforms/designs DESTINATION ${WHARF_INSTALL_DATA}/platforms
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.json")
install(DIRECTORY platforms/virtual/firmware ${FIRMWARE_DIR} DESTINATION ${WHARF_INSTALL_DATA}/platforms/virtual
        FILES_MATCHING PATTERN "*.c" PATTERN "*.h" PATTERN "*.elf" PATTERN "test_*" EXCLUDE)
install(DIRECTORY platforms/python/wharf DESTINATION ${WHARF_INSTALL_DATA}/platforms/python FILES_MATCHING PATTERN "*.py")
install(FILES stimuli/suites.yaml DESTINATION ${WHARF_INSTALL_DATA}/stimuli)
install(DIRECTORY tests/data/accelsim DESTINATION ${WHARF_INSTALL_DATA}/tests/data)
# Documents keep their folders, so that their links remain valid.
file(GLOB_RECURSE documents CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} docs/*.md model/*.md policies/*.md stimuli/*.md platforms/*.md)
foreach(document LICENSE README.md tests/README.md ${documents})
  get_filename_component(folder ${document} DIRECTORY)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()

install(EXPORT WharfTargets NAMESPACE Wharf:: DESTINATION ${WHARF_INSTALL_PACKAGE})
set(config ${PROJECT_BINARY_DIR}/WharfConfig.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/WharfConfig.cmake.in ${config} INSTALL_DESTINATION ${WHARF_INSTALL_PACKAGE}
                              PATH_VARS WHARF_INSTALL_DATA)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/WharfConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${config} ${PROJECT_BINARY_DIR}/WharfConfigVersion.cmake DESTINATION ${WHARF_INSTALL_PACKAGE})

# The manual page and the shell completions, which the program itself writes.
set(written ${PROJECT_BINARY_DIR}/written)
add_custom_command(TARGET wharf POST_BUILD COMMENT "The manual page and completion" VERBATIM
                   COMMAND ${CMAKE_CURRENT_LIST_DIR}/write_pages.sh $<TARGET_FILE:wharf> ${written})
install(FILES ${written}/wharf.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${written}/wharf.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME wharf)
install(FILES ${written}/_wharf DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
