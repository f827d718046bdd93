#pragma once
// A line that redraws itself on a terminal and stays silent elsewhere.

#include <chrono>
#include <string>

namespace wharf::cli {

class ProgressBar {
 public:
  /// Draws on stderr, only where that is a terminal and `quiet` is false.
  explicit ProgressBar(bool quiet = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `fraction` in [0, 1], or < 0 where unknown (no bar, no ETA). Redraws at most ten times a second.
  void show(double fraction, const std::string& text);
  /// Removes the line, so that other output can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  Clock::time_point begin_, last_;
};

/// The line itself: bar, percentage, remaining time after `elapsed_s`, text; at most `columns` wide.
std::string progress_line(double fraction, double elapsed_s, const std::string& text, std::size_t columns);

/// "12 s", "3 min 05 s", "2 h 07 min".
std::string format_duration(double seconds);

}  // namespace wharf::cli
