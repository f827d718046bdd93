// Kernels in order, CTAs to SMs, and the end of a kernel (CM-27, CM-29).

#include "model/front_end/front_end.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "model/base/error.h"
#include "tests/block/block_rig.h"

using namespace wharf;
using namespace wharf::block_rig;
using Catch::Matchers::Contains;

namespace {

KernelLaunch kernel(std::uint32_t ctas, std::uint32_t threads = 64) {
  KernelLaunch k;
  k.name = "k";
  k.grid = {ctas, 1, 1};
  k.block = {threads, 1, 1};
  k.registers_per_thread = 16;
  return k;
}

/// Two CTAs per SM.
SmParams small_sm() {
  SmParams sm;
  sm.ctas = 2;
  return sm;
}

class Kernels final : public Stimulus {
 public:
  explicit Kernels(std::vector<KernelLaunch> kernels) : kernels_(std::move(kernels)) {}
  const KernelLaunch* next_kernel() override { return next_ == kernels_.size() ? nullptr : &kernels_[next_++]; }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override {
    opened.push_back(cta);
    return {};
  }
  std::vector<std::uint64_t> opened;

 private:
  std::vector<KernelLaunch> kernels_;
  std::size_t next_ = 0;
};

/// Records the messages of the sideband; its SMs run each CTA for `cta_cycles`.
class Machine final : public sc_core::sc_module, public SidebandListener, public RunObserver {
 public:
  struct Launch {
    std::uint64_t cta;
    unsigned sm, slot;
    std::uint64_t age;
    Cycle cycle;
  };
  Machine(ClockDomain& clock, Script& script) : sc_module(sc_core::sc_module_name("machine")), clock_(clock), script_(script) {}

  void write(const Event& event) override {
    if (event.kind == Event::Kind::kernel_start) starts.emplace_back(clock_.now(), event.shared_bytes), slots.push_back(event.ctas_per_sm);
    if (event.kind == Event::Kind::drain) drains.push_back(clock_.now());
    if (event.kind != Event::Kind::cta_launch) return;
    const std::unique_ptr<CtaWork> work(event.cta);
    launches.push_back({work->number, event.sm, work->slot, work->age, clock_.now()});
    CHECK(occupied.insert({event.sm, work->slot}).second);  // the slot was free
    if (cta_cycles == kNever) return;
    script_.at(clock_.now() + cta_cycles, [this, sm = event.sm, slot = work->slot] { finish(sm, slot); });
  }
  void finish(unsigned sm, unsigned slot) {
    occupied.erase({sm, slot});
    Event event;
    event.kind = Event::Kind::cta_finish;
    event.sm = static_cast<std::uint16_t>(sm);
    event.slot = slot;
    finished.write(event);
  }
  void kernel_started(const KernelLaunch&, unsigned, Cycle now) override { kernels_started.push_back(now); }
  void kernel_ended(const KernelLaunch&, unsigned, bool, Cycle now) override { kernels_ended.push_back(now); }
  bool cta_started(std::uint32_t, std::uint32_t, std::uint64_t cta, Cycle) override {
    ++ctas_started;
    return cta != pauses_after;
  }
  void cta_ended(std::uint32_t sm, std::uint32_t slot, Cycle) override { ctas_ended.emplace_back(sm, slot); }

  SidebandPort finished{"finished"};
  Cycle cta_cycles = 50;
  std::vector<Launch> launches;
  std::vector<std::pair<Cycle, std::uint32_t>> starts;
  std::vector<std::uint32_t> slots;  // CTA slots per SM of each kernel
  Cycles drains, kernels_started, kernels_ended;
  unsigned ctas_started = 0;
  std::uint64_t pauses_after = kNever;                    // the CTA
  std::vector<std::pair<unsigned, unsigned>> ctas_ended;  // SM, slot
  std::set<std::pair<unsigned, unsigned>> occupied;

