#pragma once
// A line that redraws itself on a terminal; elsewhere, as in a log, one line per minute.

#include <chrono>
#include <string>

namespace wharf::cli {

class ProgressBar {
 public:
  /// Draws on stderr, unless `quiet`.
  explicit ProgressBar(bool quiet = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `fraction` is in [0, 1], or < 0 where unknown (no bar, no ETA). Redraws at most ten times per second. Where stderr is not a terminal,
  /// writes one line per minute instead.
  void show(double fraction, const std::string& text);
  /// The same with the seconds left, where the caller has a better estimate than the fraction.
  void show(double fraction, double left_s, const std::string& text);
  /// Removes the line, so that other output can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed_s() const;

  bool quiet_, terminal_;
  Clock::time_point begin_, last_;
};

/// The line itself: bar, percentage, remaining time after `elapsed_s`, and text; at most `columns` wide.
std::string progress_line(double fraction, double elapsed_s, const std::string& text, std::size_t columns);

/// The same with a given remaining time.
std::string progress_line_left(double fraction, double left_s, const std::string& text, std::size_t columns);

/// "12 s", "3 min 05 s", "2 h 07 min".
std::string format_duration(double seconds);

}  // namespace wharf::cli
