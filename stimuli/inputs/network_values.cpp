#include "stimuli/inputs/network_values.h"

namespace wharf {

double WeightSource::draw() {
  // The sum of four uniform numbers has variance 1/3. It needs no logarithm, whose last bit differs between libraries.
  double sum = -2.0;
  for (int i = 0; i < 4; ++i) sum += random_.unit();
  return sum * 1.7320508 * 0.03;
}

void ActivationSource::start_map() {
  dead_ = random_.below(14) == 0;
  zero_ = random_.chance(0.5);
}

double ActivationSource::draw() {
  if (random_.below(12) == 0) zero_ = !zero_;
  const double value = random_.unit();
  return dead_ || zero_ ? 0.0 : value;
}

}  // namespace wharf
