// Local memory of SPMD kernels: the addresses that they issue, and the frame per thread that their launch declares.

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/base/error.h"
#include "stimuli/catalogue.h"
#include "stimuli_sample.h"
#include "stimuli_walk.h"

using namespace wharf;
using namespace wharf::spmd;
using namespace wharf::test;

TEST_CASE("a thread's elements of local memory lie 32 apart beside its neighbours', and each warp of the grid has its own",
          "[stimuli][spmd]") {
  const auto program = [](Warp& w, const Arrays& a) {
    const LocalArray<float> local{a.in, 3};
    w.store(local, 2, lanewise([](int i) { return float(i) + 0.5f; }, w.global_x()));
    const auto back = w.load(local, 2);
    w.store(a.out, w.global_x(), back);
  };
  Run run(program, {64}, {2}, {}, 0, 3);
  std::vector<std::pair<unsigned, Address>> first;  // warp of the grid, address of its lane 0
  walk(run.stimulus, [&](const KernelLaunch&, const WarpInstruction& i, std::uint64_t cta, unsigned warp) {
    if (!is_global_memory(i.unit)) return;
    CHECK((i.space == Space::local) == (i.addresses[0] < run.arrays.out.base));
    if (i.space != Space::local) return;
    first.emplace_back(unsigned(cta) * 2 + warp, i.addresses[0]);
    CHECK(i.addresses[31] == i.addresses[0] + 31 * 4);
  });
  REQUIRE(first.size() == 2 * 4);
  for (const auto& [warp, address] : first) CHECK(address == run.arrays.in.base + 4 * 32 * (warp * 3 + 2));
  for (unsigned i = 0; i < 128; ++i) CHECK(run.arrays.out[i] == float(i) + 0.5f);
  Run beyond([](Warp& w, const Arrays& a) { w.load(LocalArray<float>{a.in, 3}, w.thread_x()); }, {32}, {}, {}, 0, 3);
  CHECK_THROWS_WITH(beyond.instructions(), Catch::Contains("accesses element 31 of an array of 3"));
}

TEST_CASE("a kernel that uses a local array which its launch does not declare is refused with its name", "[stimuli][spmd]") {
  Run run([](Warp& w, const Arrays& a) { w.store(LocalArray<float>{a.in, 3}, 0, 1.0f); });
  CHECK_THROWS_WITH(run.instructions(), Catch::Contains("kernel 'sample' accesses 4 bytes of local memory at 0x100000000, and declares no "
                                                        "local arrays; the frame of its launch must have all of them"));
  Run other([](Warp& w, const Arrays& a) { w.load(LocalArray<float>{a.out, 3}, 0); }, {32}, {}, {}, 0, 3);
  CHECK_THROWS_WITH(other.instructions(), Catch::Contains("kernel 'sample' accesses 4 bytes of local memory at 0x") &&
                                              Catch::Contains(", in no element of the local arrays that it declares"));
}

namespace {

constexpr Address kBytes = 0x10000, kWide = 0x20000, kWords = 0x30000, kVectors = 0x40000;

/// Two warps: 3 elements of 1 byte, 2 of 8, 1 of 4, 2 of 16.
LocalFrame mixed() {
  LocalFrame frame;
  frame.add(kBytes, 2 * 32 * 3 * 1, 1, 3);
  frame.add(kWide, 2 * 32 * 2 * 8, 8, 2);
  frame.add(kWords, 2 * 32 * 1 * 4, 4, 1);
  frame.add(kVectors, 2 * 32 * 2 * 16, 16, 2);
  return frame;
}

}  // namespace

TEST_CASE("local arrays lie one behind the other in a thread's frame, each at a multiple of its element", "[stimuli]") {
  const LocalFrame frame = mixed();
  CHECK(frame.bytes() == 32 + 2 * 16);
  struct Row {
    Address base;
    std::uint32_t element_bytes, elements;
    Address offset;
  };
  const std::vector<Row> rows = {{kBytes, 1, 3, 0}, {kWide, 8, 2, 8}, {kWords, 4, 1, 8 + 2 * 8}, {kVectors, 16, 2, 32}};
  for (const auto& [base, bytes, elements, offset] : rows) {
    for (unsigned warp = 0; warp < 2; ++warp)
      for (unsigned i = 0; i < elements; ++i)
        for (unsigned lane = 0; lane < kLanes; ++lane)
          CHECK(frame.offset_of(base + ((warp * elements + i) * kLanes + lane) * bytes, bytes, "k") == offset + i * bytes);
  }
  CHECK(frame.offset_of(kVectors + 16 * 33 + 12, 4, "k") == 32 + 16 + 12);  // one word of an element
  LocalFrame odd;
  odd.add(kBytes, 32 * 17, 1, 17);
  CHECK(odd.bytes() == 32);
  CHECK(LocalFrame().bytes() == 0);
}

TEST_CASE("an address outside a kernel's local arrays, or across two elements, is refused with the kernel's name", "[stimuli]") {
  const LocalFrame frame = mixed();
  const auto refused = [&](Address address, std::uint32_t bytes) {
    CHECK_THROWS_AS(frame.offset_of(address, bytes, "k"), SimulationError);
  };
  refused(kWords - 4, 4);
  refused(kWords + 2 * 32 * 4, 4);
  refused(kWords, 8);
  refused(kWords + 2, 4);
  CHECK_THROWS_WITH(
      frame.offset_of(0x50000, 4, "k"),
      "kernel 'k' accesses 4 bytes of local memory at 0x50000, in no element of the local arrays that it declares; the frame of its "
      "launch must have all of them");
  CHECK_THROWS_WITH(
      LocalFrame().offset_of(0x50000, 4, "k"),
      "kernel 'k' accesses 4 bytes of local memory at 0x50000, and declares no local arrays; the frame of its launch must have all of "
      "them");
}

TEST_CASE("stack offsets of a kernel are the addresses where it gives offsets, else those in its frame", "[stimuli]") {
  KernelLaunch launch;
  launch.frame = mixed();
  CHECK(launch.stack_offset(kWords + 4 * 33, 4) == 24);
  launch.local_offsets = true;
  CHECK(launch.stack_offset(kWords + 4 * 33, 4) == kWords + 4 * 33);
}

TEST_CASE("the frames of the benchmarks are those of their local arrays", "[stimuli]") {
  const auto frames = [](const char* spec) {
    std::map<std::string, std::uint64_t> bytes;
    walk(*make_stimulus(spec, 1),
         [&](const KernelLaunch& launch, const WarpInstruction&, std::uint64_t, unsigned) { bytes[launch.name] = launch.frame.bytes(); });
    return bytes;
  };
  using Frames = std::map<std::string, std::uint64_t>;
  CHECK(frames("ray@tiny") == Frames{{"render", 5 * 16}});
  // Rates, shocks, bonds and annuities; then also the rates of all 8 steps, and adjoints of rates, bonds and annuities.
  const unsigned path = 80 + 8 + 72 + 72;
  CHECK(frames("lib@tiny") == Frames{{"lib_portfolio", 4 * path}, {"lib_adjoint", 4 * (path + 80 * 9 + 80 + 72 + 72)}});
  CHECK(frames("vectoradd@tiny").begin()->second == 0);
}
