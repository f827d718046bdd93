#pragma once
// An SM in cache mode: its network interface and the warps of the extended LLC kernel (morpheus sections 5.3 and 6).
//
//   reply network -> operations, blocks, L1 fills -> kernel -> victims, L1 fetches, results -> request network
//
// Every warp always has a load of its row, in flight or waiting in the controller, that returns the next operation. So messages are
// accepted on arrival. A spinning warp (morpheus section 5.3) repeats that load until it returns an operation. All messages of a warp go to
// the bank that belongs to its row, whichever bank owns the line. This keeps a victim in order with the result behind it
// (morpheus section 5.6 rule 3). A message is processed at the end (commit) of the cycle in which it arrives, after the SMs have updated
// the contents of its line.

#include <functional>
#include <systemc>
#include <vector>

#include "model/designs/morpheus/cache_mode/ellc_kernel.h"
#include "model/l1_sharing/sender.h"
#include "model/monitor/watchdog.h"

namespace wharf {

/// A warp, identified by its partition and its row in that partition's warp status table.
struct EllcRow {
  unsigned partition = 0, row = 0;
};

class CacheModeSm : public sc_core::sc_module, public Clocked, public Inspectable, private MessageSink, private SenderOwner {
 public:
  struct Environment {
    ClockDomain& clock;  // core clock
    PayloadPool& pool;
    PayloadPool& polls;  // for loads of rows, which never end while the machine runs
    stats::Registry& registry;
    unsigned number;            // number among the cache-mode SMs
    unsigned endpoint;          // in the network
    unsigned first_slice;       // endpoint of the first bank of partition 0; the banks of the partitions are consecutive
    unsigned banks;             // per partition
    std::uint32_t flit_bytes;   // of the request network
    std::vector<EllcRow> rows;  // [warp]
    EllcKernel::Environment kernel;
    /// Receives every change of a set in the cycle in which its operation arrives here; may be empty.
    std::function<void(const EllcRow&, const EllcChange&)> report;
    /// Returns whether operations may still arrive, so that spinning warps continue. Called at the end of a cycle; may be empty if no warp
    /// spins.
    std::function<bool()> running;
  };

  CacheModeSm(sc_core::sc_module_name name, const EllcKernelParams& params, const Environment& environment);

  tlm::tlm_target_socket<>& input() { return input_.socket; }         // Traffic::to_ellc
  tlm::tlm_initiator_socket<>& output() { return output_.socket(); }  // Traffic::from_ellc

  void act(Cycle now) override;
  void inspect(std::vector<Wait>& waits) const override;
  EllcKernel& kernel() { return kernel_; }
  /// Saves or loads the state between kernels.
  void archive(Archive& file);

 private:
  struct Arrival {
    Payload* payload;
    Cycle cycle;
    unsigned warp;
  };

  bool message(unsigned, Payload& payload, Picoseconds at) override;
  void after_sending(Cycle now) override;
  void understand(const Arrival& arrival);
  void send(const EllcSend& send, const EllcRow& row);
  void start_polling(Cycle now);
  void count_bytes(const MessageHeader& header) {
    kernel_.counters().message_bytes += std::uint64_t{header.flits} * environment_.flit_bytes;
  }
  unsigned warp_of(const MessageHeader& header, const EllcWord& word) const;

  const Environment environment_;
  const bool spins_;
  ClockDomain& clock_;
  stats::Group group_;
  EllcKernel kernel_;
  ClockDomain::BlockId block_;
  MessageSinkPort input_;
  Sender output_;
  std::vector<std::uint8_t> warps_;  // [partition][row]
  std::vector<Arrival> arrivals_;    // in order of arrival
  bool polls_ = false;               // the first loads of rows have been issued
};

}  // namespace wharf
