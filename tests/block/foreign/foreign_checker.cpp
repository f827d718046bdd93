// The protocol checker between a block and a foreign module: it lets legal calls pass and reports violations.

#include "model/base/error.h"
#include "tests/block/block_rig.h"
#include "tests/block/foreign/foreign_rig.h"
#include "tests/support/forwarder.h"

using namespace wharf;
using namespace wharf::foreign_rig;
using Catch::Matchers::Contains;

namespace {

/// Answers BEGIN_REQ as configured, then makes the calls of a script.
struct Scripted : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  SC_HAS_PROCESS(Scripted);
  explicit Scripted(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
    SC_METHOD(work);
    sensitive << event;
    dont_initialize();
  }
  tlm::tlm_target_socket<> socket{"socket"};
  std::function<void(Scripted&)> later;
  tlm::tlm_generic_payload* got = nullptr;

  void call(tlm::tlm_phase phase) {
    sc_time none;
    socket->nb_transport_bw(*got, phase, none);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& transaction, tlm::tlm_phase&, sc_time&) override {
    got = &transaction;
    event.notify(15, SC_NS);  // after the request's annotated time
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_time&) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  void work() { later(*this); }
  sc_core::sc_event event;
};

/// The text of the violation by a memory below L2.
std::string violation_of_memory(const std::function<void(Scripted&)>& later) {
  ClockDomain clock("clock", 1000, {});
  stats::Registry registry;
  OverlayImage image;
  SectorContents contents(image);
  PayloadPool pool(true, &contents);
  const auto addresses = make_address_map("interleave", 1, 1);
  L2Slice l2("l2", small_l2(), TransactionUnit::line, 0, {clock, pool, registry, *addresses, true, nullptr});
  Scripted memory("memory");
  memory.later = later;
  ProtocolChecker checker("below", LinkKind::memory);
  l2.downstream().bind(checker.target_socket);
  checker.initiator_socket.bind(memory.socket);
  LtInitiator initiator("initiator", [](LtInitiator& self) { self.read(0, 4); });
  initiator.socket.bind(l2.upstream());
  CHECK_THROWS_AS(run_kernel(), SimulationError);
  return checker.first_violation() ? checker.first_violation()->text : "none";
}

}  // namespace

TEST_CASE("protocol checker: a foreign memory that accepts a request twice is named") {
  CHECK_THAT(violation_of_memory([](Scripted& memory) {
               memory.call(tlm::END_REQ);
               memory.call(tlm::END_REQ);
             }),
             Contains("phase order") && Contains("END_REQ for a request that has been accepted") && Contains("link below"));
}

TEST_CASE("protocol checker: a foreign memory that answers without a status is named") {
  CHECK_THAT(violation_of_memory([](Scripted& memory) { memory.call(tlm::BEGIN_RESP); }),
             Contains("response status") && Contains("still TLM_INCOMPLETE_RESPONSE"));
}

TEST_CASE("protocol checker: a foreign memory that changes the length of a payload is named") {
  CHECK_THAT(violation_of_memory([](Scripted& memory) {
               memory.got->set_data_length(4);
               memory.got->set_response_status(tlm::TLM_OK_RESPONSE);
               memory.call(tlm::BEGIN_RESP);
             }),
             Contains("immutable attributes") && Contains("the data length"));
}

TEST_CASE("protocol checker: a foreign initiator that changes the address of a live transaction is named") {
  L2System<LtMemory> system;
  AtInitiator initiator("initiator");
  system.join(initiator.socket, system.entry());
  block_rig::Script script(system.clock);
  script.at(5, [&] { initiator.send(tlm::TLM_READ_COMMAND, 0, Bytes(4)); });
  script.at(9, [&] { initiator.sent[0]->set_address(64); });
  CHECK_THROWS_WITH(run_kernel(), Contains("immutable attributes") && Contains("the address") && Contains("no access id"));
}

