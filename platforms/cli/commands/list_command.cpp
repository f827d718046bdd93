// list, describe, check: list what exists, describe it, and check a configuration.

#include <fmt/ostream.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string_view>

#include "model/base/config/describer.h"
#include "model/base/config/kinds.h"
#include "model/base/config/named_files.h"
#include "model/base/config/points.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/commands/commands.h"
#include "platforms/cli/instructions/instruction_help.h"
#include "platforms/cli/metric_names.h"
#include "platforms/cli/plugins.h"
#include "platforms/cli/program.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/sweeps/sweep_spec.h"
#include "platforms/cli/terminal/command_line.h"
#include "platforms/cli/terminal/table_format.h"
#include "platforms/frame/table_memory.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"
#include "stimuli/catalogue.h"

namespace wharf::cli {
namespace {

struct Named {
  std::string name, help;
};

std::vector<Named> configs() {
  std::vector<Named> list;
  for (const auto& entry : config::list_configurations(configuration_root())) list.push_back({entry.name, entry.description});
  return list;
}

std::vector<Named> sweeps() {
  std::vector<Named> list;
  for (const auto& entry : config::list_sweeps(configuration_root())) list.push_back({entry.name, entry.description});
  return list;
}

/// All policies, by the key that selects them.
std::vector<Named> policies() {
  std::vector<Named> list;
  for (const auto& key : config::descriptions_of(GpuParams{})) {
    if (key.type != "policy") continue;
    list.push_back({key.path, key.help});
    for (const auto& word : key.words) list.push_back({"  " + word.name, word.help});
  }
  return list;
}

std::vector<Named> metrics(const std::string& config) {
  std::vector<Named> list;
  for (const MetricInfo& metric : metrics_of(load_configuration(config, {}, ""))) list.push_back({metric.name, metric.help});
  return list;
}

std::vector<Named> stimuli() {
  std::vector<Named> list;
  for (const auto& [name, help] : stimulus_names()) list.push_back({name, help});
  return list;
}

std::vector<Named> suites() {
  std::vector<Named> list;
  for (const Suite& suite : all_suites()) list.push_back({suite.name, join(suite.workloads(), 100)});
  return list;
}

/// Arguments with their ranges, and the values of each size.
std::vector<Table> workload_tables(const WorkloadInfo& workload) {
  Table arguments{workload.name + ": arguments", "", {"argument", "help", "least", "most", "default"}, {}, 0};
  for (const Argument& argument : workload.arguments)
    arguments.rows.push_back({argument.name, argument.help, fmt::format("{}", argument.low), fmt::format("{}", argument.high),
                              fmt::format("{}", argument.preset)});
  Table sizes{workload.name + ": sizes", "", {"size"}, {}, 0};
  for (const Argument& argument : workload.arguments) sizes.columns.push_back(argument.name);
  for (const WorkloadSize& size : workload.sizes) {
    std::vector<std::string>& row = sizes.rows.emplace_back(std::vector<std::string>{size.name});
    for (const Argument& argument : workload.arguments) {
      const auto value = std::find_if(size.values.begin(), size.values.end(), [&](const auto& one) { return one.first == argument.name; });
      row.push_back(value == size.values.end() ? "" : fmt::format("{}", value->second));
    }
  }
  return {arguments, sizes};
}

/// A key, or the keys of a group.
Table key_table(const std::vector<config::Description>& keys, const std::string& name) {
  Table table{"", "", {"key", "type", "unit", "default", "values", "help"}, {}, 0};
  for (const config::Description& key : keys)
    if (key.path == name || key.path.rfind(name + '.', 0) == 0)
      table.rows.push_back({key.path, key.type, key.unit, key.default_value, key.range, key.help});
  return table;
}

/// A policy below its key is named as --set takes it.
Table named_table(const std::vector<Named>& list) {
  Table table{"", "", {"name", "help"}, {}, 0};
  std::string key;
  for (const Named& entry : list) {
    const std::size_t begin = entry.name.find_first_not_of(' ');
    if (begin == 0) key = entry.name;
    table.rows.push_back({begin == 0 ? entry.name : key + '=' + entry.name.substr(begin), entry.help});
  }
  return table;
}

/// Prints arguments with their ranges and the values of each size.
void print_workload(std::ostream& out, const WorkloadInfo& workload) {
  fmt::print(out, "{}: {}\n\narguments, as in {}:NAME=VALUE,...\n", workload.name, workload.help, workload.name);
  for (const Argument& argument : workload.arguments) {
    fmt::print(out, "  {:<10}  {} [{}..{}, default {}]\n", argument.name, argument.help, argument.low, argument.high, argument.preset);
  }
  for (const Shorthand& shorthand : workload.shorthands)
    fmt::print(out, "  {:<10}  sets {}\n", shorthand.name, join(shorthand.argument_names));
  fmt::print(out, "\nsizes\n");
  for (const WorkloadSize& size : workload.sizes) {
    std::vector<std::string> values;
    for (const auto& [name, value] : size.values) values.push_back(fmt::format("{}={}", name, value));
    fmt::print(out, "  {}@{:<10}  {}\n", workload.name, size.name, join(values));
  }
}

void print(const TableOutput& output, const std::vector<Named>& list) {
  if (output.format() != TableFormat::text) return output.print({named_table(list)});
  std::ostream& out = output.remarks();
  constexpr std::size_t kWidest = 40;
  std::size_t width = 0;
  for (const Named& entry : list) width = std::max(width, std::min(entry.name.size(), kWidest));
  for (const Named& entry : list) fmt::print(out, "{:<{}}  {}\n", entry.name, width, entry.help);
}

/// A configuration or sweep that no list names: a file, a point of one, or a composed name such as ata+loscache.
std::optional<Named> configuration_or_sweep(const std::string& name) {
  const auto root = configuration_root();
  if (const auto file = config::locate(name, "", root); file && file->point.empty()) {
    config::Mistakes mistakes;
    const config::Node document = config::read_document(file->path, mistakes);
    if (mistakes.empty() && config::kind_of(document) == config::FileKind::sweep) {
      const std::vector<std::string> points = config::point_names(document);
      return Named{name, read_sweep(name).description + (points.empty() ? "" : "; its points are " + join(points, points.size()))};
    }
  }
  try {
    config::name_from_working_directory(name, "", root);
  } catch (const InputError&) {
    expect_path(name, PathKind::yaml);
    return std::nullopt;
  }
  return Named{name, load_configuration(name, {}, "").description};
}

const Named* find(const std::vector<Named>& list, const std::string& name) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const Named& entry) { return entry.name == name; });
  return it == list.end() ? nullptr : &*it;
}

}  // namespace

