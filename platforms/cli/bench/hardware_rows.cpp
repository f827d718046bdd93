#include "platforms/cli/bench/hardware_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/base/config/kinds.h"
#include "model/base/config/named_files.h"
#include "model/base/config/tree/document.h"
#include "model/base/config/tree/scalars.h"
#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/cli/stimuli.h"
#include "platforms/cli/yaml_fields.h"
#include "platforms/inputs/configuration.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace fs = std::filesystem;

namespace {

using config::Node;

constexpr std::array kUnits = {"cycles", "B/clk", "GB/s", "us", "x"};
constexpr std::array kKinds = {"fitted", "fitted_together", "prediction"};

/// The stimulus that measures a unit; empty where both can.
std::string stimulus_for(HardwareUnit unit) {
  if (unit == HardwareUnit::cycles) return "chase";
  return unit == HardwareUnit::microseconds ? "" : "stream";
}

class RowsReader {
 public:
  /// `folder` holds the file: configurations are named from it.
  RowsReader(fs::path folder, config::Mistakes& mistakes) : folder_(std::move(folder)), mistakes_(mistakes) {}

  std::vector<HardwareRow> read(const Node& root) {
    Fields fields(root, "hardware file", mistakes_);
    std::vector<HardwareRow> rows;
    const Node* list = fields.find("rows");
    if (list == nullptr || !list->is(Node::Kind::sequence)) {
      fields.complain(list == nullptr ? root : *list, "needs `rows:`, a list of rows");
    } else {
      for (const Node& node : list->children) rows.push_back(read_row(node, rows));
    }
    fields.refuse_others();
    return rows;
  }

 private:
  HardwareRow read_row(const Node& node, const std::vector<HardwareRow>& before) {
    HardwareRow row;
    const Node* what = node.is(Node::Kind::mapping) ? node.find("what") : nullptr;
    Fields fields(node, what == nullptr || what->text.empty() ? "row" : what->text, mistakes_);
    row.what = fields.text("what", true);
    row.machine = machine_of(fields);
    row.source = fields.text("source", true);
    row.unit = choice<HardwareUnit>(fields, "unit", kUnits);
    read_published(fields, node, row);
    read_stimuli(fields, node, row);
    if (row.not_modelled.empty()) {
      row.kind = choice<HardwareKind>(fields, "kind", kKinds);
      if (const Node* known = fields.find("known")) row.known = read_known(*known, row);
    }
    const auto is_same = [&](const HardwareRow& other) { return other.what == row.what && other.machine == row.machine; };
    if (!row.what.empty() && std::any_of(before.begin(), before.end(), is_same))
      fields.complain(node, fmt::format("two rows of {} have this name; rename one", row.machine));
    fields.refuse_others();
    return row;
  }

  /// The value of a key that must be there; the first where it is wrong.
  template <class Enum, std::size_t N>
  static Enum choice(Fields& fields, const char* key, const std::array<const char*, N>& offered) {
    const auto chosen = std::find(offered.begin(), offered.end(), fields.one_of(key, offered));
    return chosen == offered.end() ? Enum{} : static_cast<Enum>(chosen - offered.begin());
  }

  /// The configuration's name from the working directory.
  std::string machine_of(Fields& fields) {
    const std::string name = fields.text("machine", true);
    if (name.empty()) return name;
    try {
      return config::name_from_working_directory(name, folder_, configuration_root());
    } catch (const InputError& error) {
      mistakes_.add(fields.find("machine")->position(), error.what());
      return name;
    }
  }

  static void read_published(Fields& fields, const Node& node, HardwareRow& row) {
    const Node* published = fields.find("published");
    if (published == nullptr) {
      if (node.is(Node::Kind::mapping)) fields.complain(node, "has no published");
      return;
    }
    constexpr const char* kRemedy = "published must be a figure above 0, or two of them in ascending order, such as [3.9, 4.4]";
    std::vector<double> figures;
    const bool is_list = published->is(Node::Kind::sequence);
    const auto read = [&](const Node& one) {
      constexpr double kMost = 1e15;
      const auto parsed = config::parse_real(one, 0.0, kMost);
      if (parsed.good() && parsed.value > 0.0) figures.push_back(parsed.value);
    };
    if (!is_list) read(*published);
    for (const Node& one : published->children) read(one);
    const std::size_t expected = is_list ? 2 : 1;
    if (figures.size() != expected || (is_list && published->children.size() != expected) || figures.front() > figures.back())
      return fields.complain(*published, kRemedy);
    row.low = figures.front();
    row.high = figures.back();
  }

