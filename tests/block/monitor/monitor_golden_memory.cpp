// The golden-memory monitors on their links: the versions that they write into payloads, and the violations that they detect.

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "model/monitor/golden_memory.h"
#include "model/monitor/kernel_failure.h"
#include "model/tlm/memory_link.h"

using namespace wharf;
using Catch::Matchers::Contains;

namespace {

constexpr LineAddress kLine{5};
constexpr SectorMask kLow = 0b0011;

class ScriptedSm final : public sc_core::sc_module, public MemoryInitiator {
 public:
  explicit ScriptedSm(sc_core::sc_module_name name) : sc_module(name) {}
  void request_accepted(unsigned, Picoseconds) override {}
  bool response(unsigned, Payload& payload, Picoseconds) override {
    versions = payload.versions();
    ++responses;
    return true;
  }
  MemoryInitiatorPort port{"port", *this, 0};
  SectorVersions versions{};
  unsigned responses = 0;
};

/// Takes stores at once and keeps loads until the test answers them.
class ScriptedMemory final : public sc_core::sc_module, public MemoryTarget {
 public:
  explicit ScriptedMemory(sc_core::sc_module_name name) : sc_module(name) {}
  Acceptance request(unsigned, Payload& payload, Picoseconds) override {
    if (payload.access().kind == AccessKind::load && answer_at_once) {
      payload.versions() = contents;
      return Acceptance::completed;
    }
    if (payload.access().kind == AccessKind::store) contents = payload.versions();
    return Acceptance::accepted;
  }
  void response_accepted(unsigned, Picoseconds) override {}
  unsigned debug(unsigned, tlm::tlm_generic_payload&) override { return 17; }

  void answer(Payload& load, const SectorVersions& versions, ServedBy served_by) {
    load.versions() = versions;
    load.reply().served_by = served_by;
    port.respond(load, 0);
  }
  MemoryTargetPort port{"port", *this, 0};
  SectorVersions contents{};
  bool answer_at_once = false;
};

/// SM - SM monitor - order monitor - memory, elaborated, at time 0.
struct GoldenMemoryRig {
  stats::Registry registry;
  GoldenMemory golden{registry};
  PayloadPool pool;
  ScriptedSm sm{"sm"};
  GoldenSmMonitor sm_monitor{"sm_monitor", golden};
  GoldenOrderMonitor order_monitor{"order_monitor", golden};
  ScriptedMemory memory{"memory"};

