#include "stimuli/traces/selection/trace_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "model/base/error.h"
#include "model/base/text.h"
#include "stimuli/traces/selection/kernel_selection.h"

namespace wharf::traces {
namespace fs = std::filesystem;

namespace {

constexpr const char* kList = "kernelslist.g";
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

TracePlace place_of(const std::string& path) {
  if (path.empty()) return {};
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path named = whole.has_filename() ? whole : whole.parent_path();
  if (is_folder(named)) return {named, {}};
  if (named.filename() == kList) return {named.parent_path(), {}};
  return exists(named.string()) ? TracePlace{named.parent_path(), named.filename()} : TracePlace{named, {}};
}

std::string workload_of_trace(const std::string& stimulus) { return place_of(split_recorded(stimulus).path).folder.filename().string(); }

TraceList kernels_of(const std::string& stimulus) {
  const RecordedName trace = split_recorded(stimulus);
  limit_of_recorded(stimulus);
  if (trace.path.empty())
    throw InputError("'" + stimulus +
                     "' does not name a file; write trace:PATH[:KERNELS[:warm]] with a kernelslist.g, its folder or a kernel file");
  if (trace.path.front() == '~' && !exists(trace.path))
    throw InputError(stimulus + ": there is no such file; the shell leaves ~ as it is behind trace:, so write $HOME in its place");
  TraceList list = read_trace_list(trace.path);
  if (trace.kernels) list = select_kernels(std::move(list), stimulus, *trace.kernels, trace.warm);
  for (const ListedKernel& kernel : list.kernels) require_file(list, kernel);
  return list;
}

std::vector<std::string> traces_in(const std::string& folder) {
  if (!is_folder(folder))
    throw InputError(fmt::format("{}: this is not a folder; name one whose subfolders hold a {}", quote(folder), kList));
  std::vector<std::string> found;
  try {
    std::set<fs::path> seen;
    add_traces_in(fs::path(folder).lexically_normal(), 0, seen, found);
  } catch (const fs::filesystem_error& error) {
    throw InputError(fmt::format("{}: cannot be read: {}; make it readable", quote(folder), error.code().message()));
  }
  if (found.empty())
    throw InputError(fmt::format("{}: neither the folder nor a subfolder holds a {}; name a folder of traces", quote(folder), kList));
  return found;
}

}  // namespace wharf::traces
