// Random traffic: nothing is lost, duplicated or overtaken, and the result does not depend on how the network is driven.

#include <catch2/catch.hpp>
#include <numeric>

#include "tests/unit/network/crossbar/crossbar_flits.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

struct Shape {
  unsigned inputs, outputs, vcs, buffer, ejection, latency, max_flits, gap;
  const char* arbitration;
};

// Small, wide, tight, long, and lopsided networks. The first ones have the smallest possible buffers.
const Shape kShapes[] = {
    {4, 4, 1, 1, 1, 1, 1, 1, "islip"},     {5, 3, 4, 1, 1, 1, 64, 20, "islip"},  {3, 5, 16, 1, 1, 7, 9, 3, "round_robin"},
    {80, 32, 4, 4, 16, 2, 5, 5, "islip"},  {32, 80, 4, 4, 16, 2, 5, 2, "islip"}, {80, 64, 1, 512, 512, 8, 1, 2, "islip"},
    {128, 128, 2, 8, 4, 4, 5, 6, "islip"}, {65, 2, 2, 3, 2, 3, 4, 90, "islip"},  {10, 10, 3, 8, 8, 4, 2, 200, "round_robin"},
};

struct Sent {
  unsigned input, output, vc;
};

// A destination that refuses in about a third of the cycles, in bursts.
bool sometimes(unsigned output, Cycle now) { return ((now / 5) * 2654435761u + output * 40503u) % 97 >= 32; }

std::vector<Sent> load(Harness& h, const Shape& shape, unsigned packets, unsigned seed, CrossbarFlitByFlit* plain = nullptr) {
  std::mt19937 random(seed);
  std::vector<Sent> sent;
  std::vector<Cycle> at(shape.inputs);
  for (unsigned p = 0; p < packets; ++p) {
    const unsigned input = random() % shape.inputs;
    at[input] += random() % (2 * shape.gap);
    const Sent s{input, static_cast<unsigned>(random() % shape.outputs), static_cast<unsigned>(random() % shape.vcs)};
    const unsigned flits = 1 + random() % shape.max_flits;
    h.offer(at[input], s.input, s.output, flits, s.vc);
    if (plain != nullptr) plain->offer(at[input], s.input, s.output, flits, s.vc);
    sent.push_back(s);
  }
  h.takes = sometimes;
  if (plain != nullptr) plain->takes = sometimes;
  return sent;
}

CrossbarParams params_of(const Shape& s) {
  CrossbarParams p = params(s.vcs, s.buffer, s.ejection, s.latency);
  p.arbitration = s.arbitration;
  return p;
}

constexpr unsigned kPackets = 3000;
constexpr Cycle kLong = 1'000'000;

}  // namespace

TEST_CASE("nothing is lost, doubled or misrouted, and packets of one source and channel for one destination stay in order") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.inputs, shape.outputs, shape.vcs, shape.buffer);
    Harness h(params_of(shape), shape.inputs, shape.outputs);
    const std::vector<Sent> sent = load(h, shape, kPackets, 3);
    h.run(kLong);
    REQUIRE(h.deliveries.size() == kPackets);
    std::vector<bool> seen(kPackets);
    std::vector<std::int64_t> last(shape.inputs * shape.vcs * shape.outputs, -1);
    bool once = true, routed = true, ordered = true;
    for (const Delivery& d : h.deliveries) {
      const Sent& s = sent[d.handle];
      once = once && !seen[d.handle];
      seen[d.handle] = true;
      routed = routed && d.output == s.output;
      std::int64_t& before = last[(s.input * shape.vcs + s.vc) * shape.outputs + s.output];
      ordered = ordered && before < static_cast<std::int64_t>(d.handle);
      before = d.handle;
    }
    CHECK(once);
    CHECK(routed);
    CHECK(ordered);
    CHECK(h.logic.in_flight() == 0);
    CHECK(h.logic.next_event(kLong) == kNever);
    CHECK(h.registry.broken_laws() == std::vector<std::string>{});
    CHECK(h.count("ejected.packets") == kPackets);
    CHECK(h.count("packet_latency_sum") >= h.count("network_latency_sum"));
  }
}

TEST_CASE("ticking every cycle and ticking only when named give the same deliveries and counts") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.inputs, shape.outputs, shape.vcs, shape.buffer);
    Harness every(params_of(shape), shape.inputs, shape.outputs), named(params_of(shape), shape.inputs, shape.outputs);
    load(every, shape, kPackets, 4);
    load(named, shape, kPackets, 4);
    every.run(kLong, Drive::ticking);
    named.run(kLong, Drive::events);
    CHECK(every.deliveries == named.deliveries);
    CHECK(every.registry.snapshot() == named.registry.snapshot());
    CHECK(named.ticks <= every.ticks);
  }
}

TEST_CASE("every packet is delivered in the cycle in which a crossbar of single flits delivers it") {
  // From an eighth of each shape's load to eight times as much, with the shape's buffers and with the default ones.
  for (const Shape& named : kShapes)
    for (const bool defaults : {false, true})
      for (const unsigned load_factor : {1u, 8u, 64u}) {
        Shape shape = named;
        if (defaults) {
          shape.buffer = CrossbarParams{}.buffer_flits;
          shape.ejection = CrossbarParams{}.ejection_flits;
        }
        shape.gap = std::max(1u, named.gap * 8 / load_factor);
        CAPTURE(shape.inputs, shape.outputs, shape.vcs, shape.buffer, shape.gap);
        CrossbarParams p = params_of(shape);
        p.iterations = defaults && named.arbitration == std::string("islip") ? 2 : 1;
        Harness runs(p, shape.inputs, shape.outputs);
        CrossbarFlitByFlit flits(p, shape.inputs, shape.outputs);
        load(runs, shape, 600, load_factor, &flits);
        runs.run(kLong, Drive::events);
        flits.run(kLong);
        CHECK(runs.deliveries.size() == 600);
        CHECK(runs.deliveries == flits.deliveries);
      }
}

