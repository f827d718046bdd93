#pragma once
// A kernel's view of the GPU: one warp. A kernel is an ordinary function of a Warp; each call of load(), store(), compute() and the like is
// one warp instruction, and returns when the SM has issued it.
//
//   void gemm(Warp& w, const GemmArguments& k) {
//     const auto j = w.block_x() * 32 + w.thread_x();      // index arithmetic is the host's: no instruction
//     w.where(j < k.nj, [&] {
//       auto c = w.compute(1, k.beta * w.load(k.c, i * k.nj + j));      // a load; one multiplication that waits for it
//       w.store(k.c, i * k.nj + j, c);                                   // waits for the multiplication
//
// Rules for kernels:
//  - Counts of compute instructions are the catalogue's "ALU n": fractions add up over the warp's life. Each condition that depends
//    on loaded values costs a branch, which is part of the n that follow.
//  - One access or compute call per source line, because the line gives its pc. In loops that the compiler unrolls in full (unrolled()),
//    and with the unroll knob, the copy of the loop body contributes too.
//  - An instruction waits for its operands, and all later ones wait behind it, so loads appear in the order in which compiled code issues
//    them: independent loads before the first use of any, and those of a loop without stores in batches (batched_trips(), batched_lanes()).
//  - Inside where() and loops over lanes, change outer variables with update() or set(), which preserve the inactive lanes.
//  - No object whose destructor matters may live across an instruction, because a warp can be abandoned there.

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "model/base/types.h"
#include "model/base/warp_instruction.h"
#include "stimuli/spmd/fiber_switch.h"
#include "stimuli/spmd/lanes.h"
#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/workload.h"

namespace wharf::spmd {

/// The static place of an instruction in its kernel: the source line of the call.
struct Site {
  std::uint32_t line;
  constexpr Site(std::uint32_t at = __builtin_LINE()) : line(at) {}  // NOLINT(google-explicit-constructor)
};

/// Parameters of the translation of the catalogue's programs (workloads section 0.5).
struct Translation {
  std::uint32_t unroll = 1;  // copies of each pc inside trips() and loops over lanes, >= 1
  double alu_scale = 1.0;    // multiplies every compute count, >= 0; instructions that join several registers stay
};

/// The shared memory of a cluster's CTAs, by rank.
struct Cluster {
  std::uint64_t number = 0;  // in its kernel
  std::vector<std::vector<std::byte>> shared;
};

/// A running CTA.
struct Cta {
  Dim3 index;
  std::shared_ptr<Cluster> cluster;
  std::uint32_t rank = 0;  // in the cluster
  unsigned running_warps = 0;

  std::vector<std::byte>& shared() const { return cluster->shared[rank]; }
};

class Warp {
 public:
  Warp(const Kernel& kernel, const Translation& translation, std::shared_ptr<Cta> cta, unsigned number);

  // ---- Position of this warp
  int block_x() const { return static_cast<int>(cta_->index.x); }
  int block_y() const { return static_cast<int>(cta_->index.y); }
  Lanes<int> thread_x() const;
  Lanes<int> thread_y() const;
  Lanes<int> thread_z() const;
  Lanes<int> global_x() const { return block_x() * static_cast<int>(launch_.block.x) + thread_x(); }
  Lanes<int> global_y() const { return block_y() * static_cast<int>(launch_.block.y) + thread_y(); }
  /// The CTA's rank in its cluster, the number of CTAs there, and the cluster's number in the grid; all x fastest.
  int cluster_rank() const { return static_cast<int>(cta_->rank); }
  int cluster_size() const { return static_cast<int>(cta_->cluster->shared.size()); }
  int cluster_id() const { return static_cast<int>(cta_->cluster->number); }

