// Loads that move ahead within a block: results do not change, and some instructions are never crossed (CU-68).
#include <catch2/catch.hpp>
#include <random>

#include "model/base/error.h"
#include "tests/unit/stimuli/ptx/flow_generator.h"
#include "tests/unit/stimuli/ptx/ptx_machine.h"

using namespace wharf;
using namespace wharf::ptx;
using Catch::Contains;

namespace {

constexpr Options kHoisted{Timing::sass, Schedule::hoisted, 4096};

/// The memory units and fp32 of a body in the order of issue, one letter each: L and S for global loads and stores, s for shared memory, A
/// for atomics, B for barriers, t for tensor cores, f for fp32.
std::string units(const std::string& body, const Options& options) {
  PtxMachine machine;
  const Address at = machine.zeros<std::uint32_t>(1024);
  PtxStimulus stimulus({{"m.ptx", kernel_of("ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];\n" + body + "\nret;", 2)}}, machine.memory,
                       {{"k", {1, 1, 1}, {32, 1, 1}, 0, ArgumentBytes().add(at).add(at + 2048).bytes()}}, options);
  REQUIRE(stimulus.next_kernel() != nullptr);
  const auto warps = stimulus.open_cta(0);
  std::string text;
  while (const WarpInstruction* next = warps[0]->peek()) {
    switch (next->unit) {
      case Unit::load:
        text += 'L';
        break;
      case Unit::store:
        text += 'S';
        break;
      case Unit::shared:
        text += 's';
        break;
      case Unit::atomic:
        text += 'A';
        break;
      case Unit::barrier:
        text += 'B';
        break;
      case Unit::tensor:
        text += 't';
        break;
      case Unit::fp32:
        text += 'f';
        break;
      default:
        break;
    }
    warps[0]->advance();
  }
  return text;
}
std::string hoisted(const std::string& body) { return units(body, kHoisted); }

/// Random straight-line code over %r0 to %r7 and 256 bytes of global and of shared memory per thread.
class StraightLine {
 public:
  explicit StraightLine(std::mt19937& random) : random_(random) {}
  std::string text() {
    std::string body;
    for (unsigned i = 0, count = 10 + random_() % 50; i < count; ++i)
      body += (random_() % 5 == 0 ? "@%p" + std::to_string(1 + random_() % 2) + " " : "") + step() + "\n";
    return body;
  }

 private:
  unsigned below(unsigned bound) { return random_() % bound; }
  std::string r() { return "%r" + std::to_string(below(8)); }
  /// An address at a fixed offset, or one in a register. The second base sometimes equals the first.
  std::string place(bool shared) {
    const std::string offset = "+" + std::to_string(4 * below(8)) + "]";
    if (shared) return below(2) == 0 ? "[%r20" + offset : "[%r21" + offset;
    return below(3) == 0 ? "[%rd5" + offset : below(2) == 0 ? "[%rd6" + offset : "[%rd7" + offset;
  }
  std::string step() {
    switch (below(14)) {
      case 0:
      case 1:
        return "ld.global.u32 " + r() + ", " + place(false) + ";";
      case 2:
        return "ld.u32 " + r() + ", " + place(false) + ";";
      case 3:
        return "ld.shared.u32 " + r() + ", " + place(true) + ";";
      case 4:
        return "st.global.u32 " + place(false) + ", " + r() + ";";
      case 5:
        return "st.shared.u32 " + place(true) + ", " + r() + ";";
      case 6:
        return "st.u32 " + place(false) + ", " + r() + ";";
      case 7:
        return "and.b32 %r30, " + r() + ", 124; cvt.u64.u32 %rd8, %r30; add.u64 %rd7, %rd5, %rd8;";
      case 8:
        return below(2) == 0 ? "add.cc.u32 " + r() + ", " + r() + ", " + r() + ";" : "addc.u32 " + r() + ", " + r() + ", " + r() + ";";
      case 9:
        return "setp.gt.u32 %p" + std::to_string(1 + below(2)) + ", " + r() + ", " + r() + ";";
      case 10:
        switch (below(4)) {
          case 0:
            return "membar.gl;";
          case 1:
            return "atom.global.add.u32 " + r() + ", " + place(false) + ", " + r() + ";";
          case 2:
            return "st.volatile.global.u32 " + place(false) + ", " + r() + ";";
          default:
            return "shfl.sync.bfly.b32 " + r() + ", " + r() + ", 1, 31, 0xffffffff;";
        }
      default:
        return "mad.lo.u32 " + r() + ", " + r() + ", 1664525, " + r() + ";";
    }
  }
  std::mt19937& random_;
};

std::vector<std::uint32_t> results_of(const std::string& body, const Options& options) {
  PtxMachine machine;
  machine.options = options;
  std::vector<std::uint32_t> initial(64 * 64);
  for (std::size_t i = 0; i < initial.size(); ++i) initial[i] = static_cast<std::uint32_t>(i * 2654435761u);
  const Address at = machine.array(initial);
  std::string text = R"(
    .shared .align 4 .b8 tile[16384];
    ld.param.u64 %rd5, [p0]; mov.u32 %r10, %tid.x; mul.wide.u32 %rd9, %r10, 256; add.u64 %rd5, %rd5, %rd9; add.u64 %rd6, %rd5, 16; mov.u64 %rd7, %rd5;
    mov.u32 %r20, tile; mad.lo.u32 %r20, %r10, 256, %r20; add.u32 %r21, %r20, 8;
  )";
  for (unsigned i = 0; i < 8; ++i) text += "mad.lo.u32 %r" + std::to_string(i) + ", %r10, " + std::to_string(i + 3) + ", 77;\n";
  text += body;
  for (unsigned i = 0; i < 8; ++i) text += "st.global.u32 [%rd5+" + std::to_string(192 + 4 * i) + "], %r" + std::to_string(i) + ";\n";
  machine.run(kernel_of(text + "ret;", 1), "k", {1, 1, 1}, {64, 1, 1}, ArgumentBytes().add(at));
  return machine.read<std::uint32_t>(at, initial.size());
}

}  // namespace

