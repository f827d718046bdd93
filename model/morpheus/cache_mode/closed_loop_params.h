#pragma once
// Parameters of the closed loop that characterises a cache-mode SM (morpheus section 9.2).

#include "model/base/config/binder.h"

namespace wharf {

struct ClosedLoopParams {
  bool networks = true;

  void bind(config::Binder& b) {
    b.flag("networks", networks, "reads and their results cross the networks; false: nothing is between the loop and the SM");
  }
};

}  // namespace wharf
