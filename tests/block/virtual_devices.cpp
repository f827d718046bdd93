// The host side of the virtual platform without its CPU: bus, RAM and the small devices.

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <sstream>
#include <vector>

#include "platforms/virtual/bus.h"
#include "platforms/virtual/devices.h"
#include "platforms/virtual/firmware/machine.h"
#include "platforms/virtual/ram.h"

using namespace wharf;
using namespace wharf::vp;

namespace {

constexpr Address kRam = 0x80000000;
constexpr unsigned kPage = 4096;
sc_core::sc_time ns(unsigned count) { return sc_core::sc_time(count, sc_core::SC_NS); }

/// A GPU's caches. They hold the bytes from `begin` to below `end`, each a dirty 99.
struct Caches final : Coherence {
  bool active() const override { return false; }
  bool holds(std::uint64_t from, std::uint64_t bytes) const override { return from < end && begin < from + bytes; }
  unsigned debug(tlm::tlm_generic_payload& transaction) override {
    if (!knows) return 0;
    std::memset(transaction.get_data_ptr(), 99, transaction.get_data_length());
    return transaction.get_data_length();
  }
  std::uint64_t begin = 0, end = 0;
  bool knows = true;
};

/// An initiator on a bus with every device that needs no GPU.
struct Host : sc_core::sc_module {
  explicit Host(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_invalidate_direct_mem_ptr(this, &Host::invalidate);
    socket.bind(bus.initiators);
    bus.map(timer.socket, WHARF_TIMER_BASE, WHARF_TIMER_BYTES);
    bus.map(interrupts.socket, WHARF_INTERRUPTS_BASE, WHARF_INTERRUPTS_BYTES);
    bus.map(uart.socket, WHARF_UART_BASE, WHARF_UART_BYTES);
    bus.map(exit.socket, WHARF_EXIT_BASE, WHARF_EXIT_BYTES);
    bus.map(ram.socket, kRam, ram.bytes());
  }
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) { invalidated.emplace_back(begin, end); }

  tlm::tlm_response_status access(tlm::tlm_command command, Address address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload transaction;
    fill(transaction, command, address, data, bytes);
    return send(transaction);
  }
  static void fill(tlm::tlm_generic_payload& transaction, tlm::tlm_command command, Address address, void* data, unsigned bytes) {
    transaction.set_command(command);
    transaction.set_address(address);
    transaction.set_data_ptr(static_cast<unsigned char*>(data));
    transaction.set_data_length(bytes);
    transaction.set_streaming_width(bytes);
  }
  tlm::tlm_response_status send(tlm::tlm_generic_payload& transaction) {
    const Address address = transaction.get_address();
    delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(transaction, delay);
    CHECK(transaction.get_address() == address);
    return transaction.get_response_status();
  }
  std::uint32_t read(Address address) {
    std::uint32_t value = 0;
    CHECK(access(tlm::TLM_READ_COMMAND, address, &value, 4) == tlm::TLM_OK_RESPONSE);
    return value;
  }
  void write(Address address, std::uint32_t value) { CHECK(access(tlm::TLM_WRITE_COMMAND, address, &value, 4) == tlm::TLM_OK_RESPONSE); }

  std::vector<std::pair<Address, Address>> invalidated;
  Caches caches;
  std::vector<bool> levels;  // successive levels of the CPU's interrupt line
  std::ostringstream transmitted;
  sc_core::sc_time delay;
  tlm_utils::simple_initiator_socket<Host> socket{"socket"};
  Bus bus{"bus", ns(10)};
  Timer timer{"timer"};
  InterruptController interrupts{"interrupts", [this](bool level) { levels.push_back(level); }};
  Uart uart{"uart", transmitted};
  ExitDevice exit{"exit"};
  Ram ram{"ram", 4 * kPage, {ns(50), ns(300)}, caches};
};

}  // namespace

