// Stimuli without a machine: kernels that check themselves, and a recorded CUDA program.

#include "stimuli/functional_run.h"
#include "model/base/text.h"

#include <catch2/catch.hpp>

#include "stimuli/catalogue.h"
#include "stimuli/cuda/device/cuda_stimulus.h"
#include "stimuli/cuda/device/texture_view.h"
#include "stimuli/recorded_names.h"
#include "stimuli/self_checking.h"
#include "tests/support/recorded_addition.h"

using namespace wharf;
using wharf::test::kRecording;

namespace {

FunctionalRun run_all(Stimulus& stimulus) {
  return run_functionally(stimulus, [](const FunctionalRun&) { return true; });
}

/// Two CTAs of two warps, which record their turns.
class Turns final : public Stimulus {
 public:
  explicit Turns(int instructions = 3) : instructions_(instructions) {}
  const KernelLaunch* next_kernel() override { return launched_++ == 0 ? &launch_ : nullptr; }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override {
    std::vector<std::unique_ptr<WarpStream>> warps;
    for (int w = 0; w < 2; ++w)
      warps.push_back(std::make_unique<Warp>(turns, static_cast<char>((cta == 0 ? 'a' : 'c') + w), instructions_));
    return warps;
  }
  std::string turns;

 private:
  class Warp final : public WarpStream {
   public:
    Warp(std::string& turns, char name, int instructions) : turns_(turns), name_(name), left_(instructions) {}
    const WarpInstruction* peek() override { return left_ > 0 ? &instruction_ : nullptr; }
    void advance() override { turns_ += name_, --left_; }

   private:
    std::string& turns_;
    char name_;
    int left_;
    WarpInstruction instruction_;
  };
  KernelLaunch launch_ = [] {
    KernelLaunch launch;
    launch.grid = {2, 1, 1};
    launch.block = {64, 1, 1};
    return launch;
  }();
  const int instructions_;
  int launched_ = 0;
};

}  // namespace

TEST_CASE("kernels with barriers, atomics and several launches compute the same without a machine") {
  for (const char* name : {"vectoradd@tiny", "gemm@tiny", "bfs@tiny", "histo@tiny"}) {
    INFO(name);
    const std::unique_ptr<Stimulus> stimulus = make_stimulus(name, 1);
    const FunctionalRun run = run_all(*stimulus);
    CHECK(run.kernels >= 1);
    CHECK(run.warp_instructions > 0);
    std::string why;
    CHECK(dynamic_cast<const SelfChecking&>(*stimulus).check_results(why));
    CHECK(why.empty());
  }
}

TEST_CASE("compute that a warp passes over counts as if it were shown") {
  for (const char* name : {"gemm@tiny", "2dconv@tiny", "vectoradd@tiny"}) {
    INFO(name);
    const auto shown = make_stimulus(name, 1), passed_over = make_stimulus(name, 1);
    const KernelLaunch* launch = shown->next_kernel();
    REQUIRE(launch != nullptr);
    REQUIRE(passed_over->next_kernel() != nullptr);
    std::uint64_t instructions = 0, accesses = 0, executed = 0, steps = 0;
    const auto warps = shown->open_cta(0), silent = passed_over->open_cta(0);
    for (std::size_t w = 0; w < warps.size(); ++w) {
      for (; const WarpInstruction* next = warps[w]->peek(); warps[w]->advance()) {
        instructions += next->repeat;
        accesses += is_global_memory(next->unit) ? 1 : 0;
      }
      silent[w]->pass_over_compute(executed);
      for (; const WarpInstruction* next = silent[w]->peek(); silent[w]->advance()) {
        executed += next->repeat;
        ++steps;
      }
    }
    CHECK(executed == instructions);
    CHECK(steps == accesses + warps.size());  // their ends
  }
}

TEST_CASE("the warps of a CTA advance together, so that none sees what another has made of the values that both read") {
  Turns stimulus;
  CHECK(run_all(stimulus).warp_instructions == 12);
  CHECK(stimulus.turns == "abababcdcdcd");
}

