#include "stimuli/traces/trace_list.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "model/base/text.h"
#include "stimuli/traces/bytes/line_source.h"
#include "stimuli/traces/bytes/text_cursor.h"
#include "stimuli/traces/trace_error.h"

namespace wharf::traces {

namespace fs = std::filesystem;

namespace {

constexpr const char* kList = "kernelslist.g";
constexpr std::string_view kCompressions[] = {"", ".xz", ".zst", ".gz"};
constexpr std::string_view kContainer = ".tracez";  // of the 2.0 tracer, compressed in itself
constexpr const char* kPostProcess =
    "run the tracer's post-traces-processing on its kernelslist, which writes kernelslist.g and kernel-N.traceg";

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

/// True where the name ends in `ending`, plain or compressed.
bool ends_in(std::string_view name, std::string_view ending) {
  return std::any_of(std::begin(kCompressions), std::end(kCompressions), [&](std::string_view compression) {
    return ends_with(name, compression) && ends_with(name.substr(0, name.size() - compression.size()), ending);
  });
}

bool is_trace_name(std::string_view name) { return ends_in(name, ".traceg") || ends_with(name, kContainer); }
bool is_unprocessed_name(std::string_view name) { return ends_in(name, ".trace"); }

/// A path to a kernel file, as the list has it; of Windows with other separators.
std::string path_of(std::string_view line) {
  std::string path(line.substr(0, 2) == "./" || line.substr(0, 2) == ".\\" ? line.substr(2) : line);
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

bool is_kernel_line(std::string_view line) {
  return is_trace_name(line) && starts_with(line.substr(line.find_last_of("/\\") + 1), "kernel");
}

bool is_memory_copy(std::string_view line) { return starts_with(line, "Memcpy"); }

/// The name of the call where the line is one of the host program to CUDA or one of its libraries; else empty.
std::string_view call_of(std::string_view line) {
  const std::string_view name = line.substr(0, line.find_first_of(",( \t"));
  const bool is_call = starts_with(name, "cu") || starts_with(name, "nccl") || starts_with(name, "nvshmem") || starts_with(name, "Memset");
  return is_call && name.find_first_of("./\\") == std::string_view::npos ? name : std::string_view();
}

/// True where the file begins like a kernel: its first text is a header line.
bool begins_like_a_kernel(const std::string& path) {
  const auto source = LineSource::open(path, LineSource::kSmallPiece);
  std::string_view line;
  while (source->next(line)) {
    line = trimmed(line);
    if (!line.empty()) return line.front() == '-';
    source->skip_line();
  }
  return false;
}

/// Paths of the files in a folder whose names are of a kind, sorted.
template <class IsOfKind>
std::vector<std::string> files_of(const std::string& folder, IsOfKind is_of_kind) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (is_of_kind(entry.path().filename().string())) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The list of a single context, as the tracer writes it today: kernelslist_ctx_0x21440c40.g.
bool is_context_list(const std::string& name) { return starts_with(name, "kernelslist_ctx_") && ends_with(name, ".g"); }

/// A list or a kernel before the tracer's post-processing.
bool is_unprocessed(const std::string& name) {
  return is_unprocessed_name(name) || (starts_with(name, "kernelslist") && !ends_with(name, ".g"));
}

/// The path of the list in a folder.
std::string list_of(const std::string& folder) {
  const fs::path list = fs::path(folder) / kList;
  std::error_code ignored;
  if (fs::exists(list, ignored)) return list.string();
  const std::vector<std::string> contexts = files_of(folder, is_context_list);
  if (contexts.size() == 1) return contexts.front();
  if (contexts.size() > 1)
    throw TraceError(folder, 0, "the folder has the lists of " + std::to_string(contexts.size()) + " contexts",
                     "name one of " + join(contexts));
  if (!files_of(folder, is_unprocessed).empty())
    throw TraceError(folder, 0, "the folder holds a trace before its post-processing", kPostProcess);
  const fs::path below = fs::path(folder) / "traces";
  const bool is_below = fs::exists(below / kList, ignored);
  throw TraceError(folder, 0, "the folder has no kernelslist.g",
                   is_below ? "name '" + below.string() + "', which has one" : "name a folder with one, or a kernel file");
}

}  // namespace

TraceList parse_trace_list(const std::string& path, const std::string& folder, LineSource& source, std::vector<TraceError>* mistakes) {
  TraceList list;
  list.path = path;
  WarningLog warnings;
  std::string_view line;
  while (source.next(line)) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#' || is_memory_copy(line)) {
      source.skip_line();
      continue;
    }
    if (const std::string_view call = call_of(line); !call.empty()) {
      source.skip_line();
      warnings.warn("call of the host program in the list, passed over: " + quoted(call), path, source.line_number());
      continue;
    }
    if (is_unprocessed_name(line))
      throw TraceError(path, source.line_number(), quoted(line) + " is a trace before its post-processing", kPostProcess);
    // A mistyped name that is passed over would leave a run of a part of the program that looks like one of all.
    if (!is_kernel_line(line)) {
      const TraceError mistake(
          path, source.line_number(), quoted(line) + " is neither a kernel file nor a call of the host program",
          "write kernel-N.traceg (or .xz, .zst, .gz) or kernel-N.tracez, a line that begins with Memcpy, cuda or nccl, or # before a comment");
      if (mistakes == nullptr) throw mistake;
      mistakes->push_back(mistake);
      continue;
    }
    list.kernels.push_back({(fs::path(folder) / path_of(line)).string(), source.line_number()});
  }
  if (list.kernels.empty()) {
    throw TraceError(path, 0, "no kernel in the list", "name one kernel file a line, such as kernel-1.traceg.xz");
  }
  list.warnings = warnings.drain();
  return list;
}

TraceList read_trace_list(const std::string& path, std::vector<TraceError>* mistakes) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return read_trace_list(list_of(path), mistakes);
  if (!fs::exists(path, ignored)) throw TraceError(path, 0, "there is no such file", "check the path");
  if (is_trace_name(path) || begins_like_a_kernel(path)) return {path, {{path, 0}}, {}};
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