TEST_CASE("the bus adds its latency to the target's and refuses what nobody has") {
  Host host("host");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::uint64_t value = 0x1122334455667788;
  CHECK(host.access(tlm::TLM_WRITE_COMMAND, kRam + 8, &value, 8) == tlm::TLM_OK_RESPONSE);
  CHECK(host.delay == ns(10 + 50));
  CHECK(host.ram.data()[8] == std::byte{0x88});
  CHECK(host.access(tlm::TLM_READ_COMMAND, WHARF_TIMER_BASE + WHARF_TIMER_TIME, &value, 4) == tlm::TLM_OK_RESPONSE);
  CHECK(host.delay == ns(10 + 20));
  CHECK(host.access(tlm::TLM_READ_COMMAND, 0x50000000, &value, 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(host.access(tlm::TLM_READ_COMMAND, kRam + 4 * kPage - 4, &value, 8) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK_THROWS_AS(host.bus.map(host.ram.socket, kRam + kPage, kPage), std::logic_error);
}

TEST_CASE("RAM honours byte enables and streaming width") {
  Host host("host");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::array<unsigned char, 8> data = {1, 2, 3, 4, 5, 6, 7, 8};
  std::array<unsigned char, 2> enables = {0xFF, 0x00};
  tlm::tlm_generic_payload transaction;
  Host::fill(transaction, tlm::TLM_WRITE_COMMAND, kRam, data.data(), 8);
  transaction.set_byte_enable_ptr(enables.data());
  transaction.set_byte_enable_length(2);
  CHECK(host.send(transaction) == tlm::TLM_OK_RESPONSE);
  const std::byte* ram = host.ram.data();
  CHECK((ram[0] == std::byte{1} && ram[1] == std::byte{0} && ram[6] == std::byte{7} && ram[7] == std::byte{0}));
  transaction.set_byte_enable_ptr(nullptr);
  transaction.set_streaming_width(4);  // the second half is written over the first
  CHECK(host.send(transaction) == tlm::TLM_OK_RESPONSE);
  CHECK((ram[0] == std::byte{5} && ram[3] == std::byte{8} && ram[4] == std::byte{5}));
}

TEST_CASE("DMI and debug access reach RAM through the bus at its addresses, registers grant none") {
  Host host("host");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  tlm::tlm_generic_payload transaction;
  tlm::tlm_dmi dmi;
  std::uint32_t value = 77;
  Host::fill(transaction, tlm::TLM_WRITE_COMMAND, kRam + kPage, &value, 4);
  REQUIRE(host.socket->get_direct_mem_ptr(transaction, dmi));
  CHECK(dmi.get_start_address() == kRam);
  CHECK(dmi.get_end_address() == kRam + 4 * kPage - 1);
  CHECK(dmi.is_read_write_allowed());
  CHECK(host.socket->transport_dbg(transaction) == 4);
  CHECK(dmi.get_dmi_ptr()[kPage] == 77);
  transaction.set_address(WHARF_TIMER_BASE + WHARF_TIMER_COMPARE);
  CHECK_FALSE(host.socket->get_direct_mem_ptr(transaction, dmi));
  transaction.set_address(0x50000000);
  CHECK_FALSE(host.socket->get_direct_mem_ptr(transaction, dmi));
  CHECK(host.socket->transport_dbg(transaction) == 0);
}

TEST_CASE("registers refuse bursts, byte enables, wrong sizes and places that have none") {
  Host host("host");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::array<unsigned char, 8> data{};
  CHECK(host.access(tlm::TLM_READ_COMMAND, WHARF_TIMER_BASE + WHARF_TIMER_TIME, data.data(), 8) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(host.access(tlm::TLM_READ_COMMAND, WHARF_UART_BASE, data.data(), 4) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(host.access(tlm::TLM_READ_COMMAND, WHARF_TIMER_BASE + 2, data.data(), 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(host.access(tlm::TLM_READ_COMMAND, WHARF_TIMER_BASE + 0x10, data.data(), 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  CHECK(host.access(tlm::TLM_WRITE_COMMAND, WHARF_TIMER_BASE + WHARF_TIMER_TIME, data.data(), 4) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  tlm::tlm_generic_payload transaction;
  Host::fill(transaction, tlm::TLM_WRITE_COMMAND, WHARF_EXIT_BASE, data.data(), 4);
  transaction.set_byte_enable_ptr(data.data());
  transaction.set_byte_enable_length(4);
  CHECK(host.send(transaction) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  CHECK_FALSE(host.exit.code().has_value());
}

TEST_CASE("the timer is due when its comparison says, in two halves") {
  Host host("host");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  CHECK(host.timer.due() == kNever);
  host.write(WHARF_TIMER_BASE + WHARF_TIMER_COMPARE, 500);
  CHECK(host.timer.due() > 500'000);  // the high half is still all ones
  host.write(WHARF_TIMER_BASE + WHARF_TIMER_COMPARE + 4, 0);
  CHECK(host.timer.due() == 500'000);
  CHECK(host.read(WHARF_TIMER_BASE + WHARF_TIMER_COMPARE) == 500);
  CHECK(host.read(WHARF_TIMER_BASE + WHARF_TIMER_TIME) == 30);  // time for the bus and the register
}

TEST_CASE("an interrupt is raised while it is enabled and not claimed, and again where its source stays up") {
  Host host("host");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const Address base = WHARF_INTERRUPTS_BASE;
  host.interrupts.set(3, true);
  CHECK(host.levels.empty());
  CHECK(host.read(base + WHARF_INTERRUPTS_PENDING) == 1u << 3);
  CHECK(host.read(base + WHARF_INTERRUPTS_CLAIM) == 0);
  host.write(base + WHARF_INTERRUPTS_ENABLE, 0xFFFFFFFF);
  CHECK(host.read(base + WHARF_INTERRUPTS_ENABLE) == 0xFFFFFFFE);  // source 0 does not exist
  CHECK(host.levels == std::vector<bool>{true});
  host.interrupts.set(5, true);
  CHECK(host.read(base + WHARF_INTERRUPTS_CLAIM) == 3);
  CHECK(host.read(base + WHARF_INTERRUPTS_CLAIM) == 5);
  CHECK(host.levels == std::vector<bool>{true, false});
  host.interrupts.set(5, false);
  host.write(base + WHARF_INTERRUPTS_CLAIM, 5);
  CHECK(host.levels == std::vector<bool>{true, false});
  host.write(base + WHARF_INTERRUPTS_CLAIM, 3);
  CHECK(host.levels == std::vector<bool>{true, false, true});
  host.interrupts.set(3, false);
  CHECK(host.levels == std::vector<bool>{true, false, true, false});
}

TEST_CASE("the UART transmits characters and the exit device keeps the code") {
  Host host("host");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  unsigned char character = 'w', status = 0;
  CHECK(host.access(tlm::TLM_WRITE_COMMAND, WHARF_UART_BASE, &character, 1) == tlm::TLM_OK_RESPONSE);
  CHECK(host.transmitted.str() == "w");
  CHECK(host.access(tlm::TLM_READ_COMMAND, WHARF_UART_BASE + WHARF_UART_STATUS, &status, 1) == tlm::TLM_OK_RESPONSE);
  CHECK(status == 0x60);
  CHECK(host.access(tlm::TLM_READ_COMMAND, WHARF_UART_BASE, &status, 1) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  host.write(WHARF_EXIT_BASE, 42);
  CHECK(host.exit.code() == 42u);
}

TEST_CASE("pages that the GPU was given are reached by way of its caches, not by pointer, until no cache holds a line of them") {
  Host host("host");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  tlm::tlm_generic_payload transaction;
  tlm::tlm_dmi dmi;
  std::uint32_t value = 0;
  const auto direct = [&](unsigned page) {
    Host::fill(transaction, tlm::TLM_READ_COMMAND, kRam + page * kPage + 8, &value, 4);
    return host.socket->get_direct_mem_ptr(transaction, dmi);
  };
  host.caches.begin = kPage + 128, host.caches.end = kPage + 256;
  host.ram.share(kPage + 100, kPage);  // on two pages
  CHECK(host.invalidated == std::vector<std::pair<Address, Address>>{{kRam + kPage, kRam + 3 * kPage - 1}});
  host.ram.share(kPage, 8);  // already shared
  CHECK(host.invalidated.size() == 1);

  CHECK_FALSE(direct(1));
  CHECK((dmi.get_start_address() == kRam + kPage && dmi.get_end_address() == kRam + 2 * kPage - 1));
  REQUIRE(direct(0));
  CHECK((dmi.get_start_address() == kRam && dmi.get_end_address() == kRam + kPage - 1));
  REQUIRE(direct(3));
  CHECK((dmi.get_start_address() == kRam + 3 * kPage && dmi.get_end_address() == kRam + 4 * kPage - 1));
  CHECK(dmi.get_dmi_ptr() == reinterpret_cast<unsigned char*>(host.ram.data() + 3 * kPage));

  CHECK(host.send(transaction) == tlm::TLM_OK_RESPONSE);
  CHECK(host.delay == ns(10 + 50));
  CHECK(transaction.is_dmi_allowed());
  CHECK(host.read(kRam + 2 * kPage) == 0x63636363);
  CHECK(host.delay == ns(10 + 300));
  CHECK(host.ram.data()[2 * kPage] == std::byte{0});
  CHECK(host.socket->transport_dbg(transaction) == 4);
  std::array<unsigned char, 4> data = {1, 2, 3, 4}, enables = {0, 0xFF, 0, 0};
  Host::fill(transaction, tlm::TLM_READ_COMMAND, kRam + 2 * kPage, data.data(), 4);
  transaction.set_byte_enable_ptr(enables.data());
  transaction.set_byte_enable_length(4);
  CHECK(host.send(transaction) == tlm::TLM_OK_RESPONSE);
  CHECK(data == std::array<unsigned char, 4>{1, 99, 3, 4});
  host.caches.knows = false;  // if they do not know, RAM has the data
  CHECK(host.read(kRam + 2 * kPage) == 0);
  CHECK(host.delay == ns(10 + 300));

  host.ram.reconsider();
  CHECK_FALSE(direct(1));  // still held
  REQUIRE(direct(2));
  CHECK((dmi.get_start_address() == kRam + 2 * kPage && dmi.get_end_address() == kRam + 4 * kPage - 1));
  host.caches.end = 0;
  CHECK_FALSE(direct(1));  // the GPU has done nothing in the meantime
  host.ram.reconsider();
  REQUIRE(direct(1));
  CHECK((dmi.get_start_address() == kRam && dmi.get_end_address() == kRam + 4 * kPage - 1));
}
