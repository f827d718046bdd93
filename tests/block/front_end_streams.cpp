// Concurrent kernels of different streams: launch, order of dispatch, room on an SM, drain (docs/streams.md).

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "model/base/error.h"
#include "model/front_end/front_end.h"
#include "stimuli/launch_order.h"
#include "tests/block/block_rig.h"

using namespace wharf;
using namespace wharf::block_rig;
using Catch::Matchers::Contains;

namespace {

KernelLaunch kernel(const std::string& name, std::uint64_t stream, std::uint32_t ctas, std::uint32_t threads = 64) {
  KernelLaunch k;
  k.name = name;
  k.stream = stream;
  k.grid = {ctas, 1, 1};
  k.block = {threads, 1, 1};
  k.registers_per_thread = 16;
  return k;
}

class Streams final : public Stimulus {
 public:
  explicit Streams(std::vector<KernelLaunch> kernels) : kernels_(std::move(kernels)) {}
  const KernelLaunch* next_kernel() override {
    return order_.started() < kernels_.size() ? open_ = &kernels_[order_.start_first()] : nullptr;
  }
  const KernelLaunch* next_concurrent(const RunningStreams& running) override {
    const std::size_t next = order_.start(kernels_.size(), running, [this](std::size_t k) { return kernels_[k].stream; });
    return next < kernels_.size() ? &kernels_[next] : nullptr;
  }
  void open_kernel(const KernelLaunch& kernel) override { open_ = &kernel; }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override {
    opened.push_back(open_->name + std::to_string(cta));
    return {};
  }
  std::vector<std::string> opened;

 private:
  std::vector<KernelLaunch> kernels_;
  LaunchOrder order_;
  const KernelLaunch* open_ = nullptr;
};

/// SMs that run each CTA of kernel `name` for cta_cycles[name], or 50, and a record of all events.
class ConcurrentMachine final : public sc_core::sc_module, public SidebandListener, public RunObserver {
 public:
  ConcurrentMachine(ClockDomain& clock, Script& script) : sc_module(sc_core::sc_module_name("machine")), clock_(clock), script_(script) {}

  void write(const Event& event) override {
    if (event.kind == Event::Kind::kernel_start) starts.push_back(event);
    if (event.kind == Event::Kind::sm_empty) empty.emplace_back(clock_.now(), event.sm);
    if (event.kind == Event::Kind::kernel_end) drained.push_back(clock_.now());
    if (event.kind != Event::Kind::cta_launch) return;
    const std::unique_ptr<CtaWork> work(event.cta);
    const std::string name = running_.at(work->kernel) + std::to_string(work->number);
    launched[name] = clock_.now();
    on[name] = {event.sm, work->slot};
    first_warp[name] = work->first_warp;
    CHECK(occupied.insert({event.sm, work->slot}).second);  // the slot was free
    const auto length = cta_cycles.find(running_.at(work->kernel));
    script_.at(clock_.now() + (length == cta_cycles.end() ? 50 : length->second), [this, sm = event.sm, slot = work->slot] {
      occupied.erase({sm, slot});
      Event end;
      end.kind = Event::Kind::cta_finish;
      end.sm = sm;
      end.slot = slot;
      finished.write(end);
    });
  }
  void kernel_started(const KernelLaunch& kernel, unsigned place, Cycle now) override {
    CHECK(running_.emplace(place, kernel.name).second);  // the place was free
    started[kernel.name] = now;
    most_together = std::max(most_together, running_.size());
  }
  void kernel_ended(const KernelLaunch& kernel, unsigned place, bool last, Cycle now) override {
    CHECK(running_.at(place) == kernel.name);
    running_.erase(place);
    CHECK(last == running_.empty());
    ended[kernel.name] = now;
  }
  bool cta_started(std::uint32_t, std::uint32_t, std::uint64_t, Cycle) override { return true; }
  void cta_ended(std::uint32_t, std::uint32_t, Cycle) override {}

  SidebandPort finished{"finished"};
  std::map<std::string, Cycle> cta_cycles, launched, started, ended;
  std::map<std::string, std::pair<unsigned, unsigned>> on;  // SM, slot
  std::map<std::string, std::uint32_t> first_warp;
  std::vector<Event> starts;
  std::vector<std::pair<Cycle, unsigned>> empty;
  Cycles drained;
  std::set<std::pair<unsigned, unsigned>> occupied;
  std::size_t most_together = 0;

