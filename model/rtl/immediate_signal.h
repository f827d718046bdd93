#pragma once
// A signal between a transactor and the ports of a Verilated module. Its value changes when it is written, not a delta cycle later, because
// the transactor evaluates the module itself within a call that takes no time. Its events are never notified, so the module's own
// evaluation process sleeps.

#include <systemc>

namespace wharf::rtl {

template <class T>
class ImmediateSignal final : public sc_core::sc_signal_inout_if<T> {
 public:
  /// Binds `port`, an sc_in<T> or sc_out<T>, to this signal.
  template <class Port>
  explicit ImmediateSignal(Port& port) {
    port(*this);
  }

  const T& read() const override { return value_; }
  void write(const T& value) override { value_ = value; }
  const T& get_data_ref() const override { return value_; }

  const sc_core::sc_event& value_changed_event() const override { return never_; }
  const sc_core::sc_event& default_event() const override { return never_; }
  bool event() const override { return false; }
  // The interface for bool needs these; the general one has no edges.
  const sc_core::sc_event& posedge_event() const { return never_; }
  const sc_core::sc_event& negedge_event() const { return never_; }
  bool posedge() const { return false; }
  bool negedge() const { return false; }

 private:
  T value_{};
  sc_core::sc_event never_;
};

}  // namespace wharf::rtl
