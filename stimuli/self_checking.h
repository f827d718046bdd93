#pragma once
// A stimulus that knows what it should have computed.

#include <string>

namespace wharf {

class SelfChecking {
 public:
  virtual ~SelfChecking() = default;
  /// After the last kernel has drained: true if every output equals that of a plain loop on the host. Otherwise `why` says what
  /// differs first, or that the run is not complete.
  virtual bool check_results(std::string& why) const = 0;
};

}  // namespace wharf
