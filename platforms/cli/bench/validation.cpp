#include "platforms/cli/bench/validation.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

#include "model/base/error.h"
#include "model/base/text.h"
#include "platforms/inputs/files.h"

namespace wharf::cli {
namespace {

bool parse_number(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string> split_cells(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

double value_of(const std::map<std::string, double>& values, const char* key) {
  const auto it = values.find(key);
  return it == values.end() ? std::nan("") : it->second;
}

double relative(double measured, double reference) { return (measured - reference) / std::max(reference, 1.0); }

double hit_rate(double accesses, double misses) { return accesses > 0.0 ? 1.0 - misses / accesses : 0.0; }

/// A missing figure (NaN) exceeds every limit.
bool exceeds(double deviation, double limit) { return limit >= 0.0 && !(std::abs(deviation) <= limit); }

bool has_own_limit(const ValidationSet& set, const ValidationCase& one) { return !set.is_reference || known_reason(one.name).empty(); }

std::vector<double> cycle_deviations(const ValidationSet& set) {
  std::vector<double> values;
  for (const ValidationCase& one : set.cases) {
    if (one.failure.empty() && has_own_limit(set, one)) values.push_back(std::abs(deviations_of(one).cycles));
  }
  return values;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

double largest_of(const std::vector<double>& values) { return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end()); }

}  // namespace

std::string deviation_text(const Figure& figure, double value) {
  if (std::isnan(value)) return "?";
  return figure.is_share ? fmt::format("{:+.1f} %", value * 100.0) : fmt::format("{:+.4f}", value);
}

std::vector<ValidationCase> read_reference(const std::filesystem::path& results, const std::filesystem::path& traces) {
  const std::vector<std::string> lines = read_lines(results);
  const std::vector<std::string> header = split_cells(lines.empty() ? "" : lines.front());
  if (header.empty() || header[0] != "name")
    throw InputError(results.string() + ":1: the first column is not 'name'; is this a results file?");
  std::vector<ValidationCase> cases;
  for (std::size_t number = 2; number <= lines.size(); ++number) {
    const std::string& line = lines[number - 1];
    if (line.empty()) continue;
    const std::vector<std::string> cells = split_cells(line);
    if (cells.size() != header.size()) {
      throw InputError(fmt::format("{}:{}: has {} cells, but the header has {}; repair the line", results.string(), number, cells.size(),
                                   header.size()));
    }
    ValidationCase& one = cases.emplace_back();
    one.name = cells[0];
    one.kernelslist = traces / cells[0] / "kernelslist.g";
    for (std::size_t i = 1; i < cells.size(); ++i) {
      double value = 0.0;
      if (parse_number(cells[i], value)) one.reference[header[i]] = value;  // `config` is a name
    }
    for (const char* column : {"cycles", "warp_insts", "l1d_acc", "l1d_miss", "l2_acc", "l2_miss", "dram_rd"}) {
      if (one.reference.count(column) == 0) {
        throw InputError(fmt::format("{}:{}: column '{}' is not a number; repair the line", results.string(), number, column));
      }
    }
  }
  if (cases.empty()) throw InputError(results.string() + ": has no line below its header; add one for each trace");
  return cases;
}

std::map<std::string, double> read_accelsim_stats(const std::string& text, const std::string& file) {
  std::map<std::string, double> values;
  std::istringstream stream(text);
  std::string line;
  for (unsigned number = 1; std::getline(stream, line); ++number) {
    const std::size_t equals = line.find(" = ");
    double value = 0.0;
    if (equals == std::string::npos || !parse_number(line.substr(equals + 3), value)) {
      throw InputError(fmt::format("{}:{}: {} is not 'key = value'", file, number, quote(line)));
    }
    values[line.substr(0, equals)] = value;
  }
  return values;
}

Deviations deviations_of(const ValidationCase& one) {
  const auto ours = [&](const char* key) { return value_of(one.measured, key); };
  const auto theirs = [&](const char* column) { return value_of(one.reference, column); };
  Deviations d;
  d.cycles = relative(ours("gpu_tot_sim_cycle"), theirs("cycles"));
  d.hit_rate = hit_rate(ours("L1D_total_cache_accesses"), ours("L1D_total_cache_misses")) - hit_rate(theirs("l1d_acc"), theirs("l1d_miss"));
  const double accesses = std::max(theirs("l2_acc"), 1.0);
  d.l2_accesses = (ours("L2_total_cache_accesses") - theirs("l2_acc")) / accesses;
  d.l2_misses = (ours("L2_total_cache_misses") - theirs("l2_miss")) / accesses;
  d.dram_reads = (ours("total_dram_reads") - theirs("dram_rd")) / accesses;
  const double threads = theirs("thread_insts");
  d.instructions_exact =
      ours("gpgpu_n_tot_w_icount") == theirs("warp_insts") && (std::isnan(threads) || ours("gpu_tot_sim_insn") == threads);
  return d;
}

std::vector<std::string> exceeded_limits(const ValidationSet& set) {
  std::vector<std::string> exceeded;
  for (const ValidationCase& one : set.cases) {
    if (!one.failure.empty()) {
      exceeded.push_back(fmt::format("{}: the run failed: {}", one.name, one.failure));
      continue;
    }
    const Deviations d = deviations_of(one);
    if (!d.instructions_exact) exceeded.push_back(fmt::format("{}: the instruction counts differ", one.name));
    if (!has_own_limit(set, one)) continue;
    const auto check = [&](const char* what, double deviation, double limit) {
      if (exceeds(deviation, limit)) {
        exceeded.push_back(fmt::format("{}: {} deviate by {}, limit {:g} %", one.name, what,
                                       std::isnan(deviation) ? "?" : fmt::format("{:+.2f} %", deviation * 100.0), limit * 100.0));
      }
    };
    check("cycles", d.cycles, set.limits.cycles_each);
    check("L2 accesses", d.l2_accesses, set.limits.traffic);
    check("L2 misses", d.l2_misses, set.limits.traffic);
    check("DRAM reads", d.dram_reads, set.limits.traffic);
    if (exceeds(d.hit_rate, set.limits.hit_rate)) {
      exceeded.push_back(fmt::format("{}: the L1D hit rate differs by {:+.4f}, limit {}", one.name, d.hit_rate, set.limits.hit_rate));
    }
  }
  const double mean = mean_of(cycle_deviations(set));
  if (exceeds(mean, set.limits.cycles_mean)) {
    exceeded.push_back(
        fmt::format("{}: cycles deviate by {:.1f} % on average, limit {:.0f} %", set.title, mean * 100.0, set.limits.cycles_mean * 100.0));
  }
  return exceeded;
}

std::string known_reason(const std::string& name) {
  constexpr std::pair<const char*, const char*> kKnown[] = {
      {"broadcast_16sm_1w", "16 warps in step request the same lines from L2: one cycle of latency changes it by 20 %"},
      {"ges128_b128",
       "its 256 lines fill a set of 256 ways: the reference takes 49,716 cycles with an L1 of 18 cycles, 69,957 with its 20"},
      {"scat_b288", "288 lines cycle through a set of 256 ways: the hits depend on which warps run ahead"},
      {"scat_b256", "its 256 lines fill a set of 256 ways: one cycle of latency changes the hits by a line"},
      {"local_24w", "its 46,080 lines fill 94 % of L2: one way less or more changes its cycles by 3 % and 8 %, its L2 misses by 3 %"},
      {"gesummv", "512 lines cycle through a set of 256 ways: the hits depend on which warps run ahead"},
      {"lruset_264", "264 lines cycle through a set of 256 ways: the hits depend on which warps run ahead"},
  };
  for (const auto& [known, reason] : kKnown)
    if (name == known) return reason;
  return {};
}

Table validation_table(const ValidationSet& set) {
  Table table;
  table.title = set.title;
  table.columns = {"name", "cycles", "reference", "deviation"};
  for (std::size_t i = 1; i < kFigures.size(); ++i) table.columns.push_back(kFigures[i].name);
  table.columns.push_back("instructions");
  for (const ValidationCase& one : set.cases) {
    std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{one.name});
    if (one.failure.empty()) {
      const Deviations d = deviations_of(one);
      row.push_back(with_commas(static_cast<std::uint64_t>(value_of(one.measured, "gpu_tot_sim_cycle"))));
      row.push_back(with_commas(static_cast<std::uint64_t>(value_of(one.reference, "cycles"))));
      for (const Figure& figure : kFigures) row.push_back(deviation_text(figure, d.*figure.deviation));
      row.push_back(d.instructions_exact ? "exact" : "DIFFER");
    } else {
      row.push_back("failed");
      row.resize(table.columns.size());
    }
  }
  const std::vector<double> values = cycle_deviations(set);
  const auto limit = [](double value) { return fmt::format("limit {:.0f} %", value * 100.0); };
  table.rows.push_back({"mean", "", limit(set.limits.cycles_mean), fmt::format("{:.1f} %", mean_of(values) * 100.0)});
  table.rows.push_back({"largest", "", limit(set.limits.cycles_each), fmt::format("{:.1f} %", largest_of(values) * 100.0)});
  for (auto row = table.rows.end() - 2; row != table.rows.end(); ++row) row->resize(table.columns.size());
  table.mean_rows = 2;
  return table;
}

Json validation_json(const std::vector<ValidationSet>& sets) {
  Json json = Json::object();
  json["sets"] = Json::array();
  std::vector<std::string> all;
  for (const ValidationSet& set : sets) {
    Json& entry = json["sets"].emplace_back(Json::object());
    entry["title"] = set.title;
    entry["cycles_mean"] = mean_of(cycle_deviations(set));
    entry["cycles_largest"] = largest_of(cycle_deviations(set));
    entry["cases"] = Json::array();
    for (const ValidationCase& one : set.cases) {
      Json& row = entry["cases"].emplace_back(Json::object());
      row["name"] = one.name;
      if (!one.failure.empty()) {
        row["failure"] = one.failure;
        continue;
      }
      const Deviations d = deviations_of(one);
      row["measured"] = one.measured;
      row["reference"] = one.reference;
      for (const Figure& figure : kFigures) row["deviations"][figure.key] = d.*figure.deviation;
      row["deviations"]["instructions_exact"] = d.instructions_exact;
    }
    const auto exceeded = exceeded_limits(set);
    all.insert(all.end(), exceeded.begin(), exceeded.end());
  }
  json["exceeded"] = all;
  return json;
}

}  // namespace wharf::cli
