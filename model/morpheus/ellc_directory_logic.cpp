#include <algorithm>
#include <string>

#include "model/base/error.h"
#include "model/morpheus/ellc_directory.h"

namespace wharf {

void EllcDirectory::commit() {
  for (const Change& change : changes_) {
    std::vector<LineAddress>& set = sets_[change.set];
    if (where_.find(change.line.number) != (change.install ? LineMap::kAbsent : change.set))
      throw SimulationError("the extended LLC " + std::string(change.install ? "takes in line " : "gives up line ") +
                            std::to_string(change.line.number) + (change.install ? ", which it has already" : " where it is not"));
    if (change.install) {
      where_.insert(change.line.number, change.set);
      set.push_back(change.line);
    } else {
      where_.erase(change.line.number);
      *std::find(set.begin(), set.end(), change.line) = set.back();
      set.pop_back();
    }
  }
  changes_.clear();
}

}  // namespace wharf
