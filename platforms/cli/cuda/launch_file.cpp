#include "platforms/cli/cuda/launch_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "model/base/config/kinds.h"
#include "model/base/config/tree/scalars.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/cuda/launch_arguments.h"
#include "platforms/cli/yaml_fields.h"
#include "platforms/inputs/files.h"
#include "stimuli/ptx/launch_file/element.h"
#include "stimuli/recorded_names.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

using config::Node;

constexpr std::string_view kFile = "file:", kRandom = "random:";

class LaunchFileReader {
 public:
  LaunchFileReader(const RecordedName& name, config::Mistakes& mistakes)
      : path_(name.path), folder_(fs::path(name.path).parent_path()), module_(name.kernels), mistakes_(mistakes) {}

  ptx::LaunchFile read() {
    const Node document = config::read_document(path_, mistakes_);
    mistakes_.throw_if_any();
    file_.files.push_back(path_);
    if (!config::expect_kind(document, config::FileKind::launches, mistakes_)) mistakes_.throw_if_any();
    Fields fields(document, "launch file", mistakes_);
    read_modules(document, fields);
    if (const Node* arrays = fields.find("arrays")) read_arrays(*arrays);
    file_.tolerance = fields.number("tolerance").value_or(ptx::LaunchFile::kDefaultTolerance);
    if (file_.tolerance < 0)
      fields.complain(*fields.find("tolerance"), "tolerance is negative; write 0 for equality, or a value such as 1e-5");
    read_launches(document, fields);
    if (const Node* checks = fields.find("check")) read_checks(*checks);
    fields.refuse_others();
    mistakes_.throw_if_any();
    try_launches();
    return std::move(file_);
  }

 private:
  void complain(const Node& at, const std::string& what) { mistakes_.add(at.position(), what); }

  /// A path that the file names, from its own folder.
  std::string path_of(const std::string& named) const {
    return fs::path(named).is_absolute() ? named : (folder_ / named).lexically_normal().string();
  }

  void read_modules(const Node& document, Fields& fields) {
    std::vector<std::string> paths;
    for (const std::string& named : fields.texts("module")) paths.push_back(path_of(named));
    const Node* node = fields.find("module");
    if (module_) paths = {*module_};
    if (paths.empty())
      complain(node == nullptr ? document : *node, "has no module; name the PTX file of the kernels, such as module: gemm.ptx");
    for (const std::string& path : paths) {
      try {
        file_.modules.push_back({path, read_file(path)});
      } catch (const InputError& error) {
        if (module_) throw;
        complain(*node, error.what());
        continue;
      }
      file_.files.push_back(path);
      modules_.push_back(ptx::parse_module(file_.modules.back()));
    }
  }

  const ptx::Function* find_kernel(const std::string& name) const {
    for (const ptx::Module& module : modules_)
      for (const ptx::Function& function : module.functions)
        if (function.is_kernel && function.name == name) return &function;
    return nullptr;
  }

  std::vector<std::string> kernels() const {
    std::vector<std::string> names;
    for (const ptx::Module& module : modules_)
      for (const ptx::Function& function : module.functions)
        if (function.is_kernel) names.emplace_back(function.name);
    return names;
  }

  std::vector<ptx::ArrayView> views() const {
    std::vector<ptx::ArrayView> views;
    for (const ptx::LaunchArray& array : file_.arrays) views.push_back({array.name, array.type, array.count, nullptr});
    return views;
  }

  std::vector<std::string> array_names() const {
    std::vector<std::string> names;
    for (const ptx::LaunchArray& array : file_.arrays) names.push_back(array.name);
    return names;
  }

  void read_arrays(const Node& arrays) {
    if (!arrays.is(Node::Kind::mapping))
      return complain(arrays, "arrays is " + config::name_of(arrays) + "; write a mapping of names such as a: {type: f32, count: 1024}");
    std::uint64_t bytes = 0;
    for (const Node& node : arrays.children) {
      ptx::LaunchArray array = read_array(node);
      bytes += array.bytes();
      if (array.bytes() > ptx::LaunchFile::kMemoryBytes / 2 || bytes > ptx::LaunchFile::kMemoryBytes / 2)
        complain(node, fmt::format("{} has {} bytes, but all arrays together may have {}; choose a smaller count", node.key, array.bytes(),
                                   ptx::LaunchFile::kMemoryBytes / 2));
      file_.arrays.push_back(std::move(array));
    }
  }

