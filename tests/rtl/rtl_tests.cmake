# The tests of RTL in the loop: they need Verilator, which the program itself does without.
if(NOT WHARF_RTL)
  add_test(NAME "rtl: the program was built with Verilator" COMMAND ${CMAKE_COMMAND} -E false)
  return()
endif()

# RTL with a fault, for tests of what finds it: `file` with one piece of its text replaced, as build/rtl/faulty/<top>.sv.
function(verilate_faulty top file text by set)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
  file(READ ${PROJECT_SOURCE_DIR}/${file} rtl)
  string(REPLACE "${text}" "${by}" faulty "${rtl}")
  if(faulty STREQUAL rtl)
    message(FATAL_ERROR "${file} has no `${text}` any more, in which the tests put a fault")
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/rtl/faulty/${top}.sv CONTENT "${faulty}" @ONLY)
  wharf_verilate(${top} NAME ${top}_faulty SOURCES ${PROJECT_BINARY_DIR}/rtl/faulty/${top}.sv SETS "${set}")
endfunction()

verilate_faulty(islip policies/arbitration/islip.sv "-(iteration[0].accept[i] << 1)" "-iteration[0].accept[i]" "INPUTS=4 OUTPUTS=4 ITERATIONS=1")
verilate_faulty(aggregated_tag_array model/l1_sharing/aggregated_tag_array.sv "reset || clear[l1]" "reset || |clear"
                "PORTS=2 SETS=2 WAYS=2 TAG_BITS=57 SECTORS=4")
wharf_verilate(islip NAME islip_counted SOURCES ${PROJECT_SOURCE_DIR}/policies/arbitration/islip.sv SETS "INPUTS=5 OUTPUTS=3 ITERATIONS=2" COVERAGE)
wharf_verilate(aggregated_tag_array NAME aggregated_tag_array_counted SOURCES ${PROJECT_SOURCE_DIR}/model/l1_sharing/aggregated_tag_array.sv
               SETS "PORTS=3 SETS=4 WAYS=5 TAG_BITS=57 SECTORS=4" COVERAGE)
wharf_tests(rtl program_under_test rtl_islip_faulty rtl_aggregated_tag_array_faulty rtl_islip_counted rtl_aggregated_tag_array_counted
            rtl_islip rtl_aggregated_tag_array)
target_sources(rtl_tests PRIVATE platform/apart.cpp platform/scripted.cpp)
