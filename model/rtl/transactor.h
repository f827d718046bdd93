#pragma once
// What every transactor is: the sc_module between a block's place in the model and its RTL (docs/howto-rtl.md).
//
// The RTL has its own clock, which the transactor drives: one period an operation. A cycle of the model in which the block's TLM form serves
// several operations of one kind is several periods; how often that happens is counted, because single-ported hardware would have to queue.
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

/// What RTL in the loop has cost, of one block of the design: all its instances.
struct Cost {
  std::string block, parameters;
  unsigned instances = 0;
  std::uint64_t operations = 0;      // asked of its transactors
  std::uint64_t evaluations = 0;     // of the Verilated models
  std::uint64_t crowded_cycles = 0;  // in which a port had more than one operation
  double host_s = 0.0;               // estimated from every sixteenth operation
};

class Transactor : public sc_core::sc_module {
 public:
  /// `block` and `parameters`: what its costs are shown under.
  Transactor(sc_core::sc_module_name name, const char* block, const char* parameters) : sc_module(name), block_(block), parameters_(parameters) {}

  /// Adds the model's signals to a file of waves, once elaboration is over.
  virtual void trace(VerilatedVcdC& file) = 0;
  void attach(Waves& waves) { waves_ = &waves; }
  void add_cost(std::vector<Cost>& costs) const;

 protected:
  /// A port of the RTL, which takes one operation a cycle.
  struct PortUse {
    Picoseconds last = ~Picoseconds{0};
    bool crowded = false;
  };
  /// Lives as long as an operation of the transactor takes.
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
  static constexpr std::uint64_t kTimedOperation = 16;  // looking at the host's clock costs as much as evaluating a small model

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

/// Every transactor of the simulation, in the order of the hierarchy.
std::vector<Transactor*> transactors();

/// What they have cost so far, a line a block and parameter set.
std::vector<Cost> costs();

}  // namespace wharf::rtl
