// Throughput according to queueing theory and the iSLIP paper: head-of-line blocking at 2 - sqrt(2), and none where there must be none.

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/network/crossbar/crossbar_harness.h"

using namespace wharf;
using namespace wharf::network;
using namespace wharf::network::testing;

namespace {

// Sources that always have a packet for every free register. `next` gives its destination and channel.
struct Saturated {
  Saturated(const CrossbarParams& p, unsigned inputs, unsigned outputs)
      : logic(p, inputs, outputs, registry, "net"), vcs(p.virtual_channels) {}

  template <class Next>
  double flits_per_output(Cycle warm_up, Cycle cycles, Next&& next) {
    std::uint64_t taken = 0;
    for (Cycle now = 0; now < warm_up + cycles; ++now) {
      const PlaceMask arrived = logic.ejected(now);
      arrived.for_each([&](unsigned output) { taken += logic.pop(output, now).flits * (now >= warm_up ? 1 : 0); });
      for (unsigned input = 0; input < logic.inputs(); ++input)
        for (unsigned vc = 0; vc < vcs; ++vc)
          if (logic.can_inject(input, vc)) {
            CrossbarPacket packet = next(input, vc);
            packet.vc = static_cast<std::uint8_t>(vc);
            packet.enqueued = now;
            logic.inject(input, packet, now);
          }
      logic.tick(now);
    }
    return static_cast<double>(taken) / static_cast<double>(cycles) / logic.outputs();
  }

  stats::Registry registry;
  CrossbarLogic logic;
  unsigned vcs;
};

CrossbarPacket to(unsigned output, unsigned flits = 1) {
  CrossbarPacket packet;
  packet.output = static_cast<std::uint16_t>(output);
  packet.flits = static_cast<std::uint8_t>(flits);
  return packet;
}

double uniform(const CrossbarParams& p, unsigned flits) {
  Saturated s(p, 64, 64);
  std::mt19937 random(11);
  return s.flits_per_output(1000, 4000, [&](unsigned, unsigned) { return to(random() % 64, flits); });
}

}  // namespace

TEST_CASE("one FIFO an input saturates under uniform traffic at 2 - sqrt 2 of a link") {
  const double head_of_line = 2 - std::sqrt(2.0);
  CHECK(uniform(params(1, 512, 512, 8), 1) == Approx(head_of_line).margin(0.02));
}

TEST_CASE("four virtual channels relieve head-of-line blocking as far as the iterations can match them") {
  const double one_channel = uniform(params(1, 512, 512, 8), 1);
  CrossbarParams p = params(4, 512, 512, 8);
  const double one_iteration = uniform(p, 1);
  CHECK(one_iteration > one_channel + 0.01);
  // Outputs that grant blindly leave an input without a grant with probability (1 - 1/N)^N, about 1/e.
  CHECK(one_iteration == Approx(1 - std::exp(-1.0)).margin(0.03));
  p.iterations = 4;
  CHECK(uniform(p, 1) > one_channel + 0.15);
}

TEST_CASE("a permutation passes at one flit an output and cycle for every arbitration") {
  for (const char* policy : {"islip", "round_robin"})
    for (const unsigned flits : {1u, 5u}) {
      CAPTURE(policy, flits);
      CrossbarParams p = params(1, 4, 8, 2);
      p.arbitration = policy;
      Saturated s(p, 100, 100);
      CHECK(s.flits_per_output(10, 1000, [&](unsigned input, unsigned) { return to((input * 37 + 5) % 100, flits); }) == 1.0);
    }
}

TEST_CASE("the pointers of iSLIP fall out of step, so that a channel for each output gives full throughput") {
  CrossbarParams p = params(8, 8, 8, 1);
  Saturated s(p, 8, 8);
  CHECK(s.flits_per_output(500, 1000, [](unsigned, unsigned vc) { return to(vc); }) == 1.0);
}

TEST_CASE("an output that all inputs want is busy in every cycle and shared equally") {
  Saturated s(params(1, 4, 8, 2), 80, 1);
  CHECK(s.flits_per_output(10, 80 * 5 * 20, [](unsigned, unsigned) { return to(0, 5); }) == 1.0);
  const stats::Snapshot end = s.registry.snapshot();
  const stats::View view(s.registry, stats::Snapshot(end.size()), end);
  CHECK(view.instances("net.input_link.busy") == 80);
  CHECK(view.max("net.input_link.busy") - view.min("net.input_link.busy") <= 5);
}
