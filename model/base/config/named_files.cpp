#include "model/base/config/named_files.h"

#include <algorithm>
#include <system_error>

#include "model/base/config/points.h"
#include "model/base/config/tree/document.h"
#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::config {
namespace {

namespace fs = std::filesystem;

/// Also true for something that exists but cannot be read as a file, such as a pipe: its reader reports what is wrong with it.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
}

bool ends_in_yaml(const fs::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

/// True for a name that is written as a path.
bool is_path(const std::string& name) { return ends_in_yaml(name) || (!name.empty() && (name[0] == '.' || name[0] == '/')); }

fs::path with_ending(const std::string& name) { return ends_in_yaml(name) ? name : name + ".yaml"; }

/// Removes `..`, unless a symbolic link would then make the path lead elsewhere.
fs::path shortened(const fs::path& path) {
  std::error_code error;
  const fs::path normal = path.lexically_normal();
  return fs::equivalent(path, normal, error) ? normal : path;
}

void add_names_below(const fs::path& root, const std::string& prefix, std::vector<std::string>& names) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".yaml")
      names.push_back(prefix + it->path().lexically_relative(root).replace_extension().generic_string());
  }
}

/// The files of one kind that come with the program: `name.yaml` in a folder of that kind, and `design/name` in the design's own folder.
class Shipped {
 public:
  /// `root`: the folder of the configurations, which lies beside those of the sweeps and of the designs. A design's name alone is a
  /// configuration.
  static Shipped configurations(const fs::path& root) { return {root.parent_path(), root.filename(), "design.yaml"}; }
  static Shipped sweeps(const fs::path& root) { return {root.parent_path(), "sweeps", ""}; }

  /// The path at which the file of that name, with its ending, is expected.
  fs::path operator/(const fs::path& file) const {
    const fs::path shared = parent_ / kind_ / file, design = *file.begin();
    if (is_file(shared) || design == "." || design == ".." || file.is_absolute()) return shared;
    return design == file ? designs_ / file.stem() / own_ : designs_ / design / kind_ / file.lexically_relative(design);
  }

  /// Sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    add_names_below(parent_ / kind_, "", names);
    std::error_code error;
    for (fs::directory_iterator it(designs_, error), end; !error && it != end; it.increment(error)) {
      const std::string design = it->path().filename().string();
      if (is_file(it->path() / own_)) names.push_back(design);
      add_names_below(it->path() / kind_, design + '/', names);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  Shipped(const fs::path& parent, fs::path kind, const char* own)
      : parent_(parent), designs_(parent / "designs"), kind_(std::move(kind)), own_(own) {}

  fs::path parent_, designs_, kind_;
  const char* own_;  // the file that a design's name alone refers to; "" if there is none
};

/// Finds a shipped file by its name, or a file by its path. Searches `directory` first if the name is written as a path, else last.
std::optional<fs::path> find_file(const std::string& name, const fs::path& directory, const Shipped& shipped) {
  if (name.empty() || first_unprintable(name) != std::string::npos) return std::nullopt;
  const fs::path file = with_ending(name), near = directory / file, far = shipped / file;
  const fs::path& first = is_path(name) ? near : far;
  const fs::path& second = is_path(name) ? far : near;
  if (is_file(first)) return first;
  if (is_file(second)) return second;
  return std::nullopt;
}

/// The points of a sweep file; nothing if it cannot be read.
std::optional<std::vector<std::string>> points_of(const fs::path& sweep) {
  Mistakes mistakes;
  const Node document = read_document(sweep, mistakes);
  if (mistakes.size() > 0) return std::nullopt;
  return point_names(document);
}

}  // namespace

std::string text_of(const NamedFile& file) { return file.path.string() + (file.point.empty() ? "" : ':' + file.point); }

std::optional<fs::path> locate_sweep(const std::string& name, const fs::path& directory, const fs::path& root) {
  return find_file(name, directory, Shipped::sweeps(root));
}