  // ---- Control flow
  /// Runs `then` with the lanes in which the condition holds, if there are any.
  template <class Then>
  void where(const Mask& condition, Then&& then, Site site = Site());
  template <class Then, class Else>
  void where(const Mask& condition, Then&& then, Else&& otherwise, Site site = Site());
  /// Repeats `body` with the lanes in which condition() still holds, until there are none. A lane that has left does not return.
  template <class Condition, class Body>
  void while_any(Condition&& condition, Body&& body, Site site = Site());
  /// Calls body(i) for i from `begin` to below `end`, which may differ between lanes; `end` is read again in each iteration.
  template <class Body>
  void for_lanes(const Lanes<int>& begin, const Lanes<int>& end, Body&& body, Site site = Site());
  /// `for (int k : w.trips(count))`: a loop with the same trip count in all lanes.
  class Trips;
  Trips trips(int count);
  Trips trips(int begin, int end);
  /// The same for a loop that the compiler unrolls in full: each iteration has its own pcs. At most Kernel::unrolled_copies iterations.
  Trips unrolled(int count);
  /// A loop that stores nothing, as compilers unroll it: the loads of `batch` iterations are issued before any of them is used; the
  /// remaining iterations run one at a time. load(i, state) issues the loads of iteration i and keeps them in a State, which use(i, state)
  /// consumes. `batch` is 1 to kMostAhead; with 1, the instructions are those of trips(), in the same order.
  template <class State, class Load, class Use>
  void batched_trips(int count, int batch, Load&& load, Use&& use);
  /// The same for trip counts that differ between lanes: lanes with fewer than `batch` iterations left leave the unrolled loop and join the
  /// others in the loop behind it. gather(i, state) issues the loads that depend on those of load(). With `batch` 1 it equals for_lanes().
  template <class State, class Load, class Gather, class Use>
  void batched_lanes(const Lanes<int>& begin, const Lanes<int>& end, int batch, Load&& load, Gather&& gather, Use&& use,
                     Site site = Site());
  static constexpr int kMostAhead = 4;
  /// A vote: true in all lanes if the condition holds in all active ones, else in none.
  Mask all(const Mask& condition) const { return {(active_ & ~condition.bits) == 0 ? kAllLanes : 0, condition.sources}; }
  /// Waits for all warps of the CTA; the SM performs the wait.
  void barrier(Site site = Site());
  /// Arrives at the barrier of the cluster; earlier accesses to shared memory of other CTAs are complete when it opens.
  void cluster_arrive(Site site = Site());
  /// Waits until all warps of the cluster have arrived.
  void cluster_wait(Site site = Site());
  /// Both, in two instructions.
  void cluster_sync(Site site = Site());

  // ---- Memory
  template <class T>
  Lanes<T> load(const Array<T>& array, const Lanes<int>& index, Site site = Site());
  template <class T>
  Lanes<T> load(const SharedArray<T>& array, const Lanes<int>& index, Site site = Site());
  /// Loads one member of an array of structs.
  template <class S, class T>
  Lanes<T> load(const Array<S>& array, const Lanes<int>& index, T S::*member, Site site = Site());
  template <class T>
  Lanes<T> load(const LocalArray<T>& array, const Lanes<int>& index, Site site = Site());
  /// Reads through the texture path.
  template <class T>
  Lanes<T> texture(const Array<T>& array, const Lanes<int>& index, Site site = Site());
  /// A volatile load, which no L1 may serve.
  template <class T>
  Lanes<T> load_past_l1(const Array<T>& array, const Lanes<int>& index, Site site = Site());
  /// A load with a hint for L2 (LR-1).
  template <class T>
  Lanes<T> load_hinted(const Array<T>& array, const Lanes<int>& index, Eviction eviction, Site site = Site());
  /// Where lanes store to the same element, the highest lane wins.
  template <class T>
  void store(const Array<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Site site = Site());
  template <class T>
  void store(const SharedArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Site site = Site());
  template <class T>
  void store(const LocalArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Site site = Site());
  /// Each active lane in turn, in ascending order, sets its element to change(element, value). Returns the elements' old values. The L2
  /// performs it.
  template <class T, class Change>
  Lanes<T> atomic(const Array<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site = Site());
  /// In shared memory, lanes that access the same element take turns, with one instruction each, as in the lock loop that compilers
  /// generate.
  template <class T, class Change>
  Lanes<T> atomic(const SharedArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site = Site());
  /// atomic() without a result, for which nothing waits.
  template <class T, class Change>
  void reduce(const Array<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site = Site());
  template <class T, class Change>
  void reduce(const SharedArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site = Site());
  /// `count` elements of the CTA's shared memory from byte `offset` on. Throws std::logic_error beyond the launch's shared_bytes.
  template <class T>
  SharedArray<T> shared(std::uint32_t offset, std::uint32_t count);
  /// The same array in the CTA of this rank (distributed shared memory); ranks may differ between lanes.
  template <class T>
  PeerArray<T> map_shared(const SharedArray<T>& array, const Lanes<int>& rank) const {
    return {array, rank};
  }
  template <class T>
  Lanes<T> load(const PeerArray<T>& array, const Lanes<int>& index, Site site = Site());
  template <class T>
  void store(const PeerArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Site site = Site());
  /// Lanes that access the same element take turns within the one instruction.
  template <class T, class Change>
  Lanes<T> atomic(const PeerArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site = Site());
  template <class T, class Change>
  void reduce(const PeerArray<T>& array, const Lanes<int>& index, const SameAs<Lanes<T>>& value, Change change, Site site = Site());

