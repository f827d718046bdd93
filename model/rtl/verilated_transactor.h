#pragma once
// A transactor around the Verilated class `Model` (verilate.cmake), whose RTL has the ports `clock` and `reset` (synchronous, active high).

#include <verilated_vcd_c.h>

#include "model/rtl/immediate_signal.h"
#include "model/rtl/transactor.h"

namespace wharf::rtl {

template <class Model>
class VerilatedTransactor : public Transactor {
 public:
  VerilatedTransactor(sc_core::sc_module_name name, const char* block, const char* parameters) : Transactor(name, block, parameters) {}
  ~VerilatedTransactor() override { dut.final(); }

  void trace(VerilatedVcdC& file) override { dut.trace(&file, kAllLevels); }

 protected:
  /// Called after reset and before the first operation. Sets what software would write into the block's registers.
  virtual void configure() {}

  /// Lets the combinational outputs follow the inputs.
  void settle() {
    evaluate(dut);
    evaluated();
  }
  /// Runs one clock period with the present inputs.
  void clock_edge() {
    settle_before_edge();
    rise();
  }
  /// clock_edge() in two steps, for outputs that are valid during the period but not after its edge.
  void settle_before_edge() {
    clock.write(false);
    settle();
  }
  void rise() {
    clock.write(true);
    settle();
  }

  Model dut{without_threads("dut")};
  ImmediateSignal<bool> clock{dut.clock}, reset{dut.reset};

 private:
  static constexpr int kAllLevels = 99;

  /// With the first model, Verilator starts a thread for each further processor of the host, used or not, unless the number of threads is
  /// set before.
  static const char* without_threads(const char* name) {
    Verilated::threadContextp()->threads(1);
    return name;
  }

  // Ports can be used only after elaboration.
  void end_of_elaboration() override {
    reset.write(true);
    clock_edge();
    reset.write(false);
    configure();
  }
};

}  // namespace wharf::rtl