  ptx::LaunchArray read_array(const Node& node) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    Fields fields(node, "array " + node.key, mistakes_);
    ptx::LaunchArray array;
    array.name = node.key;
    const bool is_name = !node.key.empty() && std::isdigit(static_cast<unsigned char>(node.key[0])) == 0 &&
                         std::all_of(node.key.begin(), node.key.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!is_name || node.key == "i")
      mistakes_.add(node.key_position(), quote(node.key) + " is not a name for an array; use letters, digits and _, but not just i");
    const std::string type = fields.text("type", true);
    array.type = ptx::element_type(type);
    if (!type.empty() && array.type == ptx::Type::none)
      fields.complain(*fields.find("type"), fmt::format("type is {}; write one of {}", quote(type), join(ptx::element_types())));
    if (array.type == ptx::Type::none) array.type = ptx::Type::f32;
    const Node* count = fields.find("count");
    if (count == nullptr) {
      if (node.is(Node::Kind::mapping)) fields.complain(node, "has no count; give the number of elements");
    } else {
      const auto parsed = config::parse_integer(*count, 1, kMost);
      if (!parsed.good()) fields.complain(*count, "count " + parsed.complaint);
      array.count = parsed.value;
    }
    const Node* fill = fields.find("fill");
    array.fill = fill == nullptr ? expression("0", node) : values(*fill);
    fields.refuse_others();
    return array;
  }

  ptx::Values expression(const std::string& text, const Node& at) {
    ptx::Values values;
    values.place = config::to_string(at.position());
    ptx::Expression::Mistake mistake;
    values.expression = ptx::Expression::parse(text, views(), mistake);
    if (mistake.what.empty()) return values;
    config::Position position = at.position();
    position.column += static_cast<unsigned>(mistake.offset) + (at.in_quotes ? 1 : 0);
    mistakes_.add(position, mistake.what);
    return values;
  }

  /// A fill, or what a check expects.
  ptx::Values values(const Node& node) {
    if (!node.is(Node::Kind::scalar)) {
      complain(node, "is " + config::name_of(node) + "; write zero, iota, random:SEED, file:PATH or an expression such as 0.5 * i");
      return {};
    }
    const std::string& text = node.text;
    if (text == "zero") return expression("0", node);
    if (text == "iota") return expression("i", node);
    ptx::Values values;
    values.place = config::to_string(node.position());
    if (text.rfind(kFile, 0) == 0) {
      values.file = path_of(text.substr(kFile.size()));
      if (!fs::is_regular_file(values.file))
        complain(node, values.file + ": there is no such file; check the name, which is relative to the launch file's folder");
      file_.files.push_back(values.file);
      return values;
    }
    if (text.rfind(kRandom, 0) != 0) return expression(text, node);
    std::uint64_t seed = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + kRandom.size(), end, seed);
    if (error != std::errc() || last != end) complain(node, quote(text) + " has no seed; write, for example, random:1");
    values.seed = seed;
    return values;
  }

  void read_launches(const Node& document, Fields& fields) {
    const Node* launches = fields.find("launches");
    if (launches == nullptr || !launches->is(Node::Kind::sequence) || launches->children.empty())
      return complain(launches == nullptr ? document : *launches,
                      "launches is not a list; write, for example, launches: [{kernel: saxpy, grid: 4, block: 256, arguments: [a, 3]}]");
    for (const Node& node : launches->children) read_launch(node);
  }

  void read_launch(const Node& node) {
    constexpr std::uint64_t kMostShared = 1 << 24;
    Fields fields(node, "launch", mistakes_);
    ptx::FileLaunch launch;
    launch.request.kernel = fields.text("kernel", true);
    launch.request.grid = dimensions("grid", fields, node);
    launch.request.block = dimensions("block", fields, node);
    if (fields.find("cluster") != nullptr) launch.request.cluster = dimensions("cluster", fields, node);
    if (const Node* shared = fields.find("shared")) {
      const auto parsed = config::parse_integer(*shared, 0, kMostShared);
      if (!parsed.good()) fields.complain(*shared, "shared " + parsed.complaint);
      launch.request.dynamic_shared_bytes = static_cast<std::uint32_t>(parsed.value);
    }
    const Node* arguments = fields.find("arguments");
    fields.refuse_others();
    const ptx::Function* kernel = find_kernel(launch.request.kernel);
    if (kernel != nullptr) {
      LaunchArguments(array_names(), mistakes_).read(arguments, node, *kernel, launch);
    } else if (!modules_.empty() && !launch.request.kernel.empty()) {
      const std::string near = did_you_mean(launch.request.kernel, kernels());
      fields.complain(*fields.find("kernel"), fmt::format("the module has no kernel {}{}", quote(launch.request.kernel),
                                                          near.empty() ? "; there are " + join(kernels()) : near));
    }
    file_.launches.push_back(std::move(launch));
    nodes_.push_back(node);
  }

  /// 4, or [4, 2] up to three.
  Dim3 dimensions(const char* key, Fields& fields, const Node& launch) {
    constexpr std::uint64_t kMost = 0x7fffffff;
    const Node* node = fields.find(key);
    if (node == nullptr) {
      if (launch.is(Node::Kind::mapping))
        fields.complain(launch, fmt::format("has no {}; write, for example, {}: 4 or {}: [4, 2]", key, key, key));
      return {1, 1, 1};
    }
    std::vector<const Node*> parts = {node};
    if (node->is(Node::Kind::sequence)) {
      parts.clear();
      for (const Node& child : node->children) parts.push_back(&child);
    }
    if (parts.empty() || parts.size() > 3) {
      fields.complain(*node, fmt::format("{} has {} dimensions; write 1 to 3", key, parts.size()));
      return {1, 1, 1};
    }
    std::uint32_t values[3] = {1, 1, 1};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto parsed = config::parse_integer(*parts[i], 1, kMost);
      if (!parsed.good()) fields.complain(*parts[i], fmt::format("{} {}", key, parsed.complaint));
      values[i] = parsed.good() ? static_cast<std::uint32_t>(parsed.value) : 1;
    }
    return {values[0], values[1], values[2]};
  }

  void read_checks(const Node& checks) {
    if (!checks.is(Node::Kind::mapping))
      return complain(checks, "check is " + config::name_of(checks) + "; write a mapping such as c: a[i] + b[i]");
    const std::vector<std::string> names = array_names();
    for (const Node& node : checks.children) {
      const auto array = std::find(names.begin(), names.end(), node.key);
      if (array == names.end()) {
        const std::string near = did_you_mean(node.key, names);
        mistakes_.add(node.key_position(),
                      fmt::format("there is no array {}{}", quote(node.key), near.empty() ? "; there are " + join(names) : near));
        continue;
      }
      file_.checks.push_back({static_cast<std::size_t>(array - names.begin()), values(node)});
      if (file_.checks.back().values.seed) complain(node, "a check cannot use random numbers; write file:PATH or an expression");
    }
  }

  /// Finds out what only linked kernels tell: instructions that are not supported, blocks that are too large.
  void try_launches() {
    ptx::DeviceMemory memory(ptx::LaunchFile::kMemoryBytes);
    const ptx::Program program(std::move(modules_), memory);
    const ptx::Textures textures;
    ptx::Warnings warnings;
    for (std::size_t i = 0; i < file_.launches.size(); ++i) {
      try {
        ptx::KernelExecution(program, memory, textures, file_.launches[i].request, i, warnings);
      } catch (const InputError& error) {
        complain(nodes_[i], error.what());
      }
    }
    mistakes_.throw_if_any();
  }

  std::string path_;
  fs::path folder_;
  std::optional<std::string> module_;
  config::Mistakes& mistakes_;
  ptx::LaunchFile file_;
  std::vector<ptx::Module> modules_;
  std::vector<Node> nodes_;  // of the launches
};

}  // namespace

ptx::LaunchFile read_launch_file(const std::string& stimulus) {
  const RecordedName name = split_recorded(stimulus);
  if (name.path.empty())
    throw InputError("'" + stimulus + "' does not name a file; write ptx:FILE.yaml with a launch file, docs/howto-cuda.md");
  if (kind_of_path(name.path) != PathKind::yaml) expect_path(name.path, PathKind::yaml);
  if (fs::path(name.path).extension() == ".ptx")
    throw InputError(name.path + ": is a module; name a launch file that says how its kernels are launched, docs/howto-cuda.md");
  limit_of_recorded(stimulus);
  config::Mistakes mistakes;
  return LaunchFileReader(name, mistakes).read();
}

}  // namespace wharf::cli
