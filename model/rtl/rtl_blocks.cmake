# The blocks with an RTL form, and their built parameter sets: those of the project's configurations, and a small one for the tests.
# Removes from MODEL_SOURCES the files that need Verilator, or those that replace them.
include(model/rtl/verilate.cmake)

set(VERILATED_SOURCES ${MODEL_SOURCES})
list(FILTER VERILATED_SOURCES INCLUDE REGEX "/model/rtl/(waves|catalogue|blocks/[^/]+)\\.cpp$")
list(REMOVE_ITEM MODEL_SOURCES ${VERILATED_SOURCES})
if(NOT WHARF_RTL)
  return()
endif()
list(FILTER MODEL_SOURCES EXCLUDE REGEX "/rtl/without_verilator\\.cpp$")

set(BLOOM_SETS "BYTES=32 HASHES=2 ROWS=256" "BYTES=16 HASHES=3 ROWS=16")
set(PC_TWO_BIT_SETS "ENTRIES=64 WINDOW=32 COUNT_AT=complete PROBED=first SURVIVES_KERNELS=true"
                    "ENTRIES=8 WINDOW=32 COUNT_AT=issue PROBED=spread SURVIVES_KERNELS=false")

set(ISLIP_SETS "INPUTS=16 OUTPUTS=16 ITERATIONS=1" "INPUTS=32 OUTPUTS=32 ITERATIONS=1" "INPUTS=32 OUTPUTS=32 ITERATIONS=2"
               "INPUTS=80 OUTPUTS=32 ITERATIONS=1" "INPUTS=32 OUTPUTS=80 ITERATIONS=1" "INPUTS=80 OUTPUTS=80 ITERATIONS=1")
# Tags for the whole address space, whatever the number of sets.
set(AGGREGATED_TAG_ARRAY_SETS "PORTS=4 SETS=8 WAYS=8 TAG_BITS=57 SECTORS=4" "PORTS=10 SETS=8 WAYS=64 TAG_BITS=57 SECTORS=4")

wharf_verilate(bloom SOURCES ${PROJECT_SOURCE_DIR}/policies/hit_predictor/bloom.sv SETS ${BLOOM_SETS})
wharf_verilate(pc_two_bit SOURCES ${PROJECT_SOURCE_DIR}/policies/sharing_predictor/pc_two_bit.sv SETS ${PC_TWO_BIT_SETS})
wharf_verilate(islip SOURCES ${PROJECT_SOURCE_DIR}/policies/arbitration/islip.sv SETS ${ISLIP_SETS})
wharf_verilate(aggregated_tag_array SOURCES ${PROJECT_SOURCE_DIR}/model/designs/ata/aggregated_tag_array.sv SETS ${AGGREGATED_TAG_ARRAY_SETS}
               OPTIONS --unroll-count 16)  # keeps loops over ways and L1s: a third of the code and of the compile time
set(RTL_LIBRARIES rtl_bloom rtl_pc_two_bit rtl_islip rtl_aggregated_tag_array)

# Only these sources include Verilator's headers. Their objects become part of wharf_model.
add_library(wharf_verilated OBJECT ${VERILATED_SOURCES})
target_link_libraries(wharf_verilated PRIVATE wharf_pure ${RTL_LIBRARIES})
foreach(library wharf_verilated verilated_runtime ${RTL_LIBRARIES})
  list(APPEND RTL_OBJECTS $<TARGET_OBJECTS:${library}>)
endforeach()
