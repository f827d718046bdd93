# The runtime library of CUDA programs, in each version (CU-4). It links neither the model nor SystemC, and does not need clang.
#
#   CUDA_FOLDER        the build folder: lib/libcudart.so*
#   target `cuda`      all versions

set(CUDA_FOLDER ${PROJECT_BINARY_DIR}/cuda)
set(CUDA_SOURCE ${PROJECT_SOURCE_DIR}/stimuli/cuda)
add_custom_target(cuda ALL)

# The program that loads the library may be built without a sanitizer.
file(GLOB_RECURSE CUDART_SOURCES CONFIGURE_DEPENDS ${CUDA_SOURCE}/runtime/*.cpp)
list(FILTER CUDART_SOURCES EXCLUDE REGEX "/version\\.cpp$")
add_library(cudart_objects OBJECT ${CUDART_SOURCES})
target_include_directories(cudart_objects PRIVATE ${PROJECT_SOURCE_DIR} ${CUDA_SOURCE}/include)
target_compile_options(cudart_objects PRIVATE -fno-sanitize=all)
set_target_properties(cudart_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)

# wharf_cudart(SONAME VERSION): libcudart.so.SONAME, whose symbols carry that name as their version, so that the dynamic loader does not warn.
function(wharf_cudart soname version)
  set(script ${CUDA_FOLDER}/cudart_${soname}.map)
  file(GENERATE OUTPUT ${script} CONTENT "libcudart.so.${soname} { global: cuda*; __cuda*; local: *; };\n")
  add_library(cudart_${soname} SHARED ${CUDA_SOURCE}/runtime/version.cpp $<TARGET_OBJECTS:cudart_objects>)
  target_compile_definitions(cudart_${soname} PRIVATE WHARF_CUDART_VERSION=${version})
  target_compile_options(cudart_${soname} PRIVATE -fno-sanitize=all)
  target_link_options(cudart_${soname} PRIVATE -fno-sanitize=all -static-libstdc++ -static-libgcc -Wl,--no-undefined
                      -Wl,--version-script=${script} -Wl,-soname,libcudart.so.${soname})
  target_link_libraries(cudart_${soname} PRIVATE Threads::Threads)
  set_target_properties(cudart_${soname} PROPERTIES PREFIX "" SUFFIX "" NO_SONAME ON LINK_DEPENDS ${script}
                        OUTPUT_NAME libcudart.so.${soname} LIBRARY_OUTPUT_DIRECTORY ${CUDA_FOLDER}/lib)
  add_dependencies(cuda cudart_${soname})
  install(FILES ${CUDA_FOLDER}/lib/libcudart.so.${soname} DESTINATION ${WHARF_INSTALL_DATA}/stimuli/cuda/lib)
endfunction()
foreach(pair 9.0:9000 9.1:9010 9.2:9020 10.0:10000 10.1:10010 10.2:10020 11.0:11020 12:12080 13:13000)
  string(REPLACE ":" ";" pair ${pair})
  wharf_cudart(${pair})
endforeach()
# Programs of `wharf nvcc` are built with our headers, which say 11.2.
add_custom_command(TARGET cudart_11.0 POST_BUILD
                   COMMAND ${CMAKE_COMMAND} -E create_symlink libcudart.so.11.0 ${CUDA_FOLDER}/lib/libcudart.so)
install(FILES ${CUDA_FOLDER}/lib/libcudart.so DESTINATION ${WHARF_INSTALL_DATA}/stimuli/cuda/lib)
install(DIRECTORY ${CUDA_SOURCE}/include ${CUDA_SOURCE}/device_math ${CUDA_SOURCE}/programs DESTINATION ${WHARF_INSTALL_DATA}/stimuli/cuda)

# For tests only: the program looks for clang and compiles the bitcode at run time (compiler/device_math_bitcode.h).
find_program(CUDA_CLANG NAMES clang++-14 clang++ DOC "clang for CUDA programs")