int list_command(const Context& context) {
  const std::vector<std::string> topics = {"configs", "sweeps", "policies", "stimuli", "suites", "metrics"};
  CommandLine arguments("list configs|sweeps|policies|stimuli|suites|metrics",
                        "Lists configurations, sweeps, policies, stimuli, suites or metrics, one per line.");
  arguments.value("config", "CONFIG", "configuration whose metrics to list (default private)").positionals(1);
  TableOutput::declare(arguments);
  if (!parse_with_plugins(arguments, context)) return kDone;
  const TableOutput output(arguments, context);
  const std::string topic = arguments.positional().empty() ? "" : arguments.positional().front();
  if (topic == "configs") {
    print(output, configs());
  } else if (topic == "sweeps") {
    print(output, sweeps());
  } else if (topic == "policies") {
    print(output, policies());
  } else if (topic == "stimuli") {
    print(output, stimuli());
  } else if (topic == "suites") {
    print(output, suites());
  } else if (topic == "metrics") {
    print(output, metrics(arguments.text("config", "private")));
  } else if (topic.empty()) {
    throw InputError("list: name what to list: " + join(topics));
  } else {
    throw InputError(fmt::format("list: there are no {}{}There are {}", quote(topic), suggestion(topic, topics), join(topics)));
  }
  return kDone;
}