 private:
  ClockDomain& clock_;
  Script& script_;
  std::map<unsigned, std::string> running_;  // by place
};

FrontEndParams together(std::uint32_t kernels, Cycle launch = 1) {
  FrontEndParams p;
  p.concurrent_kernels = kernels;
  p.kernel_launch_cycles = static_cast<std::uint32_t>(launch);
  return p;
}

struct ConcurrentGpu {
  ConcurrentGpu(std::vector<KernelLaunch> kernels, std::uint32_t sms, FrontEndParams params, SmParams sm = {})
      : stimulus(std::move(kernels)), front_end("front_end", params, sm, sms, false, stimulus, clock, pool, registry, machine) {
    front_end.to_sms.bind(machine);
    front_end.to_caches.bind(machine);
    front_end.kernel_ends.bind(machine);
    machine.finished.bind(front_end);
  }
  ClockDomain clock{"clock", 1000, {}};
  PayloadPool pool;
  stats::Registry registry;
  Script script{clock};
  ConcurrentMachine machine{clock, script};
  Streams stimulus;
  FrontEnd front_end;
};

SmParams sm_of(std::uint32_t ctas) {
  SmParams sm;
  sm.ctas = ctas;
  return sm;
}

}  // namespace

TEST_CASE("front end: kernels of two streams start together, each with its launch latency, and dispatch one after the other") {
  ConcurrentGpu gpu({kernel("a", 0, 3), kernel("b", 1, 2)}, 2, together(2, 7), sm_of(8));
  run_kernel();
  auto& m = gpu.machine;
  CHECK(m.started == std::map<std::string, Cycle>{{"a", 1}, {"b", 1}});
  const Cycle first = 1 + 7;
  // One CTA per SM and cycle: in the second cycle, the second SM gets one of b, because a has none left.
  CHECK(m.launched == std::map<std::string, Cycle>{{"a0", first}, {"a1", first}, {"a2", first + 1}, {"b0", first + 1}, {"b1", first + 2}});
  CHECK(m.on == std::map<std::string, std::pair<unsigned, unsigned>>{
                    {"a0", {0, 0}}, {"a1", {1, 0}}, {"a2", {0, 1}}, {"b0", {1, 1}}, {"b1", {0, 2}}});
  CHECK(gpu.stimulus.opened == std::vector<std::string>{"a0", "a1", "a2", "b0", "b1"});
  // Launch + 50 cycles + the cycle in which the front end learns of it.
  CHECK(m.ended == std::map<std::string, Cycle>{{"a", first + 1 + 50 + 1}, {"b", first + 2 + 50 + 1}});
  CHECK(m.drained == Cycles{first + 2 + 50 + 1});  // only at the last end
  CHECK(gpu.front_end.done());
}

TEST_CASE("front end: one kernel at a time ignores streams") {
  ConcurrentGpu gpu({kernel("a", 0, 1), kernel("b", 1, 1)}, 2, together(1));
  run_kernel();
  CHECK(gpu.machine.most_together == 1);
  CHECK(gpu.machine.started.at("b") == gpu.machine.ended.at("a"));
  CHECK(gpu.machine.drained.size() == 2);
}

TEST_CASE("front end: kernels of one stream run in order beside another stream") {
  ConcurrentGpu gpu({kernel("a", 0, 1), kernel("b", 0, 1), kernel("c", 1, 1)}, 1, together(3));
  gpu.machine.cta_cycles = {{"a", 100}, {"b", 100}, {"c", 150}};
  run_kernel();
  auto& m = gpu.machine;
  CHECK(m.started.at("c") == 1);
  CHECK(m.ended.at("a") == 1 + 1 + 100 + 1);
  CHECK(m.started.at("b") == m.ended.at("a"));
  CHECK(m.ended.at("c") < m.ended.at("b"));
  CHECK(m.most_together == 2);
}

TEST_CASE("front end: a kernel that waits for its stream takes a place of those that the front end looks ahead for") {
  const std::vector<KernelLaunch> kernels{kernel("a", 0, 1), kernel("b", 0, 1), kernel("c", 1, 1)};
  ConcurrentGpu gpu(kernels, 1, together(2));  // a runs and b waits, so c is not considered
  run_kernel();
  CHECK(gpu.machine.started.at("c") == gpu.machine.started.at("b"));
  CHECK(gpu.machine.started.at("b") == gpu.machine.ended.at("a"));
}

