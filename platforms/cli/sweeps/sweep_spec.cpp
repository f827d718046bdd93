#include "platforms/cli/sweeps/sweep_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "model/base/config/kinds.h"
#include "model/base/config/load.h"
#include "model/base/config/named_files.h"
#include "model/base/config/points.h"
#include "model/base/config/settings.h"
#include "model/base/config/tree/scalars.h"
#include "model/base/config/tree/write.h"
#include "model/base/error.h"
#include "model/base/files/shell_word.h"
#include "model/base/text.h"
#include "platforms/cli/metric_names.h"
#include "platforms/cli/runs/checkpoint.h"
#include "platforms/cli/runs/run_spec.h"
#include "platforms/cli/runs/sampling.h"
#include "platforms/cli/runs/search.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/sweeps/variations.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
#include "stimuli/recorded_names.h"
#include "stimuli/traces/selection/trace_spec.h"

namespace wharf::cli {
namespace {

using config::Mistakes;
using config::Node;

constexpr std::size_t kMostLines = 10'000, kMostRuns = 100'000;

/// A search as written, and where.
struct NamedSearch {
  std::string name;
  config::Search search;
  config::Position key, objective;
};

class SweepReader {
 public:
  SweepReader(std::string name, const std::filesystem::path& file)
      : name_(std::move(name)), folder_(file.parent_path()), root_(config::read_document(file, mistakes_)) {}

  SweepSpec read() {
    config::expect_kind(root_, config::FileKind::sweep, mistakes_);
    mistakes_.throw_if_any();  // what is no YAML, or another kind of file, is not looked at more closely
    check_keys();
    read_description();
    read_configs();
    read_points();
    read_stimuli();
    if (const Node* limit = root_.find("limit_warp_instructions")) read_limit(*limit);
    read_flag("skip_bad_kernels", spec_.skip_bad_kernels);
    read_flag("strict_opcodes", spec_.strict_opcodes);
    variations_ = read_variations(root_, kMostLines, mistakes_);
    spec_.keys = variations_.keys;
    spec_.zipped = variations_.zipped;
    read_searches();
    if (const Node* seed = root_.find("seed")) read_seed(*seed);
    if (const Node* sample = root_.find("sample")) read_sample(*sample);
    if (const Node* error = root_.find("sample_error")) read_sample_error(*error);
    if (const Node* load = root_.find("load")) read_load(*load);
    make_lines();
    mistakes_.throw_if_any();  // metrics are asked of good machines only
    read_metrics();
    read_published();
    mistakes_.throw_if_any();
    return std::move(spec_);
  }

 private:
  /// A mistake in `item`, at its place in the file.
  void attempt(const Node& item, const std::function<void()>& work) {
    try {
      work();
    } catch (const InputError& error) {
      mistakes_.add(item.position(), error.what());
    }
  }

  void check_keys() {
    const std::vector<std::string> known = {
        "description",    "configs", "points",      "stimuli", "suites", "traces", "limit_warp_instructions",
        "vary",           "zip",     "search",      "metrics", "seed",   "load",   "skip_bad_kernels",
        "strict_opcodes", "sample",  "sample_error"};
    for (const Node& child : root_.children) {
      if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
      const std::string near = did_you_mean(child.key, known);
      mistakes_.add(child.key_position(), child.key + ": unknown key" + (near.empty() ? "; a sweep has " + join(known) : near));
      has_unknown_keys_ = true;
    }
  }

  void read_description() {
    const Node* description = root_.find("description");
    if (description == nullptr) return;
    const auto text = config::parse_text(*description);
    if (!text.good()) return mistakes_.add(description->position(), "description: " + text.complaint);
    spec_.description = text.value;
  }

  /// The scalars of a list, each once; a single scalar counts as a list of one.
  std::vector<const Node*> words_of(const char* key, const char* example) {
    std::vector<const Node*> words;
    const Node* list = root_.find(key);
    if (list == nullptr) return words;
    if (list->is(Node::Kind::scalar)) return {list};
    if (!list->is(Node::Kind::sequence) || list->children.empty()) {
      mistakes_.add(list->position(), fmt::format("{}: is {}; write a list such as {}", key, name_of(*list), example));
      return words;
    }
    std::set<std::string> seen;
    for (const Node& item : list->children) {
      if (!item.is(Node::Kind::scalar)) {
        mistakes_.add(item.position(), fmt::format("{}: holds {}; write names", key, name_of(item)));
      } else if (seen.insert(item.text).second) {
        words.push_back(&item);
      } else {
        mistakes_.add(item.position(), fmt::format("{}: {} is listed twice; keep one", key, quote(item.text)));
      }
    }
    return words;
  }

