#include "stimuli/traces/selection/trace_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "model/base/error.h"
#include "model/base/text.h"
#include "model/base/types.h"
#include "stimuli/traces/selection/kernel_selection.h"

namespace wharf::traces {
namespace fs = std::filesystem;

namespace {

constexpr const char* kList = "kernelslist.g";
constexpr const char* kWarm = ":warm";
constexpr const char* kLimit = ":limit_warp_instructions=";
constexpr unsigned kDeepestFolder = 8;

bool exists(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && fs::exists(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// Whether a folder holds a list of kernels, in whatever form: read_trace_list() says what is wrong with a form that it does not read.
bool has_list(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied))
    if (entry.path().filename().string().rfind("kernelslist", 0) == 0 && !is_folder(entry.path())) return true;
  return false;
}

/// Where PATH ends.
std::size_t end_of_path(const std::string& text) {
  for (std::size_t end = text.size(); end != text.npos && end > 0; end = text.rfind(':', end - 1))
    if (exists(text.substr(0, end))) return end;
  return std::min(text.find(':'), text.size());
}

/// What names a trace.
struct Place {
  fs::path folder;
  fs::path file;  // empty for the folder's list
};

Place place_of(const std::string& path) {
  if (path.empty()) return {};
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path named = whole.has_filename() ? whole : whole.parent_path();
  if (is_folder(named)) return {named, {}};
  if (named.filename() == kList) return {named.parent_path(), {}};
  return exists(named.string()) ? Place{named.parent_path(), named.filename()} : Place{named, {}};
}

/// The last `parts` parts of a path.
fs::path tail_of(const fs::path& path, std::size_t parts) {
  const std::vector<fs::path> all(path.begin(), path.end());
  fs::path tail;
  for (std::size_t i = all.size() - std::min(parts, all.size()); i < all.size(); ++i) tail /= all[i];
  return tail;
}

std::string short_name(const std::string& stimulus, std::size_t folders) {
  const TraceSpec trace = split_trace(stimulus);
  const Place place = place_of(trace.path);
  const fs::path name = place.file.empty() ? tail_of(place.folder, folders) : tail_of(place.folder, folders) / place.file;
  return name.string() + trace.selection;
}

/// `seen`: the folders that have been searched, as links may lead to one again.
void add_traces_in(const fs::path& folder, unsigned depth, std::set<fs::path>& seen, std::vector<std::string>& found) {
  if (!seen.insert(fs::canonical(folder)).second) return;
  if (has_list(folder)) {
    found.push_back(kPrefix + folder.string());
    return;
  }
  if (depth == kDeepestFolder) return;
  std::vector<fs::path> subfolders;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, fs::directory_options::skip_permission_denied))
    if (is_folder(entry.path()) && entry.path().filename().string().front() != '.') subfolders.push_back(entry.path());
  std::sort(subfolders.begin(), subfolders.end());
  for (const fs::path& subfolder : subfolders) add_traces_in(subfolder, depth + 1, seen, found);
}

}  // namespace

bool is_trace(const std::string& stimulus) { return stimulus.rfind(kPrefix, 0) == 0; }

TraceSpec split_trace(const std::string& stimulus) {
  const std::string text = stimulus.substr(std::string_view(kPrefix).size());
  const std::size_t end = end_of_path(text);
  TraceSpec trace{text.substr(0, end), text.substr(end), std::nullopt, false, {}};
  std::string selection = trace.selection;
  if (const std::size_t at = selection.rfind(kLimit); at != selection.npos) {
    trace.limit = selection.substr(at + std::string_view(kLimit).size());
    selection.resize(at);
  }
  if (selection.empty()) return trace;
  trace.kernels = selection.substr(1);
  const std::size_t size = trace.kernels->size();
  const std::string_view warm = kWarm;
  trace.warm = size > warm.size() && trace.kernels->compare(size - warm.size(), warm.size(), warm) == 0 && (*trace.kernels)[size - warm.size() - 1] != ':';
  if (trace.warm) trace.kernels->resize(size - warm.size());
  return trace;
}

