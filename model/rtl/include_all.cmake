# Writes one source that includes all sources that Verilator has written into FOLDER.
file(GLOB sources RELATIVE ${FOLDER} ${FOLDER}/V*.cpp)
list(SORT sources)
set(text "")
foreach(source ${sources})
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${FOLDER}/all.cpp "${text}")