  void read_configs() {
    const char* example = "[private, private_16x_l1]";
    if (root_.find("configs") == nullptr && root_.find("points") == nullptr && !has_unknown_keys_) {
      mistakes_.add(root_.position(), fmt::format("has no `configs`; name the configurations, such as configs: {}", example));
    }
    for (const Node* config : words_of("configs", example)) {
      attempt(*config, [&] {
        const std::string name = config::name_from_working_directory(config->text, folder_, configuration_root());
        layers_of(name);
        configs_.push_back(name);
      });
    }
  }

  void read_points() {
    const std::size_t before = mistakes_.size();
    config::check_points(root_, mistakes_);
    if (mistakes_.size() > before || root_.find("points") == nullptr) return;
    for (const std::string& point : config::point_names(root_)) read_point(name_ + ':' + point);
  }

  /// A mistake in a point already has its place in the file.
  void read_point(const std::string& name) {
    const std::size_t before = mistakes_.size();
    config::Layers layers = config::load_layers(configuration_root(), name, mistakes_);
    if (mistakes_.size() > before) return;
    GpuParams scratch;
    config::read_into(scratch, config::compose(layers, "", {}), mistakes_);
    if (mistakes_.size() > before) return;
    layers_[name] = std::move(layers);
    configs_.push_back(name);
  }

  void read_stimuli() {
    for (const Node* stimulus : words_of("stimuli", "[gemm@std, atax@std]")) {
      attempt(*stimulus, [&] {
        const std::string named = as_named_in(folder_, stimulus->text);
        check_stimulus(named);
        add_stimulus(named);
      });
    }
    for (const Node* folder : words_of("traces", "[rodinia_traces]")) {
      attempt(*folder, [&] {
        for (const std::string& trace : traces::traces_in((folder_ / folder->text).string())) {
          check_stimulus(trace);
          add_stimulus(trace);
        }
      });
    }
    for (const Node* suite : words_of("suites", "[quick]")) {
      attempt(*suite, [&] {
        for (const std::string& stimulus : stimuli_of_suite(suite->text)) add_stimulus(stimulus);
      });
    }
    const bool has_any = root_.find("stimuli") != nullptr || root_.find("suites") != nullptr || root_.find("traces") != nullptr;
    if (!has_any && !has_unknown_keys_) {
      mistakes_.add(root_.position(), "has neither `stimuli` nor `suites` nor `traces`; name what to run, such as suites: [quick]");
    }
  }

  void add_stimulus(const std::string& stimulus) {
    if (std::find(spec_.stimuli.begin(), spec_.stimuli.end(), stimulus) == spec_.stimuli.end()) spec_.stimuli.push_back(stimulus);
  }

  void read_searches() {
    const Node* searches = root_.find("search");
    if (searches == nullptr) return;
    if (searches->is(Node::Kind::mapping)) return read_one_search(*searches);
    if (!searches->is(Node::Kind::sequence) || searches->children.empty()) {
      return mistakes_.add(searches->position(),
                           "search: is " + name_of(*searches) + "; write search: {name, key, values, objective, tie} or a list of such");
    }
    for (const Node& search : searches->children) read_one_search(search);
  }

  void read_one_search(Node node) {
    std::string name = "best";
    if (const Node* given = node.find("name")) {
      const auto text = config::parse_text(*given);
      if (!text.good() || text.value.empty()) mistakes_.add(given->position(), "search.name: is " + name_of(*given) + "; write one word");
      name = text.value;
      auto& keys = node.children;
      keys.erase(std::remove_if(keys.begin(), keys.end(), [](const Node& child) { return child.key == "name"; }), keys.end());
    }
    std::optional<config::Search> search = config::read_search(node, mistakes_);
    if (!search) return;
    const config::Position key = node.find("key")->position();
    if (std::count(spec_.keys.begin(), spec_.keys.end(), search->key) != 0) {
      return mistakes_.add(key, fmt::format("search.key: {} is also varied; remove it from `vary` and `zip`", search->key));
    }
    for (const NamedSearch& other : searches_) {
      if (other.name == name) {
        return mistakes_.add(key, fmt::format("search: two are called {}; give each a `name` of its own", quote(name)));
      }
    }
    if (search->over_configurations()) {
      for (std::size_t i = 0; i < search->values.size(); ++i) {
        std::string& value = search->values[i];
        attempt(search->settings[i].children.front(),
                [&] { value = config::name_from_working_directory(value, folder_, configuration_root()); });
      }
    }
    searches_.push_back({name, std::move(*search), key, node.find("objective")->position()});
  }