std::string as_named_in(const fs::path& folder, const std::string& stimulus) {
  if (!is_trace(stimulus)) return stimulus;
  const std::string text = stimulus.substr(std::string_view(kPrefix).size());
  if (text.empty() || folder.empty() || fs::path(text).is_absolute()) return stimulus;
  const TraceSpec trace = split_trace(kPrefix + (folder.string() + '/' + text));
  return kPrefix + fs::path(trace.path).lexically_normal().string() + trace.selection;
}

std::string workload_of_trace(const std::string& stimulus) {
  return place_of(split_trace(stimulus).path).folder.filename().string();
}

std::vector<std::string> short_names(const std::vector<std::string>& stimuli) {
  constexpr std::size_t kMostFolders = 64;
  std::vector<std::string> names = stimuli;
  std::vector<std::size_t> open;  // traces whose names are not unique yet
  for (std::size_t i = 0; i < stimuli.size(); ++i)
    if (is_trace(stimuli[i])) open.push_back(i);
  for (std::size_t folders = 1; !open.empty() && folders <= kMostFolders; ++folders) {
    for (const std::size_t i : open) names[i] = short_name(stimuli[i], folders);
    std::map<std::string, unsigned> uses;
    for (const std::string& name : names) ++uses[name];
    open.erase(std::remove_if(open.begin(), open.end(), [&](std::size_t i) { return uses[names[i]] == 1; }), open.end());
  }
  for (const std::size_t i : open) names[i] = stimuli[i];
  return names;
}

std::uint64_t limit_of_trace(const std::string& stimulus) {
  const TraceSpec trace = split_trace(stimulus);
  if (trace.selection.find(kLimit) == std::string::npos) return kNever;
  std::uint64_t limit = 0;
  const char* const end = trace.limit.data() + trace.limit.size();
  const auto [last, error] = std::from_chars(trace.limit.data(), end, limit);
  if (error != std::errc() || last != end || limit == 0)
    throw InputError(stimulus + ": limit_warp_instructions is " + quote(trace.limit) + "; give a number of warp instructions, 1 or more");
  return limit;
}

std::string trace_with_limit(const std::string& stimulus, std::uint64_t warp_instructions) {
  if (limit_of_trace(stimulus) != kNever) throw InputError(stimulus + ": has a limit of its own; keep one");
  return stimulus + kLimit + std::to_string(warp_instructions);
}

TraceList kernels_of(const std::string& stimulus) {
  const TraceSpec trace = split_trace(stimulus);
  limit_of_trace(stimulus);
  if (trace.path.empty()) throw InputError("'" + stimulus + "' names no file; write trace:PATH[:KERNELS[:warm]] with a kernelslist.g, its folder or a kernel file");
  if (trace.path.front() == '~' && !exists(trace.path))
    throw InputError(stimulus + ": there is no such file; the shell leaves ~ as it is behind trace:, so write $HOME in its place");
  TraceList list = read_trace_list(trace.path);
  if (trace.kernels) list = select_kernels(std::move(list), stimulus, *trace.kernels, trace.warm);
  for (const ListedKernel& kernel : list.kernels) require_file(list, kernel);
  return list;
}

std::vector<std::string> traces_in(const std::string& folder) {
  if (!is_folder(folder)) throw InputError(fmt::format("{}: is no folder; name one whose subfolders hold a {}", quote(folder), kList));
  std::vector<std::string> found;
  try {
    std::set<fs::path> seen;
    add_traces_in(fs::path(folder).lexically_normal(), 0, seen, found);
  } catch (const fs::filesystem_error& error) {
    throw InputError(fmt::format("{}: cannot be read: {}; make it readable", quote(folder), error.code().message()));
  }
  if (found.empty()) throw InputError(fmt::format("{}: neither the folder nor a subfolder holds a {}; name a folder of traces", quote(folder), kList));
  return found;
}

}  // namespace wharf::traces