  GoldenMemoryRig() {
    sm.port.socket.bind(sm_monitor.target_socket);
    sm_monitor.initiator_socket.bind(order_monitor.target_socket);
    order_monitor.initiator_socket.bind(memory.port.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  Payload& make(AccessKind kind, SectorMask sectors = kLow, std::uint16_t sm_number = 0) {
    Access access;
    access.line = kLine;
    access.sectors = sectors;
    access.kind = kind;
    access.sm = sm_number;
    Payload& payload = pool.acquire(access);
    payload.versions() = {91, 92, 93, 94};  // left over from an earlier use
    return payload;
  }
  Payload& send(AccessKind kind, SectorMask sectors = kLow, std::uint16_t sm_number = 0) {
    Payload& payload = make(kind, sectors, sm_number);
    sm.port.send(payload, 0);
    return payload;
  }
};

}  // namespace

TEST_CASE("golden monitors: a store carries one id in its sectors and is ordered when it reaches the ordering point") {
  GoldenMemoryRig rig;
  Payload& store = rig.send(AccessKind::store);
  CHECK(store.versions() == SectorVersions{1, 1, 0, 0});
  CHECK_NOTHROW(rig.golden.kernel_boundary());
}

TEST_CASE("golden monitors: an atomic is named and ordered like a store") {
  GoldenMemoryRig rig;
  Payload& atomic = rig.send(AccessKind::atomic, 0b1000);
  CHECK(atomic.versions() == SectorVersions{0, 0, 0, 1});
  CHECK_NOTHROW(rig.golden.kernel_boundary());
}

TEST_CASE("golden monitors: a load that returns the newest store passes and reaches the SM unchanged") {
  GoldenMemoryRig rig;
  rig.send(AccessKind::store);
  Payload& load = rig.send(AccessKind::load);
  CHECK(rig.sm_monitor.open_loads() == 1);
  rig.memory.answer(load, rig.memory.contents, ServedBy::l2);
  CHECK(rig.sm.responses == 1);
  CHECK(rig.sm.versions == SectorVersions{1, 1, 0, 0});
  CHECK(rig.sm_monitor.open_loads() == 0);
}

TEST_CASE("golden monitors: a load that returns less than its SM stored is caught at the SM") {
  GoldenMemoryRig rig;
  rig.send(AccessKind::store);
  Payload& load = rig.send(AccessKind::load);
  CHECK_THROWS_WITH(rig.memory.answer(load, {1, 0, 0, 0}, ServedBy::l1), Contains("older than its own last store") && Contains("sector 1"));
  CHECK(rig.sm.responses == 0);
}

TEST_CASE("golden monitors: a load answered with less than the ordering point had at its arrival is caught there") {
  GoldenMemoryRig rig;
  rig.send(AccessKind::store);
  for (const ServedBy served_by : {ServedBy::l2, ServedBy::ellc, ServedBy::dram}) {
    Payload& load = rig.send(AccessKind::load, kLow, 1);
    CHECK_THROWS_WITH(rig.memory.answer(load, {0, 0, 0, 0}, served_by), Contains("what was newest when the load arrived"));
  }
}

TEST_CASE("golden monitors: a load that a cache above answers may be older than the ordering point") {
  GoldenMemoryRig rig;
  rig.send(AccessKind::store);
  Payload& load = rig.send(AccessKind::load, kLow, 1);
  CHECK_NOTHROW(rig.memory.answer(load, {0, 0, 0, 0}, ServedBy::peer));
  CHECK(rig.sm.responses == 1);
}

TEST_CASE("golden monitors: a load whose answer carries no versions is caught") {
  GoldenMemoryRig rig;
  Payload& load = rig.send(AccessKind::load);
  CHECK(load.versions() == SectorVersions{kNoVersion, kNoVersion, kNoVersion, kNoVersion});
  CHECK_THROWS_WITH(rig.memory.answer(load, load.versions(), ServedBy::none), Contains("returned no version"));
}

TEST_CASE("golden monitors: a load answered on the forward path is checked there") {
  GoldenMemoryRig rig;
  rig.send(AccessKind::store);
  rig.memory.answer_at_once = true;
  Payload& load = rig.make(AccessKind::load);
  CHECK(rig.sm.port.send(load, 0) == Acceptance::completed);
  rig.memory.contents = {0, 0, 0, 0};
  CHECK_THROWS_AS(rig.send(AccessKind::load), SimulationError);
}

TEST_CASE("golden monitors: a load that bypasses L1 is checked like any other") {
  GoldenMemoryRig rig;
  rig.send(AccessKind::store);
  Access access;
  access.line = kLine;
  access.sectors = kLow;
  access.cache_op = CacheOp::bypass_l1;
  Payload& load = rig.pool.acquire(access);
  rig.sm.port.send(load, 0);
  CHECK_THROWS_WITH(rig.memory.answer(load, {0, 0, 0, 0}, ServedBy::none), Contains("older than its own last store"));
}

TEST_CASE("golden monitors: debug accesses pass through") {
  GoldenMemoryRig rig;
  CHECK(rig.sm.port.debug(rig.make(AccessKind::load)) == 17);
}

namespace {

/// Answers a load with wrong data from inside a process.
class LyingProcess : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(LyingProcess);
  LyingProcess(sc_core::sc_module_name name, GoldenMemoryRig*& rig, Payload*& load) : sc_module(name), rig_(rig), load_(load) {
    SC_METHOD(lie);
    sensitive << event;
    dont_initialize();
  }
  sc_core::sc_event event;

 private:
  void lie() { rig_->memory.answer(*load_, {0, 0, 0, 0}, ServedBy::l1); }
  GoldenMemoryRig*& rig_;
  Payload*& load_;
};

}  // namespace

TEST_CASE("golden monitors: a failure inside a process reaches the caller of the kernel with its own text") {
  GoldenMemoryRig* rig_pointer = nullptr;
  Payload* load = nullptr;
  LyingProcess process("process", rig_pointer, load);
  GoldenMemoryRig rig;
  rig_pointer = &rig;
  rig.send(AccessKind::store);
  load = &rig.send(AccessKind::load);
  process.event.notify(sc_core::sc_time::from_value(700));
  CHECK_NOTHROW(run_kernel(600));
  try {
    run_kernel();
    FAIL("nothing was thrown");
  } catch (const SimulationError& error) {
    CHECK_THAT(error.what(), Catch::Matchers::StartsWith("golden memory: SM 0"));
  }
  CHECK(present() == 700);
  CHECK_THROWS_AS(run_kernel(), sc_core::sc_report);  // the reports of the SystemC kernel pass unchanged: it cannot be started again (E548)
}
