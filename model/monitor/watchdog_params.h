#pragma once
// Keys of the watchdog.

#include <cstdint>

#include "model/base/config/binder.h"

namespace wharf {

struct WatchdogParams {
  std::uint64_t interval_cycles = 100'000;

  void bind(config::Binder& binder);
};

}  // namespace wharf
