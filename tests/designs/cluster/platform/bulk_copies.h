#pragma once
// Bulk copies on an H100: kernels of one cluster, and what all CTAs give to each other.

#include "stimuli/spmd/mbarrier.h"
#include "stimuli/spmd/spmd_stimulus.h"
#include "tests/designs/cluster/platform/h100_clusters.h"

namespace wharf::test {

inline constexpr Address kGlobal = 0x1'0000'0000;
inline constexpr Cycle kMore = 170;                      // by which a copy of a line takes longer than a load past the L1
inline constexpr Cycle kArrival = 1 + 1 + kSameTpc + 1;  // to the port, a hop, and a turn at the memory

inline WarpInstruction bulk_copy(std::uint32_t bytes, std::uint32_t ranks = 1, Address from = kGlobal) {
  BulkCopy copy;
  copy.from = from;
  copy.to = 1024;
  copy.row_bytes = bytes;
  copy.ranks = ranks;
  WarpInstruction instruction = barrier();
  copy.put_into(instruction, kMostClusterCtas);
  return instruction;
}

/// CTAs of one warp each in one cluster. Each initialises an mbarrier for one arrival, meets the others, and goes on.
inline ScriptedKernel cluster_of(const Warps& warps) {
  ScriptedKernel kernel;
  kernel.shared_bytes = 32 << 10;
  kernel.cluster.x = static_cast<std::uint32_t>(warps.size());
  for (const Instructions& own : warps) {
    Instructions warp = {mbarrier(MbarrierOp::init, 0, 1), cluster_arrive(), cluster_wait()};
    warp.insert(warp.end(), own.begin(), own.end());
    warp.push_back(exit_warp());
    kernel.ctas.push_back({warp});
  }
  return kernel;
}

/// Loads past the L1, each with the address that the previous one has loaded.
inline Instructions loads(unsigned count) {
  Instructions warp = load_chase(kGlobal, count, 0);
  for (WarpInstruction& load : warp) load.cache_op = CacheOp::bypass_l1;
  return warp;
}

inline Cycle load_time() { return longer_when_warm(cluster_of({loads(3)}), cluster_of({loads(4)})); }

/// Rank 0 copies to `rank`, which answers with an arrival, `rounds` times.
inline ScriptedKernel there_and_back(unsigned rounds, unsigned rank, std::uint32_t bytes) {
  Warps warps(rank + 1);
  for (unsigned i = 0; i < rounds; ++i) {
    warps[0].push_back(bulk_copy(bytes, 1u << rank));
    warps[0].push_back(mbarrier(MbarrierOp::wait, 0, i % 2));
    for (const WarpInstruction& instruction :
         {arrive(0, rank, 0, bytes), arrive(0, rank), mbarrier(MbarrierOp::wait, 0, i % 2, rank), arrive(0, 0)})
      warps[rank].push_back(instruction);
  }
  return cluster_of(warps);
}

/// Each CTA gives half of a table to all of its cluster, and writes the whole table to its part of `out`.
class Share final : public spmd::Workload {
 public:
  Share(spmd::Memory& memory, std::uint32_t ctas, unsigned ranks, std::uint32_t room = kElements, std::uint32_t expected = kBytes)
      : ctas_(ctas), in_(memory.array<int>("in", kElements)), out_(memory.array<int>("out", kElements * ctas)) {
    for (std::uint32_t i = 0; i < kElements; ++i) in_.data[i] = static_cast<int>(3 * i + 1);
    const auto program = [in = in_, out = out_, ctas, ranks, room, expected](spmd::Warp& w) {
      const auto table = w.shared<int>(16, room);
      spmd::Mbarrier full(w, 0);
      full.init(1);
      w.cluster_sync();
      const std::uint32_t part = kElements / ctas, first = part * static_cast<std::uint32_t>(w.cluster_rank());
      full.copy(table, first, in.from(first), part, ranks);
      full.expect_bytes(expected);
      full.arrive();
      full.wait(0);
      for (const int row : w.trips(kElements / 32)) {
        const auto value = w.load(table, row * 32 + w.thread_x());
        w.store(out, w.block_x() * static_cast<int>(kElements) + row * 32 + w.thread_x(), value);
      }
    };
    add_launch("share", {ctas}, {32}, 32, program, 16 + kBytes).cluster.x = ctas;
  }
  bool check(std::string& why) const override {
    for (std::uint32_t i = 0; i < kElements * ctas_; ++i) {
      if (out_.data[i] == static_cast<int>(3 * (i % kElements) + 1)) continue;
      why = "out[" + std::to_string(i) + "] is " + std::to_string(out_.data[i]);
      return false;
    }
    return true;
  }
  static constexpr std::uint32_t kElements = 256, kBytes = kElements * sizeof(int);

 private:
  std::uint32_t ctas_;
  spmd::Array<int> in_, out_;
};

inline std::unique_ptr<spmd::SpmdStimulus> share(std::uint32_t ctas, unsigned ranks, std::uint32_t room = Share::kElements,
                                                 std::uint32_t expected = Share::kBytes) {
  return std::make_unique<spmd::SpmdStimulus>(
      spmd::Translation{}, [=](spmd::Memory& memory) { return std::make_unique<Share>(memory, ctas, ranks, room, expected); });
}

}  // namespace wharf::test
