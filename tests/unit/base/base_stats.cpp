// Counters, histograms, laws and the view of an interval.

#include <catch2/catch.hpp>

#include "tests/unit/counted.h"

namespace wharf::stats {

TEST_CASE("stats: a counter registers itself under its group's prefix, instance and its own name") {
  Registry registry;
  Group group(registry, "l1", 12), only(registry, "front_end");
  const Counter hits(group, "load.hits", "loads that found the line", Unit::accesses),
      kernels(only, "kernels", "kernels that ended", Unit::count);
  REQUIRE(registry.counters().size() == 2);
  const auto& entry = registry.counters()[0];
  CHECK(entry.metric->name == "l1.load.hits");
  CHECK(entry.instance == 12);
  CHECK(entry.metric->help == "loads that found the line");
  CHECK(entry.metric->unit == Unit::accesses);
  CHECK(entry.counter == &hits);
  CHECK(group.path() == "l1[12]");
  CHECK(only.path() == "front_end");
  CHECK(registry.counters()[1].instance == Group::kOnly);
}

TEST_CASE("stats: a view is what was counted between two instants, summed over instances, with the smallest and the largest") {
  Registry registry;
  Group first(registry, "l1", 0), second(registry, "l1", 1), other(registry, "l2", 0);
  Counter a(first, "hits", "", Unit::accesses), b(second, "hits", "", Unit::accesses), c(other, "hits", "", Unit::accesses);
  a += 100;
  const stats::Snapshot from = registry.snapshot();
  a += 3;
  ++b;
  c += 50;
  const stats::Snapshot to = registry.snapshot();
  a += 1000;
  const View view(registry, from, to);
  CHECK(view.sum("l1.hits") == 3 + 1);
  CHECK(view.min("l1.hits") == 1);
  CHECK(view.max("l1.hits") == 3);
  CHECK(view.instances("l1.hits") == 2);
  CHECK(view.sum("l2.hits") == 50);
  CHECK(view.ratio("l1.hits", "l2.hits") == 4.0 / 50.0);
}

TEST_CASE("stats: a name that no block has reads as zero and is known to be absent") {
  Registry registry;
  const View view(registry, Snapshot(), Snapshot());
  CHECK_FALSE(view.has("l3.hits"));
  CHECK(view.sum("l3.hits") == 0);
  CHECK(view.min("l3.hits") == 0);
  CHECK(view.max("l3.hits") == 0);
  CHECK(view.instances("l3.hits") == 0);
  CHECK_THROWS(test::counted(registry, "l3.hits"));
}

TEST_CASE("stats: instances share a metric, in whatever order each registers its counters") {
  Registry registry;
  Group first(registry, "l1", 0), second(registry, "l1", 1), third(registry, "l1", 2);
  const Counter hits(first, "hits", "loads", Unit::accesses), misses(first, "misses", "", Unit::accesses);
  const Counter more_hits(second, "hits", "loads", Unit::accesses), more_misses(second, "misses", "", Unit::accesses);
  const Counter own(third, "misses", "", Unit::accesses), other(third, "evictions", "", Unit::count),
      last(third, "hits", "loads", Unit::accesses);
  REQUIRE(registry.metrics().size() == 3);
  std::vector<std::string> names;
  for (const auto& entry : registry.counters()) names.push_back(entry.metric->name + " " + std::string(entry.name()));
  CHECK(names == std::vector<std::string>{"l1.hits hits", "l1.misses misses", "l1.hits hits", "l1.misses misses", "l1.misses misses",
                                          "l1.evictions evictions", "l1.hits hits"});
  CHECK(registry.counters()[6].metric == registry.find_metric("l1.hits"));
  CHECK(registry.find_metric("l1.evictions")->number == 2);
  CHECK(registry.find_metric("hits") == nullptr);
}

TEST_CASE("stats: a ratio to nothing is zero") {
  Registry registry;
  Group group(registry, "l1");
  Counter hits(group, "hits", "", Unit::accesses);
  const Counter accesses(group, "accesses", "", Unit::accesses);
  ++hits;
  const View view(registry, {0, 0}, registry.snapshot());
  CHECK(view.ratio("l1.hits", "l1.accesses") == 0.0);
}

TEST_CASE("stats: a derived metric is computed from the totals of the interval it is asked for") {
  Registry registry;
  Group group(registry, "l1");
  Counter hits(group, "hits", "", Unit::accesses), accesses(group, "accesses", "", Unit::accesses);
  registry.derived("l1.hit_rate", "hits of accesses", Unit::ratio, [](const View& view) { return view.ratio("l1.hits", "l1.accesses"); });
  hits += 1;
  accesses += 4;
  REQUIRE(registry.derived_metrics().size() == 1);
  CHECK(registry.derived_metrics()[0].name == "l1.hit_rate");
  CHECK(registry.derived_metrics()[0].value(View(registry, {0, 0}, registry.snapshot())) == 0.25);
}

TEST_CASE("stats: only the laws that do not hold are reported, each with its group's path") {
  Registry registry;
  Group group(registry, "l1", 3);
  Counter hits(group, "hits", "", Unit::accesses), accesses(group, "accesses", "", Unit::accesses);
  group.law("accesses == hits", [&] { return accesses.value() == hits.value(); });
  group.law("hits < 2", [&] { return hits.value() < 2; });
  CHECK(registry.broken_laws().empty());
  ++hits;
  CHECK(registry.broken_laws() == std::vector<std::string>{"l1[3]: accesses == hits"});
  ++hits;
  CHECK(registry.broken_laws() == std::vector<std::string>{"l1[3]: accesses == hits", "l1[3]: hits < 2"});
}

TEST_CASE("stats: a histogram bins by powers of two and remembers count, sum and maximum") {
  Registry registry;
  Group group(registry, "sm");
  Histogram trips(group, "round_trip", "", Unit::cycles);
  CHECK(trips.count() == 0);
  CHECK(trips.max() == 0);
  for (const std::uint64_t value : {0, 1, 2, 3, 4, 7, 8}) trips.add(value);
  CHECK(trips.bin(0) == 1);  // 0
  CHECK(trips.bin(1) == 1);  // 1
  CHECK(trips.bin(2) == 2);  // 2, 3
  CHECK(trips.bin(3) == 2);  // 4 .. 7
  CHECK(trips.bin(4) == 1);  // 8 .. 15
  CHECK(trips.count() == 7);
  CHECK(trips.sum() == 0 + 1 + 2 + 3 + 4 + 7 + 8);
  CHECK(trips.max() == 8);
  REQUIRE(registry.histograms().size() == 1);
  CHECK(registry.histograms()[0].histogram == &trips);
}

TEST_CASE("stats: what is too large for the bins is counted in the last") {
  Registry registry;
  Group group(registry, "sm");
  Histogram trips(group, "round_trip", "", Unit::cycles);
  trips.add(std::uint64_t{1} << (Histogram::kBins - 2));
  trips.add((std::uint64_t{1} << (Histogram::kBins - 2)) - 1);
  trips.add(~std::uint64_t{0});
  CHECK(trips.bin(Histogram::kBins - 1) == 2);
  CHECK(trips.bin(Histogram::kBins - 2) == 1);
  CHECK(trips.max() == ~std::uint64_t{0});
}

TEST_CASE("stats: a kept snapshot has the values that it was made of, and its copies too") {
  const std::vector<Snapshot> all = {
      {}, {0}, {0, 0, 0}, {1, 0, 127, 128, 0, 0, 16'383, 16'384}, {~std::uint64_t{0}, 0, std::uint64_t{1} << 63}, Snapshot(1000)};
  for (const Snapshot& values : all) {
    const KeptSnapshot kept = values;
    CHECK(kept.values() == values);
    const KeptSnapshot copy = kept;  // NOLINT(performance-unnecessary-copy-initialization)
    CHECK(copy.values() == values);
  }
}

}  // namespace wharf::stats
