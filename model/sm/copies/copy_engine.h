#pragma once
// The copy engine of an SM, which performs bulk copies in the order of their issue (CL-8, CL-9). A copy reads each line of global memory
// once, past the L1. The engine then writes the line to the shared memory of each CTA that receives it, through the cluster port.
//
// Each call that hands out an access must be preceded by the predicate beside it.

#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/base/barriers/bulk_copy.h"
#include "model/base/cluster_member.h"
#include "model/base/stats/stats.h"
#include "model/sm/copies/copy_params.h"

namespace wharf {

class CopyEngine {
 public:
  CopyEngine(const CopyParams& params, stats::Registry& registry, unsigned sm);

  /// Starts a copy in cycle `now`, to the CTAs at `places`. `like` has the fields that all its accesses share.
  void start(const BulkCopy& copy, std::vector<CtaPlace> places, const Access& like, Cycle now);

  /// The next line may be requested from cycle next_request() on; kNever if there is none, or too many are in flight.
  Cycle next_request() const;
  const Access& like_of_request() const { return copies_[order_.front()].like; }
  void request(Access& access, Cycle now);
  /// The data of a line arrive in cycle `at`, later than the present one.
  void returned(const Access& line, Cycle at);

  /// The next line may be written to the next CTA from cycle next_delivery() on; kNever if there is none.
  Cycle next_delivery() const { return arrived_.empty() ? kNever : arrived_.front().at; }
  const Access& like_of_delivery() const { return copies_[arrived_.front().copy].like; }
  void deliver(Access& access);
  /// An access of deliver() has been acknowledged. Returns true if it was the last of its copy.
  bool acknowledged(const Access& access);
  /// Another engine's or the own copy has written `bytes` here.
  void received(std::uint32_t bytes) { delivered_bytes_ += bytes; }

  bool idle() const { return order_.empty() && in_flight_ == 0 && free_.size() == copies_.size(); }
  std::uint64_t bytes() const { return bytes_.value(); }
  std::uint64_t delivered_bytes() const { return delivered_bytes_.value(); }
  /// Called between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.expect_quiet(idle(), group_.path());
    file(pace_);
  }

 private:
  struct Copy {
    BulkCopy what;
    std::vector<CtaPlace> places;
    Access like;
    Cycle start = 0;
    std::uint32_t requested = 0;       // bytes
    std::uint32_t unacknowledged = 0;  // bytes, summed over the CTAs
  };
  /// A line at the SM.
  struct Arrived {
    Cycle at = 0;
    std::uint32_t copy = 0;
    std::uint32_t offset = 0, bytes = 0;  // in the copy
    std::uint32_t written = 0;            // CTAs
  };
  /// The bytes of the copy in the line of its byte `offset`.
  static std::uint32_t bytes_in_line(const BulkCopy& copy, std::uint32_t offset);

  const CopyParams params_;
  stats::Group group_;
  stats::Counter copies_started_, lines_, multicast_lines_, bytes_, delivered_bytes_;
  std::vector<Copy> copies_;          // [Access::slot]
  std::vector<std::uint32_t> free_;   // unused places of copies_
  std::vector<std::uint32_t> order_;  // copies with lines that have not been requested
  std::vector<Arrived> arrived_;      // in order of `at`
  std::uint32_t in_flight_ = 0;       // lines
  Cycle pace_ = 0;                    // from when the next line may be requested
};

}  // namespace wharf
