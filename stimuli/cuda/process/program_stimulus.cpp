#include "stimuli/cuda/process/program_stimulus.h"

#include <fmt/core.h>

#include <cstring>

#include "model/base/error.h"

namespace wharf::cuda {

void ProgramStimulus::end() {
  constexpr int kRefused = 2;
  exit_code_ = program_.wait();
  if (exit_code_ == kRefused && !program_.ended())
    throw InputError(
        fmt::format("{} was ended by its runtime library; see its message above; change the program, and see docs/howto-cuda.md", name_));
}

std::string ProgramStimulus::failure() const {
  if (exit_code_ == 0) return {};
  if (exit_code_ < 128) return fmt::format("{} ended with exit code {}", name_, exit_code_);
  return fmt::format("{} was ended by signal {} ({})", name_, exit_code_ - 128, strsignal(exit_code_ - 128));
}

}  // namespace wharf::cuda