  /// Applies the limit to every stimulus.
  void read_limit(const Node& node) {
    const auto limit = config::parse_integer(node, 1, kNever - 1);
    if (!limit.good()) return mistakes_.add(node.position(), "limit_warp_instructions: " + limit.complaint);
    for (std::string& stimulus : spec_.stimuli) attempt(node, [&] { stimulus = limited_stimulus(stimulus, limit.value); });
  }

  void read_flag(const char* key, bool& flag) {
    const Node* node = root_.find(key);
    if (node == nullptr) return;
    const auto given = config::parse_flag(*node);
    if (!given.good()) return mistakes_.add(node->position(), std::string(key) + ": " + given.complaint);
    flag = given.value;
  }

  void read_seed(const Node& node) {
    const auto seed = config::parse_integer(node, 0, kNever);
    if (!seed.good()) mistakes_.add(node.position(), "seed: " + seed.complaint);
    spec_.seed = seed.value;
  }

  void read_sample(const Node& node) {
    const auto sample = config::parse_integer(node, kFewestSamples, kNever);
    if (!sample.good()) mistakes_.add(node.position(), "sample: " + sample.complaint);
    for (const char* other : {"load", "limit_warp_instructions", "skip_bad_kernels"})
      if (root_.find(other) != nullptr)
        mistakes_.add(node.position(), fmt::format("sample: an estimate is of a whole program from its beginning; leave out {}", other));
    spec_.sample = sample.value;
  }

  void read_sample_error(const Node& node) {
    const auto text = config::parse_text(node);
    if (!text.good()) return mistakes_.add(node.position(), "sample_error: " + text.complaint);
    if (root_.find("sample") == nullptr)
      mistakes_.add(node.position(), "sample_error: needs `sample`, the number to begin with; add such as `sample: 5`");
    attempt(node, [&] { spec_.sample_error = parse_sample_error("sample_error", text.value); });
  }

  /// The file is named as seen from the folder of the sweep.
  void read_load(const Node& node) {
    const auto text = config::parse_text(node);
    if (!text.good() || text.value.empty())
      return mistakes_.add(node.position(), "load: is " + name_of(node) + "; name a checkpoint, such as warm.ckpt");
    spec_.load = (folder_ / text.value).lexically_normal().string();
    attempt(node, [&] { read_checkpoint_head(spec_.load); });
  }

  /// Throws InputError if the configuration does not exist or contains a mistake.
  const config::Layers& layers_of(const std::string& config) {
    const auto known = layers_.find(config);
    if (known != layers_.end()) return known->second;
    load_configuration(config, {}, "");
    Mistakes unused;
    return layers_[config] = config::load_layers(configuration_root(), config, unused);
  }

  /// Reads the machine with each stimulus, for the mistakes that the settings make.
  void check_machine(const std::string& config, const std::vector<Node>& overrides) {
    const config::Layers& layers = layers_of(config);
    const std::vector<std::string> special = workloads_of(layers);
    std::set<std::string> workloads;
    for (const std::string& stimulus : spec_.stimuli) {
      const std::string workload = workload_of(stimulus);
      workloads.insert(std::find(special.begin(), special.end(), workload) == special.end() ? std::string() : workload);
    }
    for (const std::string& workload : workloads) {
      GpuParams scratch;
      config::read_into(scratch, config::compose(layers, workload, overrides), mistakes_,
                        [](config::Layer layer) { return layer == config::Layer::override_; });
    }
  }

  void add_line(const std::string& config, const Settings& point, const NamedSearch* search) {
    SweepLine& line = spec_.lines.emplace_back();
    line.config = config;
    std::vector<Node> overrides;
    for (const Setting& setting : point) {
      line.overrides.push_back(setting.key + '=' + text_of(setting.value));
      overrides.push_back(config::nest(*config::split_path(setting.key), setting.value));
    }
    if (search == nullptr) return check_machine(config, overrides);
    line.search_name = search->name;
    line.search = search->search;
    for (std::size_t i = 0; i < search->search.values.size(); ++i) {
      if (search->search.over_configurations()) {
        attempt(search->search.settings[i].children.front(), [&] { check_machine(search->search.values[i], overrides); });
      } else {
        overrides.push_back(search->search.settings[i]);
        check_machine(config, overrides);
        overrides.pop_back();
      }
    }
  }

