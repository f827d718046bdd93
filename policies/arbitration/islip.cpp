#include "policies/arbitration/islip.h"

#include "model/base/archive.h"

#include <algorithm>

namespace wharf::arbitration {

void Islip::allocate(const RequestView& requests, Matching& matching) {
  matching.clear();
  PortMask inputs = requests.inputs;
  PortMask outputs = requests.outputs;
  for (unsigned iteration = 0; iteration < iterations_; ++iteration) {
    PortMask granted;
    outputs.for_each([&](unsigned output) {
      const PortMask asking = requests.by_output[output] & inputs;
      if (asking.none()) return;
      const unsigned input = asking.next_from(grant_from_[output]);
      // Of several granting outputs, the input takes the first from its pointer on, wrapping around.
      const unsigned ahead = (output - accept_from_[input]) % kMaxPorts;
      nearest_[input] = std::min(nearest_[input], static_cast<std::uint8_t>(ahead));
      granted.set(input);
    });
    if (granted.none()) return;
    granted.for_each([&](unsigned input) {
      const unsigned output = (accept_from_[input] + nearest_[input]) % kMaxPorts;
      nearest_[input] = kMaxPorts;
      matching.add(input, output);
      outputs.clear(output);
      if (iteration != 0) return;
      grant_from_[output] = static_cast<std::uint8_t>(input + 1 == inputs_ ? 0 : input + 1);
      accept_from_[input] = static_cast<std::uint8_t>(output + 1 == outputs_ ? 0 : output + 1);
    });
    inputs = inputs.without(granted);
  }
}

bool Islip::archive(Archive& file) {
  file(grant_from_, accept_from_, nearest_);
  return true;
}

}  // namespace wharf::arbitration
