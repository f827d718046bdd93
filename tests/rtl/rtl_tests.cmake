# The tests of RTL in the loop: they need Verilator, which the program itself does without.
if(NOT WHARF_RTL)
  add_test(NAME "rtl: the program was built with Verilator" COMMAND ${CMAKE_COMMAND} -E false)
  return()
endif()

# Builds that count the lines they reach, and one with a fault: it swaps a set's filters one block too late.
wharf_verilate(bloom NAME bloom_counted SOURCES ${PROJECT_SOURCE_DIR}/policies/hit_predictor/bloom.sv SETS ${BLOOM_SETS} COVERAGE)
wharf_verilate(pc_two_bit NAME pc_two_bit_counted SOURCES ${PROJECT_SOURCE_DIR}/policies/sharing_predictor/pc_two_bit.sv
               SETS ${PC_TWO_BIT_SETS} COVERAGE)
file(READ ${PROJECT_SOURCE_DIR}/policies/hit_predictor/bloom.sv bloom)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/policies/hit_predictor/bloom.sv)
string(REPLACE "count >= ways" "count > ways" faulty "${bloom}")
if(faulty STREQUAL bloom)
  message(FATAL_ERROR "bloom.sv has no comparison `count >= ways` any more, in which the tests put a fault")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/rtl/faulty/bloom.sv CONTENT "${faulty}" @ONLY)
wharf_verilate(bloom NAME bloom_faulty SOURCES ${PROJECT_BINARY_DIR}/rtl/faulty/bloom.sv SETS "BYTES=16 HASHES=3 ROWS=16")

# docs/howto-rtl.md
include(${CMAKE_CURRENT_LIST_DIR}/example/example.cmake)

wharf_tests(rtl program_under_test rtl_bloom_counted rtl_pc_two_bit_counted rtl_bloom_faulty rtl_first_touch)
# The program as it is where Verilator is not installed: what stands in for RTL comes before what the library has.
add_executable(wharf_without_verilator ${PROJECT_SOURCE_DIR}/platforms/cli/main.cpp ${PROJECT_SOURCE_DIR}/model/rtl/without_verilator.cpp)
target_link_libraries(wharf_without_verilator PRIVATE wharf_model)
target_link_options(wharf_without_verilator PRIVATE -fno-lto)
add_dependencies(rtl_tests wharf_without_verilator)
target_compile_definitions(rtl_tests PRIVATE WHARF_WITHOUT_VERILATOR="$<TARGET_FILE:wharf_without_verilator>")
target_sources(rtl_tests PRIVATE platform/apart.cpp platform/scripted.cpp platform/random_traffic.cpp platform/soak_rig.cpp)
