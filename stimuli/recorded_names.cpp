#include "stimuli/recorded_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>

#include "model/base/error.h"
#include "model/base/text.h"
#include "model/base/types.h"
#include "stimuli/cuda/recording/recording_name.h"
#include "stimuli/ptx/launch_file/launch_name.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kWarm = ":warm";
constexpr const char* kLimitPart = ":limit_warp_instructions=";

bool exists(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && fs::exists(path, ignored);
}

std::size_t end_of_prefix(const std::string& stimulus) { return stimulus.find(':') + 1; }

/// Where PATH ends.
std::size_t end_of_path(const std::string& text) {
  for (std::size_t end = text.size(); end != text.npos && end > 0; end = text.rfind(':', end - 1))
    if (exists(text.substr(0, end))) return end;
  return std::min(text.find(':'), text.size());
}

/// The last `parts` parts of a path.
fs::path tail_of(const fs::path& path, std::size_t parts) {
  const std::vector<fs::path> all(path.begin(), path.end());
  fs::path tail;
  for (std::size_t i = all.size() - std::min(parts, all.size()); i < all.size(); ++i) tail /= all[i];
  return tail;
}

std::string short_name(const std::string& stimulus, std::size_t folders) {
  const RecordedName name = split_recorded(stimulus);
  if (!traces::is_trace(stimulus)) return tail_of(fs::path(name.path).lexically_normal(), folders).string() + name.selection;
  const traces::TracePlace place = traces::place_of(name.path);
  const fs::path folder = tail_of(place.folder, folders);
  return (place.file.empty() ? folder : folder / place.file).string() + name.selection;
}

/// The path as named from the working directory, where it is written in a file of `folder`.
std::string path_in(const fs::path& folder, const std::string& path) {
  return path.empty() || fs::path(path).is_absolute() ? path : (folder / path).lexically_normal().string();
}

}  // namespace

bool is_recorded_name(const std::string& stimulus) {
  return traces::is_trace(stimulus) || cuda::is_recording(stimulus) || ptx::is_launch_file(stimulus);
}

RecordedName split_recorded(const std::string& stimulus) {
  const std::string text = stimulus.substr(end_of_prefix(stimulus));
  const std::size_t end = end_of_path(text);
  RecordedName name{text.substr(0, end), text.substr(end), std::nullopt, false, {}};
  std::string selection = name.selection;
  if (const std::size_t at = selection.rfind(kLimitPart); at != selection.npos) {
    name.limit = selection.substr(at + std::string_view(kLimitPart).size());
    selection.resize(at);
  }
  if (selection.empty()) return name;
  name.kernels = selection.substr(1);
  name.warm = strip_warm_suffix(*name.kernels);
  return name;
}

bool strip_warm_suffix(std::string& kernels) {
  if (kernels.size() <= kWarm.size()) return false;
  const std::size_t begin = kernels.size() - kWarm.size();
  if (kernels.compare(begin, kWarm.size(), kWarm) != 0 || kernels[begin - 1] == ':') return false;
  kernels.resize(begin);
  return true;
}

std::string as_named_in(const fs::path& folder, const std::string& stimulus) {
  if (!is_recorded_name(stimulus) || folder.empty()) return stimulus;
  const std::size_t begin = end_of_prefix(stimulus);
  const std::string prefix = stimulus.substr(0, begin), text = stimulus.substr(begin);
  if (text.empty()) return stimulus;
  const bool is_absolute = fs::path(text).is_absolute();
  const RecordedName name = split_recorded(is_absolute ? stimulus : prefix + (folder.string() + '/' + text));
  const std::string path = is_absolute ? name.path : fs::path(name.path).lexically_normal().string();
  if (!ptx::is_launch_file(stimulus) || !name.kernels) return prefix + path + name.selection;
  return prefix + path + ':' + path_in(folder, *name.kernels) + name.selection.substr(1 + name.kernels->size());
}

std::vector<std::string> short_names(const std::vector<std::string>& stimuli) {
  constexpr std::size_t kMostFolders = 64;
  std::vector<std::string> names = stimuli;
  std::vector<std::size_t> open;  // files whose names are not unique yet
  for (std::size_t i = 0; i < stimuli.size(); ++i)
    if (is_recorded_name(stimuli[i])) open.push_back(i);
  for (std::size_t folders = 1; !open.empty() && folders <= kMostFolders; ++folders) {
    for (const std::size_t i : open) names[i] = short_name(stimuli[i], folders);
    std::map<std::string, unsigned> uses;
    for (const std::string& name : names) ++uses[name];
    open.erase(std::remove_if(open.begin(), open.end(), [&](std::size_t i) { return uses[names[i]] == 1; }), open.end());
  }
  for (const std::size_t i : open) names[i] = stimuli[i];
  return names;
}

std::uint64_t limit_of_recorded(const std::string& stimulus) {
  const RecordedName name = split_recorded(stimulus);
  if (name.selection.find(kLimitPart) == std::string::npos) return kNever;
  std::uint64_t limit = 0;
  const char* const end = name.limit.data() + name.limit.size();
  const auto [last, error] = std::from_chars(name.limit.data(), end, limit);
  if (error != std::errc() || last != end || limit == 0)
    throw InputError(stimulus + ": limit_warp_instructions is " + quote(name.limit) + "; give a number of warp instructions, 1 or more");
  return limit;
}

std::string recorded_with_limit(const std::string& stimulus, std::uint64_t warp_instructions) {
  if (limit_of_recorded(stimulus) != kNever) throw InputError(stimulus + ": has a limit of its own; keep one");
  return stimulus + kLimitPart + std::to_string(warp_instructions);
}

}  // namespace wharf
