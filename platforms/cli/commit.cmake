# Writes the source that defines commit_id() at every build, if it changes: cmake -DSOURCE=DIR -DOUT=FILE -P commit.cmake
# The commit is the last one that changed the program. Commits that only change documents are ignored.
set(program model policies stimuli platforms CMakeLists.txt)
execute_process(COMMAND git -C ${SOURCE} log -1 --format=%h --abbrev=12 -- ${program} OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git -C ${SOURCE} status --porcelain -- ${program} OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
elseif(changes)
  string(APPEND commit "+changes")
endif()
set(text "#include \"platforms/cli/version.h\"\n\nnamespace wharf::cli {\nconst char* commit_id() { return \"${commit}\"; }\n}\n")
file(CONFIGURE OUTPUT ${OUT} CONTENT "${text}" @ONLY)