  void make_lines() {
    if (spec_.stimuli.empty()) return;
    for (const std::string& config : configs_) {
      for (const Settings& point : variations_.points) {
        add_line(config, point, nullptr);
        for (const NamedSearch& search : searches_) {
          if (!search.search.over_configurations()) add_line(config, point, &search);
        }
      }
    }
    for (const NamedSearch& search : searches_) {
      if (!search.search.over_configurations()) continue;
      for (const Settings& point : variations_.points) add_line(search.name, point, &search);
    }
    std::size_t runs = 0;
    for (const SweepLine& line : spec_.lines) runs += spec_.stimuli.size() * (line.search ? line.search->values.size() : 1);
    if (runs > kMostRuns) mistakes_.add(root_.position(), fmt::format("makes {} runs; the limit is {}; split the sweep", runs, kMostRuns));
  }

  void read_metrics() {
    MetricNames names;
    for (const Node* metric : words_of("metrics", "[ipc, l1.miss_rate]")) {
      spec_.metrics.push_back(metric->text);
      // One configuration that measures it is enough: the others have none to show.
      std::string why;
      for (const SweepLine& line : spec_.lines) {
        try {
          for (const RunSpec& run : runs_of(line)) names.require(metric->text, run.config, run.overrides);
          why.clear();
          break;
        } catch (const InputError& error) {
          why = error.what();
        }
      }
      if (!why.empty()) mistakes_.add(metric->position(), "metrics: " + why);
    }
    if (spec_.metrics.empty()) spec_.metrics = {"ipc", "l1.miss_rate"};
    for (const SweepLine& line : spec_.lines) {
      if (!line.search) continue;
      const auto search =
          std::find_if(searches_.begin(), searches_.end(), [&](const NamedSearch& s) { return s.name == line.search_name; });
      for (const RunSpec& run : runs_of(line)) {
        try {
          names.require(line.search->objective, run.config, run.overrides);
        } catch (const InputError& error) {
          mistakes_.add(search->objective, std::string("search.objective: ") + error.what());
        }
      }
    }
  }

  void read_published() {
    for (const std::string& point : config::point_names(root_)) {
      const auto published = config::published_of(root_, point, spec_.metrics, mistakes_);
      if (published.empty()) continue;
      if (spec_.stimuli.size() != 1 || !spec_.keys.empty())
        mistakes_.add(
            root_.find("points")->key_position(),
            "points.published: needs a sweep of one stimulus that varies nothing else; remove it, or the other stimuli and variations");
      for (SweepLine& line : spec_.lines)
        if (line.config == name_ + ':' + point && !line.search) line.published = published;
    }
  }

  static std::vector<RunSpec> runs_of(const SweepLine& line) {
    RunSpec spec;
    spec.config = line.config;
    spec.overrides = line.overrides;
    return line.search ? candidates(spec, *line.search) : std::vector<RunSpec>{spec};
  }

  std::string name_;              // under which its points are found
  std::filesystem::path folder_;  // of the file
  Mistakes mistakes_;
  Node root_;
  bool has_unknown_keys_ = false;  // one of them may be what seems to be missing
  SweepSpec spec_;
  std::vector<std::string> configs_;  // that are good in themselves
  Variations variations_;
  std::vector<NamedSearch> searches_;
  std::map<std::string, config::Layers> layers_;  // by configuration
};

}  // namespace

SweepSpec read_sweep(const std::string& name) {
  const auto file = config::locate_sweep(name, "", configuration_root());
  const std::string ending = std::filesystem::path(name).extension();
  if (file || ending == ".yaml" || ending == ".yml") return SweepReader(name, file.value_or(name)).read();
  if (config::locate(name, "", configuration_root()))
    throw InputError(name + ": is a configuration; run `wharf run " + shell_word(name) + " --stimulus gemm@std`");
  expect_path(name, PathKind::yaml);
  const std::vector<std::string> names = config::sweep_names(configuration_root());
  const std::string near = did_you_mean(name, names);
  throw InputError("unknown sweep " + quote(name) + (near.empty() ? "; give a path that ends in .yaml, or one of " + join(names) : near));
}

}  // namespace wharf::cli
