# Writes a source that contains files as text, so that the program does not need these files at run time:
#   cmake "-DFILES=name=path;name=path" -DOUT=FILE -P embed.cmake
set(text "// Written by platforms/cli/report/embed.cmake.\n#include \"platforms/cli/report/embedded.h\"\n\n")
string(APPEND text "namespace wharf::cli::embedded {\n")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${entry}")
  set(name ${CMAKE_MATCH_1})
  file(READ ${CMAKE_MATCH_2} content)
  # The end of a raw string must not occur in the file, and a ; must not end a list element.
  string(FIND "${content}" ")__wharf__\"" clash)
  if(NOT clash EQUAL -1)
    message(FATAL_ERROR "${CMAKE_MATCH_2} holds the mark that ends embedded text")
  endif()
  string(APPEND text "const std::string_view ${name} = R\"__wharf__(${content})__wharf__\";\n")
endforeach()
string(APPEND text "}  // namespace wharf::cli::embedded\n")
file(WRITE ${OUT} "${text}")
