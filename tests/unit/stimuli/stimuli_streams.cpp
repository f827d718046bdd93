// Which kernels of a list may start while others run, and stimuli with concurrent kernels.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "stimuli/catalogue.h"
#include "stimuli/launch_order.h"
#include "stimuli/self_checking.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;

namespace {

/// Starts kernels of these streams while those in `busy` run.
struct Order {
  std::vector<std::uint64_t> streams;
  LaunchOrder order;
  std::size_t start(std::vector<std::uint64_t> busy, std::size_t ahead) {
    return order.start(streams.size(), {std::move(busy), ahead}, [this](std::size_t k) { return streams[k]; });
  }
};

/// Runs all warps of the kernel's CTAs to their ends, the warps of a CTA in turn.
void run(Stimulus& stimulus, const KernelLaunch& kernel) {
  stimulus.open_kernel(kernel);
  for (std::uint64_t cta = 0; cta < kernel.grid.count(); ++cta) {
    auto warps = stimulus.open_cta(cta);
    std::size_t at_barrier = 0, left = warps.size();
    for (auto& warp : warps) {
      while (warp->peek() != nullptr && warp->peek()->unit != Unit::barrier) warp->advance();
      if (warp->peek() == nullptr)
        --left;
      else
        ++at_barrier;
    }
    REQUIRE((at_barrier == 0 || left == at_barrier));
    if (at_barrier != 0)
      for (auto& warp : warps) warp->advance();
    for (auto& warp : warps)
      while (warp->peek() != nullptr) warp->advance();
  }
}

std::string kernel_of(const std::string& name, int stream, const std::vector<std::string>& lines) {
  using namespace wharf::traces;
  return replaced(replaced(header(), "sample", name), "-cuda stream id = 0", "-cuda stream id = " + std::to_string(stream)) +
         cta("0,0,0", warp(0, lines));
}

}  // namespace

TEST_CASE("The first kernel whose stream is idle starts, and none that an earlier one of its stream waits before", "[stimuli]") {
  Order order{{0, 0, 1, 2, 1}, {}};
  CHECK(order.start({}, 5) == 0);
  CHECK(order.start({0}, 4) == 2);
  CHECK(order.start({0, 1}, 3) == 3);
  CHECK(order.start({0, 1, 2}, 2) == 5);  // 1 waits for stream 0, and 4 for stream 1
  CHECK(order.start({0, 2}, 3) == 4);
  CHECK(order.start({2}, 3) == 1);
  CHECK(order.order.started() == 5);
  CHECK(order.start({}, 9) == 5);
}

TEST_CASE("A kernel that waits is one of those that are looked at", "[stimuli]") {
  Order order{{0, 0, 0, 1}, {}};
  CHECK(order.start({}, 1) == 0);
  CHECK(order.start({0}, 2) == 4);
  CHECK(order.start({0}, 3) == 3);
  CHECK(order.start({0, 1}, 2) == 4);
  CHECK(order.order.start_first() == 1);
  CHECK(order.order.start_first() == 2);
}

TEST_CASE("Kernels of several streams compute the same whichever runs first, and one of a stream waits for the one before", "[stimuli]") {
  const auto stimulus = make_stimulus("streams:n=700,rounds=3,streams=3", 7);
  const KernelLaunch* first = stimulus->next_kernel();
  const KernelLaunch* second = stimulus->next_concurrent({{0}, 9});
  const KernelLaunch* third = stimulus->next_concurrent({{0, 1}, 9});
  REQUIRE(third != nullptr);
  CHECK(first->stream == 0);
  CHECK(second->stream == 1);
  CHECK(third->stream == 2);
  CHECK(stimulus->next_concurrent({{0, 1, 2}, 9}) == nullptr);
  run(*stimulus, *third);
  const KernelLaunch* fourth = stimulus->next_concurrent({{0, 1}, 9});
  CHECK(fourth->stream == 2);
  run(*stimulus, *second);
  run(*stimulus, *first);
  run(*stimulus, *fourth);
  for (const KernelLaunch* kernel; (kernel = stimulus->next_kernel()) != nullptr;) run(*stimulus, *kernel);
  std::string why;
  CHECK(dynamic_cast<const SelfChecking&>(*stimulus).check_results(why));
  CHECK(why.empty());
}

TEST_CASE("A workload of one stream starts nothing beside a kernel that runs", "[stimuli]") {
  const auto stimulus = make_stimulus("atax@tiny", 1);
  REQUIRE(stimulus->next_kernel() != nullptr);
  CHECK(stimulus->next_concurrent({{0}, 99}) == nullptr);
}