  void read_stimuli(Fields& fields, const Node& node, HardwareRow& row) {
    row.not_modelled = fields.text("not_modelled", false);
    const Node *stimulus = fields.find("stimulus"), *relative_to = fields.find("relative_to");
    if ((stimulus == nullptr) == row.not_modelled.empty() && node.is(Node::Kind::mapping))
      return fields.complain(node, "needs either stimulus, which measures it, or not_modelled, which says what the machine lacks");
    if (stimulus != nullptr) row.stimulus = read_stimulus(fields, *stimulus, row.unit);
    if (relative_to != nullptr) row.relative_to = read_stimulus(fields, *relative_to, row.unit);
    if (stimulus != nullptr && (relative_to != nullptr) != (row.unit == HardwareUnit::ratio))
      fields.complain(relative_to != nullptr ? *relative_to : node,
                      "unit x, and no other, needs relative_to, the stimulus that it divides by");
  }

  static std::string read_stimulus(Fields& fields, const Node& node, HardwareUnit unit) {
    try {
      check_stimulus(node.text);
    } catch (const InputError& error) {
      fields.complain(node, error.what());
      return node.text;
    }
    const std::string workload = workload_of(node.text), needed = stimulus_for(unit);
    if (workload != "chase" && workload != "stream")
      fields.complain(node, fmt::format("{} is neither chase nor stream, which alone have a short and a long kernel", quote(workload)));
    else if (!needed.empty() && workload != needed)
      fields.complain(node, fmt::format("{} is measured by {}, not by {}", name_of(unit), needed, workload));
    return node.text;
  }

  KnownDeviation read_known(const Node& node, const HardwareRow& row) {
    Fields fields(node, row.what + ": known", mistakes_);
    KnownDeviation known{0.0, fields.text("cause", true), fields.text("page", true)};
    if (const auto percent = fields.number("deviation")) known.deviation = *percent / 100.0;
    if (std::abs(known.deviation) <= row.limit() && node.is(Node::Kind::mapping))
      fields.complain(node, fmt::format("needs a deviation in per cent beyond the limit of {:g} %; a smaller one is no deviation to list",
                                        row.limit() * 100.0));
    fields.refuse_others();
    return known;
  }

  const fs::path folder_;
  config::Mistakes& mistakes_;
};

}  // namespace

const char* name_of(HardwareUnit unit) { return kUnits.at(static_cast<std::size_t>(unit)); }
const char* name_of(HardwareKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

double HardwareRow::limit() const {
  if (kind == HardwareKind::fitted) return 0.01;
  const bool is_time = unit == HardwareUnit::cycles || unit == HardwareUnit::microseconds;
  return kind == HardwareKind::prediction && is_time ? 0.05 : 0.10;
}

fs::path hardware_file(const std::string& name) {
  if (fs::is_regular_file(name)) return name;
  const fs::path folder = project_root() / "platforms" / "claims" / "hardware";
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(folder)) known.push_back(entry.path().stem().string());
  std::sort(known.begin(), known.end());
  if (std::find(known.begin(), known.end(), name) != known.end()) return folder / (name + ".yaml");
  const std::string likely = did_you_mean(name, known);
  throw InputError(fmt::format("--hardware: there are no measurements of {}{} write one of {}, or a YAML file of your own", quote(name),
                               likely.empty() ? ";" : likely, join(known)));
}

std::vector<HardwareRow> load_hardware_rows(const fs::path& file) {
  expect_path(file, PathKind::yaml);
  config::Mistakes mistakes;
  const Node root = config::read_document(file, mistakes);
  config::expect_kind(root, config::FileKind::hardware, mistakes);
  RowsReader reader(file.parent_path(), mistakes);
  std::vector<HardwareRow> rows = mistakes.empty() ? reader.read(root) : std::vector<HardwareRow>();
  mistakes.throw_if_any();
  return rows;
}

}  // namespace wharf::cli
