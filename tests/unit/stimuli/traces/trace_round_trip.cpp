// Written traces read back as the same instructions.

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "stimuli/traces/recording/recording_stimulus.h"
#include "stimuli/traces/trace_check.h"
#include "tests/unit/stimuli/traces/trace_samples.h"

using namespace wharf;
using namespace wharf::traces;
using Catch::Matchers::Contains;

namespace {

using Warps = std::vector<std::vector<WarpInstruction>>;

class ScriptedStream final : public WarpStream {
 public:
  explicit ScriptedStream(const std::vector<WarpInstruction>& script) : script_(script) {}
  const WarpInstruction* peek() override { return next_ < script_.size() ? &script_[next_] : nullptr; }
  void advance() override { ++next_; }

 private:
  const std::vector<WarpInstruction>& script_;
  std::size_t next_ = 0;
};

struct ScriptedKernel {
  KernelLaunch launch;
  std::vector<Warps> ctas;
};

class ScriptedStimulus final : public Stimulus {
 public:
  explicit ScriptedStimulus(const std::vector<ScriptedKernel>& kernels) : kernels_(kernels) {}
  const KernelLaunch* next_kernel() override { return next_ < kernels_.size() ? &kernels_[next_++].launch : nullptr; }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override {
    std::vector<std::unique_ptr<WarpStream>> streams;
    for (const auto& script : kernels_[next_ - 1].ctas[cta]) streams.push_back(std::make_unique<ScriptedStream>(script));
    return streams;
  }
  std::vector<std::pair<std::string, std::uint64_t>> warnings() const override { return {{"scripted", 3}}; }
  double progress() const override { return 0.5; }

