#include "model/base/config/layers.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "model/base/config/kinds.h"
#include "model/base/config/named_files.h"
#include "model/base/config/points.h"
#include "model/base/config/settings.h"
#include "model/base/error.h"
#include "model/base/text.h"

namespace wharf::config {
namespace {

namespace fs = std::filesystem;

// Two files may extend the same file, so n levels of such files would be read 2^n times.
constexpr std::size_t kMostFiles = 64;

class Stack {
 public:
  Stack(const fs::path& root, Mistakes& mistakes) : root_(root), mistakes_(mistakes) {}

  // Reads a file, or a point of a sweep file, after the files that it extends.
  void read(const NamedFile& file, bool is_named) {
    chain_.push_back(file);
    add(document_of(file), file.path.parent_path(), is_named);
    chain_.pop_back();
  }

  void add(Node document, const fs::path& directory, bool is_named) {
    if (const Node* extends = document.find("extends")) read_extended(*extends, directory);
    read_description(document, is_named);
    if (const Node* search = document.find("search")) merge(search_, *search);
    FileLayer layer;
    if (const Node* per_workload = document.find("per_workload")) layer.per_workload = read_per_workload(*per_workload, mistakes_);
    auto& keys = document.children;
    keys.erase(std::remove_if(keys.begin(), keys.end(), [](const Node& n) { return is_reserved(n.key); }), keys.end());
    set_layer(document, is_named ? Layer::file : Layer::inherited);
    for (Node& workload : layer.per_workload) set_layer(workload, is_named ? Layer::workload : Layer::inherited_workload);
    layer.values = std::move(document);
    layers_.files.push_back(std::move(layer));
  }

  Layers finish(const fs::path& directory) {
    if (search_.file) layers_.search = read_search(search_, mistakes_);
    if (layers_.search && layers_.search->over_configurations()) read_candidates(*layers_.search, directory);
    return std::move(layers_);
  }

 private:
  Node document_of(const NamedFile& file) {
    Node document = read_document(file.path, mistakes_);
    if (file.point.empty()) {
      if (!expect_kind(document, FileKind::configuration, mistakes_)) document.children.clear();
      return document;
    }
    if (auto point = read_point(document, file.point, mistakes_)) return *std::move(point);
    document.children.clear();
    return document;
  }

  void read_extended(const Node& extends, const fs::path& directory) {
    if (extends.is(Node::Kind::scalar)) {
      read_one(extends, directory);
    } else if (extends.is(Node::Kind::sequence) && !extends.children.empty()) {
      for (const Node& item : extends.children) read_one(item, directory);
    } else {
      mistakes_.add(extends.position(), "extends: is " + name_of(extends) + "; write a configuration's name or a list of names");
    }
  }

  void read_one(const Node& item, const fs::path& directory) {
    const Position where = item.position();
    if (!item.is(Node::Kind::scalar)) return mistakes_.add(where, "extends: holds " + name_of(item) + "; write names of configurations");
    const auto file = locate(item.text, directory, root_);
    if (!file)
      return mistakes_.add(where, "extends: there is no configuration " + quote(item.text) + remedy_for(item.text, directory, root_));
    const auto same = [&](const NamedFile& other) {
      std::error_code error;
      return other.point == file->point && fs::equivalent(other.path, file->path, error);
    };
    const auto begin = std::find_if(chain_.begin(), chain_.end(), same);
    if (begin != chain_.end()) {
      std::string circle;
      for (auto it = begin; it != chain_.end(); ++it) circle += text_of(*it) + " -> ";
      return mistakes_.add(where, "extends: a configuration extends itself: " + circle + text_of(*file) + "; remove one of these");
    }
    if (++files_ > kMostFiles) {
      if (files_ == kMostFiles + 1) mistakes_.add(where, "extends: more than " + std::to_string(kMostFiles) + " files; extend fewer");
      return;
    }
    read(*file, false);
  }

  // Until runs have chosen a candidate, the file means its first one.
  void read_candidates(Search& search, const fs::path& directory) {
    if (layers_.files.size() > 1 || !layers_.files.back().values.children.empty() || !layers_.files.back().per_workload.empty()) {
      return mistakes_.add(
          search_.key_position(),
          "search: chooses among configurations, and such a file holds nothing else; write the rest into those configurations");
    }
    std::vector<FileLayer> first;
    for (std::size_t i = 0; i < search.values.size(); ++i) {
      const std::string& name = search.values[i];
      const Position where = search.settings[i].children.front().position();
      const auto file = locate(name, directory, root_);
      if (!file) {
        mistakes_.add(where, "search.values: there is no configuration " + quote(name) + remedy_for(name, directory, root_));
        continue;
      }
      Stack candidate(root_, mistakes_);
      candidate.read(*file, false);
      if (candidate.search_.file)
        mistakes_.add(where, "search.values: " + quote(name) + " has a search itself; name configurations without");
      if (i == 0) first = std::move(candidate.layers_.files);
      search.values[i] = name_from_working_directory(name, directory, root_);
    }
    layers_.files.insert(layers_.files.begin(), first.begin(), first.end());
  }