TEST_CASE("with classes too every packet is delivered in the cycle in which a crossbar of single flits delivers it") {
  constexpr unsigned kClasses = 3, kOutputs = 8;
  for (const unsigned buffer : {1u, 4u})
    for (const unsigned gap : {2u, 20u}) {
      CAPTURE(buffer, gap);
      const CrossbarParams p = params(3, buffer, buffer, 2);
      Harness runs(p, 28, kOutputs, kClasses);
      CrossbarFlitByFlit flits(p, 28, kOutputs, kClasses);
      std::mt19937 random(gap);
      std::vector<Cycle> at(28);
      for (unsigned n = 0; n < 1000; ++n) {
        const unsigned input = random() % 28, cls = random() % kClasses, place = random() % kOutputs * kClasses + cls;
        const unsigned length = 1 + random() % 5;
        at[input] += random() % gap;
        runs.offer(at[input], input, place, length, cls);
        flits.offer(at[input], input, place, length, cls);
      }
      runs.takes = flits.takes = sometimes;
      runs.run(kLong, Drive::events);
      flits.run(kLong);
      CHECK(runs.deliveries.size() == 1000);
      CHECK(runs.deliveries == flits.deliveries);
    }
}

TEST_CASE("classes of a crossbar share its links, and one that is not taken stops no other") {
  constexpr unsigned kClasses = 3, kOutputs = 8;
  for (const unsigned buffer : {1u, 4u}) {
    CAPTURE(buffer);
    const CrossbarParams p = params(3, buffer, buffer, 2);
    Harness every(p, 28, kOutputs, kClasses), named(p, 28, kOutputs, kClasses);
    std::mt19937 random(11);
    std::vector<Cycle> at(28);
    std::vector<unsigned> place_of;
    for (unsigned n = 0; n < kPackets; ++n) {
      const unsigned input = random() % 28, cls = random() % kClasses, place = random() % kOutputs * kClasses + cls;
      const unsigned flits = 1 + random() % 5;
      at[input] += random() % 20;
      for (Harness* h : {&every, &named}) h->offer(at[input], input, place, flits, cls);
      place_of.push_back(place);
    }
    // The first class is not taken at all until the others have long been delivered.
    const auto last_first = [](unsigned place, Cycle now) { return place % kClasses != 0 || now >= 50'000; };
    every.takes = named.takes = last_first;
    every.run(40'000);
    unsigned others = 0, misplaced = 0;
    for (const unsigned place : place_of) others += place % kClasses != 0;
    CHECK(every.deliveries.size() == others);
    every.run(kLong);
    named.run(kLong, Drive::events);
    for (const Delivery& d : every.deliveries) misplaced += d.output != place_of[d.handle];
    CHECK(misplaced == 0);
    CHECK(every.deliveries.size() == kPackets);
    CHECK(every.deliveries == named.deliveries);
    CHECK(every.registry.snapshot() == named.registry.snapshot());
    CHECK(every.registry.broken_laws() == std::vector<std::string>{});
  }
}

TEST_CASE("a sparsely used crossbar is ticked only when something moves") {
  Harness h(params(1, 4, 4, 8), 4, 4);
  for (unsigned p = 0; p < 100; ++p) h.offer(p * 1000, p % 4, p * 3 % 4, 2);
  h.run(kLong, Drive::events);
  CHECK(h.deliveries.size() == 100);
  CHECK(h.ticks == 100 * 2);  // one for each flit
}

TEST_CASE("the order in which inputs are served within a cycle changes nothing") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.inputs, shape.outputs, shape.vcs, shape.buffer);
    Harness ascending(params_of(shape), shape.inputs, shape.outputs), shuffled(params_of(shape), shape.inputs, shape.outputs);
    std::mt19937 random(9);
    std::shuffle(shuffled.order.begin(), shuffled.order.end(), random);
    load(ascending, shape, kPackets, 5);
    load(shuffled, shape, kPackets, 5);
    ascending.run(kLong);
    shuffled.run(kLong);
    CHECK(ascending.deliveries == shuffled.deliveries);
    CHECK(ascending.registry.snapshot() == shuffled.registry.snapshot());
  }
}

TEST_CASE("every packet's network latency is the unloaded one or more, and the histograms agree with the sums") {
  const Shape& shape = kShapes[3];
  Harness h(params_of(shape), shape.inputs, shape.outputs);
  load(h, shape, kPackets, 6);
  h.run(kLong);
  CHECK(h.count("network_latency_sum") >= shape.latency * kPackets + h.count("flits") - kPackets);
  unsigned checked = 0;
  for (const auto& entry : h.registry.histograms()) {
    CHECK(entry.histogram->count() == kPackets);
    CHECK(entry.histogram->sum() == h.count(entry.name + "_sum"));
    ++checked;
  }
  CHECK(checked == 2);
}
