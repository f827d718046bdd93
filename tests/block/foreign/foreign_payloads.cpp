// Requests of a generic payload to a block: byte enables, streaming width, odd sizes, and the status that refuses it.

#include <limits>

#include "model/monitor/golden_memory.h"
#include "model/tlm/lookup_link.h"
#include "tests/block/foreign/foreign_rig.h"

using namespace wharf;
using namespace wharf::foreign_rig;

namespace {

/// Runs a program of blocking calls before an L1. `checked`: inserts a protocol checker, which ends the run at an illegal call.
void run_program(const std::function<void(LtInitiator&)>& program, bool checked = true) {
  L1System<LtMemory> system;
  LtInitiator initiator("initiator", program);
  if (checked)
    system.join(initiator.socket, system.entry());
  else
    initiator.socket.bind(system.entry());
  system.run();
  CHECK(initiator.ended);
}

tlm::tlm_response_status status_of(LtInitiator& self, const std::function<void(tlm::tlm_generic_payload&)>& change) {
  Bytes data(8);
  Plain transaction(tlm::TLM_READ_COMMAND, 0x40, data.data(), 8);
  change(transaction);
  return self.transport(transaction);
}

}  // namespace

TEST_CASE("foreign payload: only the enabled bytes are written, with any pattern, repeated where it is shorter than the data") {
  run_program([](LtInitiator& self) {
    Bytes data{1, 2, 3, 4, 5, 6, 7}, enables{0xFF, 0, 0};
    Plain transaction(tlm::TLM_WRITE_COMMAND, 0x7D, data.data(), 7);
    transaction.set_byte_enable_ptr(enables.data());
    transaction.set_byte_enable_length(3);
    CHECK(self.transport(transaction) == tlm::TLM_OK_RESPONSE);
    CHECK(self.read(0x7D, 7) == Bytes{1, pattern(0x7E), pattern(0x7F), 4, pattern(0x81), pattern(0x82), 7});
  });
}

TEST_CASE("foreign payload: only the enabled bytes are read, the others stay as they were, and lines without any are not accessed") {
  L1System<LtMemory> system;
  LtInitiator initiator("initiator", [](LtInitiator& self) {
    Bytes data(300, 0xEE), enables(300, 0);
    enables[0] = enables[299] = 0xFF;
    Plain transaction(tlm::TLM_READ_COMMAND, 0, data.data(), 300);
    transaction.set_byte_enable_ptr(enables.data());
    transaction.set_byte_enable_length(300);
    CHECK(self.transport(transaction) == tlm::TLM_OK_RESPONSE);
    CHECK(data[0] == pattern(0));
    CHECK(data[299] == pattern(299));
    CHECK(std::count(data.begin(), data.end(), 0xEE) >= 298);
    enables.assign(300, 0);
    CHECK(self.transport(transaction) == tlm::TLM_OK_RESPONSE);  // nothing to do
  });
  system.join(initiator.socket, system.entry());
  system.run();
  CHECK(system.count("l1.load.accesses") == 2);
}

