#pragma once
// What a GPU offers CUDA programs and kernels in PTX (CU-21, 23, 50, 68).

#include <cmath>
#include <cstdint>

#include "model/base/config/binder.h"
#include "stimuli/ptx/program/options.h"

namespace wharf {

struct CudaParams {
  ptx::Schedule schedule = ptx::Schedule::program;
  std::uint32_t yield_after = ptx::Options{}.yield_after;
  std::uint32_t try_wait_ns = ptx::Options{}.try_wait_ns;
  std::uint32_t memory_mib = 4096;
  double compute_capability = 7.0;

  std::uint32_t compute_major() const { return tenths() / 10; }
  std::uint32_t compute_minor() const { return tenths() % 10; }
  ptx::Options options() const { return {ptx::Timing::sass, schedule, yield_after, try_wait_ns}; }

  void bind(config::Binder& b) {
    using config::Unit;
    b.choice("schedule", schedule, {{"program", ptx::Schedule::program}, {"hoisted", ptx::Schedule::hoisted}},
             "order of the PTX instructions of a basic block: as in the text, or with loads as early as data and registers allow");
    b.integer("yield_after", yield_after, Unit::count,
              "warp instructions after which diverged lanes give way: to lanes that wait for them only where they spin (CU-50)", 1,
              1'000'000'000);
    b.integer("try_wait_ns", try_wait_ns, Unit::nanoseconds,
              "longest wait of an mbarrier.try_wait that names no time itself; then it returns false", 1, 1'000'000'000);
    b.integer("memory_mib", memory_mib, Unit::none, "MiB of memory that a program may allocate", 1, 524'288);
    b.real("compute_capability", compute_capability, Unit::none,
           "what a program reads as cudaDeviceProp::major and minor, and from 7.1 on as __CUDA_ARCH__", 1.0, 99.9);
    b.require(std::abs(compute_capability * 10 - tenths()) < 1e-6, "compute_capability", "is not a major and minor number",
              "use 7.0, 7.5, 8.0, ...");
  }

 private:
  std::uint32_t tenths() const { return static_cast<std::uint32_t>(std::lround(compute_capability * 10)); }
};

}  // namespace wharf