int describe_command(const Context& context) {
  CommandLine arguments(
      "describe NAME",
      "Explains a configuration key or group (l2.replacement, l2), a configuration, a sweep, a stimulus, a suite or a metric.\n"
      "ptx:OPCODE is an instruction of PTX with its forms and costs, ptx:st.async those with the modifier, and ptx: lists them all.\n"
      "A configuration or sweep may be a file, and a configuration may be a point of a sweep: my.yaml, my_sweep.yaml:point.");
  arguments.flag("markdown", "every configuration key as Markdown").positionals(1);
  TableOutput::declare(arguments);
  if (!parse_with_plugins(arguments, context)) return kDone;
  const TableOutput output(arguments, context);
  const bool plain = output.format() == TableFormat::text;
  const auto keys = config::descriptions_of(GpuParams{});
  if (arguments.has("markdown")) {
    fmt::print(context.out, "{}", config::parameters_markdown(keys, "Parameters"));
    return kDone;
  }
  if (arguments.positional().empty())
    throw InputError("describe: name a key, configuration, sweep, stimulus, suite or metric; 'wharf list' prints them");
  const std::string& name = arguments.positional().front();
  if (name.rfind(kInstructions, 0) == 0) {
    output.print(instruction_tables(name.substr(std::string_view(kInstructions).size())));
    return kDone;
  }

  std::vector<std::string> known;
  for (const auto& key : keys) {
    if (key.path == name) {
      if (plain) fmt::print(context.out, "{}\n", config::describe(keys, name));
      if (!plain) output.print({key_table(keys, name)});
      return kDone;
    }
    known.push_back(key.path);
  }
  for (const WorkloadInfo& workload : list_stimuli()) {
    if (workload.name != name) continue;
    if (plain) print_workload(context.out, workload);
    if (!plain) output.print(workload_tables(workload));
    return kDone;
  }
  for (const auto& list : {configs(), sweeps(), stimuli(), suites(), metrics("private")}) {
    if (const Named* entry = find(list, name)) {
      if (plain) fmt::print(context.out, "{}: {}\n", entry->name, entry->help);
      if (!plain) output.print({named_table({*entry})});
      return kDone;
    }
    for (const Named& entry : list) known.push_back(entry.name);
  }
  if (const std::optional<Named> file = configuration_or_sweep(name)) {
    if (plain) fmt::print(context.out, "{}: {}\n", file->name, file->help);
    if (!plain) output.print({named_table({*file})});
    return kDone;
  }
  throw InputError(fmt::format("describe: nothing is called {}{}'wharf list' prints the names", quote(name), suggestion(name, known)));
}

int check_command(const Context& context) {
  CommandLine arguments("check CONFIG...", "Reads configurations (names or files) and reports every mistake with file, line and column.");
  arguments.values("set", "KEY=VALUE", "set a configuration key").positionals(1000);
  if (!parse_with_plugins(arguments, context)) return kDone;
  if (arguments.positional().empty()) throw InputError("check: name a configuration or a YAML file");
  bool good = true;
  for (const std::string& name : arguments.positional()) {
    try {
      const Configuration configuration = load_configuration(name, arguments.texts("set"), "");
      require_memory(configuration.params, false);
      if (configuration.search && configuration.search->over_configurations()) {
        for (const std::string& candidate : configuration.search->values) load_configuration(candidate, arguments.texts("set"), "");
      }
      fmt::print(context.out, "{}: good{}{}\n", name, configuration.description.empty() ? "" : ": ", configuration.description);
    } catch (const InputError& error) {
      fmt::print(context.err, "{}\n", error.what());
      good = false;
    }
  }
  return good ? kDone : kBadInput;
}

}  // namespace wharf::cli
