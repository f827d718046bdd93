#include "policies/arbitration/round_robin.h"

#include "model/base/archive.h"

namespace wharf::arbitration {

void RoundRobin::allocate(const RequestView& requests, Matching& matching) {
  matching.clear();
  PortMask asking;
  requests.outputs.for_each([&](unsigned output) {
    const PortMask inputs = requests.by_output[output] & requests.inputs;
    inputs.for_each([&](unsigned input) { wanted_[input].set(output); });
    asking |= inputs;
  });
  if (asking.none()) return;

  PortMask free = requests.outputs;
  while (asking.any()) {
    const unsigned input = asking.next_from(first_);
    asking.clear(input);
    const PortMask choice = wanted_[input] & free;
    wanted_[input] = {};
    if (choice.none()) continue;
    const unsigned output = choice.next_from(take_from_[input]);
    free.clear(output);
    matching.add(input, output);
    // Only the input served first moves its pointer, because it had the full choice. A later input may have skipped an output that was
    // taken, and an output that is skipped repeatedly would starve.
    if (input == first_) take_from_[input] = static_cast<std::uint8_t>(output + 1 == outputs_ ? 0 : output + 1);
  }
  first_ = first_ + 1 == inputs_ ? 0 : first_ + 1;
}

bool RoundRobin::archive(Archive& file) {
  file(first_, take_from_, wanted_);
  return true;
}

}  // namespace wharf::arbitration
