#pragma once
// A stimulus that can check its results.

#include <string>

namespace wharf {

class SelfChecking {
 public:
  virtual ~SelfChecking() = default;
  /// Called after the last kernel has drained. Returns true if every output equals that of a plain loop on the host; otherwise `why` names
  /// the first difference, or says that the run is incomplete.
  virtual bool check_results(std::string& why) const = 0;
};

}  // namespace wharf
