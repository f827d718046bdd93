#pragma once
// Parameters of the closed loop that characterises a cache-mode SM (morpheus section 9.2).

#include "model/base/config/binder.h"

namespace wharf {

struct ClosedLoopParams {
  bool networks = true;

  void bind(config::Binder& b) {
    b.flag("networks", networks, "reads and their results cross the networks; false: the loop is bound to the SM directly");
  }
};

}  // namespace wharf
