#pragma once
// The query logic of a Morpheus controller (morpheus sections 5.2 to 5.6): request queue, warp status table, MSHRs, data buffers, and the
// rules that keep the operations of a line in order of their requests.
//
// A request looks for an MSHR with its line before it looks for a pending operation (morpheus section 5.4). In the opposite order, a write
// that found a pending TOUCH would bypass the MSHR on its way to the L1, and a later read would join that MSHR and receive DRAM's older
// data.

#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/designs/morpheus/controller/controller_counters_logic.h"
#include "model/designs/morpheus/controller/ellc_directory.h"
#include "model/designs/morpheus/controller/ellc_misses_logic.h"
#include "model/designs/morpheus/controller/ellc_queue_logic.h"
#include "model/designs/morpheus/controller/rate_service_logic.h"
#include "model/designs/morpheus/ellc_geometry.h"
#include "model/designs/morpheus/morpheus_params.h"

namespace wharf {

class ControllerLogic {
 public:
  struct Partition {
    unsigned number;
    const std::vector<EllcSet>& rows;
    EllcDirectory& directory;
    bool stop_at_false_negatives = true;
    /// For service by rate: the kernel of a cache-mode SM, and the sectors of the slices.
    std::function<EllcKernel&(unsigned)> kernel_of{};
    bool sectored = false;
    WriteMiss write_miss = WriteMiss::fetch_partial;
  };
  struct Row {
    bool busy = false;
    bool fetching = false;         // its line is on its way from DRAM to the warp (FETCH)
    bool answered = false;         // the requester already has the line
    bool clear_touched = false;    // the next operation tells the warp to clear its touched bits
    Cycle sent = 0;                // when the last message for the warp was sent or, in `ready`, became available
    Transaction* fetch = nullptr;  // the cache-mode SM's request for the line
    Transaction* ready = nullptr;  // the message that a spinning warp's next load will find
    EllcOperation operation;
  };

  ControllerLogic(const MorpheusParams& params, const Partition& partition, ControllerHost& host, stats::Group& group);

  /// Decides a request to a line of set `row`, in order of arrival. Returns null if the request is accepted. Otherwise returns the counter
  /// of the cause, and nothing has changed.
  stats::Counter* decide(Transaction& request, std::uint32_t row, std::uint32_t tag, Cycle now);
  /// Prefetches the state of the line and set into the host's cache before a request or result.
  void prefetch(LineAddress line, std::uint32_t row) const {
    misses_.prefetch(line);
    partition_.directory.prefetch(line);
    if (row < rows_.size()) __builtin_prefetch(&rows_[row]);
  }
  /// Sends at most one operation to its warp. Returns false if none could be sent.
  bool dispatch(Cycle now);
  /// True if result() may be called for a message with this word: a block needs a free entry of the read data buffer.
  bool result_fits(const EllcWord& word) const { return !word.data || read_buffer_used_ < params_.read_buffer; }
  /// Processes a result. If it is a miss, DRAM must have room, because a DRAM read follows.
  void result(Transaction& message, Cycle now);
  /// A spinning warp loads its row; answer_polls() replies.
  void polled(Transaction& poll) { polls_.push_back(&poll); }
  /// Answers the loads of rows with the state at the end of this cycle, after dispatch().
  void answer_polls(Cycle now);
  /// The L1 of a cache-mode SM, or a warp that reads from DRAM itself, requests a line. DRAM must have room.
  void fetch(Transaction& message);
  /// Handles a line that DRAM has returned. Work that must wait is left to serve_arrived().
  void filled(const Transaction& reply, Cycle now);
  /// Serves arrived lines that wait for the request queue. Returns true if one progressed.
  bool serve_arrived();

