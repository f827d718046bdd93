// What every arbitration policy of the catalogue must keep (policies/arbitration/port_allocator.h).

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "model/base/error.h"
#include "policies/arbitration/catalogue.h"
#include "policies/arbitration/small_islip.h"

using namespace wharf;
using namespace wharf::arbitration;

namespace {

struct Size {
  unsigned inputs, outputs, iterations;
};
const Size kSizes[] = {{1, 1, 1}, {1, 5, 1}, {5, 1, 2}, {4, 4, 1}, {3, 7, 3}, {80, 64, 1}, {65, 128, 2}, {128, 128, 1}};

// One round's requests, with their own storage.
struct Round {
  explicit Round(const Size& size)
      : by_output(size.outputs), inputs(PortMask::first(size.inputs)), outputs(PortMask::first(size.outputs)) {}
  RequestView view() const { return {by_output.data(), inputs, outputs}; }
  bool legal(unsigned input, unsigned output) const { return inputs.test(input) && outputs.test(output) && by_output[output].test(input); }
  bool asks_for_anything() const {
    bool any = false;
    outputs.for_each([&](unsigned output) { any = any || by_output[output].intersects(inputs); });
    return any;
  }

  std::vector<PortMask> by_output;
  PortMask inputs, outputs;
};

Round random_round(const Size& size, std::mt19937& random, unsigned percent_asking, unsigned percent_free) {
  Round round(size);
  for (unsigned o = 0; o < size.outputs; ++o) {
    if (random() % 100 >= percent_free) round.outputs.clear(o);
    for (unsigned i = 0; i < size.inputs; ++i)
      if (random() % 100 < percent_asking) round.by_output[o].set(i);
  }
  for (unsigned i = 0; i < size.inputs; ++i)
    if (random() % 100 >= percent_free) round.inputs.clear(i);
  return round;
}

std::vector<std::pair<unsigned, unsigned>> pairs(const Matching& matching) {
  std::vector<std::pair<unsigned, unsigned>> result;
  for (const Grant& grant : matching) result.emplace_back(grant.input, grant.output);
  return result;
}

// Runs `body(name, size)` for every policy and size.
template <class Body>
void for_every_policy(Body&& body) {
  REQUIRE_FALSE(catalogue_names().empty());
  for (const auto& policy : catalogue_names())
    for (const Size& size : kSizes) {
      CAPTURE(policy.name, size.inputs, size.outputs, size.iterations);
      body(policy.name, size);
    }
}

}  // namespace

TEST_CASE("arbitration grants a matching of requests, and something wherever something is asked for") {
  for_every_policy([](const std::string& name, const Size& size) {
    const auto policy = make(name, size.inputs, size.outputs, size.iterations);
    std::mt19937 random(1);
    Matching matching;
    bool legal = true, once = true, progress = true;
    for (unsigned r = 0; r < 300; ++r) {
      const Round round = random_round(size, random, 1 + random() % 60, 10 + random() % 91);
      policy->allocate(round.view(), matching);
      PortMask inputs, outputs;
      for (const Grant& grant : matching) {
        legal = legal && round.legal(grant.input, grant.output);
        once = once && !inputs.test(grant.input) && !outputs.test(grant.output);
        inputs.set(grant.input);
        outputs.set(grant.output);
      }
      progress = progress && (matching.size() != 0) == round.asks_for_anything();
    }
    CHECK(legal);
    CHECK(once);
    CHECK(progress);
  });
}

TEST_CASE("arbitration grants requests that do not compete all at once") {
  for_every_policy([](const std::string& name, const Size& size) {
    const auto policy = make(name, size.inputs, size.outputs, size.iterations);
    const unsigned competing = std::min(size.inputs, size.outputs);
    Matching matching;
    for (unsigned shift = 0; shift < competing; ++shift) {
      Round round(size);
      for (unsigned k = 0; k < competing; ++k) round.by_output[(k + shift) % competing].set(k);
      policy->allocate(round.view(), matching);
      CHECK(matching.size() == competing);
    }
  });
}

TEST_CASE("arbitration serves a standing request within inputs times outputs rounds, among all others") {
  for_every_policy([](const std::string& name, const Size& size) {
    // All ask for all: every pair must come up in every span of inputs * outputs rounds.
    const auto policy = make(name, size.inputs, size.outputs, size.iterations);
    const unsigned bound = size.inputs * size.outputs;
    if (bound > 6000) return;  // the same code as for the smaller sizes, at a thousand times the work
    Round round(size);
    for (PortMask& mask : round.by_output) mask = PortMask::first(size.inputs);
    std::vector<unsigned> last(bound, 0);
    Matching matching;
    unsigned longest = 0;
    for (unsigned r = 1; r <= 3 * bound; ++r) {
      policy->allocate(round.view(), matching);
      for (const Grant& grant : matching) {
        unsigned& before = last[grant.input * size.outputs + grant.output];
        longest = std::max(longest, r - before);
        before = r;
      }
    }
    for (const unsigned before : last) longest = std::max(longest, 3 * bound + 1 - before);
    CHECK(longest <= bound);
  });
}