TEST_CASE("random straight lines with memory, guards and carries compute the same with loads moved ahead") {
  std::mt19937 random(7);
  for (int i = 0; i < 600; ++i) {
    const std::string body = StraightLine(random).text();
    if (results_of(body, {}) == results_of(body, kHoisted)) continue;
    INFO("line " << i << "\n" << body);
    FAIL_CHECK("the results differ");
    return;
  }
}

TEST_CASE("random control flow computes the same with loads moved ahead") {
  std::mt19937 random(99);
  for (int i = 0; i < 150; ++i) {
    const FlowProgram program = random_program(random);
    PtxMachine machine;
    machine.options = kHoisted;
    std::vector<std::uint32_t> states;
    for (std::uint32_t thread = 0; thread < 48; ++thread) {
      for (std::uint32_t r = 0; r < 4; ++r) states.push_back(thread * 2654435761u + r);
      states.insert(states.end(), {60, 0, 0, 0});
    }
    const Address at = machine.array(states);
    machine.run(program.ptx(), "k", {1, 1, 1}, {48, 1, 1}, ArgumentBytes().add(at));
    const auto results = machine.read<std::uint32_t>(at, states.size());
    for (std::uint32_t thread = 0; thread < 48; ++thread) REQUIRE(results[thread * 8 + 5] == program.run(thread));
  }
}

TEST_CASE("loads move ahead of arithmetic, and of stores that they cannot overlap") {
  const std::string body =
      "ld.global.f32 %f1, [%rd1]; add.f32 %f1, %f1, %f1; st.global.f32 [%rd1], %f1;\n"
      "ld.global.f32 %f2, [%rd1+4]; add.f32 %f2, %f2, %f2; st.global.f32 [%rd1+4], %f2;";
  CHECK(units(body, {}) == "LfSLfS");
  CHECK(hoisted(body) == "LLfSfS");
  CHECK(hoisted("add.f32 %f1, %f2, %f3; add.u64 %rd3, %rd1, 64; ld.global.f32 %f4, [%rd3];") == "Lf");
  CHECK(hoisted(".shared .align 4 .b8 tile[64]; st.shared.u32 [tile], %r2; ld.global.f32 %f1, [%rd1];") == "Ls");
}

TEST_CASE("loads stay behind stores that they may overlap") {
  CHECK(hoisted("st.global.u32 [%rd1], %r1; ld.global.u32 %r2, [%rd2];") == "SL");  // another base
  CHECK(hoisted("st.global.v2.u32 [%rd1], {%r1, %r2}; ld.global.u32 %r3, [%rd1+4];") == "SL");
  CHECK(hoisted("st.global.u32 [%rd1], %r1; add.u64 %rd1, %rd1, 8; ld.global.u32 %r3, [%rd1+16];") == "SL");  // the base has changed
  CHECK(hoisted("st.global.u32 [%rd1], %r1; ld.u32 %r2, [%rd1+8];") == "SL");                                 // the other names no space
}

