#pragma once
// A link with a protocol checker between two scripted ends. The test makes their calls and answers.

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/monitor/protocol/protocol_checker.h"
#include "model/tlm/memory_link.h"
#include "model/tlm/payload.h"

namespace wharf::protocol_rig {

using Catch::Matchers::Contains;
using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;
using tlm::TLM_UPDATED;

using Answer = std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_core::sc_time&)>;

inline tlm_sync_enum accept(tlm_generic_payload&, tlm_phase&, sc_core::sc_time&) { return TLM_ACCEPTED; }

inline Answer complete() {
  return [](tlm_generic_payload& transaction, tlm_phase&, sc_core::sc_time&) {
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    return TLM_COMPLETED;
  };
}

/// TLM_UPDATED to `to`, `later` ps after the call's time.
inline Answer update(tlm_phase to, Picoseconds later = 0) {
  return [=](tlm_generic_payload& transaction, tlm_phase& phase, sc_core::sc_time& time) {
    if (to == BEGIN_RESP) transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = to;
    time += after(later);
    return TLM_UPDATED;
  };
}

class Initiator final : public sc_core::sc_module, tlm::tlm_bw_transport_if<> {
 public:
  explicit Initiator(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this)); }
  tlm::tlm_initiator_socket<> socket{"socket"};
  Answer answer = accept;

 private:
  tlm_sync_enum nb_transport_bw(tlm_generic_payload& transaction, tlm_phase& phase, sc_core::sc_time& time) override {
    return answer(transaction, phase, time);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

class Target final : public sc_core::sc_module, tlm::tlm_fw_transport_if<> {
 public:
  explicit Target(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this)); }
  tlm::tlm_target_socket<> socket{"socket"};
  Answer answer = accept;
  bool blocking_sets_status = true;
  std::function<void(tlm_generic_payload&, sc_core::sc_time&)> blocking;  // additional behaviour of a blocking call

 private:
  tlm_sync_enum nb_transport_fw(tlm_generic_payload& transaction, tlm_phase& phase, sc_core::sc_time& time) override {
    return answer(transaction, phase, time);
  }
  void b_transport(tlm_generic_payload& transaction, sc_core::sc_time& time) override {
    if (blocking) blocking(transaction, time);
    if (blocking_sets_status) transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm_generic_payload&, tlm::tlm_dmi&) override { return true; }
  unsigned transport_dbg(tlm_generic_payload&) override { return 21; }
};

/// initiator - checker - target. The test itself makes the calls.
struct Link {
  PayloadPool pool;
  std::array<unsigned char, kLineBytes> data{};
  Initiator initiator{sc_core::sc_gen_unique_name("initiator")};
  ProtocolChecker checker;
  Target target{sc_core::sc_gen_unique_name("target")};

  explicit Link(LinkKind kind) : checker(sc_core::sc_gen_unique_name("link"), kind) {
    initiator.socket.bind(checker.target_socket);
    checker.initiator_socket.bind(target.socket);
  }

  Payload& make(std::uint64_t id) {
    Access access;
    access.id = id;
    access.line = {id};
    Payload& payload = pool.acquire(access);
    payload.set_data_ptr(data.data());
    return payload;
  }
  tlm_sync_enum forward(tlm_generic_payload& transaction, tlm_phase phase, Picoseconds delay = 0) {
    sc_core::sc_time time = after(delay);
    return initiator.socket->nb_transport_fw(transaction, phase, time);
  }
  tlm_sync_enum backward(tlm_generic_payload& transaction, tlm_phase phase, Picoseconds delay = 0) {
    sc_core::sc_time time = after(delay);
    return target.socket->nb_transport_bw(transaction, phase, time);
  }
  tlm_sync_enum respond(tlm_generic_payload& transaction, Picoseconds delay = 0) {
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
    return backward(transaction, BEGIN_RESP, delay);
  }
  /// Sends a transaction that is accepted.
  Payload& accepted(std::uint64_t id) {
    Payload& payload = make(id);
    forward(payload, BEGIN_REQ);
    backward(payload, END_REQ);
    return payload;
  }
};

/// One link, elaborated, at time 0.
struct Rig : Link {
  explicit Rig(LinkKind kind = LinkKind::memory) : Link(kind) { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
};

/// Fresh links for the scenes of one case, because there is one elaboration per process.
class Scenes {
 public:
  explicit Scenes(LinkKind kind = LinkKind::memory) {
    for (unsigned i = 0; i < 16; ++i) links_.push_back(std::make_unique<Link>(kind));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  template <class Play>
  void play(const char* title, Play play) {
    INFO(title);
    play(*links_.at(used_++));
  }

 private:
  std::vector<std::unique_ptr<Link>> links_;
  std::size_t used_ = 0;
};

/// Checks that `call` breaks `rule`, and that the report has `what`, the link, the transaction and the time.
template <class Call>
void breaks(Link& rig, ProtocolRule rule, const std::string& what, const std::string& transaction, Call call) {
  CHECK_FALSE(rig.checker.first_violation());
  CHECK_THROWS_WITH(call(), Contains(std::string("link ") + rig.checker.name() + ": rule of " + name_of(rule) + ": ") && Contains(what) &&
                                Contains(transaction + ", at 0 ps"));
  REQUIRE(rig.checker.first_violation());
  CHECK(rig.checker.first_violation()->rule == rule);
  CHECK_THAT(rig.checker.first_violation()->text, Contains(what));
}

}  // namespace wharf::protocol_rig
