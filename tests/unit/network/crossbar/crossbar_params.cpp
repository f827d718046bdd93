// The keys of a crossbar, their constraints, and the metrics derived from its counters.

#include <catch2/catch.hpp>

#include "tests/unit/network/crossbar/crossbar_harness.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

// Records the keys that bind() names and the conditions that do not hold.
class Notes final : public config::Binder {
 public:
  using Unit = config::Unit;
  void integer(std::string_view key, std::uint32_t& value, Unit, std::string_view, std::uint64_t min, std::uint64_t max) override {
    note(key);
    defaults_in_range = defaults_in_range && value >= min && value <= max;
  }
  void integer(std::string_view key, std::uint64_t&, Unit, std::string_view, std::uint64_t, std::uint64_t) override { note(key); }
  void integer_or(std::string_view, std::string_view key, std::uint32_t&, Unit, std::string_view, std::uint64_t, std::uint64_t) override {
    note(key);
  }
  void real(std::string_view key, double&, Unit, std::string_view, double, double) override { note(key); }
  void flag(std::string_view key, bool&, std::string_view) override { note(key); }
  void text(std::string_view key, std::string&, std::string_view) override { note(key); }
  void policy(std::string_view key, std::string& value, const std::vector<config::PolicyName>& offered, std::string_view) override {
    note(key);
    for (const auto& policy : offered) default_offered = default_offered || policy.name == value;
  }
  void integers(std::string_view key, std::vector<std::uint32_t>&, Unit, std::string_view, std::uint64_t, std::uint64_t) override {
    note(key);
  }
  void require(bool holds, std::string_view key, std::string_view what, std::string_view) override {
    if (!holds) broken.push_back(std::string(key) + " " + std::string(what));
  }

  std::vector<std::string> keys, broken;
  bool defaults_in_range = true, default_offered = false;

 protected:
  std::size_t choose(std::string_view key, std::size_t current, const std::vector<std::string>&, std::string_view) override {
    note(key);
    return current;
  }
  bool begin_group(std::string_view, std::string_view) override { return true; }
  void end_group() override {}

 private:
  void note(std::string_view key) { keys.emplace_back(key); }
};

}  // namespace

TEST_CASE("a crossbar's keys are named once, and their defaults are legal") {
  CrossbarParams p;
  Notes notes;
  p.bind(notes);
  CHECK(notes.keys == std::vector<std::string>{"flit_bytes", "virtual_channels", "buffer_flits", "ejection_flits", "latency", "iterations",
                                               "arbitration"});
  CHECK(notes.defaults_in_range);
  CHECK(notes.default_offered);
  CHECK(notes.broken.empty());
}

TEST_CASE("iterations without an iterative arbitration is an ineffective key") {
  CrossbarParams p;
  p.arbitration = "round_robin";
  Notes one;
  p.bind(one);
  CHECK(one.broken.empty());
  p.iterations = 2;
  Notes two;
  p.bind(two);
  CHECK(two.broken == std::vector<std::string>{"iterations has no effect on this arbitration"});
}

TEST_CASE("link utilisation is busy cycles over the network's cycles, for the least, the mean and the most used link") {
  Harness h(params(1, 4, 4, 2), 2, 2);
  stats::Group clock(h.registry, "net");
  stats::Counter cycles(clock, "cycles", "edges of the network's clock", stats::Unit::cycles);
  derive_port_metrics(h.registry, "net.request", "net.cycles");
  h.offer(0, 0, 1, 5);
  h.offer(0, 1, 1, 3);  // waits 5 cycles for the first
  h.run(100);
  cycles += 20;
  const stats::Snapshot end = h.registry.snapshot();
  const stats::View view(h.registry, stats::Snapshot(end.size()), end);
  const auto value = [&](const std::string& name) {
    for (const auto& metric : h.registry.derived_metrics())
      if (metric.name == "net.request." + name) return metric.value(view);
    return -1.0;
  };
  CHECK(value("link_utilisation.min") == 0.0);                                  // output 0
  CHECK(value("link_utilisation.max") == Approx((5 + 3) / 20.0));               // output 1
  CHECK(value("link_utilisation.mean") == Approx((5 + 3 + 0 + 8) / 4.0 / 20));  // two inputs, two outputs
  CHECK(value("output_utilisation.max") == Approx((5 + 3) / 20.0));
  CHECK(value("packet_latency") == Approx(((2 + 4) + (5 + 2 + 2)) / 2.0));
  CHECK(value("network_latency") == Approx(((2 + 4) + (5 + 2 + 2)) / 2.0));
}

TEST_CASE("several crossbars of one prefix count their links apart") {
  stats::Registry registry;
  CrossbarLogic first(params(1, 4, 4, 2), 3, 2, registry, "net.cluster", 0);
  CrossbarLogic second(params(1, 4, 4, 2), 3, 2, registry, "net.cluster", 1);
  second.inject(0, {0, 1, 0, 1, 0}, 0);
  second.tick(0);
  std::vector<int> busy;
  for (const auto& entry : registry.counters())
    if (entry.name() == "busy" && entry.counter->value() == 1) busy.push_back(entry.instance);
  CHECK(busy == std::vector<int>{3 + 0, 2 + 1});
  CHECK(registry.broken_laws() ==
        std::vector<std::string>{"net.cluster[1]: packets == ejected.packets", "net.cluster[1]: flits == ejected.flits"});
}
