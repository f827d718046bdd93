#pragma once
// Replaces the controllers when the extended LLC of one SM is characterised (morpheus section 9.2). Every warp always has one read of a
// block that it holds in flight. The next read is sent at the time at which the last result arrives, so only the service time of the
// cache-mode SM and its networks determines the bandwidth.
//
// With networks, each read is sent from the bank of the warp's row, as from a controller. Without networks, one pair of ports is bound
// directly to the SM.

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "model/base/stats/stats.h"
#include "model/designs/morpheus/cache_mode/cache_mode_sm.h"
#include "model/tlm/clock_domain.h"
#include "model/tlm/message_link.h"

namespace wharf {

class ClosedLoop final : public sc_core::sc_module, public Clocked, private MessageSource, private MessageSink {
 public:
  struct Environment {
    ClockDomain& clock;  // core clock
    PayloadPool& pool;
    stats::Registry& registry;
    unsigned destination;               // endpoint of the SM
    unsigned first_slice;               // as in CacheModeSm
    unsigned banks;                     // per partition
    std::uint32_t flit_bytes;           // of the reply network
    bool networks;                      // networks connect it to the SM
    std::vector<EllcRow> rows;          // [warp]
    std::vector<std::uint32_t> blocks;  // [warp]: number of blocks that the warp holds, at line_of()
    std::function<bool()> running;      // returns whether to continue reading
  };

  ClosedLoop(sc_core::sc_module_name name, const Environment& environment);

  /// The line of a read; different for every warp and block.
  static LineAddress line_of(unsigned warp, std::uint32_t block) { return {(std::uint64_t{warp} << 20) + block}; }

  /// The endpoints at which it sends and receives. Without networks there is only one.
  const std::vector<unsigned>& endpoints() const { return endpoints_; }
  tlm::tlm_initiator_socket<>& output(std::size_t nth) { return ends_[nth]->out.socket; }
  tlm::tlm_target_socket<>& input(std::size_t nth) { return ends_[nth]->in.socket; }

  void act(Cycle now) override;

 private:
  struct End {
    End(unsigned index, ClosedLoop& owner)
        : out("out" + std::to_string(index), owner, index), in("in" + std::to_string(index), owner, index) {}
    MessageSourcePort out;
    MessageSinkPort in;
    std::vector<Payload*> waiting;  // messages behind the first, which the network has not accepted
  };
  struct Warp {
    std::size_t end = 0;
    std::uint16_t source = 0;
    std::uint32_t next = 0;  // next block to read
    Picoseconds asked = 0;
  };

  void posted(unsigned end, Picoseconds at) override;
  bool message(unsigned end, Payload& payload, Picoseconds at) override;
  void send_request(unsigned warp, Picoseconds at);

  const Environment environment_;
  stats::Group group_;
  stats::Counter reads_, c2c_ps_, bytes_;
  ClockDomain::BlockId block_;
  std::vector<unsigned> endpoints_;
  std::vector<std::unique_ptr<End>> ends_;
  std::vector<Warp> warps_;
};

}  // namespace wharf
