#include "platforms/cli/progress_bar.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace wharf::cli {
namespace {

std::size_t terminal_columns() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string format_duration(double seconds) {
  const auto s = static_cast<long long>(std::max(0.0, seconds) + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

std::string progress_line(double fraction, double elapsed_s, const std::string& text, std::size_t columns) {
  std::string line;
  if (fraction >= 0.0) {
    constexpr std::size_t kWidth = 24;
    const double done = std::min(fraction, 1.0);
    const auto filled = static_cast<std::size_t>(done * kWidth);
    line = fmt::format("[{}{}] {:3.0f} %  ", std::string(filled, '#'), std::string(kWidth - filled, '.'), done * 100.0);
    // Below a hundredth the estimate is noise.
    if (done >= 0.01 && done < 1.0) line += format_duration(elapsed_s * (1.0 - done) / done) + " left  ";
  }
  line += text;
  if (line.size() > columns) line.resize(columns);
  return line;
}

ProgressBar::ProgressBar(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO) == 1), begin_(Clock::now()), last_(begin_) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::show(double fraction, const std::string& text) {
  const Clock::time_point now = Clock::now();
  if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  fmt::print(stderr, "\r\033[K{}", progress_line(fraction, elapsed, text, terminal_columns() - 1));
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace wharf::cli