TEST_CASE("front end: no more than so many kernels run together, and the next one takes the place of one that has ended") {
  ConcurrentGpu gpu({kernel("a", 0, 1), kernel("b", 1, 1), kernel("c", 2, 1)}, 1, together(2));
  gpu.machine.cta_cycles = {{"a", 100}, {"b", 50}};
  run_kernel();
  CHECK(gpu.machine.most_together == 2);
  CHECK(gpu.machine.started.at("c") == gpu.machine.ended.at("b"));
  CHECK(gpu.machine.ended.at("b") < gpu.machine.ended.at("a"));
}

TEST_CASE("front end: kernels that have been launched dispatch in the order of their places, behind the last one") {
  ConcurrentGpu gpu({kernel("a", 0, 1), kernel("b", 1, 9), kernel("c", 2, 1), kernel("d", 3, 1)}, 1, together(3), sm_of(2));
  gpu.machine.cta_cycles = {{"a", 10}};
  run_kernel();
  auto& m = gpu.machine;
  // d takes the place of a while b still has CTAs. c has the next place after b and goes first.
  CHECK(m.started.at("d") < m.launched.at("b8"));
  CHECK(m.launched.at("b8") < m.launched.at("c0"));
  CHECK(m.launched.at("c0") < m.launched.at("d0"));
}

TEST_CASE("front end: CTAs of several kernels share the warps, threads, registers, slots and shared memory of an SM") {
  SmParams sm;
  sm.warps = 8, sm.ctas = 2, sm.threads = 256, sm.registers = 4096, sm.shared_kib = 8;
  KernelLaunch a = kernel("a", 0, 1, 128), b = kernel("b", 1, 1, 128);
  a.registers_per_thread = b.registers_per_thread = 16;
  a.shared_bytes = b.shared_bytes = 4096;
  const auto both_fit = [&a](const KernelLaunch& other, const SmParams& params) {
    SmBooks books(params);
    books.occupy(0, CtaNeeds(a, params), params);
    return books.fits(1, CtaNeeds(other, params), params, SmSharing::kernels);
  };
  CHECK(both_fit(b, sm));
  SmParams less = sm;
  less.ctas = 1;
  CHECK_FALSE(both_fit(b, less));
  less = sm;
  less.warps = 7;
  CHECK_FALSE(both_fit(b, less));
  less = sm;
  less.threads = 255;
  CHECK_FALSE(both_fit(b, less));
  KernelLaunch more = b;
  more.registers_per_thread = 17;
  CHECK_FALSE(both_fit(more, sm));
  more = b;
  more.shared_bytes = 4097;
  CHECK_FALSE(both_fit(more, sm));
}

TEST_CASE("front end: what a CTA had of an SM is free when it has ended") {
  SmParams sm;
  sm.warps = 4;
  const CtaNeeds needs(kernel("a", 0, 1, 64), sm);
  SmBooks books(sm);
  CHECK(books.occupy(0, needs, sm) == 0);
  CHECK(books.occupy(1, needs, sm) == 1);
  CHECK(books.cta(1).first_warp == 2);
  CHECK_FALSE(books.fits(2, needs, sm, SmSharing::kernels));
  books.release(0);
  CHECK(books.fits(2, needs, sm, SmSharing::kernels));
  CHECK_FALSE(books.fits(2, needs, sm, SmSharing::one_kernel));
  CHECK(books.occupy(2, needs, sm) == 0);
  CHECK(books.cta(0).first_warp == 0);
  CHECK(books.running() == 2);
}

TEST_CASE("front end: the warps of a CTA have adjacent slots from a multiple of its size on, whatever else is on the SM") {
  SmParams sm;
  sm.warps = 10;
  ConcurrentGpu gpu({kernel("a", 0, 1, 3 * 32), kernel("b", 1, 2, 2 * 32), kernel("c", 2, 1, 32)}, 1, together(3), sm);
  run_kernel();
  // a has warps 0 to 2. Two warps fit from 4 and from 6 on, because 2 is taken. One fits in 3.
  CHECK(gpu.machine.first_warp == std::map<std::string, std::uint32_t>{{"a0", 0}, {"b0", 4}, {"b1", 6}, {"c0", 3}});
}