TEST_CASE("protocol checker: a foreign initiator without a memory manager is named, and its blocking calls need none") {
  L2System<LtMemory> system;
  AtInitiator initiator("initiator");
  system.join(initiator.socket, system.entry());
  block_rig::Script script(system.clock);
  script.at(5, [&] {
    tlm::tlm_generic_payload transaction;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time none;
    initiator.socket->nb_transport_fw(transaction, phase, none);
  });
  CHECK_THROWS_WITH(run_kernel(), Contains("memory management"));
}

TEST_CASE("foreign link: a payload of this model that somebody else's module hands on passes as it is, with its versions") {
  ClockDomain clock("clock", 1000, {});
  PayloadPool pool;
  block_rig::Initiator initiator("initiator", clock, pool);
  block_rig::Target target("target", clock);
  test::Forwarder forwarder("forwarder");
  ProtocolChecker above("above", LinkKind::memory), below("below", LinkKind::memory);
  initiator.port.socket.bind(above.target_socket);
  above.initiator_socket.bind(forwarder.in);
  forwarder.out.bind(below.target_socket);
  below.initiator_socket.bind(target.port.socket);
  target.contents = {4, 5, 6, 7};
  target.takes = [](std::size_t n) { return n != 1; };
  initiator.takes = [](std::size_t n) { return n != 1; };
  block_rig::Script script(clock);
  initiator.send(10, block_rig::a_store(8, 0b0101), {70, 0, 71, 0});
  initiator.send(20, block_rig::a_load(9));
  script.at(29, [&] { target.accept(); });
  script.at(199, [&] { initiator.accept_waiting(); });
  run_kernel();
  REQUIRE(target.requests.size() == 2);
  CHECK(target.requests[0].versions == SectorVersions{70, 0, 71, 0});
  CHECK(initiator.reply_to(1).cycle == 10 + target.latency);
  CHECK(initiator.reply_to(2).versions == SectorVersions{4, 5, 6, 7});
  CHECK(initiator.reply_to(2).hint.served_by == ServedBy::l2);
  CHECK(initiator.accepted_later.at(2) == 30);
  CHECK(forwarder.calls >= 6);
  CHECK(above.check_end().empty());
  CHECK(below.check_end().empty());
  CHECK(pool.alive() == 0);
}

TEST_CASE("foreign link: a module between two blocks sees whole transactions, with the bytes of stores and of answers") {
  struct Seen {
    tlm::tlm_command command;
    sc_dt::uint64 address;
    Bytes data;
  };
  L2System<LtMemory> system;
  L1Cache l1("l1", small_l1(), TransactionUnit::line, 0, 1, {system.clock, system.pool, system.registry, nullptr, nullptr, true, 0});
  test::Forwarder probe("probe");
  std::vector<Seen> seen;
  probe.sees = [&](const tlm::tlm_generic_payload& transaction, const tlm::tlm_phase& phase) {
    if (phase != (transaction.is_write() ? tlm::BEGIN_REQ : tlm::BEGIN_RESP)) return;
    const unsigned char* const data = transaction.get_data_ptr();
    seen.push_back({transaction.get_command(), transaction.get_address(), Bytes(data, data + transaction.get_data_length())});
  };
  l1.downstream(0).bind(probe.in);
  system.join(probe.out, system.entry());
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    self.write(0x1042, {1, 2});
    self.read(0x2004, 4);
  });
  initiator.socket.bind(l1.upstream(0));
  system.run();
  const auto line = [](Address address, unsigned bytes) {
    Bytes expected;
    for (unsigned i = 0; i < bytes; ++i) expected.push_back(pattern(address + i));
    return expected;
  };
  REQUIRE(seen.size() == 2);
  Bytes stored = line(0x1040, 32);
  stored[2] = 1;
  stored[3] = 2;
  CHECK(seen[0].command == tlm::TLM_WRITE_COMMAND);
  CHECK(seen[0].address == 0x1040);
  CHECK(seen[0].data == stored);
  CHECK(seen[1].command == tlm::TLM_READ_COMMAND);
  CHECK(seen[1].address == 0x2000);
  CHECK(seen[1].data == line(0x2000, static_cast<unsigned>(seen[1].data.size())));
}
