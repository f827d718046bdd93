// STREAMS, after the CUDA samples simpleStreams and concurrentKernels: each stream works on two buffers of its own. In each round its
// kernel adds to every element another element of the previous round, which another CTA wrote. Even streams have CTAs of 256 threads. Odd
// streams have CTAs of 192 threads, which read the other element through a tile in shared memory. Every second kernel of a stream writes
// back to the first buffer, and its name says so.

#include <cstdint>
#include <string>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace streams {
namespace {
constexpr int kEvenThreads = 256, kOddThreads = 192;

struct Data {
  Array<float> from, to;
  int n;
};

void direct(Warp& w, const Data& k) {
  const auto i = w.global_x();
  w.alu(6);
  w.where(i < k.n, [&] {
    const auto far = select(i + k.n / 2 < k.n, i + k.n / 2, i - k.n / 2);
    const auto a = w.load(k.from, i);
    const auto b = w.load(k.from, far);
    const auto sum = w.compute(2, a + b * 0.5f);
    w.store(k.to, i, sum);
  });
}

void tiled(Warp& w, const Data& k) {
  const auto tile = w.shared<float>(0, kOddThreads);
  const auto i = w.global_x();
  const auto t = w.thread_x();
  w.alu(6);
  w.where(i < k.n, [&] {
    const auto far = select(i + k.n / 2 < k.n, i + k.n / 2, i - k.n / 2);
    const auto b = w.load(k.from, far);
    w.store(tile, t, b);
  });
  w.barrier();
  w.where(i < k.n, [&] {
    const auto a = w.load(k.from, i);
    const auto b = w.load(tile, t);
    const auto sum = w.compute(2, a + b * 0.5f);
    w.store(k.to, i, sum);
  });
}

class Streams final : public Workload {
 public:
  Streams(const Arguments& arguments, Memory& memory, std::uint64_t seed) : n_(arguments("n")), rounds_(arguments("rounds")) {
    Rng random(seed);
    const auto count = static_cast<std::uint64_t>(n_);
    for (int stream = 0; stream < arguments("streams"); ++stream) {
      const std::string suffix = std::to_string(stream);
      buffers_.push_back({memory.array<float>("a" + suffix, count), memory.array<float>("b" + suffix, count), n_});
      auto& first = initial_.emplace_back();
      for (std::uint64_t i = 0; i < count; ++i) first.push_back(buffers_.back().from[i] = static_cast<float>(random.unit()));
    }
    for (int round = 0; round < rounds_; ++round)
      for (std::size_t stream = 0; stream < buffers_.size(); ++stream) add_round(round, stream);
  }

  bool check(std::string& why) const override {
    for (std::size_t stream = 0; stream < buffers_.size(); ++stream) {
      std::vector<float> from = initial_[stream], to(from.size());
      const std::size_t half = from.size() / 2;
      for (int round = 0; round < rounds_; ++round) {
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i] + from[i + half < from.size() ? i + half : i - half] * 0.5f;
        std::swap(from, to);
      }
      const bool in_first = rounds_ % 2 == 0;
      if (!equal((in_first ? "a" : "b") + std::to_string(stream), in_first ? buffers_[stream].from : buffers_[stream].to, from, why))
        return false;
    }
    return true;
  }

 private:
  void add_round(int round, std::size_t stream) {
    Data data = buffers_[stream];
    if (round % 2 != 0) std::swap(data.from, data.to);
    const bool odd = stream % 2 != 0;
    const int threads = odd ? kOddThreads : kEvenThreads;
    const std::string name = (odd ? "tiled_" : "direct_") + std::to_string(stream) + (round % 2 != 0 ? "_back" : "");
    KernelLaunch& launch =
        odd ? add_launch(name, {ctas_for(n_, threads)}, {kOddThreads}, 20, [data](Warp& w) { tiled(w, data); }, kOddThreads * sizeof(float))
            : add_launch(name, {ctas_for(n_, threads)}, {kEvenThreads}, 12, [data](Warp& w) { direct(w, data); });
    launch.stream = stream;
  }

  int n_, rounds_;
  std::vector<Data> buffers_;                // [stream]
  std::vector<std::vector<float>> initial_;  // [stream]
};

}  // namespace
}  // namespace streams

Entry streams_entry() {
  return {{"streams",
           "kernels of independent streams, which front_end.concurrent_kernels lets run together (after the CUDA samples)",
           {{"n", "65536", 2, 1 << 26, "elements of a stream's buffer"},
            {"rounds", "4", 1, 64, "kernels of a stream, one after the other"},
            {"streams", "2", 1, 128, "streams"}},
           {},
           {{"tiny", {{"n", 4096}}}, {"std", {{"n", 65536}}}, {"paper", {{"n", 1 << 24}}}}},
          make_workload<streams::Streams>};
}

}  // namespace wharf::spmd
