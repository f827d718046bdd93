#pragma once
// The copy engine of an SM, which performs bulk copies in the order of their issue (CL-8, CL-9). A copy reads line by line, from global
// memory past the L1 or from the SM's shared memory through the cluster port. The engine writes each line to the shared memory of each CTA
// that receives it, through the cluster port, or to global memory past the L1. With multicast_at: gpc, CTAs on other SMs get what is read
// of global memory with copies of the reply instead, of which the engine hears nothing.
//
// Each call that hands out an access must be preceded by the predicate beside it.

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/access.h"
#include "model/base/barriers/bulk_copy.h"
#include "model/base/cluster_member.h"
#include "model/base/stats/stats.h"
#include "model/sm/coalescer.h"
#include "model/sm/copies/copy_params.h"

namespace wharf {

class CopyEngine {
 public:
  enum Memory : unsigned { global, shared, nowhere };

  /// The names of a copy: of one to global memory in its warp's AsyncOperations, and of its origin in the cycle stack, if there is one.
  struct Names {
    std::uint8_t reads = 0, whole = 0;
    std::uint16_t origin = 0;
  };
  /// What an answer completes, from cycle `at` on.
  struct Completed {
    bool reads = false;  // of shared memory by a copy
    bool whole = false;
    bool in_group = false;  // the copy is one of its warp's groups
    Names names = {};
    Cycle at = 0;
  };

  CopyEngine(const CopyParams& params, stats::Registry& registry, unsigned sm);

  /// Starts a copy of the CTA at `own` in cycle `now`, to the CTAs at `places`. `like` has the fields that all its accesses share, and
  /// `cluster` is the number of their cluster.
  void start(const BulkCopy& copy, CtaPlace own, std::vector<CtaPlace> places, const Access& like, Names names, Cycle now,
             std::uint32_t cluster = 0);

  /// The next line may be read from `memory` from cycle next_read() on; kNever if there is none, or too many are in flight.
  Cycle next_read(Memory memory) const;
  const Access& like_of_read() const { return copies_[order_.front()].like; }
  void read(Access& access, Cycle now);
  /// Calls add(write) for each CTA that gets the line of `read` with a copy of the reply.
  template <class Add>
  void copy_reply(const Access& read, Add add) const {
    const Line& line = lines_[read.slot];
    const Copy& copy = copies_[line.copy];
    for (std::size_t i = line.receivers; i < copy.places.size(); ++i) {
      Access write = copy.like;
      fill_write(write, line, copy.places[i]);
      write.cache_op = CacheOp::bypass_l1;
      write.slot = copy.cluster;
      add(write);
    }
  }
  const Names& names_of_read(const Access& line) const { return copies_[lines_[line.slot].copy].names; }
  const Names& names_of_write(const Access& access) const { return copies_[access.slot].names; }
  /// The data of a line arrive in cycle `at`, later than the present one.
  Completed returned(const Access& line, Cycle at);
  /// Lines that have arrived up to cycle `now` and are not written anywhere make room for others.
  void forget_prefetched(Cycle now) {
    while (next_write(nowhere) <= now) remove_arrived(nowhere);
  }

  /// The next line may be written to `memory` from cycle next_write() on; kNever if there is none.
  Cycle next_write(Memory memory) const { return arrived_[memory].empty() ? kNever : arrived_[memory].front().at; }
  const Access& like_of_write(Memory memory) const { return copies_[lines_[arrived_[memory].front().line].copy].like; }
  /// Writes the line to the next CTA's shared memory.
  void deliver(Access& access);
  /// What is left to write of the line for global memory, and the kind of its accesses.
  CoalescedLines::Part part_to_store() const;
  AccessKind kind_of_store() const;
  /// `sectors` of that are being written.
  void stored(SectorMask sectors);
  /// A write has been acknowledged in cycle `at`.
  Completed acknowledged(const Access& access, Cycle at);
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
    CtaPlace own;
    std::vector<CtaPlace> places;
    Access like;
    Names names;
    std::uint32_t cluster = 0;
    std::uint32_t receivers = 0;  // of `places`, the first ones, to which the engine writes what it has read
    Cycle start = 0;
    std::uint32_t requested = 0;       // bytes, of those that are read
    std::uint32_t unread = 0;          // bytes
    std::uint32_t unwritten = 0;       // bytes, summed over the CTAs that the engine writes to
    std::uint32_t unacknowledged = 0;  // writes
    Cycle last = 0;                    // arrival of the last answer so far
    bool is_complete() const { return unread == 0 && unwritten == 0 && unacknowledged == 0; }
  };
  /// A line that has been requested, or what a copy fills without reading it.
  struct Line {
    std::uint32_t copy = 0;
    std::uint32_t offset = 0, bytes = 0;  // of the copy
    std::uint32_t receivers = 0;          // CTAs to which the engine writes it, the first of the copy's places
    std::uint32_t written = 0;            // of these
    SectorMask stored = 0;
  };
  struct Arrived {
    Cycle at = 0;
    std::uint32_t line = 0;
  };
  /// The place of byte `offset` of a copy in global memory, which it reads or writes.
  static Address place_in_global(const BulkCopy& copy, std::uint32_t offset) {
    return (copy.writes_global() ? copy.to : copy.from) + offset / copy.row_bytes * copy.row_stride + offset % copy.row_bytes;
  }
  std::uint32_t add_line(const Line& line);
  void fill_write(Access& access, const Line& line, CtaPlace place) const;
  void add_arrived(Memory to, std::uint32_t line, Cycle at);
  void remove_arrived(Memory to);
  Completed completed(std::uint32_t number, Cycle at);

  const CopyParams params_;
  stats::Group group_;
  stats::Counter copies_started_, lines_requested_, multicast_lines_, bytes_, delivered_bytes_;
  std::vector<Copy> copies_;                     // [Access::slot of a write]
  std::vector<std::uint32_t> free_;              // unused places of copies_
  std::vector<std::uint32_t> order_;             // copies with lines that have not been requested
  std::vector<Line> lines_;                      // [Access::slot of a read]
  std::vector<std::uint32_t> free_lines_;        // unused places of lines_
  std::array<std::vector<Arrived>, 3> arrived_;  // [Memory that they are written to], in order of `at`
  std::uint32_t in_flight_ = 0;                  // lines that are fetched or wait to be written
  Cycle pace_ = 0;                               // from when the next line may be requested
};

}  // namespace wharf
