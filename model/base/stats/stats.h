#pragma once
// Counters that register themselves, laws that must hold between them, and metrics derived from them.
//
//   stats::Group group(registry, "l1", 12);                      // one of 80 instances; totals are summed over them
//   stats::Counter hits(group, "load.hits", "loads that found the line", Unit::accesses);
//   group.law("load.accesses == load.hits + load.misses", [&] { return accesses.value() == hits.value() + misses.value(); });
//   registry.derived("l1.miss_rate", "...", Unit::ratio, [](const View& v) { return v.ratio("l1.load.misses", "l1.load.accesses"); });

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/base/config/binder.h"
#include "model/base/stats/kept_snapshot.h"

namespace wharf {
class Archive;
}

namespace wharf::stats {

using config::Unit;
class Registry;

/// A block of the machine that owns counters: prefix "l1" and instance 12 print as "l1[12]".
class Group {
 public:
  static constexpr int kOnly = -1;  // the only instance
  Group(Registry& registry, std::string prefix, int instance = kOnly);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  /// Adds a condition that must hold when the run has drained; `text` states it in counter names.
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
  friend class Registry;
  std::uint64_t value_ = 0;
};

/// A histogram with power-of-two bins: bin 0 holds 0, bin i holds [2^(i-1), 2^i). Also keeps count, sum and maximum.
class Histogram {
 public:
  static constexpr unsigned kBins = 40;
  Histogram(Group& group, std::string_view name, std::string_view help, Unit unit);
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;
  void add(std::uint64_t value) {
    // The bin is the bit length of the value. Values are unpredictable, so there is no branch.
    const unsigned bits = 64 - static_cast<unsigned>(__builtin_clzll(value | 1)) - (value == 0 ? 1 : 0);
    ++bins_[std::min(bits, kBins - 1)];
    sum_ += value;
    max_ = std::max(max_, value);
  }
  std::uint64_t bin(unsigned i) const { return bins_[i]; }
  std::uint64_t count() const;
  std::uint64_t sum() const { return sum_; }
  std::uint64_t max() const { return max_; }
  template <class File>
  void archive(File& file) {
    file(bins_, sum_, max_);
  }

 private:
  std::uint64_t bins_[kBins] = {};
  std::uint64_t sum_ = 0, max_ = 0;
};

/// Totals by metric name ("l1.load.hits", summed over instances) over the interval between two snapshots.
class View {
 public:
  View(const Registry& registry, const Snapshot& from, const Snapshot& to);
  View(const Registry& registry, const KeptSnapshot& from, const KeptSnapshot& to) : View(registry, from.values(), to.values()) {}
  /// Total of a metric; 0 for a name that no block of this platform has.
  std::uint64_t sum(std::string_view name) const;
  bool has(std::string_view name) const;
  /// Smallest and largest instance of a metric.
  std::uint64_t max(std::string_view name) const;
  std::uint64_t min(std::string_view name) const;
  std::uint64_t instances(std::string_view name) const;
  /// sum(numerator) / sum(denominator); 0 if the denominator is 0.
  double ratio(std::string_view numerator, std::string_view denominator) const;

 private:
  struct Total {
    std::uint64_t sum = 0, min = ~std::uint64_t{0}, max = 0, instances = 0;
  };
  const Total* find(std::string_view name) const;

  const Registry& registry_;
  std::vector<Total> totals_;  // [Metric::number]
};

/// A table over the whole run, for results that are not single numbers: one row per link, pc, phase or the like.
struct TableRows {
  using Cell = std::variant<std::uint64_t, double, std::string>;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // each row has one cell per column
};

class Registry {
 public:
  /// What the counters of all instances share; stored once, because a machine has more than ten thousand counters.
  struct Metric {
    std::string name;  // "l1.load.hits"
    std::string help;
    Unit unit;
    std::size_t number;  // its index in metrics()
    std::size_t first;   // its first counter's index in counters()
  };
  struct CounterEntry {
    std::string prefix;
    int instance;
    Counter* counter;
    const Metric* metric;
    /// The name without prefix.
    std::string_view name() const { return std::string_view(metric->name).substr(prefix.size() + 1); }
  };
  struct HistogramEntry {
    std::string prefix, name, help;
    Unit unit;
    int instance;
    Histogram* histogram;
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

  /// Adds a table of result.json. `rows` is called when the run is over; its owner must live until then. Tables of the same name are
  /// concatenated in order of registration.
  void table(std::string name, std::string help, std::function<TableRows(const View& run)> rows);
  void table(std::string name, std::string help, std::function<TableRows()> rows) {
    table(std::move(name), std::move(help), [rows = std::move(rows)](const View&) { return rows(); });
  }

  /// Adds a metric computed from totals, for the run, each kernel and each window. Results that are NaN are omitted.
  void derived(std::string name, std::string help, Unit unit, std::function<double(const View&)> value);

  Snapshot snapshot() const;
  /// Sets all counters to the values of `snapshot`, which is of this registry.
  void restore(const Snapshot& snapshot);
  /// Saves or loads every counter and histogram. Throws InputError if the file is of a machine with other counters.
  void archive(Archive& file);
  /// Texts of the broken laws, each with the path of its group; empty when all hold.
  std::vector<std::string> broken_laws() const;

  const std::vector<CounterEntry>& counters() const { return counters_; }
  /// The metrics of all counters in order of registration.
  const std::deque<Metric>& metrics() const { return metrics_; }
  /// Null for a name that no counter has.
  const Metric* find_metric(std::string_view name) const;
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
  const Metric& metric_of(const std::string& prefix, std::string_view name, std::string_view help, Unit unit);

  std::vector<CounterEntry> counters_;
  std::deque<Metric> metrics_;
  std::map<std::string_view, const Metric*> metric_by_name_;
  std::size_t alike_ = 0;  // index of the counter whose metric the next counter is expected to have
  std::vector<HistogramEntry> histograms_;
  std::vector<DerivedEntry> derived_;
  std::vector<TableEntry> tables_;
  std::vector<Law> laws_;
};

}  // namespace wharf::stats