  void read_description(const Node& document, bool is_named) {
    const Node* description = document.find("description");
    if (!description) return;
    const bool one_line = description->is(Node::Kind::scalar) && first_unprintable(description->text) == std::string::npos &&
                          description->text.find_first_of("\r\n") == std::string::npos;
    if (!one_line) return mistakes_.add(description->position(), "description: must be one line of text; put more into comments");
    if (is_named) layers_.description = description->text;
  }

  const fs::path& root_;
  Mistakes& mistakes_;
  Layers layers_;
  Node search_;
  std::vector<NamedFile> chain_;
  std::size_t files_ = 1;
};

/// Marks these layers as inherited, so that their keys may lack an effect on the machine built on them.
void be_inherited(std::vector<FileLayer>& files) {
  for (FileLayer& file : files) {
    set_layer(file.values, Layer::inherited);
    for (Node& workload : file.per_workload) set_layer(workload, Layer::inherited_workload);
  }
}

/// The layers of a design without those of its GPU and of that GPU's energy values.
Layers without_gpu(const fs::path& root, const std::string& design, Layers layers) {
  auto& files = layers.files;
  const auto is_gpu = [&](const FileLayer& file) {
    std::error_code error;
    const fs::path folder = fs::path(*file.values.file).parent_path();
    return fs::equivalent(folder, root / "gpus", error) || fs::equivalent(folder, root / "energy", error);
  };
  files.erase(std::remove_if(files.begin(), files.end(), is_gpu), files.end());
  if (files.empty()) throw InputError(quote(design) + " is a GPU; write a design before the @, such as private");
  return layers;
}

/// The layers of a design on top of the layers of another GPU.
Layers on_gpu(const fs::path& root, const std::string& design, const std::string& gpu, Mistakes& mistakes) {
  const std::string gpu_name = locate("gpus/" + gpu, "", root) ? "gpus/" + gpu : gpu;
  Layers layers = without_gpu(root, design, load_layers(root, design, mistakes)), below = load_layers(root, gpu_name, mistakes);
  auto& files = layers.files;
  be_inherited(below.files);
  files.insert(files.begin(), below.files.begin(), below.files.end());
  layers.description += (layers.description.empty() ? "on " : "; on ") + gpu_name;
  if (layers.search && layers.search->over_configurations())
    for (std::string& candidate : layers.search->values) candidate += '@' + gpu;
  return layers;
}

/// Reports each key that two designs set to different values, because designs have no order that decides which one wins.
void check_agreement(const Node& first, const Node& second, const std::string& path, Mistakes& mistakes) {
  for (const Node& theirs : second.children) {
    const Node* ours = first.find(theirs.key);
    if (ours == nullptr) continue;
    const std::string key = path + theirs.key;
    const bool one_value = ours->is(Node::Kind::scalar) && theirs.is(Node::Kind::scalar) && ours->text == theirs.text;
    if (ours->is(Node::Kind::mapping) && theirs.is(Node::Kind::mapping)) {
      check_agreement(*ours, theirs, key + '.', mistakes);
    } else if (!one_value) {
      mistakes.add(theirs.position(), key + " is " + name_of(theirs) + " here and " + name_of(*ours) + " in " + *ours->file + ':' +
                                          std::to_string(ours->mark.line) + "; combine designs that agree");
    }
  }
}

/// `design+addition`: the layers of the design, then those of the addition without its GPU.
Layers combined(const fs::path& root, const std::string& design, const std::string& addition, Mistakes& mistakes) {
  Layers layers = load_layers(root, design, mistakes);
  Layers more = without_gpu(root, addition, load_layers(root, addition, mistakes));
  check_agreement(compose(without_gpu(root, design, layers), "", {}).tree, compose(more, "", {}).tree, "", mistakes);
  for (const Layers* part : {&layers, &more})
    if (part->search)
      throw InputError(quote(part == &more ? addition : design) +
                       " has a search, which is for one design; combine one of the configurations that it chooses among");
  layers.files.insert(layers.files.end(), more.files.begin(), more.files.end());
  layers.description += " + " + more.description;
  return layers;
}

}  // namespace

Layers load_layers(const fs::path& root, const std::string& name, Mistakes& mistakes) {
  const auto file = locate(name, "", root);
  const std::size_t at = name.rfind('@');
  if (!file && at != std::string::npos) return on_gpu(root, name.substr(0, at), name.substr(at + 1), mistakes);
  const std::size_t plus = name.rfind('+');
  if (!file && plus != std::string::npos && plus != 0) return combined(root, name.substr(0, plus), name.substr(plus + 1), mistakes);
  if (!file) throw InputError("there is no configuration " + quote(name) + remedy_for(name, "", root));
  Stack stack(root, mistakes);
  stack.read(*file, true);
  Layers layers = stack.finish(file->path.parent_path());
  // A GPU file sets keys for every design that may use it. Run by itself it has private L1s, where some of these keys have no effect.
  std::error_code error;
  if (fs::equivalent(file->path.parent_path(), root / "gpus", error)) be_inherited(layers.files);
  return layers;
}

Layers parse_layers(std::string_view text, const std::string& file, const fs::path& root, Mistakes& mistakes) {
  Stack stack(root, mistakes);
  stack.add(parse_document(text, file, mistakes), fs::path(file).parent_path(), true);
  return stack.finish(fs::path(file).parent_path());
}

Node parse_override(const std::string& setting, Mistakes& mistakes) {
  const std::string shown = "--set " + setting;
  Node nothing;
  nothing.kind = Node::Kind::mapping;
  nothing.file = std::make_shared<const std::string>(shown);
  const auto fail = [&](const std::string& what) {
    mistakes.add({shown, 0, 0}, what);
    return nothing;
  };
  if (first_unprintable(setting) != std::string::npos) return fail("holds a byte that is not UTF-8 text");
  const std::size_t equals = setting.find('=');
  const auto path = split_path(std::string_view(setting).substr(0, equals));
  if (equals == std::string::npos || !path) return fail("is not a setting; write --set key.key=value");
  if (is_reserved(path->front())) return fail("`" + path->front() + "` cannot be set; write it into a file");
  const std::size_t before = mistakes.size();
  Node value = parse_yaml(std::string_view(setting).substr(equals + 1), shown, mistakes);
  if (mistakes.size() > before) return nothing;
  // A message about an argument names the argument instead, because a position inside its text would say less.
  const auto clear_marks = [](Node& node, const auto& self) -> void {
    node.key_mark = node.mark = {};
    node.layer = Layer::override_;
    for (Node& child : node.children) self(child, self);
  };
  clear_marks(value, clear_marks);
  return nest(*path, std::move(value));
}

std::vector<Node> parse_overrides(const std::vector<std::string>& settings, Mistakes& mistakes) {
  std::vector<Node> out;
  std::set<std::string> seen;
  for (const std::string& setting : settings) {
    if (!seen.insert(setting.substr(0, setting.find('='))).second)
      mistakes.add({"--set " + setting, 0, 0}, "the key is set twice; keep one");
    out.push_back(parse_override(setting, mistakes));
  }
  return out;
}

Composed compose(const Layers& layers, std::string_view workload, const std::vector<Node>& overrides) {
  Composed out{layers.files.front().values, Layer::file};
  for (const FileLayer& file : layers.files) {
    merge(out.tree, file.values);
    for (const Node& values : file.per_workload) {
      if (values.key != workload) continue;
      merge(out.tree, values);
      if (values.layer == Layer::workload) out.top = Layer::workload;
    }
  }
  for (Node setting : overrides) {
    set_layer(setting, Layer::override_);
    merge(out.tree, setting);
    out.top = Layer::override_;
  }
  const Node& named = layers.files.back().values;
  out.tree.file = named.file;
  out.tree.mark = named.mark;
  out.tree.key_mark = {};
  return out;
}

std::vector<std::string> workloads_of(const Layers& layers) {
  std::set<std::string> names;
  for (const FileLayer& file : layers.files) {
    for (const Node& workload : file.per_workload) names.insert(workload.key);
  }
  return {names.begin(), names.end()};
}

std::optional<std::string> text_at(const Node& tree, std::string_view path) {
  const auto parts = split_path(path);
  if (!parts) return std::nullopt;
  const Node* node = &tree;
  for (const std::string& part : *parts) {
    node = node->find(part);
    if (!node) return std::nullopt;
  }
  return node->is(Node::Kind::scalar) ? std::optional<std::string>(node->text) : std::nullopt;
}

std::vector<ConfigurationName> list_configurations(const fs::path& root) {
  std::vector<ConfigurationName> out;
  Mistakes mistakes;
  for (const std::string& name : configuration_names(root)) {
    const Layers layers = load_layers(root, name, mistakes);
    out.push_back({name, layers.description});
  }
  mistakes.throw_if_any();
  return out;
}

}  // namespace wharf::config
