// What is known of launches before they are simulated.
#include "stimuli/sampling/launch_census.h"

#include <catch2/catch.hpp>

#include "model/base/error.h"
#include "stimuli/catalogue.h"

using namespace wharf;

namespace {

constexpr auto kQuiet = [](std::size_t) {};

std::uint64_t one_at_a_time(const KernelLaunch&) { return 1; }

/// A launch of 4,000 CTAs with a warp that loads once, and then does what `end` says.
class Scripted final : public Stimulus {
 public:
  enum class End : std::uint8_t { ends, repeats_for_ever, fails };
  explicit Scripted(End end) : end_(end) {
    launch_.grid = {4000, 1, 1};
    launch_.block = {kLanes, 1, 1};
  }
  const KernelLaunch* next_kernel() override { return launched_++ == 0 ? &launch_ : nullptr; }
  bool leave_out_ctas() override { return true; }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override {
    opened.push_back(cta);
    std::vector<std::unique_ptr<WarpStream>> warps;
    warps.push_back(std::make_unique<Warp>(end_));
    return warps;
  }
  std::vector<std::uint64_t> opened;

 private:
  class Warp final : public WarpStream {
   public:
    explicit Warp(End end) : end_(end) {
      load_.unit = Unit::load;
      load_.repeat = 1000;
    }
    const WarpInstruction* peek() override { return ended_ ? nullptr : &load_; }
    void advance() override {
      if (end_ == End::fails) throw SimulationError("an index that nobody has computed");
      ended_ = end_ == End::ends;
    }

   private:
    End end_;
    WarpInstruction load_;
    bool ended_ = false;
  };
  End end_;
  KernelLaunch launch_;
  int launched_ = 0;
};

}  // namespace

TEST_CASE("where launches are known, some CTAs of each give the same launches as a functional run, and nearly their sizes") {
  std::size_t known = 0;
  for (const WorkloadInfo& info : list_stimuli()) {
    const std::string name = info.name + "@tiny";
    INFO(name);
    const auto stimulus = make_stimulus(name, 1);
    if (!stimulus->leave_out_ctas()) continue;
    const auto expected = launches_of_some_ctas(*stimulus, kQuiet, one_at_a_time);
    const auto executed = launches_of_functional_run(*make_stimulus(name, 1), kQuiet, one_at_a_time);
    if (!expected) continue;
    ++known;
    REQUIRE(expected->size() == executed.size());
    for (std::size_t i = 0; i < executed.size(); ++i) {
      CHECK((*expected)[i].kernel == executed[i].kernel);
      CHECK((*expected)[i].grid == executed[i].grid);
      CHECK((*expected)[i].block == executed[i].block);
      CHECK((*expected)[i].ctas_at_a_time == 1);
      CHECK((*expected)[i].size <= 2 * executed[i].size);
      CHECK((*expected)[i].size >= executed[i].size / 2);
    }
  }
  CHECK(known > 50);
}

TEST_CASE("CTAs may not be left out where the next launch depends on what they compute") {
  for (const char* program : {"histo@tiny", "bfs@tiny", "parboil_bfs@tiny"}) CHECK_FALSE(make_stimulus(program, 1)->leave_out_ctas());
}

TEST_CASE("of a launch of 4,000 CTAs every seventeenth is executed") {
  Scripted stimulus(Scripted::End::ends);
  const auto launches = launches_of_some_ctas(stimulus, kQuiet, one_at_a_time);
  REQUIRE(launches);
  CHECK(launches->front().size == 4000 * 1000);
  REQUIRE(stimulus.opened.size() == 236);
  CHECK(stimulus.opened[1] == 17);
}

TEST_CASE("CTAs that do not end without the others, or fail, say nothing about the launches") {
  Scripted endless(Scripted::End::repeats_for_ever), failing(Scripted::End::fails);
  CHECK_FALSE(launches_of_some_ctas(endless, kQuiet, one_at_a_time));
  CHECK_FALSE(launches_of_some_ctas(failing, kQuiet, one_at_a_time));
}
