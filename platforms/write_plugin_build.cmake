# Writes platforms/plugin_build.h: cmake -DSOURCE=DIR -DVERSION=V -DOUT=FILE -P write_plugin_build.cmake
# A plugin that was compiled with other headers than the program is refused. Therefore program and plugin contain a hash of all headers.
file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${SOURCE}/model/*.h ${SOURCE}/policies/*.h ${SOURCE}/stimuli/*.h ${SOURCE}/platforms/*.h)
list(FILTER headers EXCLUDE REGEX "^platforms/cli/")
list(SORT headers)
set(hashes "")
foreach(header ${headers})
  file(SHA256 ${SOURCE}/${header} hash)
  string(APPEND hashes "${header} ${hash}\n")
endforeach()
string(SHA256 hash "${hashes}")
string(SUBSTRING ${hash} 0 16 hash)
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#pragma once
// What Wharf's headers were when this was built; made by write_plugin_build.cmake.

namespace wharf {

inline constexpr const char* kWharfVersion = "@VERSION@";
inline constexpr const char* kWharfHeaders = "@hash@";

}  // namespace wharf
]])