std::optional<NamedFile> locate(const std::string& name, const fs::path& directory, const fs::path& root) {
  if (const auto file = find_file(name, directory, Shipped::configurations(root))) return NamedFile{*file, {}};
  const std::size_t colon = name.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto sweep = locate_sweep(name.substr(0, colon), directory, root);
  if (!sweep) return std::nullopt;
  const std::string point = name.substr(colon + 1);
  const auto points = points_of(*sweep);
  if (points && std::find(points->begin(), points->end(), point) == points->end()) return std::nullopt;
  return NamedFile{*sweep, point};
}

std::string name_from_working_directory(const std::string& name, const fs::path& directory, const fs::path& root) {
  if (const auto file = locate(name, directory, root)) {
    const auto here = locate(name, "", root);
    std::error_code error;
    if (here && fs::equivalent(here->path, file->path, error)) return name;
    return text_of({shortened(file->path), file->point});
  }
  if (const std::size_t at = name.rfind('@'); at != std::string::npos) {
    const std::string gpu = name.substr(at + 1);
    const bool is_shipped = locate("gpus/" + gpu, "", root).has_value();
    return name_from_working_directory(name.substr(0, at), directory, root) + '@' +
           (is_shipped ? gpu : name_from_working_directory(gpu, directory, root));
  }
  if (const std::size_t plus = name.rfind('+'); plus != std::string::npos && plus != 0)
    return name_from_working_directory(name.substr(0, plus), directory, root) + '+' +
           name_from_working_directory(name.substr(plus + 1), directory, root);
  throw InputError("there is no configuration " + quote(name) + remedy_for(name, directory, root));
}

std::string remedy_for(const std::string& name, const fs::path& directory, const fs::path& root) {
  const std::size_t colon = name.rfind(':');
  const std::string sweep = name.substr(0, colon);
  if (colon != std::string::npos) {
    if (const auto file = locate_sweep(sweep, directory, root)) {
      const std::vector<std::string> points = points_of(*file).value_or(std::vector<std::string>());
      if (points.empty()) return "; " + file->string() + " has no points";
      const auto near = nearest(name.substr(colon + 1), points);
      return near ? "; did you mean " + quote(sweep + ':' + *near) + '?' : "; the points of " + quote(sweep) + " are " + join(points);
    }
  }
  const std::vector<std::string> names = configuration_names(root);
  const std::string near = did_you_mean(name, names);
  if (!near.empty()) return near;
  std::vector<std::string> tails, beside;
  for (const std::string& known : names) {
    tails.push_back(known.substr(known.rfind('/') + 1));
    if (known.rfind(name + "/", 0) == 0 || known.rfind(name + ":", 0) == 0) beside.push_back(known);
  }
  if (!beside.empty()) return "; write one of " + join(beside);
  const auto tail = nearest(name, tails);
  if (tail)
    return "; did you mean '" + names[static_cast<std::size_t>(std::find(tails.begin(), tails.end(), *tail) - tails.begin())] + "'?";
  if (!is_path(name)) return "; `wharf list configs` shows all names, and a path must end in .yaml";
  const std::string looked = (directory / with_ending(name)).lexically_normal().string();
  return directory.empty() ? "; there is no file " + looked + " below " + fs::current_path().string()
                           : "; there is no file " + looked + ": a path in a file is relative to that file's folder";
}

std::vector<std::string> sweep_names(const fs::path& root) { return Shipped::sweeps(root).names(); }

std::vector<std::string> configuration_names(const fs::path& root) {
  std::vector<std::string> names = Shipped::configurations(root).names();
  for (const std::string& sweep : sweep_names(root)) {
    const auto points = points_of(Shipped::sweeps(root) / (sweep + ".yaml"));
    for (const std::string& point : points.value_or(std::vector<std::string>())) names.push_back(sweep + ':' + point);
  }
  return names;
}

std::vector<ConfigurationName> list_sweeps(const fs::path& root) {
  std::vector<ConfigurationName> out;
  Mistakes mistakes;
  for (const std::string& name : sweep_names(root)) {
    out.push_back({name, text_at(read_document(*locate_sweep(name, "", root), mistakes), "description").value_or("")});
  }
  mistakes.throw_if_any();
  return out;
}

}  // namespace wharf::config