TEST_CASE("foreign payload: with a streaming width below the length the same addresses are accessed again and again") {
  run_program([](LtInitiator& self) {
    Bytes data{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    Plain write(tlm::TLM_WRITE_COMMAND, 0x7E, data.data(), 10);
    write.set_streaming_width(4);
    CHECK(self.transport(write) == tlm::TLM_OK_RESPONSE);
    CHECK(self.read(0x7D, 6) == Bytes{pattern(0x7D), 9, 10, 7, 8, pattern(0x82)});
    Bytes got(10);
    Plain read(tlm::TLM_READ_COMMAND, 0x7E, got.data(), 10);
    read.set_streaming_width(4);
    CHECK(self.transport(read) == tlm::TLM_OK_RESPONSE);
    CHECK(got == Bytes{9, 10, 7, 8, 9, 10, 7, 8, 9, 10});
  });
}

TEST_CASE("foreign payload: what cannot be served is refused with the status for it") {
  run_program(
      [](LtInitiator& self) {
        Bytes enables{0xFF, 0x0F};
        CHECK(status_of(self, [](auto& t) { t.set_data_length(0); }) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(status_of(self, [](auto& t) { t.set_streaming_width(0); }) == tlm::TLM_BURST_ERROR_RESPONSE);
        CHECK(status_of(self, [](auto& t) { t.set_data_ptr(nullptr); }) == tlm::TLM_GENERIC_ERROR_RESPONSE);
        CHECK(status_of(self, [](auto& t) { t.set_address(std::numeric_limits<sc_dt::uint64>::max() - 3); }) ==
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
        CHECK(status_of(self, [&](auto& t) {
                t.set_byte_enable_ptr(enables.data());
                t.set_byte_enable_length(2);
              }) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        CHECK(status_of(self, [&](auto& t) {
                t.set_byte_enable_ptr(enables.data());
                t.set_byte_enable_length(0);
              }) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
        CHECK(status_of(self, [](auto& t) { t.set_command(static_cast<tlm::tlm_command>(3)); }) == tlm::TLM_COMMAND_ERROR_RESPONSE);
        CHECK(status_of(self, [](auto& t) { t.set_command(tlm::TLM_IGNORE_COMMAND); }) == tlm::TLM_OK_RESPONSE);
        CHECK(status_of(self, [](auto&) {}) == tlm::TLM_OK_RESPONSE);
      },
      false);
}

TEST_CASE("foreign payload: with phases a refused transaction is complete in its call, and nothing is accessed") {
  L1System<LtMemory> system;
  AtInitiator initiator("initiator");
  initiator.send(tlm::TLM_READ_COMMAND, 0, {});
  initiator.send(tlm::TLM_IGNORE_COMMAND, 0, Bytes(4));
  initiator.socket.bind(system.entry());  // a protocol checker would end the run
  system.run();
  CHECK(initiator.sent[0]->result == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(initiator.sent[1]->result == tlm::TLM_OK_RESPONSE);
  CHECK(system.count("l1.load.accesses") == 0);
}

TEST_CASE("foreign payload: direct memory is denied, in the payload's hint and to who asks for it") {
  run_program(
      [](LtInitiator& self) {
        Bytes data(4);
        Plain transaction(tlm::TLM_READ_COMMAND, 0, data.data(), 4);
        transaction.set_dmi_allowed(true);
        CHECK(self.transport(transaction) == tlm::TLM_OK_RESPONSE);
        CHECK_FALSE(transaction.is_dmi_allowed());
        tlm::tlm_dmi dmi;
        CHECK_FALSE(self.socket->get_direct_mem_ptr(transaction, dmi));
        CHECK(dmi.is_none_allowed());
      },
      false);
}

TEST_CASE("foreign payload: without contents a transaction is timed without data, and one with data is refused") {
  ClockDomain clock("clock", 1000, {});
  stats::Registry registry;
  PayloadPool pool;
  const auto addresses = make_address_map("interleave", 1, 1);
  L2Slice l2("l2", small_l2(), TransactionUnit::line, 0, {clock, pool, registry, *addresses, true, nullptr});
  LtMemory memory("memory");
  const Bytes before = memory.store.bytes;
  Picoseconds took = 0;
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    Bytes data(4);
    Plain transaction(tlm::TLM_READ_COMMAND, 0, data.data(), 4);
    CHECK(self.transport(transaction) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    for (unsigned line = 0; line < 40; ++line) {
      Plain write(tlm::TLM_WRITE_COMMAND, 128 * line, nullptr, 128);
      CHECK(self.transport(write) == tlm::TLM_OK_RESPONSE);
    }
    const Picoseconds start = now_ps();
    Plain read(tlm::TLM_READ_COMMAND, 128 * 39, nullptr, 128);
    CHECK(self.transport(read) == tlm::TLM_OK_RESPONSE);
    took = now_ps() - start;
  });
  initiator.socket.bind(l2.upstream());
  l2.downstream().bind(memory.socket);
  run_kernel();
  CHECK(initiator.ended);
  CHECK(took == (1 + 20) * 1000);
  CHECK(test::counted(registry, "l2.writebacks") == 40 - 16);
  CHECK(memory.store.accesses == 40 - 16);
  CHECK(memory.store.bytes == before);  // written back with all bytes disabled
}

TEST_CASE("foreign payload: at a message link, which has none of its own to route by, it is refused") {
  struct Sink final : sc_core::sc_module, private MessageSink {
    explicit Sink(sc_core::sc_module_name name) : sc_module(name) {}
    MessageSinkPort port{"port", *this, 0};
    unsigned messages = 0;
    bool message(unsigned, Payload&, Picoseconds) override { return ++messages != 0; }
  };
  Sink sink("sink");
  AtInitiator initiator("initiator");
  initiator.socket.bind(sink.port.socket);
  initiator.send(tlm::TLM_READ_COMMAND, 0, Bytes(4));
  run_kernel();
  CHECK(initiator.sent[0]->result == tlm::TLM_GENERIC_ERROR_RESPONSE);
  CHECK(sink.messages == 0);
  PayloadPool pool;
  Payload& own = pool.acquire(block_rig::a_load(1));
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time none;
  CHECK(initiator.socket->nb_transport_fw(own, phase, none) == tlm::TLM_COMPLETED);
  CHECK(sink.messages == 1);
}

TEST_CASE("foreign payload: a lookup link accepts only one whole word") {
  struct Table final : sc_core::sc_module, private LookupTarget {
    explicit Table(sc_core::sc_module_name name) : sc_module(name) {}
    LookupTargetPort port{"port", *this, 0};
    unsigned char word[2] = {3, 4};
    void read(unsigned, Address, unsigned char* data, unsigned length) override { std::copy_n(word, length, data); }
    void write(unsigned, Address, const unsigned char* data, unsigned length) override { std::copy_n(data, length, word); }
  };
  Table table("table");
  LtInitiator initiator("initiator", [&](LtInitiator& self) {
    CHECK(self.read(0, 2) == Bytes{3, 4});
    self.write(0, {5, 6});
    CHECK(self.read(0, 2) == Bytes{5, 6});
    Bytes data(2), enables{0xFF, 0};
    Plain streaming(tlm::TLM_READ_COMMAND, 0, data.data(), 2);
    streaming.set_streaming_width(1);
    CHECK(self.transport(streaming) == tlm::TLM_BURST_ERROR_RESPONSE);
    Plain masked(tlm::TLM_WRITE_COMMAND, 0, data.data(), 2);
    masked.set_byte_enable_ptr(enables.data());
    masked.set_byte_enable_length(2);
    CHECK(self.transport(masked) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    Plain empty(tlm::TLM_READ_COMMAND, 0, nullptr, 2);
    CHECK(self.transport(empty) == tlm::TLM_GENERIC_ERROR_RESPONSE);
    Plain odd(static_cast<tlm::tlm_command>(3), 0, data.data(), 2);
    CHECK(self.transport(odd) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    Plain ignored(tlm::TLM_IGNORE_COMMAND, 0, data.data(), 2);
    CHECK(self.transport(ignored) == tlm::TLM_OK_RESPONSE);
    CHECK(table.word[0] == 5);
  });
  initiator.socket.bind(table.port.socket);
  run_kernel();
  CHECK(initiator.ended);
}

TEST_CASE("foreign payload: golden memory's monitors let it pass unchecked") {
  stats::Registry registry;
  GoldenMemory golden(registry);
  GoldenSmMonitor sm("sm", golden);
  GoldenOrderMonitor order("order", golden);
  AtMemory memory("memory");
  AtInitiator initiator("initiator");
  initiator.socket.bind(sm.target_socket);
  sm.initiator_socket.bind(order.target_socket);
  order.initiator_socket.bind(memory.socket);
  initiator.send(tlm::TLM_WRITE_COMMAND, 8, Bytes{1, 2});
  initiator.send(tlm::TLM_READ_COMMAND, 7, Bytes(4));
  run_kernel();
  CHECK(initiator.sent[1]->data == Bytes{pattern(7), 1, 2, pattern(10)});
  CHECK(sm.open_loads() == 0);
}
