#pragma once
// The two ends of a link that may have a foreign module in it: the socket, the other end, and the gate that an end makes when it finds no
// port of this model there. Memory and message links derive their ports from them. The socket is large and rarely used, so it is allocated
// apart from what every call uses.

#include <memory>
#include <string>
#include <tlm>

#include "model/tlm/own_end.h"

namespace wharf {

/// An initiator's end. `Gate` is a target: the end calls it rather than a foreign module.
template <class Gate>
class InitiatorEnd : protected OwnInitiator {
  tlm::tlm_fw_nonblocking_transport_if<>* peer_ = nullptr;  // null before the first call
  std::unique_ptr<Gate> gate_;                              // null if bound to this model
  const std::unique_ptr<tlm::tlm_initiator_socket<>> socket_;

 public:
  tlm::tlm_initiator_socket<>& socket;

 protected:
  explicit InitiatorEnd(const std::string& name) : socket_(new tlm::tlm_initiator_socket<>(name.c_str())), socket(*socket_) {
    socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  }
  virtual std::unique_ptr<Gate> make_gate() = 0;

  tlm::tlm_fw_nonblocking_transport_if<>& peer() {
    if (peer_ == nullptr) find_peer();
    return *peer_;
  }
  Gate* gate() const { return gate_.get(); }

 private:
  [[gnu::noinline, gnu::cold]] void find_peer() {
    peer_ = socket.operator->();
    if (is_own(socket.operator->())) return;
    gate_ = make_gate();
    peer_ = gate_.get();
  }
  // A timed cache is below every initiator of the model, so no initiator has direct pointers to invalidate.
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// A target's end. It passes the calls of a foreign module to its `Gate`. `by_mail`: calls from other islands go by mail; else there are none.
template <class Gate, bool by_mail = false>
class TargetEnd : protected OwnTarget {
  bool own_ = false;                                        // bound to this model; unknown before the first call
  tlm::tlm_bw_nonblocking_transport_if<>* peer_ = nullptr;  // null before the first answer
  std::unique_ptr<Gate> gate_;                              // null until one is needed
  const std::unique_ptr<tlm::tlm_target_socket<>> socket_;

 public:
  tlm::tlm_target_socket<>& socket;

 protected:
  explicit TargetEnd(const std::string& name) : socket_(new tlm::tlm_target_socket<>(name.c_str())), socket(*socket_) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }
  virtual std::unique_ptr<Gate> make_gate() = 0;

  /// True if a foreign module is in the link.
  bool has_foreign_caller() { return !own_ && is_foreign_call(); }
  tlm::tlm_bw_nonblocking_transport_if<>& peer() {
    if (peer_ == nullptr) find_peer();
    return *peer_;
  }
  /// From now on answers go to `peer`.
  void answer_to(tlm::tlm_bw_nonblocking_transport_if<>& peer) { peer_ = &peer; }
  /// The gate, made on the first call.
  Gate& gate() {
    if (gate_ == nullptr) gate_ = make_gate();
    return *gate_;
  }
  bool has_gate() const { return gate_ != nullptr; }

 private:
  /// Called on the first call over a link, and on every call of a foreign module.
  [[gnu::noinline, gnu::cold]] bool is_foreign_call() {
    const std::optional<unsigned> caller = island_of(socket.operator->());
    own_ = gate_ == nullptr && caller.has_value();
    if (own_ && !by_mail && *caller != island_) fail_across_islands(socket.name());
    return !own_;
  }
  [[gnu::noinline, gnu::cold]] void find_peer() { peer_ = socket.operator->(); }
  // A direct pointer would bypass the caches and the timing of memory.
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi) override {
    dmi.init();
    transaction.set_dmi_allowed(false);
    return false;
  }
};

}  // namespace wharf