  // ---- Compute
  /// `count` instructions that produce `value` and wait for all registers from which it was computed.
  template <class T>
  Lanes<T> compute(double count, const Lanes<T>& value, Site site = Site());
  /// The same for a variable that lives on and keeps its register; inactive lanes keep their values.
  template <class T>
  void update(Lanes<T>& variable, double count, const SameAs<Lanes<T>>& value, Site site = Site());
  /// Special-function unit: roots, exponentials, divisions.
  template <class T>
  Lanes<T> sfu(double count, const Lanes<T>& value, Site site = Site());
  /// `count` integer instructions that wait for nothing, such as address computation and loop overhead.
  void alu(double count, Site site = Site());
  /// Assigns in the active lanes, without an instruction.
  template <class T>
  void set(Lanes<T>& variable, const SameAs<Lanes<T>>& value) const;

  // ---- Used by the stream that runs this warp
  /// How far apart the pcs of two source lines are.
  static std::uint32_t pcs_a_line(const Kernel& kernel, const Translation& translation) {
    return kernel.unrolled_copies * translation.unroll * kBytesPerInstruction;
  }
  /// From now on compute instructions and branches are added to `executed` instead of being issued.
  void pass_over_compute(std::uint64_t& executed) { passed_over_ = &executed; }
  /// The instruction that waits to be issued.
  const WarpInstruction& instruction() const { return instruction_; }
  /// The body of the coroutine: runs the kernel from first to last instruction. Returns the coroutine to resume; `error` receives an
  /// exception that the kernel threw.
  boost::context::fiber run(boost::context::fiber&& outside, std::exception_ptr& error);

 private:
  friend class BulkStores;
  friend class Mbarrier;

  static constexpr std::uint32_t kBytesPerInstruction = 16;  // in units of pc
  static constexpr std::uint32_t kRegisterSet = 120;
  static constexpr std::uint32_t kRegistersApart = kRegisterSet / kMostAhead;

  template <class T>
  static constexpr Unit unit_of() {
    if constexpr (std::is_same_v<T, double>)
      return Unit::fp64;
    else
      return std::is_integral_v<T> ? Unit::alu : Unit::fp32;  // structs are vectors of floats
  }
  /// Each line has its own register, as in compiled code. Odd and even unrolled copies have different registers, as have the iterations of
  /// a batch, which use those of lines kRegistersApart further on, behind the loop.
  RegisterId register_of(Site site) const {
    return static_cast<RegisterId>((site.line + ahead_ * kRegistersApart) % kRegisterSet + (copy_ + unrolled_copy_) % 2 * kRegisterSet);
  }
  /// Runs each stage in turn for the iterations `first`, `first` + 1 ... of a batch; `trips_before` iterations of the loop have run.
  template <class State, class Iteration, class... Stages>
  void run_batch(int trips_before, int batch, const Iteration& first, Stages&&... stages);

