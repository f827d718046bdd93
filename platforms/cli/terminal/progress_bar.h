#pragma once
// A line that redraws itself on a terminal; elsewhere, as in a log, one line per minute; or lines of JSON for a program.

#include <chrono>
#include <cstdint>
#include <string>

#include "platforms/cli/terminal/command_line.h"

namespace wharf::cli {

enum class ProgressStyle : std::uint8_t { bar, none, json };

/// Declares --progress and --quiet, to be called before parsing; `quiet` is the help of the latter.
void declare_progress(CommandLine& arguments, const char* quiet);
/// Throws InputError for an unknown style, and for both options.
ProgressStyle progress_style(const CommandLine& arguments);

/// An event as a line of JSON on stderr: {"event": "start", ...}. `members` is the text of the other members.
void write_event(const std::string& event, const std::string& members);
/// `text` as a string of JSON.
std::string json_string(const std::string& text);

class ProgressBar {
 public:
  /// Draws on stderr, unless the style is none.
  explicit ProgressBar(ProgressStyle style = ProgressStyle::bar);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `fraction` is in [0, 1], or < 0 where unknown (no bar, no ETA). Redraws at most ten times per second. Where stderr is not a terminal,
  /// writes one line per minute instead; as JSON, at most five per second.
  void show(double fraction, const std::string& text);
  /// The same with the seconds left, where the caller has a better estimate than the fraction.
  void show(double fraction, double left_s, const std::string& text);
  /// Removes the line, so that other output can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed_s() const;

  void draw(double fraction, double left_s, const std::string& text) const;

  ProgressStyle style_;
  bool terminal_;
  Clock::time_point begin_, last_;
};

/// The line itself: bar, percentage, remaining time after `elapsed_s`, and text; at most `columns` wide.
std::string progress_line(double fraction, double elapsed_s, const std::string& text, std::size_t columns);

/// The same with a given remaining time.
std::string progress_line_left(double fraction, double left_s, const std::string& text, std::size_t columns);

/// "12 s", "3 min 05 s", "2 h 07 min".
std::string format_duration(double seconds);

}  // namespace wharf::cli