  void injected(const EllcWord& word) { write_buffer_used_ -= word.data && rate_ == nullptr ? 1 : 0; }
  /// Informs service by rate that the message has been sent.
  void note_sent(const Transaction& message) {
    if (rate_ != nullptr) rate_->injected(message);
  }
  void free_read_buffer_entry() { --read_buffer_used_; }
  /// Handles a dirty victim that has arrived.
  void written_back(std::uint32_t row, LineAddress line) {
    if (rate_ != nullptr) rate_->written_back(row, line);
  }
  bool by_rate() const { return rate_ != nullptr; }

  ControllerCounters& counters() { return counters_; }
  const ControllerCounters& counters() const { return counters_; }
  const EllcQueue& queue() const { return queue_; }
  const EllcMisses& misses() const { return misses_; }
  const std::vector<Row>& rows() const { return rows_; }
  /// True if serve_arrived() may have work.
  bool waiting() const { return !arrived_.empty(); }
  /// Saves or loads the state between kernels (model/base/archive.h).
  template <class File>
  void archive(File& file) {
    file.expect_quiet(idle() && arrived_.empty() && polls_.empty() && late_.empty() && write_buffer_used_ == 0 && read_buffer_used_ == 0,
                      "a controller of the extended LLC");
    file(misses_);
    if (rate_ != nullptr) file(*rate_);
    for (Row& row : rows_) file(row.clear_touched, row.sent);
  }
  bool idle() const { return queue_.empty() && misses_.empty() && busy_rows_ == 0 && (rate_ == nullptr || rate_->idle()); }

 private:
  using Answer = ControllerHost::Answer;
  static constexpr std::uint32_t kRow = 1u << 30, kLate = 1u << 31;  // codes of DRAM reads: for a row, for a fetch alone; else an MSHR

  bool is_l1(std::uint32_t row) const { return partition_.rows[row].unit == EllcUnit::l1; }
  EllcOperation operation_of(Transaction& request, std::uint32_t row, std::uint32_t tag) const;
  void count_request(const Access& access);
  stats::Counter* full_counter(const EllcOperation& operation);
  EllcOperation* youngest_operation(LineAddress line, std::uint32_t row);
  bool combine(EllcOperation& operation, EllcOperation& pending);
  stats::Counter* predict_and_queue(EllcOperation& operation, bool pending);
  stats::Counter* predicted_miss(EllcOperation& operation);
  void enqueue(EllcOperation operation);
  void acknowledge(EllcOperation& operation);
  void classify(EllcOperation& operation, bool present);
  void send_operation(Row& row, Cycle now);
  void missed(Row& row, const Transaction& message);
  void finish(Row& row, const Transaction& message, const EllcWord& word, Cycle now);
  void free(Row& row);
  void row_filled(Row& row, const Transaction& reply, Cycle now);
  void send_or_park(Row& row, Transaction& message, MessageKind kind, const EllcWord& word, Cycle now);
  void fill(Transaction& fetch, const SectorVersions& image);
  void answer(Transaction& request, const SectorVersions& image, const Transaction& source, Answer how);
  void answer_unchanged(Transaction& request, const Transaction& source, Answer how);
  bool serve(EllcMisses::Index index, const Transaction* reply);
  void serve_list(EllcMiss& miss, const Transaction* reply);
  bool insert(EllcMiss& miss);
  bool queue_list(EllcMiss& miss);

  const MorpheusParams params_;
  const Partition partition_;
  ControllerHost& host_;
  ControllerCounters counters_;
  EllcQueue queue_;
  EllcMisses misses_;
  std::unique_ptr<RateService> rate_;  // null if warps serve operations
  std::vector<Row> rows_;
  std::vector<EllcMisses::Index> arrived_;  // misses whose arrived lines wait for the request queue or for an L1
  std::vector<Transaction*> polls_;         // loads of rows that arrived in this cycle
  std::vector<Transaction*> late_;          // fetches that share a DRAM read neither with a row nor with an MSHR
  std::uint32_t busy_rows_ = 0, write_buffer_used_ = 0, read_buffer_used_ = 0;
};

}  // namespace wharf