TEST_CASE("arbitration serves a standing request within inputs times outputs rounds, among requests that come and go") {
  for_every_policy([](const std::string& name, const Size& size) {
    const auto policy = make(name, size.inputs, size.outputs, size.iterations);
    const unsigned bound = size.inputs * size.outputs;
    std::mt19937 random(2);
    Matching matching;
    unsigned longest = 0;
    for (unsigned trial = 0; trial < 20; ++trial) {
      const unsigned input = random() % size.inputs, output = random() % size.outputs;
      unsigned waited = 0;
      for (bool served = false; !served && waited <= bound;) {
        Round round = random_round(size, random, 50, 80);
        round.inputs.set(input);
        round.outputs.set(output);
        round.by_output[output].set(input);
        policy->allocate(round.view(), matching);
        ++waited;
        for (const Grant& grant : matching) served = served || (grant.input == input && grant.output == output);
      }
      longest = std::max(longest, waited);
    }
    CHECK(longest <= bound);
  });
}

TEST_CASE("arbitration does not change in a round in which nothing is asked for, and depends on its requests only") {
  for_every_policy([](const std::string& name, const Size& size) {
    const auto plain = make(name, size.inputs, size.outputs, size.iterations);
    const auto interrupted = make(name, size.inputs, size.outputs, size.iterations);
    std::mt19937 random(3);
    Matching expected, matching;
    bool same = true, silent = true;
    for (unsigned r = 0; r < 200; ++r) {
      const Round round = random_round(size, random, 30, 70);
      Round idle = round;  // requests, but for no output that is free
      idle.outputs = {};
      Round busy = round;  // free outputs, but no input is
      busy.inputs = {};
      for (const Round* nothing : {&idle, &busy}) {
        interrupted->allocate(nothing->view(), matching);
        silent = silent && matching.size() == 0;
      }
      plain->allocate(round.view(), expected);
      interrupted->allocate(round.view(), matching);
      same = same && pairs(matching) == pairs(expected);
    }
    CHECK(silent);
    CHECK(same);
  });
}

TEST_CASE("arbitration refuses sizes that it cannot serve and names that it does not know") {
  for (const auto& policy : catalogue_names()) {
    CAPTURE(policy.name);
    CHECK_FALSE(policy.help.empty());
    CHECK_THROWS_AS(make(policy.name, 0, 4, 1), InputError);
    CHECK_THROWS_AS(make(policy.name, 4, 0, 1), InputError);
    CHECK_THROWS_AS(make(policy.name, kMaxPorts + 1, 4, 1), InputError);
    CHECK_THROWS_AS(make(policy.name, 4, kMaxPorts + 1, 1), InputError);
    CHECK_THROWS_AS(make(policy.name, 4, 4, 0), InputError);
  }
  CHECK_THROWS_WITH(make("lru", 4, 4, 1), Catch::Matchers::Contains("unknown arbitration policy 'lru'; choose one of islip, round_robin"));
}

TEST_CASE("arbitration: the small iSLIP of a router gives the same answers as iSLIP") {
  for (const unsigned ports : {1u, 2u, 5u, 6u, 16u})
    for (const unsigned iterations : {1u, 2u, 4u}) {
      CAPTURE(ports, iterations);
      const auto islip = make("islip", ports, ports, iterations);
      SmallIslip small;
      std::mt19937 random(ports * 10 + iterations);
      Matching matching;
      unsigned different = 0, matched = 0;
      for (unsigned round = 0; round < 2000; ++round) {
        const Round asked = random_round({ports, ports, iterations}, random, round % 3 == 0 ? 60 : 15, 80);
        islip->allocate(asked.view(), matching);
        SmallIslip::Ports by_output[SmallIslip::kPorts] = {};
        unsigned outputs = 0;
        for (unsigned o = 0; o < ports; ++o) {
          for (unsigned i = 0; i < ports; ++i)
            if (asked.legal(i, o)) by_output[o] = static_cast<SmallIslip::Ports>(by_output[o] | 1u << i);
          if (by_output[o] != 0) outputs |= 1u << o;
        }
        std::vector<std::pair<unsigned, unsigned>> granted;
        small.allocate(by_output, static_cast<SmallIslip::Ports>(outputs), ports, iterations,
                       [&](unsigned input, unsigned output) { granted.emplace_back(input, output); });
        different += granted != pairs(matching);
        matched += matching.size();
      }
      CHECK(different == 0);
      CHECK(matched > 300);
    }
}
