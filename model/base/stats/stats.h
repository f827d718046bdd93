#pragma once
// Counters that register themselves, laws that must hold between them, metrics derived from them.
//
//   stats::Group group(registry, "l1", 12);                      // one of 80 instances; totals are summed over them
//   stats::Counter hits(group, "load.hits", "loads that found the line", Unit::accesses);
//   group.law("load.accesses == load.hits + load.misses", [&] { return accesses.value() == hits.value() + misses.value(); });
//   registry.derived("l1.miss_rate", "...", Unit::ratio, [](const View& v) { return v.ratio("l1.load.misses", "l1.load.accesses"); });

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/base/config/binder.h"

namespace wharf::stats {

using config::Unit;
class Registry;

/// A place in the machine that owns counters: prefix "l1" and instance 12 print as "l1[12]".
class Group {
 public:
  static constexpr int kOnly = -1;  // the only instance
  Group(Registry& registry, std::string prefix, int instance = kOnly);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  /// A condition that must hold when the run has drained; `text` says it in counters' names.
  void law(std::string text, std::function<bool()> holds);

  const std::string& prefix() const { return prefix_; }
  int instance() const { return instance_; }
  std::string path() const;
  Registry& registry() { return registry_; }

 private:
  Registry& registry_;
  std::string prefix_;
  int instance_;
};

/// A monotone 64-bit count.
class Counter {
 public:
  Counter(Group& group, std::string_view name, std::string_view help, Unit unit);
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;
  Counter& operator++() {
    ++value_;
    return *this;
  }
  Counter& operator+=(std::uint64_t n) {
    value_ += n;
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

/// Counts of values in power-of-two bins: bin 0 holds 0, bin i holds [2^(i-1), 2^i). Also count, sum and maximum.
class Histogram {
 public:
  static constexpr unsigned kBins = 40;
  Histogram(Group& group, std::string_view name, std::string_view help, Unit unit);
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;
  void add(std::uint64_t value) {
    // As many bins as bits: of nothing none. Nobody can guess them, so there is no branch.
    const unsigned bits = 64 - static_cast<unsigned>(__builtin_clzll(value | 1)) - (value == 0 ? 1 : 0);
    ++bins_[std::min(bits, kBins - 1)];
    sum_ += value;
    max_ = std::max(max_, value);
  }
  std::uint64_t bin(unsigned i) const { return bins_[i]; }
  std::uint64_t count() const;
  std::uint64_t sum() const { return sum_; }
  std::uint64_t max() const { return max_; }

 private:
  std::uint64_t bins_[kBins] = {};
  std::uint64_t sum_ = 0, max_ = 0;
};

/// Values of every counter at one instant, in order of registration.
using Snapshot = std::vector<std::uint64_t>;

/// Totals by metric name ("l1.load.hits", summed over instances) of the interval between two snapshots.
class View {
 public:
  View(const Registry& registry, const Snapshot& from, const Snapshot& to);
  /// 0 for a name that no block of this platform has.
  std::uint64_t sum(std::string_view name) const;
  bool has(std::string_view name) const;
  /// Smallest and largest instance of a metric.
  std::uint64_t max(std::string_view name) const;
  std::uint64_t min(std::string_view name) const;
  std::uint64_t instances(std::string_view name) const;
  /// sum(numerator) / sum(denominator); 0 where the denominator is 0.
  double ratio(std::string_view numerator, std::string_view denominator) const;

 private:
  struct Total {
    std::uint64_t sum = 0, min = ~std::uint64_t{0}, max = 0, instances = 0;
  };
  std::map<std::string, Total, std::less<>> totals_;
};

/// What no single number says: one row a link, a pc, a phase ... of the whole run.
struct TableRows {
  using Cell = std::variant<std::uint64_t, double, std::string>;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // each as wide as `columns`
};

class Registry {
 public:
  struct CounterEntry {
    std::string prefix, name, help;
    Unit unit;
    int instance;
    const Counter* counter;
    std::string metric() const { return prefix + "." + name; }
  };
  struct HistogramEntry {
    std::string prefix, name, help;
    Unit unit;
    int instance;
    const Histogram* histogram;
  };
  struct DerivedEntry {
    std::string name, help;
    Unit unit;
    std::function<double(const View&)> value;
  };

  struct TableEntry {
    std::string name, help;
    std::function<TableRows(const View& run)> rows;
  };

  /// A table of result.json, asked for when the run is over; until then the owner must live. Of tables with one name the rows stand one
  /// after the other.
  void table(std::string name, std::string help, std::function<TableRows(const View& run)> rows);
  void table(std::string name, std::string help, std::function<TableRows()> rows) {
    table(std::move(name), std::move(help), [rows = std::move(rows)](const View&) { return rows(); });
  }

  /// A metric computed from totals, for the run, each kernel and each window. Where it is no number it is left out of the results.
  void derived(std::string name, std::string help, Unit unit, std::function<double(const View&)> value);

  Snapshot snapshot() const;
  /// Texts of the laws that do not hold, each with the path of its group; empty when all hold.
  std::vector<std::string> broken_laws() const;

  const std::vector<CounterEntry>& counters() const { return counters_; }
  const std::vector<HistogramEntry>& histograms() const { return histograms_; }
  const std::vector<DerivedEntry>& derived_metrics() const { return derived_; }
  const std::vector<TableEntry>& tables() const { return tables_; }

 private:
  friend class Group;
  friend class Counter;
  friend class Histogram;
  struct Law {
    std::string path, text;
    std::function<bool()> holds;
  };
  std::vector<CounterEntry> counters_;
  std::vector<HistogramEntry> histograms_;
  std::vector<DerivedEntry> derived_;
  std::vector<TableEntry> tables_;
  std::vector<Law> laws_;
};

}  // namespace wharf::stats