 private:
  ClockDomain& clock_;
  Script& script_;
};

struct Gpu {
  Gpu(std::vector<KernelLaunch> kernels, std::uint32_t sms, FrontEndParams params = {}, SmParams sm = small_sm(), bool write_back = false)
      : stimulus(std::move(kernels)), front_end("front_end", params, sm, sms, write_back, stimulus, clock, pool, registry, machine) {
    front_end.to_sms.bind(machine);
    front_end.to_caches.bind(machine);
    machine.finished.bind(front_end);
  }
  ClockDomain clock{"clock", 1000, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  Machine machine{clock, script};
  Kernels stimulus;
  FrontEnd front_end;
};

}  // namespace

// CM-22: registers are counted as 32-bit words, 32768 of them.
TEST_CASE("front end: an SM holds as many CTAs as its scarcest resource allows") {
  SmParams sm;
  sm.warps = 40, sm.ctas = 8, sm.threads = 1536, sm.registers = 32768, sm.shared_kib = 48;
  KernelLaunch k = kernel(1, 32);
  k.registers_per_thread = 1;
  CHECK(ctas_per_sm(k, sm) == 8);  // CTA slots
  k.block = {256, 1, 1};
  CHECK(ctas_per_sm(k, sm) == 40 / 8);  // warp slots
  sm.threads = 1024;
  CHECK(ctas_per_sm(k, sm) == 1024 / 256);
  k.registers_per_thread = 50;
  CHECK(ctas_per_sm(k, sm) == 32768 / (50 * 256));
  k.shared_bytes = 20 * 1024;
  k.registers_per_thread = 1;
  CHECK(ctas_per_sm(k, sm) == 48 / 20);
  k.shared_bytes = 48 * 1024;
  CHECK(ctas_per_sm(k, sm) == 1);
}

TEST_CASE("front end: registers are taken in granules, for whole warps") {
  SmParams sm;
  sm.registers = 32 * 100;
  KernelLaunch k = kernel(1, 20);  // one warp, all its lanes
  k.registers_per_thread = 25;
  CHECK(ctas_per_sm(k, sm) == 4);
  sm.register_granule = 8;  // 32 per thread
  CHECK(ctas_per_sm(k, sm) == 3);
}

TEST_CASE("front end: a kernel without registers or shared memory is bound by neither") {
  KernelLaunch k = kernel(1, 32);
  k.registers_per_thread = 0;
  CHECK(ctas_per_sm(k, SmParams{}) == SmParams{}.ctas);
}

TEST_CASE("front end: a CTA that no SM can hold is an error that names the kernel, the need and the key") {
  const auto error = [](const KernelLaunch& k, const SmParams& sm) {
    try {
      ctas_per_sm(k, sm);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  SmParams sm;
  CHECK_THAT(error(kernel(1, 64 * 32), sm),
             Contains("kernel 'k'") && Contains("needs 64 and an SM has 48 warp slots") && Contains("sm.warps"));
  sm.warps = 64;
  CHECK_THAT(error(kernel(1, 64 * 32), sm), Contains("needs 2048 and an SM has 1536 threads") && Contains("sm.threads"));
  KernelLaunch k = kernel(1, 1024);
  k.registers_per_thread = 64;
  CHECK_THAT(error(k, sm), Contains("needs 65536 and an SM has 32768 registers") && Contains("sm.registers"));
  k = kernel(1);
  k.shared_bytes = 49 * 1024;
  CHECK_THAT(error(k, sm), Contains("needs 50176 and an SM has 49152 bytes of shared memory") && Contains("sm.shared_kib"));
  CHECK_THAT(error(kernel(1, 0), sm), Contains("no threads"));
}

TEST_CASE("a GPU holds its SMs' CTAs at a time, and of clusters as many whole ones as fit each GPC") {
  FrontEndParams params;
  const SmGroups gpcs({5, 4, 2});
  KernelLaunch k = kernel(100);
  CHECK(ctas_at_a_time(k, params, small_sm(), 11, gpcs) == 2 * 11);
  k.cluster = {4, 1, 1};
  CHECK(ctas_at_a_time(k, params, small_sm(), 11, gpcs) == 4 * (10 / 4 + 8 / 4));  // two SMs do not take four CTAs
  params.cluster_policy = ClusterPolicy::pack;
  CHECK(ctas_at_a_time(k, params, small_sm(), 11, gpcs) == 4 * (10 / 4 + 8 / 4 + 4 / 4));
  params.eligible_sms = 6;
  CHECK(ctas_at_a_time(k, params, small_sm(), 11, gpcs) == 4 * (10 / 4 + 2 / 4));
  k.cluster = {};
  CHECK(ctas_at_a_time(k, params, small_sm(), 11, gpcs) == 2 * 6);
}

TEST_CASE("front end: a unified array sets the smallest split aside that holds the kernel's CTAs") {
  SmParams sm;
  sm.shared_kib = 96;
  sm.shared_splits_kib = {0, 8, 16, 32, 64, 96};
  CHECK(shared_split_bytes(sm, 0) == 0);
  CHECK(shared_split_bytes(sm, 8 * 1024) == 8 * 1024);
  CHECK(shared_split_bytes(sm, 9 * 1024) == 16 * 1024);
  CHECK(shared_split_bytes(sm, 3 * 30 * 1024) == 96 * 1024);
  sm.shared_splits_kib.clear();
  CHECK(shared_split_bytes(sm, 30 * 1024) == 96 * 1024);
}

TEST_CASE("front end: CTAs go out one to each SM and cycle until all are full, then to the SM that has a slot again") {
  FrontEndParams p;
  p.kernel_launch_cycles = 7;
  Gpu gpu({kernel(6)}, 2, p);
  run_kernel();
  REQUIRE(gpu.machine.launches.size() == 6);
  const Cycle first = 1 + 7;  // the first kernel starts in cycle 1
  // SM, slot and cycle of each CTA. When a CTA ends, the front end learns of it and replaces it in the next cycle.
  const std::vector<std::tuple<unsigned, unsigned, Cycle>> expected{{0, 0, first},     {1, 0, first},          {0, 1, first + 1},
                                                                    {1, 1, first + 1}, {0, 0, first + 50 + 1}, {1, 0, first + 50 + 1}};
  for (unsigned i = 0; i < 6; ++i) {
    const auto& launch = gpu.machine.launches[i];
    CHECK(launch.cta == i);
    CHECK(launch.age == i);
    CHECK(std::tuple(launch.sm, launch.slot, launch.cycle) == expected[i]);
  }
  CHECK(gpu.stimulus.opened == std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5});
  CHECK(gpu.front_end.done());
  CHECK(gpu.machine.ctas_started == 6);
  CHECK(gpu.machine.ctas_ended.size() == 6);
  CHECK(counted(gpu.registry, "front_end.ctas") == 6);
}

TEST_CASE("front end: if the observer wants a pause after a CTA, the next one starts a cycle later") {
  FrontEndParams p;
  p.kernel_launch_cycles = 7;
  Gpu gpu({kernel(4)}, 4, p);
  gpu.machine.pauses_after = 1;
  run_kernel();
  const Cycle first = 1 + 7;
  std::vector<std::pair<unsigned, Cycle>> started;
  for (const auto& launch : gpu.machine.launches) started.emplace_back(launch.sm, launch.cycle);
  CHECK(started == std::vector<std::pair<unsigned, Cycle>>{{0, first}, {1, first}, {2, first + 1}, {3, first + 1}});
}

TEST_CASE("front end: CTAs that end in one cycle are replaced in the order of their SMs, whichever says so first") {
  Gpu gpu({kernel(6)}, 2);
  gpu.machine.cta_cycles = kNever;
  gpu.script.at(100, [&] {
    gpu.machine.finish(1, 1);
    gpu.machine.finish(0, 0);
  });
  gpu.script.at(200, [&] {
    for (unsigned sm = 0; sm < 2; ++sm)
      for (unsigned slot = 0; slot < 2; ++slot) gpu.machine.finish(sm, slot);
  });
  run_kernel();
  REQUIRE(gpu.machine.launches.size() == 6);
  CHECK(gpu.machine.launches[4].sm == 0);
  CHECK(gpu.machine.launches[4].slot == 0);
  CHECK(gpu.machine.launches[4].cycle == 101);
  CHECK(gpu.machine.launches[5].sm == 1);
  CHECK(gpu.machine.launches[5].slot == 1);
  CHECK(std::vector(gpu.machine.ctas_ended.begin(), gpu.machine.ctas_ended.begin() + 2) ==
        std::vector<std::pair<unsigned, unsigned>>{{0, 0}, {1, 1}});
}

TEST_CASE("front end: only the eligible SMs take CTAs") {
  FrontEndParams p;
  p.eligible_sms = 1;
  Gpu gpu({kernel(3)}, 4, p);
  run_kernel();
  REQUIRE(gpu.machine.launches.size() == 3);
  for (const auto& launch : gpu.machine.launches) CHECK(launch.sm == 0);
}

// CM-43: local memory has a place for each CTA slot.
TEST_CASE("front end: a kernel uses as many CTA slots of an SM as fit, or as its grid needs on the eligible SMs") {
  FrontEndParams p;
  p.eligible_sms = 2;
  Gpu gpu({kernel(1), kernel(2), kernel(3), kernel(100)}, 4, p);
  run_kernel();
  CHECK(gpu.machine.slots == std::vector<std::uint32_t>{1, 1, 2, 2});
  for (const auto& launch : gpu.machine.launches) CHECK(launch.slot < 2);
}

TEST_CASE("front end: the next kernel starts when the last CTA is known to have ended and nothing is in flight") {
  Gpu gpu({kernel(1), kernel(1)}, 1);
  Payload* in_flight = nullptr;
  gpu.script.at(10, [&] { in_flight = &gpu.pool.acquire(a_store(1)); });
  gpu.script.at(500, [&] { in_flight->release(); });
  run_kernel();
  CHECK(gpu.machine.kernels_started == Cycles{1, 501});
  CHECK(gpu.machine.kernels_ended[0] == 501);
  CHECK(gpu.machine.kernels_ended[1] == gpu.machine.launches[1].cycle + 50 + 1);
  CHECK_FALSE(gpu.front_end.done_before(gpu.machine.kernels_ended[1]));
  CHECK(gpu.front_end.done_before(gpu.machine.kernels_ended[1] + 1));
  CHECK(counted(gpu.registry, "front_end.kernels") == 2);
}

TEST_CASE("front end: where the CTAs alone decide, the next kernel does not wait for what is in flight") {
  FrontEndParams p;
  p.kernel_end = KernelEnd::ctas_done;
  Gpu gpu({kernel(1), kernel(1)}, 1, p);
  gpu.script.at(10, [&] { gpu.pool.acquire(a_store(1)); });
  run_kernel();
  CHECK(gpu.machine.kernels_ended[0] == gpu.machine.launches[0].cycle + 50 + 1);
  CHECK(gpu.machine.kernels_started[1] == gpu.machine.kernels_ended[0]);
  CHECK(gpu.front_end.done());
}

TEST_CASE("front end: caches hear of a kernel and its shared memory before its first CTA is on the way") {
  SmParams sm = small_sm();
  sm.unified_kib = 128;
  sm.shared_kib = 96;
  sm.shared_splits_kib = {0, 32, 96};
  KernelLaunch with_shared = kernel(2);
  with_shared.shared_bytes = 10 * 1024;  // two CTAs per SM: 20 KiB
  Gpu gpu({kernel(1), with_shared}, 1, {}, sm);
  run_kernel();
  REQUIRE(gpu.machine.starts.size() == 2);
  CHECK(gpu.machine.starts[0] == std::pair<Cycle, std::uint32_t>{1, 0});
  CHECK(gpu.machine.starts[1].second == 32 * 1024);
  CHECK(gpu.machine.starts[1].first < gpu.machine.launches[1].cycle);
}

TEST_CASE("front end: the registers that the resident CTAs of a kernel leave unused are rounded down to 2 KiB") {
  SmParams sm = small_sm();
  sm.warps = 48;
  sm.registers = 65536;
  // 256 KiB less 4 CTAs of 8 warps of 20 registers of 128 B.
  CHECK(unused_register_bytes(sm, 4 * 256 * 20) == 256 * 1024 - 4 * 8 * 20 * 128);
  CHECK(unused_register_bytes(sm, 256 * 21) == (256 * 1024 - 8 * 21 * 128) / 2048 * 2048);
  CHECK(unused_register_bytes(sm, 4 * 256 * 64) == 0);
}

TEST_CASE("front end: caches that write through are never told to drain") {
  Gpu gpu({kernel(1), kernel(1)}, 1);
  run_kernel();
  CHECK(gpu.machine.kernels_ended.size() == 2);
  CHECK(gpu.machine.drains.empty());
}

TEST_CASE("front end: write-back caches drain after the last CTA, and the kernel ends when what they sent is gone") {
  Gpu gpu({kernel(1), kernel(1)}, 1, {}, small_sm(), true);
  Payload* written_back = nullptr;
  const Cycle ended = 2 + 50 + 1;  // launched in 2
  gpu.script.at(ended + 1, [&] { written_back = &gpu.pool.acquire(a_store(1)); });
  gpu.script.at(400, [&] { written_back->release(); });
  run_kernel();
  REQUIRE(gpu.machine.drains.size() == 2);
  CHECK(gpu.machine.drains[0] == ended);
  CHECK(gpu.machine.kernels_ended[0] == 401);
}

TEST_CASE("front end: a kernel that fits no SM ends the run with its error, after the kernels before it") {
  Gpu gpu({kernel(1), kernel(1, 5000), kernel(1)}, 1);
  CHECK_THROWS_AS(run_kernel(), InputError);
  CHECK(gpu.front_end.done());
  CHECK(gpu.machine.launches.size() == 1);
  CHECK(gpu.front_end.done_before(gpu.machine.kernels_ended[0] + 1));
}

TEST_CASE("front end: a stimulus without kernels is done at once") {
  Gpu gpu({}, 1);
  run_kernel();
  CHECK(gpu.front_end.done());
  CHECK(gpu.machine.kernels_started.empty());
}

TEST_CASE("front end: a stimulus that waits gets its kernel when it says so, and the run ends when it waits no more") {
  /// Kernels from outside, as a host launches them.
  class Launched final : public Stimulus {
   public:
    const KernelLaunch* next_kernel() override {
      ++asked;
      return std::exchange(next, nullptr);
    }
    bool waiting() const override { return waits; }
    std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t) override { return {}; }
    const KernelLaunch* next = nullptr;
    bool waits = true;
    int asked = 0;
  };
  ClockDomain clock("clock", 1000, {});
  Script script(clock);
  Machine machine(clock, script);
  PayloadPool pool;
  stats::Registry registry;
  Launched launched;
  FrontEnd front_end("front_end", {}, small_sm(), 2, false, launched, clock, pool, registry, machine);
  front_end.to_sms.bind(machine);
  front_end.to_caches.bind(machine);
  machine.finished.bind(front_end);
  const KernelLaunch one = kernel(2);
  script.at(100, [&] { launched.next = &one, front_end.resume(); });
  script.at(9000, [&] { launched.waits = false, front_end.resume(); });
  run_kernel(8000 * 1000);
  CHECK(machine.kernels_started == std::vector<Cycle>{101});
  CHECK(machine.kernels_ended.size() == 1);
  CHECK(launched.asked == 3);  // at the start, when resumed, and after the kernel
  CHECK_FALSE(front_end.done());
  run_kernel(2000 * 1000);
  CHECK(launched.asked == 4);
  CHECK(front_end.done());
}
