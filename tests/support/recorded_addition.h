#pragma once
// A recording of stimuli/cuda/programs/vector_addition.cu with 1000 elements.

#include <string>

#include "test_paths.h"

namespace wharf::test {

inline const std::string kRecording = WHARF_SOURCE_DIR "/tests/data/cuda/vector_addition.wcr";

}  // namespace wharf::test
