#pragma once
// The interface of a file in stimuli/kernels: the host side of a benchmark. It allocates and initialises arrays in its constructor,
// provides the launches, and can check afterwards whether the GPU computed the right results.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/types.h"
#include "stimuli/launch_order.h"
#include "stimuli/stimulus.h"

namespace wharf::spmd {

class Warp;

/// A launch and the program that each of its warps runs.
struct Kernel {
  KernelLaunch launch;
  std::function<void(Warp&)> program;
  std::uint32_t unrolled_copies = 1;  // iterations of its longest Warp::unrolled() loop
  std::string source_file = {};       // that has the program's instructions; empty where they are in several
};

class Workload {
 public:
  virtual ~Workload() = default;

  /// The next kernel, or nullptr after the last one; valid until the next call. Every previous kernel has drained, so their results may be
  /// read and changed here. By default returns the kernels of `launches`, in order.
  virtual const Kernel* next() { return order_.started() < launches.size() ? &launches[order_.start_first()] : nullptr; }

  /// The next kernel that may run concurrently with others (Stimulus::next_concurrent). By default chosen among `launches` by their
  /// streams, so nullptr where all of them are in one stream.
  virtual const Kernel* next_concurrent(const RunningStreams& running) {
    const std::size_t kernel = order_.start(launches.size(), running, [this](std::size_t k) { return launches[k].launch.stream; });
    return kernel < launches.size() ? &launches[kernel] : nullptr;
  }

  /// True after next() has returned nullptr, where a kernel may follow later. The owner of the workload then tells the front end.
  virtual bool waiting() const { return false; }

  /// Number of kernels in the whole run; 0 where it depends on the data.
  virtual std::size_t launch_count() const { return launches.size(); }

  /// True if neither the kernels nor their geometries depend on what kernels compute.
  virtual bool has_fixed_launches() const { return launch_count() != 0; }

  /// Compares the output arrays with a plain loop on the host. False after a complete run is a defect; `why` then names the first element
  /// that differs.
  virtual bool check(std::string& why) const = 0;

 protected:
  /// For kernels whose instructions are not, or not all, in the file that launches them: call it before add_launch().
  void mark_source_elsewhere() { has_source_here_ = false; }

  /// Appends a kernel. `shared_bytes` is per CTA. Returns the launch, which a kernel with local memory gives its frame, and a
  /// kernel of another stream than 0 its stream.
  KernelLaunch& add_launch(std::string name, Dim3 grid, Dim3 block, std::uint32_t registers_per_thread, std::function<void(Warp&)> program,
                           std::uint32_t shared_bytes = 0, std::uint32_t unrolled_copies = 1, const char* file = __builtin_FILE()) {
    Kernel& kernel = launches.emplace_back();
    kernel.launch.name = std::move(name);
    kernel.launch.grid = grid;
    kernel.launch.block = block;
    kernel.launch.registers_per_thread = registers_per_thread;
    kernel.launch.shared_bytes = shared_bytes;
    kernel.program = std::move(program);
    kernel.unrolled_copies = unrolled_copies;
    if (has_source_here_) kernel.source_file = file;
    return kernel.launch;
  }

  std::vector<Kernel> launches;

 private:
  bool has_source_here_ = true;
  LaunchOrder order_;
};

}  // namespace wharf::spmd