 private:
  const std::vector<ScriptedKernel>& kernels_;
  std::size_t next_ = 0;
};

/// Random instructions of every unit, as far as the format can express them: atomics bypass the L1, stores do not, local are loads and
/// stores.
class InstructionSource {
 public:
  WarpInstruction next() {
    WarpInstruction instruction;
    instruction.pc = below(40) == 0 ? static_cast<std::uint32_t>(random_()) : 16 * below(500);
    instruction.unit = static_cast<Unit>(below(kUnits));
    instruction.active = mask();
    if (below(2)) instruction.destination = static_cast<RegisterId>(below(255));
    for (RegisterId& source : instruction.sources) {
      if (below(2)) source = static_cast<RegisterId>(below(255));
    }
    if (instruction.unit == Unit::atomic) instruction.cache_op = CacheOp::bypass_l1;
    const bool can_be_local = instruction.unit == Unit::load || instruction.unit == Unit::store;
    if (can_be_local && below(3) == 0) instruction.space = Space::local;
    if (instruction.unit == Unit::load && instruction.space == Space::global && below(2)) instruction.cache_op = CacheOp::bypass_l1;
    if (can_be_local && instruction.space == Space::global) {
      constexpr Eviction kHints[] = {Eviction::unhinted, Eviction::first, Eviction::last};
      instruction.eviction = kHints[below(3)];
    }
    if (has_addresses(instruction.unit)) {
      instruction.access_bytes = static_cast<std::uint8_t>(1u << below(5));
      set_addresses(instruction);
    } else if (below(10) == 0) {
      instruction.repeat = static_cast<std::uint16_t>(1 + below(40));
    }
    return instruction;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

 private:
  LaneMask mask() {
    switch (below(5)) {
      case 0:
        return 0;
      case 1:
        return static_cast<LaneMask>(random_());
      case 2:
        return static_cast<LaneMask>(random_() & random_() & random_());
      case 3:
        return kAllLanes >> below(32) << below(32);
      default:
        return kAllLanes;
    }
  }
  void set_addresses(WarpInstruction& instruction) {
    // No access goes beyond 64 bits.
    const Address base = random_() >> (1 + below(63)) | 0x80, step = random_() >> (7 + below(57)), kind = below(4);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      switch (kind) {
        case 0:
          instruction.addresses[lane] = base + step * lane;
          break;
        case 1:
          instruction.addresses[lane] = base - 4 * lane;
          break;
        case 2:
          instruction.addresses[lane] = base + below(4096);
          break;
        default:
          instruction.addresses[lane] = random_() & ~Address{15};
          break;
      }
    }
  }
  std::mt19937_64 random_{11};
};

ScriptedKernel random_kernel(InstructionSource& source, const std::string& name, Dim3 grid, Dim3 block) {
  ScriptedKernel kernel;
  kernel.launch.name = name;
  kernel.launch.grid = grid;
  kernel.launch.block = block;
  kernel.launch.registers_per_thread = 10 + source.below(100);
  kernel.launch.shared_bytes = source.below(49152);
  kernel.launch.local_offsets = true;
  for (std::uint64_t cta = 0; cta < grid.count(); ++cta) {
    Warps warps(kernel.launch.warps_per_cta());
    for (auto& warp : warps) {
      warp.resize(source.below(200));
      for (WarpInstruction& instruction : warp) instruction = source.next();
    }
    kernel.ctas.push_back(std::move(warps));
  }
  return kernel;
}

std::vector<WarpInstruction> without_repeats(const std::vector<WarpInstruction>& script) {
  std::vector<WarpInstruction> out;
  for (WarpInstruction instruction : script) {
    const unsigned repeat = instruction.repeat;
    instruction.repeat = 1;
    out.insert(out.end(), repeat, instruction);
    if (instruction.unit == Unit::tensor)  // parts of a product, of which the last has the result
      for (unsigned i = 2; i <= repeat; ++i) (out.end() - i)->destination = kNoRegister;
  }
  return out;
}

/// Equal except for register numbers, which are reassigned (trace_registers.cpp).
bool same(const WarpInstruction& a, const WarpInstruction& b) {
  bool addresses = true, registers = (a.destination == kNoRegister) == (b.destination == kNoRegister);
  for (unsigned s = 0; s < a.sources.size(); ++s) registers &= (a.sources[s] == kNoRegister) == (b.sources[s] == kNoRegister);
  for (unsigned lane = 0; lane < kLanes && has_addresses(a.unit); ++lane) {
    addresses &= (a.active >> lane & 1) == 0 || a.addresses[lane] == b.addresses[lane];
  }
  return addresses && a.pc == b.pc && a.unit == b.unit && a.space == b.space && a.cache_op == b.cache_op && a.eviction == b.eviction &&
         a.access_bytes == b.access_bytes && registers && a.active == b.active && a.repeat == b.repeat;
}

void require_same(const std::vector<WarpInstruction>& read, const std::vector<WarpInstruction>& wanted) {
  REQUIRE(read.size() == wanted.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    CAPTURE(i, wanted[i].pc, static_cast<unsigned>(wanted[i].unit), wanted[i].active);
    REQUIRE(same(read[i], wanted[i]));
  }
}

/// Runs a stimulus like a GPU: a window of CTAs, whose warps advance one step at a time in random order.
void run(Stimulus& stimulus, InstructionSource& random) {
  while (const KernelLaunch* launch = stimulus.next_kernel()) {
    std::vector<std::unique_ptr<WarpStream>> running;
    for (std::uint64_t next = 0; next < launch->grid.count() || !running.empty();) {
      if (next < launch->grid.count() && running.size() < 12) {
        for (auto& warp : stimulus.open_cta(next++)) running.push_back(std::move(warp));
        continue;
      }
      const std::size_t at = random.below(static_cast<unsigned>(running.size()));
      if (running[at]->peek() != nullptr) {
        running[at]->advance();
      } else {
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
  }
}

WarpInstruction of_unit(Unit unit) {
  WarpInstruction instruction;
  instruction.unit = unit;
  instruction.active = 1;
  instruction.addresses[0] = 0x100;
  return instruction;
}

}  // namespace

TEST_CASE("A recorded run of random instructions reads back as the same instructions, whatever order its CTAs ended in") {
  const TraceForm form = GENERATE(TraceForm::plain, TraceForm::xz, TraceForm::zstd, TraceForm::container);
  InstructionSource source;
  const std::vector<ScriptedKernel> kernels = {random_kernel(source, "first", {3, 2, 2}, {33, 1, 1}),
                                               random_kernel(source, "second", {5, 1, 1}, {16, 8, 1}),
                                               random_kernel(source, "one thread", {1, 1, 1}, {1, 1, 1})};
  const TemporaryFolder folder;
  RecordingStimulus recording(std::make_unique<ScriptedStimulus>(kernels), folder.path(), form);
  run(recording, source);

  TraceStimulus trace(folder.path());
  for (const ScriptedKernel& kernel : kernels) {
    const KernelLaunch* launch = trace.next_kernel();
    REQUIRE(launch != nullptr);
    CHECK(launch->name == kernel.launch.name);
    CHECK(launch->registers_per_thread == kernel.launch.registers_per_thread);
    CHECK(launch->shared_bytes == kernel.launch.shared_bytes);
    REQUIRE((launch->grid == kernel.launch.grid));
    REQUIRE(launch->warps_per_cta() == kernel.launch.warps_per_cta());
    for (std::uint64_t cta = 0; cta < launch->grid.count(); ++cta) {
      const auto warps = trace.open_cta(cta);
      REQUIRE(warps.size() == kernel.ctas[cta].size());
      for (std::size_t i = 0; i < warps.size(); ++i) require_same(drain(*warps[i]), without_repeats(kernel.ctas[cta][i]));
    }
  }
  CHECK(trace.next_kernel() == nullptr);
  CHECK(check(folder.path()).problems.empty());
}

TEST_CASE("Recording forwards what the stimulus says of itself") {
  const std::vector<ScriptedKernel> none;
  const TemporaryFolder folder;
  RecordingStimulus recording(std::make_unique<ScriptedStimulus>(none), folder.path(), TraceForm::plain);
  CHECK(recording.next_kernel() == nullptr);
  CHECK(recording.progress() == 0.5);
  CHECK(recording.warnings().at(0).first == "scripted");
  CHECK(!std::filesystem::exists(folder / "kernelslist.g"));
}

TEST_CASE("CTAs without warps are recorded too") {
  ScriptedKernel kernel;
  kernel.launch.name = "gaps";
  kernel.launch.grid = {3, 1, 1};
  kernel.ctas = {{}, {{of_unit(Unit::exit)}}, {}};
  const std::vector<ScriptedKernel> kernels = {kernel};
  const TemporaryFolder folder;
  RecordingStimulus recording(std::make_unique<ScriptedStimulus>(kernels), folder.path(), TraceForm::plain);
  InstructionSource random;
  run(recording, random);
  TraceStimulus trace(folder.path());
  trace.next_kernel();
  CHECK(trace.open_cta(0).empty());
  CHECK(trace.open_cta(1).size() == 1);
  CHECK(trace.open_cta(2).empty());
}

TEST_CASE("A run that stops inside a kernel says so and does not list that kernel") {
  InstructionSource source;
  const std::vector<ScriptedKernel> kernels = {random_kernel(source, "cut", {2, 1, 1}, {32, 1, 1})};
  const TemporaryFolder folder;
  RecordingStimulus recording(std::make_unique<ScriptedStimulus>(kernels), folder.path(), TraceForm::plain);
  recording.next_kernel();
  drain(*recording.open_cta(0).at(0));
  CHECK_THROWS_WITH(recording.finish(), Contains("kernel-1.traceg: only 1 of 2 CTAs were recorded; let the run reach its end"));
  CHECK(contents_of(folder / "kernelslist.g").empty());
}

TEST_CASE("finish completes the last kernel of a run that does not ask for another") {
  InstructionSource source;
  const std::vector<ScriptedKernel> kernels = {random_kernel(source, "whole", {1, 1, 1}, {32, 1, 1})};
  const TemporaryFolder folder;
  RecordingStimulus recording(std::make_unique<ScriptedStimulus>(kernels), folder.path(), TraceForm::zstd);
  recording.next_kernel();
  drain(*recording.open_cta(0).at(0));
  recording.finish();
  CHECK(contents_of(folder / "kernelslist.g") == "kernel-1.traceg.zst\n");
}

TEST_CASE("Local memory is recorded as offsets in the thread's stack, and a kernel without such an array or with a window is refused") {
  constexpr Address kFirst = 0x1'0000'0000, kSecond = 0x1'0001'0000;
  ScriptedKernel kernel;
  kernel.launch.name = "spills";
  kernel.launch.frame.add(kFirst, 32 * 5 * 4, 4, 5);
  kernel.launch.frame.add(kSecond, 32 * 2 * 8, 8, 2);
  WarpInstruction load = of_unit(Unit::load), store = of_unit(Unit::store), global = of_unit(Unit::load);
  load.space = store.space = Space::local;
  load.destination = 4;
  load.active = kAllLanes;
  for (unsigned lane = 0; lane < kLanes; ++lane) load.addresses[lane] = kFirst + (3 * kLanes + lane) * 4;
  store.access_bytes = 8;
  store.active = 0b11;
  for (unsigned lane = 0; lane < 2; ++lane)
    store.addresses[lane] = kSecond + (lane * kLanes + lane) * 8;  // element 0 of lane 0, 1 of lane 1
  global.addresses[0] = kFirst;
  kernel.ctas = {{{load, store, global}}};
  const TemporaryFolder folder;
  const auto record = [&] {
    const std::vector<ScriptedKernel> kernels = {kernel};
    RecordingStimulus recording(std::make_unique<ScriptedStimulus>(kernels), folder.path(), TraceForm::plain);
    InstructionSource random;
    run(recording, random);
  };
  record();
  const std::string text = contents_of(folder / "kernel-1.traceg");
  CHECK(text.substr(text.find("insts")) ==
        "insts = 3\n0000 ffffffff 1 R0 LDL 0 4 1 0xc 0 0\n0000 00000003 0 STL.64 0 8 1 0x18 8 0\n"
        "0000 00000001 0 LDG.E.SYS 0 4 1 0x100000000 0 0\n\n#END_TB\n\n");
  kernel.launch.frame = {};
  CHECK_THROWS_WITH(record(), Contains("kernel 'spills' accesses 4 bytes of local memory at 0x100000180, and declares no local arrays"));
  kernel.launch.l2_window = {0, 128};
  CHECK_THROWS_WITH(record(), Contains("kernel 'spills': a trace cannot hold an access-policy window"));
}

TEST_CASE("Every unit has an opcode of its own that says size, space and cache operator") {
  CHECK(opcode_for(of_unit(Unit::alu)) == "IADD3");
  CHECK(opcode_for(of_unit(Unit::shuffle)) == "SHFL.IDX");
  CHECK(opcode_for(of_unit(Unit::imad)) == "IMAD");
  CHECK(opcode_for(of_unit(Unit::conversion)) == "I2F");
  CHECK(opcode_for(of_unit(Unit::fence)) == "MEMBAR.SC.GPU");
  CHECK(opcode_for(of_unit(Unit::fp32)) == "FFMA");
  CHECK(opcode_for(of_unit(Unit::texture)) == "TEX");
  WarpInstruction load = of_unit(Unit::load);
  CHECK(opcode_for(load) == "LDG.E.SYS");
  load.access_bytes = 16;
  load.cache_op = CacheOp::bypass_l1;
  CHECK(opcode_for(load) == "LDG.E.128.STRONG.GPU");
  load.space = Space::local;
  CHECK(opcode_for(load) == "LDL.128");
  WarpInstruction atomic = of_unit(Unit::atomic);
  CHECK(opcode_for(atomic) == "RED.E.ADD.STRONG.GPU");
  atomic.destination = 3;
  CHECK(opcode_for(atomic) == "ATOMG.E.ADD.STRONG.GPU");
  WarpInstruction shared = of_unit(Unit::shared);
  CHECK(opcode_for(shared) == "STS");
  shared.destination = 3;
  shared.access_bytes = 2;
  CHECK(opcode_for(shared) == "LDS.U16");
  CHECK(opcode_for(of_unit(Unit::shared_atomic)) == "ATOMS.ADD");
}

TEST_CASE("A hint for L2 has a suffix, and one without a suffix cannot be written (LR-2)") {
  WarpInstruction load = of_unit(Unit::load), store = of_unit(Unit::store);
  load.eviction = store.eviction = Eviction::first;
  CHECK(opcode_for(load) == "LDG.E.EF.SYS");
  CHECK(opcode_for(store) == "STG.E.EF.SYS");
  load.eviction = Eviction::last;
  CHECK(opcode_for(load) == "LDG.E.EL.SYS");
  for (const Eviction eviction : {Eviction::normal, Eviction::none}) {
    load.eviction = eviction;
    CHECK_THROWS_WITH(opcode_for(load), Contains("cannot be written to a trace; record without this hint"));
  }
}

TEST_CASE("An access size that no opcode has cannot be written") {
  WarpInstruction load = of_unit(Unit::load);
  load.access_bytes = 3;
  CHECK_THROWS_WITH(opcode_for(load), Contains("an access of 3 bytes a lane cannot be written"));
}

TEST_CASE("A folder that cannot be made is an input error") {
  const TemporaryFolder folder;
  folder.write("file", "");
  CHECK_THROWS_WITH(TraceWriter(folder / "file/below", TraceForm::plain), Contains("kernelslist.g: cannot be written"));
}

TEST_CASE("The written text is the trace format, version 5") {
  ScriptedKernel kernel;
  kernel.launch.name = "k";
  WarpInstruction load = of_unit(Unit::load);
  load.destination = 4;
  load.sources = {2, kNoRegister, 6, kNoRegister};
  load.active = 0xF;
  for (unsigned lane = 0; lane < 4; ++lane) load.addresses[lane] = 0x1000 + 8 * lane;
  WarpInstruction scattered = load;
  scattered.active = 0x9;
  WarpInstruction far = load;
  far.active = 0x3;
  far.addresses[1] = 0x7fb2c0000000;
  WarpInstruction repeated = of_unit(Unit::alu);
  repeated.pc = 0x10;
  repeated.repeat = 2;
  kernel.ctas = {{{load, scattered, far, repeated}}};
  const std::vector<ScriptedKernel> kernels = {kernel};
  const TemporaryFolder folder;
  RecordingStimulus recording(std::make_unique<ScriptedStimulus>(kernels), folder.path(), TraceForm::plain);
  InstructionSource random;
  run(recording, random);
  const std::string text = contents_of(folder / "kernel-1.traceg");
  CHECK(text.substr(text.find("#BEGIN_TB")) ==
        "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 5\n"
        "0000 0000000f 1 R0 LDG.E.SYS 3 R2 R255 R6 4 1 0x1000 8 0\n"
        "0000 00000009 1 R0 LDG.E.SYS 3 R2 R255 R6 4 2 0x1000 24 0\n"
        "0000 00000003 1 R0 LDG.E.SYS 3 R2 R255 R6 4 0 0x1000 0x7fb2c0000000 0\n"
        "0010 00000001 0 IADD3 0 0 0\n0010 00000001 0 IADD3 0 0 0\n\n#END_TB\n\n");
}