TEST_CASE("A trace has the streams of its headers, and its kernels start and are read in any order that these allow", "[stimuli]") {
  using namespace wharf::traces;
  const TemporaryFolder folder;
  const std::string exit = "0000 ffffffff 0 EXIT 0 0 0", move = "0010 ffffffff 1 R1 MOV 0 0 0";
  folder.write("kernel-1.traceg", kernel_of("a", 7, {move, exit}));
  folder.write("kernel-2.traceg", kernel_of("b", 7, {move, move, exit}));
  folder.write("kernel-3.traceg", kernel_of("c", 8, {exit}));
  TraceStimulus stimulus(folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n"));
  const KernelLaunch* a = stimulus.next_kernel();
  const KernelLaunch* c = stimulus.next_concurrent({{7}, 2});
  REQUIRE(c != nullptr);
  CHECK(a->stream == 7);
  CHECK(c->name == "c");
  CHECK(c->stream == 8);
  CHECK(stimulus.next_concurrent({{7, 8}, 1}) == nullptr);
  stimulus.open_kernel(*c);
  CHECK(drain(*stimulus.open_cta(0).at(0)).size() == 1);
  const KernelLaunch* b = stimulus.next_concurrent({{8}, 1});
  REQUIRE(b != nullptr);
  CHECK(b->name == "b");
  CHECK(c->name == "c");  // still runs
  stimulus.open_kernel(*b);
  CHECK(drain(*stimulus.open_cta(0).at(0)).size() == 3);
  CHECK(stimulus.next_kernel() == nullptr);
  CHECK(stimulus.progress() == 1.0);
  CHECK(stimulus.kernel_fingerprints().size() == 3);
}

TEST_CASE("A trace whose first kernel has no CTA opened yet opens another one, and then that", "[stimuli]") {
  using namespace wharf::traces;
  const TemporaryFolder folder;
  const std::string exit = "0000 ffffffff 0 EXIT 0 0 0", move = "0010 ffffffff 1 R1 MOV 0 0 0";
  folder.write("kernel-1.traceg", kernel_of("a", 0, {move, exit}));
  folder.write("kernel-2.traceg", kernel_of("b", 1, {exit}));
  TraceStimulus stimulus(folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n"));
  const KernelLaunch* a = stimulus.next_kernel();
  const KernelLaunch* b = stimulus.next_concurrent({{0}, 1});
  stimulus.open_kernel(*b);
  auto of_b = stimulus.open_cta(0);
  stimulus.open_kernel(*a);
  CHECK(drain(*stimulus.open_cta(0).at(0)).size() == 2);
  CHECK(drain(*of_b.at(0)).size() == 1);
}

TEST_CASE("The first kernel of a trace that is measured starts when all that warm the caches have drained", "[stimuli]") {
  using namespace wharf::traces;
  const TemporaryFolder folder;
  const std::string exit = "0000 ffffffff 0 EXIT 0 0 0";
  for (int i = 0; i < 4; ++i) folder.write("kernel-" + std::to_string(i) + ".traceg", kernel_of(std::to_string(i), i, {exit}));
  TraceList list = read_trace_list(folder.write("kernelslist.g", "kernel-0.traceg\nkernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n"));
  list.warm_up = 2;
  TraceStimulus stimulus(list);
  CHECK(stimulus.next_kernel()->name == "0");
  CHECK(stimulus.next_concurrent({{0}, 9})->name == "1");
  CHECK(stimulus.next_concurrent({{0, 1}, 9}) == nullptr);
  CHECK(stimulus.next_concurrent({{1}, 9}) == nullptr);
  CHECK(stimulus.next_kernel()->name == "2");
  CHECK(stimulus.next_concurrent({{2}, 9})->name == "3");
  CHECK(stimulus.warm_up() == 2);
}

TEST_CASE("A kernel that cannot be read is skipped beside one that runs, and the next of its stream starts", "[stimuli]") {
  using namespace wharf::traces;
  const TemporaryFolder folder;
  const std::string exit = "0000 ffffffff 0 EXIT 0 0 0", move = "0010 ffffffff 1 R1 MOV 0 0 0";
  folder.write("kernel-1.traceg", kernel_of("a", 0, {move, exit}));
  folder.write("kernel-2.traceg", kernel_of("b", 1, {"0000 zz"}));
  folder.write("kernel-3.traceg", "");
  folder.write("kernel-4.traceg", kernel_of("d", 1, {exit}));
  ReaderOptions options;
  options.skip_bad_kernels = true;
  TraceStimulus stimulus(folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\nkernel-4.traceg\n"), options);
  const KernelLaunch* a = stimulus.next_kernel();
  stimulus.open_kernel(*a);
  const KernelLaunch* d = stimulus.next_concurrent({{0}, 9});
  REQUIRE(d != nullptr);
  CHECK(d->name == "d");
  CHECK(drain(*stimulus.open_cta(0).at(0)).size() == 2);
  stimulus.open_kernel(*d);
  CHECK(drain(*stimulus.open_cta(0).at(0)).size() == 1);
  CHECK(stimulus.next_kernel() == nullptr);  // c, whose stream is unknown, is skipped too
  CHECK(stimulus.warnings().size() == 2);
  CHECK(stimulus.progress() == 1.0);
}

TEST_CASE("A kernel that starts beside another one leaves that one open", "[stimuli]") {
  const auto stimulus = make_stimulus("streams@tiny", 1);
  const KernelLaunch* direct = stimulus->next_kernel();
  CHECK(stimulus->open_cta(0).size() == 8);
  const KernelLaunch* tiled = stimulus->next_concurrent({{direct->stream}, 9});
  REQUIRE(tiled != nullptr);
  CHECK(stimulus->open_cta(1).size() == 8);
  stimulus->open_kernel(*tiled);
  CHECK(stimulus->open_cta(0).size() == 6);
}
