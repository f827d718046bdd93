// A CTA's part in the barrier of its cluster, and its mbarriers; both also in a run without a machine.

#include "model/base/barriers/cluster_barrier.h"

#include <catch2/catch.hpp>

#include "model/base/barriers/mbarriers.h"
#include "model/base/error.h"
#include "stimuli/functional_run.h"

using namespace wharf;
using Catch::Matchers::Contains;
using Wait = ClusterBarrier::Wait;

namespace {

/// CTAs of one warp each in one cluster. An instruction is 'a' (arrives at the cluster's barrier), 'w' (waits there), 'b' (waits at the
/// barrier of its CTA), 'I' (initialises its mbarrier for one arrival), 'A' (arrives at that of rank 0), 'W' (waits for the first phase of
/// its own) or any other letter, which is recorded with the number of the CTA.
class Letters final : public Stimulus {
 public:
  explicit Letters(std::vector<std::string> of_ctas) : of_ctas_(std::move(of_ctas)) {
    launch_.grid = launch_.cluster = {static_cast<std::uint32_t>(of_ctas_.size()), 1, 1};
    launch_.block = {32, 1, 1};
  }
  const KernelLaunch* next_kernel() override { return launched_++ == 0 ? &launch_ : nullptr; }
  std::vector<std::unique_ptr<WarpStream>> open_cta(std::uint64_t cta) override {
    std::vector<std::unique_ptr<WarpStream>> warps;
    warps.push_back(std::make_unique<Warp>(*this, of_ctas_[cta], cta));
    return warps;
  }
  std::string trace;

 private:
  class Warp final : public WarpStream {
   public:
    Warp(Letters& owner, std::string letters, std::uint64_t cta) : owner_(owner), letters_(std::move(letters)), cta_(cta) {}
    const WarpInstruction* peek() override {
      if (next_ == letters_.size()) return nullptr;
      const char letter = letters_[next_];
      const bool of_cluster = letter == 'a' || letter == 'w';
      instruction_.unit = of_cluster || letter == 'b' ? Unit::barrier : Unit::alu;
      instruction_.barrier = {0, 0, letter == 'a', of_cluster};
      if (letter == 'I') MbarrierUse{MbarrierOp::init, 0, 1}.put_into(instruction_);
      if (letter == 'A') MbarrierUse{MbarrierOp::arrive, 0, 1}.put_into(instruction_);
      if (letter == 'W') MbarrierUse{MbarrierOp::wait, 0, 0}.put_into(instruction_);
      return &instruction_;
    }
    void advance() override {
      if (instruction_.unit == Unit::alu) owner_.trace += letters_[next_] + std::to_string(cta_) + ' ';
      ++next_;
    }

   private:
    Letters& owner_;
    std::string letters_;
    std::uint64_t cta_;
    std::size_t next_ = 0;
    WarpInstruction instruction_;
  };
  std::vector<std::string> of_ctas_;
  KernelLaunch launch_;
  int launched_ = 0;
};

std::string run(std::vector<std::string> of_ctas) {
  Letters stimulus(std::move(of_ctas));
  run_functionally(stimulus, [](const FunctionalRun&) { return true; });
  return stimulus.trace;
}

}  // namespace

// CL-5
TEST_CASE("clusters: a CTA's part of the barrier is complete when its warps have arrived or ended, once") {
  ClusterBarrier barrier;
  CHECK(barrier.arrive(0));
  CHECK_FALSE(barrier.is_complete(0b111, 0));
  CHECK(barrier.arrive(2));
  CHECK(barrier.is_complete(0b111, 0b010));
  barrier.notified();
  CHECK_FALSE(barrier.is_complete(0b111, 0b010));
}

// CL-5
TEST_CASE("clusters: when the barrier opens, warps that wait go on, and those that wait later pass once") {
  ClusterBarrier barrier;
  barrier.arrive(0);
  barrier.arrive(1);
  CHECK(barrier.wait(1) == Wait::waits);
  CHECK(barrier.open() == 0b10);
  CHECK(barrier.wait(0) == Wait::passes);
  CHECK(barrier.wait(0) == Wait::never_arrived);
  CHECK(barrier.arrive(0));
  CHECK_FALSE(barrier.arrive(0));
}

TEST_CASE("clusters: without a machine, what follows a wait comes after all that stands before an arrival") {
  CHECK(run({"xxawy", "awy"}) == "x0 x0 y1 y0 ");
  CHECK(run({"xxaz", "awy"}) == "x0 x0 z0 y1 ");  // a CTA may arrive and never wait
  CHECK(run({"x", "awy"}) == "x0 y1 ");           // a CTA that has ended counts as one that has arrived
}

TEST_CASE("clusters: without a machine, a wait without an arrival and a second arrival are errors") {
  CHECK_THROWS_WITH(run({"w", "x"}), Contains("waits at the barrier of its cluster, at which it has not arrived"));
  CHECK_THROWS_WITH(run({"aa", "x"}), Contains("arrives twice at the barrier of its cluster"));
}

// CL-6
TEST_CASE("mbarriers: a phase ends with its last arrival, and the next begins with all arrivals missing") {
  Mbarriers mbarriers;
  mbarriers.init(8, 2);
  CHECK(mbarriers.wait(8, 0, 3));
  CHECK(mbarriers.words().front().waiting == 0b1000);
  CHECK(mbarriers.arrive(8, 1) == 0);
  CHECK(mbarriers.arrive(8, 1) == 0b1000);
  CHECK_FALSE(mbarriers.wait(8, 0, 3));
  CHECK(mbarriers.wait(8, 1, 5));
  CHECK(mbarriers.arrive(8, 1) == 0);
  CHECK(mbarriers.arrive(8, 1) == 0b100000);
  CHECK(mbarriers.words().front().waiting == 0);
}

// CL-6
TEST_CASE("mbarriers: without a machine, what follows a wait comes after the arrival of another CTA") {
  CHECK(run({"IawWx", "IawyyAyy"}) == "y1 y1 x0 y1 y1 ");
}