TEST_CASE("loads move ahead of products of matrices, and matrices stay in order with what they may overlap") {
  const std::string product =
                        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f0,%f1,%f2,%f3}, {%r1,%r2}, {%r3}, {%f0,%f1,%f2,%f3};\n",
                    load = "wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r1,%r2}, [%rd2];\n",
                    store = "wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd1], {%r4,%r5,%r6,%r7};\n";
  CHECK(units(product + "ld.global.f32 %f4, [%rd2];", {}) == "tL");
  CHECK(hoisted(product + "ld.global.f32 %f4, [%rd2];") == "Lt");
  CHECK(hoisted("add.f32 %f4, %f4, %f4; " + load + product) == "Lft");
  CHECK(hoisted("st.global.u32 [%rd1], %r3; " + load) == "SL");
  CHECK(hoisted(store + "ld.global.u32 %r8, [%rd2];") == "SL");
  CHECK(hoisted(".shared .align 4 .b8 tile[64]; " + store + "ld.shared.u32 %r8, [tile];") == "sS");
}

TEST_CASE("nothing crosses barriers, fences, atomics, ordered accesses and functions that wait for lanes") {
  const std::string load = " ld.global.f32 %f4, [%rd2];";
  CHECK(hoisted("add.f32 %f1, %f2, %f3; bar.sync 0;" + load) == "fBL");
  CHECK(hoisted("add.f32 %f1, %f2, %f3; red.global.add.u32 [%rd1], %r1;" + load) == "fAL");
  CHECK(hoisted("st.volatile.global.u32 [%rd1], %r1;" + load) == "SL");
  CHECK(hoisted("ld.volatile.global.u32 %r1, [%rd1]; add.f32 %f1, %f2, %f3;" + load) == "LLf");
  for (const char* fence :
       {"membar.gl;", "fence.acq_rel.gpu;", "bar.warp.sync 0xffffffff;", "shfl.sync.idx.b32 %r1, %r2, 0, 31, 0xffffffff;",
        "mov.u32 %r1, %clock;", "ld.acquire.gpu.global.u32 %r1, [%rd1];", "call f;"}) {
    INFO(fence);
    const std::string before = std::string("add.f32 %f1, %f2, %f3; ") + fence;
    PtxMachine machine;
    PtxStimulus stimulus({{"m.ptx", kernel_of("ld.param.u64 %rd2, [p0]; " + before + load + " ret;", 1, ".func f() { ret; }\n")}},
                         machine.memory, {}, kHoisted);
    const Program& program = stimulus.program();
    const FunctionCode& kernel = *program.find_function("k");
    std::vector<Action> actions;
    for (std::uint32_t pc = kernel.begin; pc < kernel.end; ++pc) actions.push_back(program.code()[pc].action);
    CHECK(actions[actions.size() - 2] == Action::load);
    CHECK(program.code()[kernel.begin + 1].action == Action::compute);
  }
}

TEST_CASE("loads move ahead only as far as registers allow") {
  std::string body = "ld.param.u64 %rd1, [p0]; mov.f32 %f0, 0f00000000;\n";
  for (unsigned i = 0; i < 60; ++i) {
    const std::string value = "%v" + std::to_string(i);
    body +=
        ".reg .f32 " + value + "; ld.global.f32 " + value + ", [%rd1+" + std::to_string(4 * i) + "]; add.f32 %f0, %f0, " + value + ";\n";
  }
  body += "st.global.f32 [%rd1], %f0; ret;";
  const auto live = [&](const Options& options, const std::string& directive) {
    DeviceMemory memory(std::uint64_t{1} << 20);
    std::string text = kernel_of(body, 1);
    text.insert(text.find("\n{"), directive);
    const PtxStimulus stimulus({{"m.ptx", text}}, memory, {}, options);
    REQUIRE(stimulus.program().functions().front().error.empty());
    return stimulus.program().functions().front().live_registers;
  };
  CHECK(live({}, "") == 4);
  CHECK(live(kHoisted, "") == 30);  // 32 registers per thread, with which an SM can still be full
  CHECK(live(kHoisted, " .maxnreg 20") == 18);
  CHECK(live(kHoisted, " .maxntid 1024 .minnctapersm 2") == 30);
}

TEST_CASE("a load that moved ahead keeps its place for messages") {
  PtxMachine machine;
  machine.options = kHoisted;
  const Address at = machine.zeros<std::uint32_t>(4);
  CHECK_THROWS_WITH(
      machine.run(
          kernel_of("ld.param.u64 %rd1, [p0];\nadd.f32 %f1, %f2, %f3;\nadd.f32 %f1, %f1, %f3;\nld.global.u32 %r1, [%rd1+0x70000];\nret;",
                    1),
          "k", {1, 1, 1}, {1, 1, 1}, ArgumentBytes().add(at)),
      Contains("test.ptx:10: kernel k"));
}
