#include "platforms/cli/terminal/progress_bar.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::cli {
namespace {

std::size_t terminal_columns() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// Errors are ignored, because the terminal or the reader may be gone.
void write_to_terminal(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

/// Gives no estimate below one per cent, where it would be noise.
double left_by_fraction(double fraction, double elapsed_s) {
  const double done = std::min(fraction, 1.0);
  return done >= 0.01 ? elapsed_s * (1.0 - done) / done : -1.0;
}

}  // namespace

std::string format_duration(double seconds) {
  const auto s = static_cast<long long>(std::max(0.0, seconds) + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

std::string progress_line_left(double fraction, double left_s, const std::string& text, std::size_t columns) {
  std::string line;
  if (fraction >= 0.0) {
    constexpr std::size_t kWidth = 24;
    const double done = std::min(fraction, 1.0);
    const auto filled = static_cast<std::size_t>(done * kWidth);
    line = fmt::format("[{}{}] {:3.0f} %  ", std::string(filled, '#'), std::string(kWidth - filled, '.'), done * 100.0);
    if (left_s >= 0.0 && done < 1.0) line += format_duration(left_s) + " left  ";
  }
  line += text;
  if (line.size() > columns) line.resize(columns);
  return line;
}

std::string progress_line(double fraction, double elapsed_s, const std::string& text, std::size_t columns) {
  return progress_line_left(fraction, left_by_fraction(fraction, elapsed_s), text, columns);
}

void declare_progress(CommandLine& arguments, const char* quiet) {
  arguments.value("progress", "bar|json", "form of progress on stderr (default bar); json: one object per line").flag("quiet", quiet);
}

ProgressStyle progress_style(const CommandLine& arguments) {
  const std::string style = arguments.text("progress", "bar");
  if (style != "bar" && style != "json")
    throw InputError(
        fmt::format("--progress: {} is not a style{}There are bar and json", quote(style), suggestion(style, {"bar", "json"})));
  arguments.exclude("quiet", "progress", "--quiet hides the progress; give one of them");
  return arguments.has("quiet") ? ProgressStyle::none : style == "json" ? ProgressStyle::json : ProgressStyle::bar;
}

void write_event(const std::string& event, const std::string& members) {
  write_to_terminal(fmt::format("{{\"event\":\"{}\"{}{}}}\n", event, members.empty() ? "" : ",", members));
}

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

ProgressBar::ProgressBar(ProgressStyle style)
    : style_(style),
      terminal_(isatty(STDERR_FILENO) == 1),
      begin_(Clock::now()),
      last_(style == ProgressStyle::json ? Clock::time_point() : begin_) {}

ProgressBar::~ProgressBar() {
  clear();
  if (style_ == ProgressStyle::json) write_event("end", fmt::format("\"elapsed_s\":{:.3f}", elapsed_s()));
}

double ProgressBar::elapsed_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

void ProgressBar::show(double fraction, const std::string& text) { show(fraction, left_by_fraction(fraction, elapsed_s()), text); }

void ProgressBar::show(double fraction, double left_s, const std::string& text) {
  constexpr std::chrono::milliseconds kRedraw(100), kEvent(200), kNewLine(60'000);
  const Clock::time_point now = Clock::now();
  const auto pause = style_ == ProgressStyle::json ? kEvent : terminal_ ? kRedraw : kNewLine;
  if (style_ == ProgressStyle::none || now - last_ < pause) return;
  last_ = now;
  draw(fraction, left_s, text);
}

void ProgressBar::draw(double fraction, double left_s, const std::string& text) const {
  if (style_ == ProgressStyle::json) {
    const auto number = [](double value) { return value < 0.0 ? std::string("null") : fmt::format("{:.4f}", value); };
    write_event("progress", fmt::format("\"fraction\":{},\"left_s\":{},\"elapsed_s\":{:.3f},\"text\":{}", number(std::min(fraction, 1.0)),
                                        number(left_s), elapsed_s(), json_string(text)));
    return;
  }
  constexpr std::size_t kLogColumns = 200;
  const std::string line = progress_line_left(fraction, left_s, text, terminal_ ? terminal_columns() - 1 : kLogColumns);
  write_to_terminal((terminal_ ? "\r\033[K" : "") + line + (terminal_ ? "" : "\n"));
}

void ProgressBar::clear() {
  if (style_ != ProgressStyle::bar || !terminal_) return;
  write_to_terminal("\r\033[K");
}

}  // namespace wharf::cli
