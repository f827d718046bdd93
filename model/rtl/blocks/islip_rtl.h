#pragma once
// The transactor of islip.sv: the allocator of a crossbar. A round is one period of its clock: the matching is combinational, and the edge
// moves the pointers. `Model` is a Verilated parameter set of islip.sv, or of any other RTL with the same ports.

#include "model/rtl/port_signals.h"
#include "model/rtl/verilated_transactor.h"
#include "policies/arbitration/port_allocator.h"

namespace wharf::rtl {

/// Serves at most as many ports as `Model` has. The model's unused ports never request, which changes no answer (islip.sv).
template <class Model>
class IslipRtl final : public VerilatedTransactor<Model>, public arbitration::PortAllocator {
 public:
  IslipRtl(sc_core::sc_module_name name, const char* block, const char* parameters) : VerilatedTransactor<Model>(name, block, parameters) {}

  void allocate(const arbitration::RequestView& requests, arbitration::Matching& matching) override {
    const typename Transactor::Operation operation(*this, round_use_);
    matching.clear();
    // The RTL does not read the requests of other outputs.
    requests.outputs.for_each([&](unsigned output) { write_mask(request_[output], requests.by_output[output]); });
    write_mask(input_free_, requests.inputs);
    write_mask(output_free_, requests.outputs);
    this->settle_before_edge();
    const auto& matched = matched_.read();
    requests.outputs.for_each([&](unsigned output) {
      if (bit_of(matched, output)) matching.add(static_cast<unsigned>(partner_[output].read()), output);
    });
    this->rise();
  }

 private:
  using VerilatedTransactor<Model>::dut;
  SignalArray<decltype(Model::request)> request_{dut.request};
  SignalOf<decltype(Model::input_free)> input_free_{dut.input_free};
  SignalOf<decltype(Model::output_free)> output_free_{dut.output_free};
  SignalOf<decltype(Model::matched)> matched_{dut.matched};
  SignalArray<decltype(Model::partner)> partner_{dut.partner};
  Transactor::PortUse round_use_;
};

}  // namespace wharf::rtl
