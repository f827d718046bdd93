#include "stimuli/spmd/bulk_stores.h"

#include <string>

#include "model/base/error.h"

namespace wharf::spmd {

void BulkStores::refuse_copy(std::uint32_t first, std::uint32_t count, std::uint64_t there, std::uint64_t room) const {
  throw InputError(w_.launch_.name + ": a bulk copy of " + std::to_string(count) + " elements from element " + std::to_string(first) +
                   " of " + std::to_string(there) + ", to an array of " + std::to_string(room) + "; keep it within both arrays");
}

}  // namespace wharf::spmd
