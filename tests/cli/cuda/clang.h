#pragma once
// Requirements of tests of CUDA programs: clang, and the programs.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "test_paths.h"

namespace wharf::cli {

inline bool has_clang() { return std::system("command -v clang++ >/dev/null || command -v clang++-14 >/dev/null") == 0; }

#define REQUIRE_CLANG()                        \
  if (!has_clang()) {                          \
    WARN("skipped, because clang is missing"); \
    return;                                    \
  }

inline const std::string kPrograms = WHARF_SOURCE_DIR "/stimuli/cuda/programs/";

}  // namespace wharf::cli
