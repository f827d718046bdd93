# The CUDA runtime library that programs load (CU-4), one per version that binaries ask for, and libcudart.so for those that Wharf links.
# Needs no clang. The device's mathematics become bitcode when they are first used (compiler/device_math_bitcode.h).
set(CUDA_RUNTIME_DIR ${PROJECT_BINARY_DIR}/cuda)
file(GLOB CUDA_RUNTIME_SOURCES CONFIGURE_DEPENDS stimuli/cuda/runtime/*.cpp)
list(FILTER CUDA_RUNTIME_SOURCES EXCLUDE REGEX "/version\\.cpp$")
# Programs are built without sanitizers, so their library is too.
add_library(cuda_runtime_objects OBJECT ${CUDA_RUNTIME_SOURCES})
set_target_properties(cuda_runtime_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(cuda_runtime_objects PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stimuli/cuda/include)
target_compile_options(cuda_runtime_objects PRIVATE $<$<BOOL:${WHARF_SANITIZE}>:-fno-sanitize=all>)

# Only tests ask for it here; the program looks for clang when it runs.
find_program(CUDA_CLANG NAMES clang++-14 clang++-15 clang++-16 clang++-17 clang++-18 clang++-19 clang++)

add_custom_target(cuda_runtime ALL)
function(wharf_cuda_runtime soname version)
  set(target cudart_${soname})
  set(nodes ${CUDA_RUNTIME_DIR}/${target}.map)
  file(CONFIGURE OUTPUT ${nodes} CONTENT "libcudart.so.@soname@ { global: cuda*; __cuda*; local: *; };\n" @ONLY)
  add_library(${target} SHARED stimuli/cuda/runtime/version.cpp $<TARGET_OBJECTS:cuda_runtime_objects>)
  target_compile_definitions(${target} PRIVATE WHARF_CUDART_VERSION=${version})
  target_compile_options(${target} PRIVATE $<$<BOOL:${WHARF_SANITIZE}>:-fno-sanitize=all>)
  # The program may have been built with another C++ library.
  target_link_options(${target} PRIVATE $<$<BOOL:${WHARF_SANITIZE}>:-fno-sanitize=all> -static-libstdc++ -static-libgcc -Wl,--no-undefined
                      -Wl,-soname,libcudart.so.${soname} -Wl,--version-script=${nodes})
  target_link_libraries(${target} PRIVATE Threads::Threads)
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CUDA_RUNTIME_DIR} OUTPUT_NAME cudart.so.${soname} SUFFIX ""
                        LINK_DEPENDS ${nodes})
  add_dependencies(cuda_runtime ${target})
endfunction()
wharf_cuda_runtime(9.2 9020)
wharf_cuda_runtime(10.0 10000)
wharf_cuda_runtime(10.1 10010)
wharf_cuda_runtime(10.2 10020)
wharf_cuda_runtime(11.0 11020)
wharf_cuda_runtime(12 12000)
wharf_cuda_runtime(13 13000)
add_custom_command(TARGET cudart_11.0 POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink libcudart.so.11.0 ${CUDA_RUNTIME_DIR}/libcudart.so)
