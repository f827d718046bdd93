# The blocks that are there as RTL, and the parameter sets that the program is built with: those of the configurations it comes with, and a
# small one for the tests. Takes what needs Verilator, or what stands in for it, out of MODEL_SOURCES.
include(model/rtl/verilate.cmake)

set(VERILATED_SOURCES ${MODEL_SOURCES})
list(FILTER VERILATED_SOURCES INCLUDE REGEX "/rtl/(waves|catalogue|[^/]*_rtl)\\.cpp$")
list(REMOVE_ITEM MODEL_SOURCES ${VERILATED_SOURCES})
if(NOT WHARF_RTL)
  return()
endif()
list(FILTER MODEL_SOURCES EXCLUDE REGEX "/rtl/without_verilator\\.cpp$")

set(BLOOM_SETS "BYTES=32 HASHES=2 ROWS=256" "BYTES=16 HASHES=3 ROWS=16")
set(PC_TWO_BIT_SETS "ENTRIES=64 WINDOW=32 COUNT_AT=complete PROBED=first SURVIVES_KERNELS=true"
                    "ENTRIES=8 WINDOW=32 COUNT_AT=issue PROBED=spread SURVIVES_KERNELS=false")

wharf_verilate(bloom SOURCES ${PROJECT_SOURCE_DIR}/policies/hit_predictor/bloom.sv SETS ${BLOOM_SETS})
wharf_verilate(pc_two_bit SOURCES ${PROJECT_SOURCE_DIR}/policies/sharing_predictor/pc_two_bit.sv SETS ${PC_TWO_BIT_SETS})
set(RTL_LIBRARIES rtl_bloom rtl_pc_two_bit)

# Only these see Verilator's headers: everything else is compiled as it is without them. All of it becomes part of wharf_model.
add_library(wharf_verilated OBJECT ${VERILATED_SOURCES})
target_link_libraries(wharf_verilated PRIVATE wharf_pure ${RTL_LIBRARIES})
foreach(library wharf_verilated verilated_runtime ${RTL_LIBRARIES})
  list(APPEND RTL_OBJECTS $<TARGET_OBJECTS:${library}>)
endforeach()