  /// The kind of a memory instruction, and its path.
  struct Path {
    Unit unit;
    Space space = Space::global;
    CacheOp cache_op = CacheOp::all;
    Eviction eviction = Eviction::unhinted;
  };
  template <class T, class Get>
  Lanes<T> read(Path path, Address base, std::uint32_t stride, std::uint32_t size, const Lanes<int>& index, Site site, Get get);
  template <class T>
  void write(Path path, const Array<T>& array, const Lanes<int>& index, const Lanes<T>& value, Site site);
  template <class T, class Change>
  Lanes<T> change_in_turn(const Array<T>& array, const Lanes<int>& index, const Lanes<T>& value, Change change);
  template <class T, class Change>
  Lanes<T> change_shared(const SharedArray<T>& array, const Lanes<int>& index, const Lanes<T>& value, Change change, RegisterId destination,
                         Site site);
  /// The active lanes whose index no lower active lane has.
  LaneMask first_at_their_index(const Lanes<int>& index) const;
  void set_addresses(Address base, std::uint32_t stride, std::uint32_t size, const Lanes<int>& index);
  /// Prepares and issues an access to the cluster's shared memory.
  template <class T>
  void issue_to_peers(Unit unit, const PeerArray<T>& array, const Lanes<int>& index, RegisterId destination, Sources sources, Site site);
  template <class T, class Change>
  Lanes<T> change_at_peers(const PeerArray<T>& array, const Lanes<int>& index, const Lanes<T>& value, Change change);
  /// The element of a lane, after issue_to_peers().
  template <class T>
  T& element(const PeerArray<T>& array, const Lanes<int>& index, unsigned lane) {
    std::byte* const first = cta_->cluster->shared[static_cast<std::uint32_t>(array.rank.v[lane])].data() + array.own.base;
    return reinterpret_cast<T*>(first)[index.v[lane]];
  }
  void add_ranks(const Lanes<int>& rank);
  void prepare(Unit unit, Site site, RegisterId destination, Sources sources);
  void prepare(Path path, Site site, RegisterId destination, Sources sources, std::uint8_t access_bytes);
  /// The position of a thread's element of local memory in the array of all threads. Throws SimulationError where the launch has not
  /// declared the array.
  template <class T>
  Lanes<int> place_in_local(const LocalArray<T>& array, const Lanes<int>& index) const {
    launch_.frame.offset_of(array.base, sizeof(T), launch_.name);
    return place_in_local(array.per_thread, index);
  }
  Lanes<int> place_in_local(std::uint32_t per_thread, const Lanes<int>& index) const;
  template <class T>
  Lanes<T> computed(Unit unit, double count, const Lanes<T>& value, Site site);
  void compute(Unit unit, std::uint16_t count, RegisterId destination, Sources sources, Site site);
  void branch(Sources sources, Site site);
  /// Number of compute instructions to emit now; at least one where several registers are joined, because an instruction names only four.
  std::uint16_t due(double count, Sources sources);
  /// Hands out the prepared instruction, and returns when it has been issued; the caller then performs its memory effect.
  void issue();
  /// Issues an instruction that `use`, an MbarrierUse or a BulkCopy, puts its operands into.
  template <class Use, class... More>
  void issue_asynchronous(const Use& use, Site site, More... more) {
    prepare(Unit::barrier, site, kNoRegister, {});
    use.put_into(instruction_, more...);
    issue();
    instruction_.barrier = {};
  }
  template <class F>
  void for_each_active(F f) const;
  std::byte* shared_bytes(std::uint32_t offset, std::uint64_t bytes);
  [[noreturn]] void out_of_range(const Lanes<int>& index, std::uint32_t size) const;

  WarpInstruction instruction_;
  const KernelLaunch& launch_;
  const std::function<void(Warp&)>& program_;
  const std::uint32_t unrolled_copies_;
  Translation translation_;
  std::shared_ptr<Cta> cta_;
  unsigned number_;  // number of the warp in its CTA
  LaneMask active_;
  std::uint32_t copy_ = 0;                // of the loop body, by the unroll knob
  std::uint32_t unrolled_copy_ = 0;       // of the loop body, by unrolled()
  std::uint32_t ahead_ = 0;               // iteration of the running batch whose instructions are being issued
  std::uint64_t* passed_over_ = nullptr;  // counts the instructions that are not issued; null: all are
  std::int64_t owed_ = 0;                 // thousandths of a compute instruction, not yet emitted
  boost::context::fiber outside_;
  StackBounds outside_stack_;
};

/// The iterations of Warp::trips() and unrolled(). Tells the warp which copy of the loop body runs.
class Warp::Trips {
 public:
  Trips(std::uint32_t& copy, std::uint32_t copies, int begin, int end)
      : copy_(copy), copies_(copies), begin_(begin), end_(end < begin ? begin : end) {}
  ~Trips() { copy_ = 0; }
  Trips(const Trips&) = delete;
  Trips& operator=(const Trips&) = delete;

  struct Iterator {
    const Trips& trips;
    int trip;
    int operator*() const {
      trips.copy_ = static_cast<std::uint32_t>(trip - trips.begin_) % trips.copies_;
      return trip;
    }
    Iterator& operator++() {
      ++trip;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return trip != other.trip; }
  };
  Iterator begin() const { return {*this, begin_}; }
  Iterator end() const { return {*this, end_}; }

 private:
  std::uint32_t& copy_;
  std::uint32_t copies_;
  int begin_, end_;
};

}  // namespace wharf::spmd

#include "stimuli/spmd/warp_templates.h"
