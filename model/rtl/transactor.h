#pragma once
// The base of every transactor: the sc_module that connects a block's RTL to the model (docs/howto-rtl.md).
//
// The RTL has its own clock, which the transactor drives with one period per operation. If the TLM form serves several operations of one
// kind in a cycle of the model, the RTL takes several periods. Such cycles are counted, because single-ported hardware would have to queue.
//
// Not modelled: RTL that needs more than one period for an answer.

#include <chrono>
#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "model/base/types.h"
#include "model/tlm/kernel_time.h"

class VerilatedVcdC;

namespace wharf::rtl {

class Waves;

/// The cost of RTL in the loop, for one block of the design, summed over its instances.
struct Cost {
  std::string block, parameters;
  unsigned instances = 0;
  std::uint64_t operations = 0;      // of its transactors
  std::uint64_t evaluations = 0;     // of the Verilated models
  std::uint64_t crowded_cycles = 0;  // cycles in which a port had more than one operation
  double host_s = 0.0;               // estimated from every sixteenth operation
};

class Transactor : public sc_core::sc_module {
 public:
  /// `block` and `parameters` label its costs. Throws InputError if several threads advance the machine, because Verilated models share data.
  Transactor(sc_core::sc_module_name name, const char* block, const char* parameters);

  /// Adds the model's signals to a wave file after elaboration.
  virtual void trace(VerilatedVcdC& file) = 0;
  void attach(Waves& waves) { waves_ = &waves; }
  void add_cost(std::vector<Cost>& costs) const;

 protected:
  /// A port of the RTL, which serves one operation per cycle.
  struct PortUse {
    Picoseconds last = ~Picoseconds{0};
    bool crowded = false;
  };
  /// Measures an operation of the transactor over its lifetime.
  class Operation {
   public:
    Operation(Transactor& transactor, PortUse& port) : transactor_(transactor), timed_(transactor.count(port)) {
      if (timed_) begin_ = std::chrono::steady_clock::now();
    }
    ~Operation() {
      if (timed_) transactor_.timed_ += std::chrono::steady_clock::now() - begin_;
    }
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

   private:
    Transactor& transactor_;
    bool timed_;
    std::chrono::steady_clock::time_point begin_;
  };
  void evaluated() {
    ++evaluations_;
    if (waves_ != nullptr) sample();
  }

 private:
  static constexpr std::uint64_t kTimedOperation = 16;  // reading the host's clock costs as much as evaluating a small model

  bool count(PortUse& port) {
    const Picoseconds now = kernel_time().value();
    if (now != port.last) {
      port = {now, false};
    } else if (!port.crowded) {
      port.crowded = true;
      ++crowded_cycles_;
    }
    return ++operations_ % kTimedOperation == 0;
  }
  void sample();

  const char *block_, *parameters_;
  Waves* waves_ = nullptr;
  std::uint64_t operations_ = 0, evaluations_ = 0, crowded_cycles_ = 0;
  std::chrono::steady_clock::duration timed_{};
};

/// Every transactor of the simulation, in hierarchical order.
std::vector<Transactor*> transactors();

/// Their costs so far, one line per block and parameter set.
std::vector<Cost> costs();

}  // namespace wharf::rtl
