# Turns RTL into C++. A Verilated model has fixed parameters, so each parameter set becomes a separate class.
#
#   wharf_verilate(TOP SOURCES file.sv ... SETS "NAME=VALUE NAME=VALUE" ... [NAME name] [OPTIONS option ...] [COVERAGE])
#
# makes the object library rtl_<name> (by default NAME is TOP) with a Verilated sc_module V<name>_<values> for each set, and the header
# <name>_sets.h, which lists the sets for C++ (model/rtl/sets.h). A value is a number, true, false, or a word, which is a string in the RTL.
# OPTIONS are passed to Verilator. Users add sets in the cache variable WHARF_RTL_<NAME>_SETS. COVERAGE counts the lines that a simulation
# reaches.

find_program(VERILATOR verilator)
if(WHARF_RTL AND NOT VERILATOR)
  message(STATUS "without rtl: verilator is missing")
  set(WHARF_RTL OFF)
endif()
if(NOT WHARF_RTL)
  return()
endif()

execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE VERILATOR_FOLDER OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

# Verilator's runtime library, once per program.
add_library(verilated_runtime OBJECT ${VERILATOR_FOLDER}/include/verilated.cpp ${VERILATOR_FOLDER}/include/verilated_vcd_c.cpp
            ${VERILATOR_FOLDER}/include/verilated_threads.cpp ${VERILATOR_FOLDER}/include/verilated_cov.cpp)
target_include_directories(verilated_runtime SYSTEM PUBLIC ${VERILATOR_FOLDER}/include ${VERILATOR_FOLDER}/include/vltstd)
target_compile_definitions(verilated_runtime PUBLIC VM_SC=1 VM_TRACE=1 VM_TRACE_VCD=1 VM_COVERAGE=1)
target_link_libraries(verilated_runtime PUBLIC PkgConfig::SYSTEMC Threads::Threads)
target_compile_options(verilated_runtime PRIVATE -w -O1)

# Computes the class name of a parameter set, and the options that pass its parameters to Verilator.
function(read_parameter_set set class_out options_out)
  separate_arguments(pairs UNIX_COMMAND "${set}")
  set(values "")
  set(options "")
  foreach(pair ${pairs})
    if(NOT pair MATCHES "^([A-Z0-9_]+)=([a-z0-9_]+)$")
      message(FATAL_ERROR "a parameter set of RTL is written \"NAME=VALUE NAME=VALUE\", with values such as 32, true or first; not \"${set}\"")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(value ${CMAKE_MATCH_2})
    string(APPEND values _${value})
    if(value STREQUAL true)
      set(value 1'b1)
    elseif(value STREQUAL false)
      set(value 1'b0)
    elseif(NOT value MATCHES "^[0-9]+$")
      set(value "\"${value}\"")
    endif()
    list(APPEND options "-G${name}=${value}")
  endforeach()
  set(${class_out} ${values} PARENT_SCOPE)
  set(${options_out} ${options} PARENT_SCOPE)
endfunction()

function(wharf_verilate top)
  cmake_parse_arguments(ARG "COVERAGE" "NAME" "SOURCES;SETS;OPTIONS" ${ARGN})
  set(name ${top})
  if(ARG_NAME)
    set(name ${ARG_NAME})
  endif()
  string(TOUPPER ${name} upper)
  set(WHARF_RTL_${upper}_SETS "" CACHE STRING "Parameter sets of the RTL ${name} beside those that are built anyway, separated by semicolons")
  set(sets ${ARG_SETS} ${WHARF_RTL_${upper}_SETS})
  list(REMOVE_DUPLICATES sets)
  list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/ REGEX "^[^/]")  # CMAKE_CURRENT_LIST_DIR is the caller's

  set(folder ${PROJECT_BINARY_DIR}/rtl/${name})
  set(sources "")
  set(includes "")
  set(visits "")
  set(declarations "")
  set(evaluations "")
  foreach(set ${sets})
    read_parameter_set("${set}" values parameters)
    set(class V${name}${values})
    set(out ${folder}/${class})
    set(options --sc --prefix ${class} --Mdir ${out} --top-module ${top} -Wall --trace -O3 --x-assign fast --x-initial fast --noassert
                --timescale 1ps/1ps ${ARG_OPTIONS})
    if(ARG_COVERAGE)
      list(APPEND options --coverage-line)
    endif()
    # Verilator's file names depend on the model's contents. One file that includes them all has a fixed name.
    add_custom_command(OUTPUT ${out}/all.cpp
                       COMMAND ${VERILATOR} ${options} ${parameters} ${ARG_SOURCES}
                       COMMAND ${CMAKE_COMMAND} -DFOLDER=${out} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/include_all.cmake
                       DEPENDS ${ARG_SOURCES} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/verilate.cmake ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/include_all.cmake
                       COMMENT "Verilating ${top} with ${set}" VERBATIM)
    list(APPEND sources ${out}/all.cpp)
    string(APPEND includes "#include \"${class}/${class}.h\"\n")
    string(APPEND declarations "void evaluate(${class}& model);\n")
    string(APPEND visits "  visit(ParameterSet<${class}>{\"${set}\"});\n")
    string(APPEND evaluations "template struct Evaluation<${class}, &${class}::eval_step>;\n"
           "void call(${class}& model);\nvoid evaluate(${class}& model) { call(model); }\n")
  endforeach()
  set(NAME ${name})
  set(INCLUDES ${includes})
  set(DECLARATIONS ${declarations})
  set(VISITS ${visits})
  set(EVALUATIONS ${evaluations})
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sets.h.in ${folder}/${name}_sets.h @ONLY)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sets.cpp.in ${folder}/${name}_sets.cpp @ONLY)
  add_library(rtl_${name} OBJECT ${sources} ${folder}/${name}_sets.cpp)
  target_include_directories(rtl_${name} SYSTEM PUBLIC ${folder})
  target_include_directories(rtl_${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(rtl_${name} PUBLIC verilated_runtime)
  # Generated code: nobody fixes its warnings. -O2 takes half the compile time of -O3 and runs at the same speed.
  target_compile_options(rtl_${name} PRIVATE -w)
  if(NOT WHARF_SANITIZE)
    target_compile_options(rtl_${name} PRIVATE -O2)
  endif()
endfunction()
