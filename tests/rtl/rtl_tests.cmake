# The tests of RTL in the loop. They need Verilator, but the program builds without it.
if(NOT WHARF_RTL)
  add_test(NAME "rtl: the program was built with Verilator" COMMAND ${CMAKE_COMMAND} -E false)
  return()
endif()

# RTL with a fault that a test must detect: `file` with one piece of its text replaced. The library is rtl_<top>_faulty.
function(verilate_faulty top file text by set)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  file(READ ${PROJECT_SOURCE_DIR}/${file} rtl)
  string(REPLACE "${text}" "${by}" faulty "${rtl}")
  if(faulty STREQUAL rtl)
    message(FATAL_ERROR "${file} has no `${text}` any more, in which the tests put a fault")
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/rtl/faulty/${top}.sv CONTENT "${faulty}" @ONLY)
  wharf_verilate(${top} NAME ${top}_faulty SOURCES ${PROJECT_BINARY_DIR}/rtl/faulty/${top}.sv SETS ${set})
endfunction()

# The filters of a set are swapped one block too late.
verilate_faulty(bloom policies/hit_predictor/bloom.sv "count >= ways" "count > ways" "BYTES=16 HASHES=3 ROWS=16")
# A pointer stays at the partner instead of moving one beyond it.
verilate_faulty(islip policies/arbitration/islip.sv "-(iteration[0].accept[i] << 1)" "-iteration[0].accept[i]" "INPUTS=4 OUTPUTS=4 ITERATIONS=1")
# Emptying one L1 empties all others.
verilate_faulty(aggregated_tag_array model/designs/ata/aggregated_tag_array.sv "reset || clear[l1]" "reset || |clear"
                "PORTS=2 SETS=2 WAYS=2 TAG_BITS=57 SECTORS=4")

# Builds that count the lines they reach.
wharf_verilate(bloom NAME bloom_counted SOURCES ${PROJECT_SOURCE_DIR}/policies/hit_predictor/bloom.sv SETS ${BLOOM_SETS} COVERAGE)
wharf_verilate(pc_two_bit NAME pc_two_bit_counted SOURCES ${PROJECT_SOURCE_DIR}/policies/sharing_predictor/pc_two_bit.sv
               SETS ${PC_TWO_BIT_SETS} COVERAGE)
wharf_verilate(islip NAME islip_counted SOURCES ${PROJECT_SOURCE_DIR}/policies/arbitration/islip.sv SETS "INPUTS=5 OUTPUTS=3 ITERATIONS=2" COVERAGE)
wharf_verilate(aggregated_tag_array NAME aggregated_tag_array_counted SOURCES ${PROJECT_SOURCE_DIR}/model/designs/ata/aggregated_tag_array.sv
               SETS "PORTS=3 SETS=4 WAYS=5 TAG_BITS=57 SECTORS=4" COVERAGE)

# docs/howto-rtl.md
include(${CMAKE_CURRENT_LIST_DIR}/example/example.cmake)

wharf_tests(rtl program_under_test rtl_bloom_counted rtl_pc_two_bit_counted rtl_islip_counted rtl_aggregated_tag_array_counted
            rtl_bloom_faulty rtl_islip_faulty rtl_aggregated_tag_array_faulty rtl_first_touch)
# The program as built without Verilator: the replacements of RTL are linked before the library.
add_executable(wharf_without_verilator ${PROJECT_SOURCE_DIR}/platforms/cli/main.cpp ${PROJECT_SOURCE_DIR}/model/rtl/without_verilator.cpp)
target_link_libraries(wharf_without_verilator PRIVATE wharf_commands)
add_dependencies(rtl_tests wharf_without_verilator)
target_compile_definitions(rtl_tests PRIVATE WHARF_WITHOUT_VERILATOR="$<TARGET_FILE:wharf_without_verilator>")
target_sources(rtl_tests PRIVATE platform/machines/apart.cpp platform/machines/scripted.cpp platform/soak/random_traffic.cpp platform/soak/soak_rig.cpp)
