#include "stimuli/synthetic/synthetic.h"

#include <algorithm>
#include <vector>

#include "model/base/archive.h"
#include "model/base/error.h"
#include "model/base/rng.h"
#include "stimuli/synthetic/fields.h"

namespace wharf {
namespace {

constexpr Address kHotBase = 0x1'0000'0000, kRegionBase = 0x2'0000'0000, kFreshBase = 0x4'0000'0000;
constexpr RegisterId kLoaded = 8;
constexpr std::uint32_t kLoadPc = 0x10, kComputePc = 0x20;

class SyntheticStream final : public WarpStream {
 public:
  /// `warp` is the number of the warp in the whole grid.
  SyntheticStream(const SyntheticParams& params, std::uint64_t seed, std::uint64_t warp)
      : params_(params), warp_(warp), left_(params.instructions), credit_(params.loads), rng_(seed, warp) {}

  const WarpInstruction* peek() override {
    if (left_ == 0) return nullptr;
    if (!prepared_) prepare();
    return &instruction_;
  }

  void advance() override {
    left_ -= instruction_.repeat;
    prepared_ = false;
  }

 private:
  // Every instruction earns `loads` hundredths of a load; a whole load is spent at once.
  void prepare() {
    prepared_ = true;
    if (credit_ >= 100) {
      prepare_load();
    } else {
      prepare_compute();
    }
    credit_ += params_.loads * instruction_.repeat;
  }

  void prepare_load() {
    credit_ -= 100;
    instruction_.pc = kLoadPc;
    instruction_.unit = Unit::load;
    instruction_.destination = kLoaded;
    instruction_.sources[0] = kLoaded;  // its address depends on the previous load
    instruction_.repeat = 1;
    for (unsigned group = 0; group < params_.lines; ++group) {
      const Address line = next_line(group);
      for (unsigned lane = group * kLanes / params_.lines; lane < (group + 1) * kLanes / params_.lines; ++lane)
        instruction_.addresses[lane] = line + 4 * lane;
    }
  }

  void prepare_compute() {
    const std::uint32_t until_load = params_.loads == 0 ? params_.run : (100 - credit_ + params_.loads - 1) / params_.loads;
    instruction_.pc = kComputePc;
    instruction_.unit = Unit::alu;
    instruction_.destination = kNoRegister;
    instruction_.sources[0] = kLoaded;
    instruction_.repeat = static_cast<std::uint16_t>(std::min({until_load, params_.run, left_}));
  }

  /// `group` numbers the lane groups. Each has its own hot line, so that a divergent load keeps its number of lines.
  Address next_line(unsigned group) {
    const std::uint64_t kind = rng_.below(100);
    if (kind < params_.l1) return kHotBase + (warp_ / params_.warps * params_.lines + group) * kLineBytes;
    if (kind < params_.l1 + params_.l2) return kRegionBase + rng_.below(params_.l2_lines) * kLineBytes;
    // Neighbouring warps stream through neighbouring lines, as a grid-stride loop does.
    const std::uint64_t all_warps = std::uint64_t{params_.ctas} * params_.warps;
    return kFreshBase + (fresh_++ * all_warps + warp_) * kLineBytes;
  }

  const SyntheticParams& params_;
  std::uint64_t warp_, fresh_ = 0;
  std::uint32_t left_, credit_;
  Rng rng_;
  bool prepared_ = false;
  WarpInstruction instruction_;
};

class SyntheticStimulus final : public Stimulus {
 public:
  SyntheticStimulus(const SyntheticParams& params, std::uint64_t seed) : params_(params), seed_(seed) {
    launch_.name = "synthetic";
    launch_.grid = {params.ctas, 1, 1};
    launch_.block = {params.warps * kLanes, 1, 1};
  }

  const KernelLaunch* next_kernel() override {
    if (launched_) return nullptr;
    launched_ = true;
    return &launch_;
  }

  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override {
    opened_ = cta + 1;
    std::vector<std::unique_ptr<WarpStream>> warps;
    for (std::uint32_t w = 0; w < params_.warps; ++w)
      warps.push_back(std::make_unique<SyntheticStream>(params_, seed_, cta * params_.warps + w));
    return warps;
  }

  bool is_recorded() const override { return true; }
  bool archive(Archive& file) override {
    file(launched_, opened_);
    return true;
  }

  double progress() const override { return static_cast<double>(opened_) / static_cast<double>(params_.ctas); }

 private:
  SyntheticParams params_;
  std::uint64_t seed_, opened_ = 0;
  KernelLaunch launch_;
  bool launched_ = false;
};

constexpr Field<SyntheticParams> kFields[] = {{"loads", &SyntheticParams::loads, 0, 100},
                                              {"l1", &SyntheticParams::l1, 0, 100},
                                              {"l2", &SyntheticParams::l2, 0, 100},
                                              {"lines", &SyntheticParams::lines, 1, 32},
                                              {"ctas", &SyntheticParams::ctas, 1, 1u << 20},
                                              {"warps", &SyntheticParams::warps, 1, 32},
                                              {"instructions", &SyntheticParams::instructions, 1, 1'000'000'000},
                                              {"l2_lines", &SyntheticParams::l2_lines, 1, 1u << 24},
                                              {"run", &SyntheticParams::run, 1, 1000}};

}  // namespace

SyntheticParams parse_synthetic(const std::string& arguments) {
  const auto params = parse_fields("synthetic", kFields, arguments);
  if (params.l1 + params.l2 > 100) throw InputError("synthetic: l1 and l2 are shares of the loads and exceed 100 % together; lower one");
  return params;
}

std::unique_ptr<Stimulus> make_synthetic(const SyntheticParams& params, std::uint64_t seed) {
  return std::make_unique<SyntheticStimulus>(params, seed);
}

}  // namespace wharf
