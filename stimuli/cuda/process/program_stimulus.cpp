#include "stimuli/cuda/process/program_stimulus.h"

#include <fmt/core.h>

#include <csignal>
#include <cstring>

#include "model/base/error.h"

namespace wharf::cuda {

void ProgramStimulus::end() {
  constexpr int kRefused = 2;
  stopped_ = program_.stopped();
  exit_code_ = program_.wait();
  has_ended_ = true;
  stopped_ |= program_.stopped();
  if (stopped_) return;
  if (exit_code_ == kRefused && !program_.ended())
    throw InputError(
        fmt::format("{} was ended by its runtime library; see its message above; change the program, and see docs/howto-cuda.md", name_));
}

std::string ProgramStimulus::failure() const {
  if (exit_code_ == 0 || stopped_) return {};
  const int signal = exit_code_ - 128;
  if (signal <= 0 || signal > SIGRTMAX) return fmt::format("{} ended with exit code {}", name_, exit_code_);  // such as 255 of exit(-1)
  return fmt::format("{} was ended by signal {} ({})", name_, signal, strsignal(signal));
}

}  // namespace wharf::cuda