TEST_CASE("front end: with sm_sharing one_kernel an SM takes CTAs of another kernel when it has none left") {
  FrontEndParams p = together(2);
  p.sm_sharing = SmSharing::one_kernel;
  ConcurrentGpu gpu({kernel("a", 0, 3), kernel("b", 1, 2)}, 2, p, sm_of(8));
  gpu.machine.cta_cycles = {{"a", 100}};
  run_kernel();
  auto& m = gpu.machine;
  // SM 0 has a0 and a2, SM 1 a1.
  CHECK(m.launched.at("b0") == m.launched.at("a1") + 100 + 1);
  CHECK(m.on.at("b0").first == 1);
}

TEST_CASE("front end: a kernel beside others ends when nothing of it is in flight, and the last one when nothing is at all") {
  ConcurrentGpu gpu({kernel("a", 0, 1), kernel("b", 1, 1)}, 1, together(2));
  gpu.machine.cta_cycles = {{"b", 500}};
  Payload* other = nullptr;
  gpu.script.at(10, [&] {
    gpu.front_end.ledger().sent(0);
    other = &gpu.pool.acquire(a_store(1));
  });
  gpu.script.at(200, [&] { gpu.front_end.ledger().answered(0, 203); });  // arrives in 203
  gpu.script.at(900, [&] { other->release(); });
  run_kernel();
  CHECK(gpu.machine.ended == std::map<std::string, Cycle>{{"a", 204}, {"b", 901}});
}

TEST_CASE("front end: a kernel that starts beside others sets aside shared memory for all of them") {
  SmParams sm = sm_of(2);
  sm.unified_kib = 128;
  sm.shared_kib = 96;
  sm.shared_splits_kib = {0, 32, 64, 96};
  KernelLaunch a = kernel("a", 0, 4), b = kernel("b", 1, 1);
  a.shared_bytes = 10 * 1024;  // two CTAs per SM: 20 KiB
  b.shared_bytes = 20 * 1024;  // two CTAs per SM: 40 KiB
  ConcurrentGpu gpu({a, b, kernel("c", 2, 1)}, 1, together(2), sm);
  run_kernel();
  REQUIRE(gpu.machine.starts.size() == 3);
  const auto said = [&](std::size_t i) {
    const Event& event = gpu.machine.starts[i];
    return std::tuple(event.concurrent, event.shared_bytes / 1024, event.used_shared_bytes / 1024);
  };
  CHECK(said(0) == std::tuple(false, 32u, 20u));
  CHECK(said(1) == std::tuple(true, 64u, 60u));
  CHECK(said(2) == std::tuple(true, 64u, 40u));  // a has ended
}

TEST_CASE("front end: an SM without CTAs is told to invalidate its L1 where empty SMs do") {
  FrontEndParams p = together(2);
  p.l1_invalidation = L1Invalidation::empty_sm;
  ConcurrentGpu gpu({kernel("a", 0, 2), kernel("b", 1, 1)}, 2, p);
  gpu.machine.cta_cycles = {{"a", 40}, {"b", 80}};
  run_kernel();
  // a0 and b0 are on SM 0, from 2 and from 3 on; a1 on SM 1.
  CHECK(gpu.machine.empty == std::vector<std::pair<Cycle, unsigned>>{{2 + 40 + 1, 1}, {3 + 80 + 1, 0}});
  CHECK(gpu.machine.starts[1].keep_lines);
  CHECK_FALSE(gpu.machine.starts[0].keep_lines);
}

TEST_CASE("front end: the end of a kernel that others outlive is no boundary") {
  ConcurrentGpu gpu({kernel("a", 0, 1), kernel("b", 1, 1), kernel("c", 1, 1)}, 1, together(2));
  gpu.machine.cta_cycles = {{"a", 20}};
  gpu.front_end.hold_after(1);
  run_kernel();
  CHECK_FALSE(gpu.front_end.held());
  CHECK(gpu.front_end.done());
}

TEST_CASE("front end: the end of the last of several kernels is a boundary") {
  ConcurrentGpu gpu({kernel("a", 0, 1), kernel("b", 1, 1), kernel("c", 1, 1)}, 1, together(2));
  gpu.front_end.hold_after(3);
  run_kernel();
  CHECK(gpu.front_end.held());
}
