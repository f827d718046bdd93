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

/// True for a part of a copy on its way to shared memory; other accesses of this kind are arrivals at an mbarrier.
inline bool is_copied(const Access& access) { return access.kind == AccessKind::shared && access.sectors != 0; }

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
  const Access& like_of_delivery() const { return copies_[lines_[arrived_.front().line].copy].like; }
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
    std::uint32_t requested = 0;       // bytes, of those that are read
    std::uint32_t unacknowledged = 0;  // bytes, summed over the CTAs
  };
  /// A line that has been requested, or what a copy fills without reading it.
  struct Line {
    std::uint32_t copy = 0;
    std::uint32_t offset = 0, bytes = 0;  // in the shared memory that the copy writes
    std::uint32_t written = 0;            // CTAs
  };
  struct Arrived {
    Cycle at = 0;
    std::uint32_t line = 0;
  };
  std::uint32_t add_line(const Line& line);
  void add_arrived(std::uint32_t line, Cycle at);

  const CopyParams params_;
  stats::Group group_;
  stats::Counter copies_started_, lines_requested_, multicast_lines_, bytes_, delivered_bytes_;
  std::vector<Copy> copies_;               // [Access::slot of a delivery]
  std::vector<std::uint32_t> free_;        // unused places of copies_
  std::vector<std::uint32_t> order_;       // copies with lines that have not been requested
  std::vector<Line> lines_;                // [Access::slot of a request]
  std::vector<std::uint32_t> free_lines_;  // unused places of lines_
  std::vector<Arrived> arrived_;           // in order of `at`
  std::uint32_t in_flight_ = 0;            // lines that are fetched or wait to be written
  Cycle pace_ = 0;                         // from when the next line may be requested
};

}  // namespace wharf
