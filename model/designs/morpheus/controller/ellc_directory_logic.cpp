#include <algorithm>
#include <string>

#include "model/base/error.h"
#include "model/designs/morpheus/controller/ellc_directory.h"

namespace wharf {

void EllcDirectory::apply(unsigned partition, unsigned row) {
  const std::uint32_t number = partition * EllcGeometry::kMostRows + row;
  Set& set = sets_[number];
  for (const Change& change : set.changes) {
    if (set_of(change.line) != (change.here ? SlotIndex::kNone : number))
      throw SimulationError("the extended LLC " + std::string(change.here ? "takes in line " : "gives up line ") +
                            std::to_string(change.line.number) + (change.here ? ", which it has already" : " where it is not"));
    if (change.here) {
      where_.insert(change.line.number, number);
      set.lines.push_back(change.line);
    } else {
      where_.erase(change.line.number, number);
      *std::find(set.lines.begin(), set.lines.end(), change.line) = set.lines.back();
      set.lines.pop_back();
    }
  }
  set.changes.clear();
}

}  // namespace wharf
