#pragma once
// Publishes the line directory at the end of every cycle in which a cache has reported to it.

#include "model/cache/line_directory.h"
#include "model/tlm/clock_domain.h"

namespace wharf {

class DirectoryCommit final : public Committed {
 public:
  explicit DirectoryCommit(LineDirectory& directory) : directory_(directory) {}
  void commit() override { directory_.commit(); }

 private:
  LineDirectory& directory_;
};

}  // namespace wharf
