#include "stimuli/traces/trace_list.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kEndings[] = {".traceg", ".traceg.xz", ".traceg.zst", ".traceg.gz"};
constexpr std::string_view kContainer = ".tracez";  // of the 2.0 tracer

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

bool has_trace_ending(std::string_view name) {
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) { return ends_with(name, ending); });
}

bool is_kernel_line(std::string_view line) { return line.substr(0, 6) == "kernel" && has_trace_ending(line); }

void refuse_container(std::string_view name, const std::string& path, std::uint64_t line) {
  if (ends_with(name, kContainer))
    throw TraceError(path, line, "containers (.tracez) are not read", "have the tracer write text: .traceg, or .traceg.xz");
}

bool is_memory_copy(std::string_view line) { return line.substr(0, 6) == "Memcpy"; }

std::string_view trimmed(std::string_view line) {
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

/// True where the file begins like a kernel: its first text is a header line.
bool begins_like_a_kernel(const std::string& path) {
  const auto source = LineSource::open(path);
  std::string_view line;
  while (source->next(line)) {
    line = trimmed(line);
    if (!line.empty()) return line.front() == '-';
    source->pass_over();
  }
  return false;
}

}  // namespace

TraceList parse_trace_list(const std::string& path, const std::string& folder, LineSource& source, std::vector<TraceError>* mistakes) {
  TraceList list;
  list.path = path;
  std::string_view line;
  while (source.next(line)) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#' || is_memory_copy(line)) {
      source.pass_over();
      continue;
    }
    refuse_container(line, path, source.line_number());
    // A mistyped name that is passed over would leave a run of a part of the program that looks like one of all.
    if (!is_kernel_line(line)) {
      const TraceError mistake(path, source.line_number(), quoted(line) + " is neither a kernel file nor a copy of memory",
                               "write kernel-N.traceg (or .xz, .zst, .gz), a line that begins with Memcpy, or # before a comment");
      if (mistakes == nullptr) throw mistake;
      mistakes->push_back(mistake);
      continue;
    }
    list.kernels.push_back({(fs::path(folder) / std::string(line)).string(), source.line_number()});
  }
  if (list.kernels.empty()) {
    throw TraceError(path, 0, "no kernel in the list", "name one kernel file a line, such as kernel-1.traceg.xz");
  }
  return list;
}

TraceList read_trace_list(const std::string& path, std::vector<TraceError>* mistakes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    const std::string list = (fs::path(path) / "kernelslist.g").string();
    if (!fs::exists(list, ignored))
      throw TraceError(path, 0, "the folder has no kernelslist.g", "name a folder with one, or a kernel file");
    return read_trace_list(list, mistakes);
  }
  if (!fs::exists(path, ignored)) throw TraceError(path, 0, "there is no such file", "check the path");
  refuse_container(path, path, 0);
  if (has_trace_ending(path) || begins_like_a_kernel(path)) return {path, {{path, 0}}};
  const auto source = LineSource::open(path);
  return parse_trace_list(path, fs::path(path).parent_path().string(), *source, mistakes);
}

void require_file(const TraceList& list, const ListedKernel& kernel) {
  std::error_code ignored;
  if (fs::is_regular_file(kernel.path, ignored)) return;
  const char* const what = fs::exists(kernel.path, ignored) ? "' is not a regular file" : "' is missing";
  throw TraceError(list.path, kernel.line, "kernel file '" + kernel.path + what, "put it there or delete the line");
}

}  // namespace wharf::traces
