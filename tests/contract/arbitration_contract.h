#pragma once
// The contract of every arbitration policy (policies/arbitration/port_allocator.h), in the catalogue or outside it.

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "policies/arbitration/port_allocator.h"

namespace wharf::arbitration {

struct Size {
  unsigned inputs, outputs, iterations;
};

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

inline Round random_round(const Size& size, std::mt19937& random, unsigned percent_asking, unsigned percent_free) {
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

inline std::vector<std::pair<unsigned, unsigned>> pairs(const Matching& matching) {
  std::vector<std::pair<unsigned, unsigned>> result;
  for (const Grant& grant : matching) result.emplace_back(grant.input, grant.output);
  return result;
}

/// Makes a policy in its initial state.
using MakeAllocator = std::function<std::unique_ptr<PortAllocator>(const Size& size)>;

// The checks. Each makes at most two policies.
inline void grants_a_matching(const MakeAllocator& make, const Size& size) {
  const auto policy = make(size);
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
}

inline void grants_all_that_does_not_compete(const MakeAllocator& make, const Size& size) {
  const auto policy = make(size);
  const unsigned competing = std::min(size.inputs, size.outputs);
  Matching matching;
  for (unsigned shift = 0; shift < competing; ++shift) {
    Round round(size);
    for (unsigned k = 0; k < competing; ++k) round.by_output[(k + shift) % competing].set(k);
    policy->allocate(round.view(), matching);
    CHECK(matching.size() == competing);
  }
}

inline void serves_among_all(const MakeAllocator& make, const Size& size) {
  // All inputs request all outputs: every pair must be granted within any inputs * outputs rounds.
  const auto policy = make(size);
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
}

inline void serves_among_some(const MakeAllocator& make, const Size& size) {
  const auto policy = make(size);
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
}

inline void keeps_still_when_idle(const MakeAllocator& make, const Size& size) {
  const auto plain = make(size);
  const auto interrupted = make(size);
  std::mt19937 random(3);
  Matching expected, matching;
  bool same = true, silent = true;
  for (unsigned r = 0; r < 200; ++r) {
    const Round round = random_round(size, random, 30, 70);
    Round idle = round;  // requests, but no output is free
    idle.outputs = {};
    Round busy = round;  // free outputs, but no input is free
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
}

}  // namespace wharf::arbitration
