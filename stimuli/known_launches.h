#pragma once
// A stimulus whose launches are known before its first kernel runs, so that one which does not fit the machine is refused then.

#include <vector>

#include "stimuli/stimulus.h"

namespace wharf {

class KnownLaunches {
 public:
  virtual ~KnownLaunches() = default;
  virtual std::vector<KernelLaunch> known_launches() const = 0;
};

}  // namespace wharf