TEST_CASE("a CTA begins while none ends for long, unless as many run as the machine holds") {
  const auto order = [](bool begins_more) {
    Turns stimulus(5);
    const KernelLaunch launch = *stimulus.next_kernel();
    std::uint64_t instructions = 0;
    run_kernel_functionally(
        launch, [&](std::uint64_t cta) { return stimulus.open_cta(cta); }, instructions, [] { return true; }, {}, {1, 1, begins_more});
    CHECK(instructions == 2 * 2 * 5);
    return stimulus.turns;
  };
  CHECK(order(false) ==
        "ababababab"
        "cdcdcdcdcd");
  CHECK(order(true) ==
        "abab"
        "abcd"
        "abcd"
        "abcd"
        "cdcd");
}

TEST_CASE("a functional run stops when it is told to") {
  const std::unique_ptr<Stimulus> stimulus = make_stimulus("gemm@tiny", 1);
  CHECK(run_functionally(*stimulus, [](const FunctionalRun&) { return false; }).stopped);
}

TEST_CASE("CU-15: a recording runs again with all its reads as they were") {
  cuda::RecordedStimulus recorded(kRecording, cuda::RecordedProgram::Mismatch::stop);
  const FunctionalRun run = run_all(recorded);
  CHECK(run.kernels == 1);
  CHECK(run.warp_instructions == 480);  // 32 warps, 15 each
  CHECK(recorded.progress() == 1.0);
  CHECK(recorded.warnings().empty());
  REQUIRE(recorded.device().launched().size() == 1);
  CHECK(recorded.device().launched()[0].name == "add");
  CHECK(recorded.device().place_of(recorded.device().launched()[0], 0).find("vector_addition.cu:") != std::string::npos);
}

TEST_CASE("CU-68: a recording's host reads the same with loads moved ahead") {
  cuda::RecordedStimulus recorded(kRecording, cuda::RecordedProgram::Mismatch::stop);
  cuda::DeviceOptions options;
  options.program.schedule = ptx::Schedule::hoisted;
  recorded.device().use(options);
  CHECK(run_all(recorded).warp_instructions == 480);
  CHECK(recorded.warnings().empty());
}

TEST_CASE("kernels have the names that programmers write") {
  CHECK(readable_name("_Z3addPKfS0_Pfi") == "add");
  CHECK(readable_name("_Z4gemmIfEvPKT_S2_PS0_i") == "gemm<float>");
  CHECK(readable_name("_ZN3lib5scaleEPf") == "lib::scale");
  CHECK(readable_name("_ZN12_GLOBAL__N_15scaleEPf") == "(anonymous namespace)::scale");
  CHECK(readable_name("plain") == "plain");
  CHECK(readable_name("f") == "f");  // not the type float
}

TEST_CASE("CU-31: textures that no API can describe are refused") {
  cuda::TextureView view;
  view.width = 4;
  view.channel_bits[0] = view.channel_bits[1] = 16;
  view.channel_kind = 1;
  const ptx::Texture texture = cuda::texture_of(view);
  CHECK(texture.channels == 2);
  CHECK(texture.channel_bytes == 2);
  CHECK(texture.kind == ptx::Texture::Kind::unsigned_integer);
  CHECK(texture.size == std::array<std::uint32_t, 3>{4, 1, 1});
  view.channel_bits[1] = 8;
  CHECK_THROWS_AS(cuda::texture_of(view), cuda::DamagedRecord);
  view.channel_bits[1] = 16;
  view.address_mode[0] = 4;
  CHECK_THROWS_AS(cuda::texture_of(view), cuda::DamagedRecord);
  view.address_mode[0] = 0;
  view.width = std::uint64_t{1} << 33;
  CHECK_THROWS_AS(cuda::texture_of(view), cuda::DamagedRecord);
}

TEST_CASE("a recording that a file names is found beside that file") {
  CHECK(as_named_in("sweeps", "cuda:app.wcr") == "cuda:sweeps/app.wcr");
  CHECK(as_named_in("sweeps", "cuda:../app.wcr") == "cuda:app.wcr");
  CHECK(as_named_in("sweeps", "cuda:/data/app.wcr") == "cuda:/data/app.wcr");
  CHECK(as_named_in("", "cuda:app.wcr") == "cuda:app.wcr");
  CHECK(as_named_in("sweeps", "gemm@tiny") == "gemm@tiny");
}
