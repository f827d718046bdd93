#include "tests/platform/soak/random_traffic.h"

#include <algorithm>

#include "model/base/rng.h"

namespace wharf::test {
namespace {

constexpr Address kHot = 0x100'0000, kCold = 0x200'0000, kLocal = 0x4000'0000;

class WarpMaker {
 public:
  WarpMaker(std::uint64_t seed, std::uint64_t warp, const TrafficShape& shape) : shape_(shape), warp_(warp), random_(seed, warp) {}

  Instructions make() {
    Instructions instructions;
    for (unsigned i = 0; i < shape_.instructions; ++i) instructions.push_back(i % 16 == 15 ? barrier() : any(i));
    instructions.push_back(exit_warp());
    return instructions;
  }

 private:
  bool one_in(unsigned n) { return random_.below(n) == 0; }
  RegisterId some_register() { return static_cast<RegisterId>(1 + random_.below(6)); }

  WarpInstruction any(unsigned index) {
    const std::uint64_t kind = random_.below(20);
    WarpInstruction instruction = kind < 10   ? read()
                                  : kind < 15 ? write()
                                  : kind < 17 ? atomic(0, one_in(2) ? some_register() : kNoRegister)
                                              : other(kind);
    instruction.pc = 0x10 * index;
    if (is_global_memory(instruction.unit)) place(instruction);
    if (one_in(12)) instruction.active = 0;
    if (shape_.hints) instruction.eviction = static_cast<Eviction>(random_.below(5));
    return instruction;
  }

  WarpInstruction read() {
    WarpInstruction instruction = load(0, one_in(8) ? kNoRegister : some_register(), one_in(2) ? some_register() : kNoRegister);
    if (one_in(6) && shape_.textures) instruction.unit = Unit::texture;
    if (one_in(6)) instruction.cache_op = CacheOp::bypass_l1;
    return instruction;
  }

  WarpInstruction write() { return store(0, one_in(2) ? some_register() : kNoRegister); }

  WarpInstruction other(std::uint64_t kind) {
    if (kind == 17) return shared(0, some_register(), kNoRegister, kAllLanes, 4 << random_.below(6));
    if (kind == 19 && one_in(2)) return compute(Unit::fence);
    WarpInstruction instruction = compute(kind == 18 ? Unit::alu : Unit::sfu, some_register(), some_register());
    instruction.repeat = static_cast<std::uint16_t>(1 + random_.below(3));
    return instruction;
  }

  Address some_line() {
    return (one_in(3) ? kCold + random_.below(shape_.cold_lines) * kLineBytes : kHot + random_.below(shape_.hot_lines) * kLineBytes);
  }

  /// Lanes in one to four lines: whole lines, single words, odd bytes, or a stride.
  void place(WarpInstruction& instruction) {
    // Beside other kernels, a warp must not read what the last owner of its local memory has left there.
    const bool may_be_local = (instruction.unit == Unit::load && shape_.streams == 1) || instruction.unit == Unit::store;
    const bool local = may_be_local && one_in(4);
    if (local) instruction.space = Space::local;
    instruction.access_bytes = static_cast<std::uint8_t>(instruction.unit == Unit::atomic ? 4 : 1u << random_.below(5));
    instruction.active = one_in(3) ? kAllLanes : static_cast<LaneMask>(random_.next());
    const unsigned lines = 1 + static_cast<unsigned>(random_.below(4));
    Address line[4];
    for (unsigned i = 0; i < lines; ++i)
      line[i] = local ? kLocal + (warp_ * shape_.local_lines + random_.below(shape_.local_lines)) * kLineBytes : some_line();
    const bool in_order = one_in(2);
    const unsigned slots = kLineBytes / instruction.access_bytes;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t slot = in_order ? lane % slots : random_.below(slots);
      instruction.addresses[lane] = line[lane * lines / kLanes] + slot * instruction.access_bytes;
    }
  }

  const TrafficShape& shape_;
  std::uint64_t warp_;
  Rng random_;
};

}  // namespace

std::vector<ScriptedKernel> random_traffic(std::uint64_t seed, const TrafficShape& shape) {
  std::vector<ScriptedKernel> kernels(shape.kernels);
  for (unsigned k = 0; k < shape.kernels; ++k) {
    kernels[k].warps_per_cta = shape.warps_per_cta;
    kernels[k].local_offsets = true;
    kernels[k].stream = k % shape.streams;
    if (shape.hints) kernels[k].l2_window = {kHot, shape.hot_lines * kLineBytes / 2, 0.5, Eviction::last, Eviction::first};
    kernels[k].resets_persisting = shape.hints && k % 2 != 0;
    kernels[k].ctas.resize(shape.ctas);
    for (unsigned c = 0; c < shape.ctas; ++c)
      for (unsigned w = 0; w < shape.warps_per_cta; ++w)
        kernels[k].ctas[c].push_back(WarpMaker(seed * shape.kernels + k, c * shape.warps_per_cta + w, shape).make());
  }
  return kernels;
}

std::vector<std::string> layered(std::vector<std::string> under, const std::vector<std::string>& over) {
  for (const std::string& setting : over) {
    const std::string key = setting.substr(0, setting.find('=') + 1);
    under.erase(std::remove_if(under.begin(), under.end(), [&](const std::string& other) { return other.rfind(key, 0) == 0; }),
                under.end());
    under.push_back(setting);
  }
  return under;
}

}  // namespace wharf::test
