// HISTOGRAM64, CUDA SDK (workloads section 4.13): counts how often the upper six bits of a byte have each value. A thread counts at most
// 255 bytes, in byte counters of its own in shared memory. The CTA adds its threads' counters, and a second kernel adds the CTAs'
// histograms with diverged loads. The data are read once, 16 B per lane.

#include <cstddef>
#include <cstdint>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace histogram64 {
namespace {
constexpr int kBins = 64, kThreads = 64, kMergeThreads = 256;
constexpr int kBytesAtOnce = 16;            // per thread
constexpr int kBytesOfThread = 240;         // whole loads, and at most the 255 bytes that a counter can count
constexpr int kBanks = 16, kBankBytes = 4;  // shared memory, as the program sees it

struct Chunk {
  std::uint32_t words[kBytesAtOnce / 4];

  int bin(int byte) const { return static_cast<int>(words[byte / 4] >> (byte % 4 * 8 + 2)) & (kBins - 1); }
};

struct Data {
  Array<Chunk> data;
  Array<std::uint32_t> partial, histogram;  // partial: [CTA][bin]
  int chunks, ctas;
};

/// Position of a thread's counters in the row of each bin. Each thread of a half-warp has a bank of its own.
int place_of(int thread) { return thread % kBanks * kBankBytes + thread / kBanks; }

void count_chunk(Warp& w, const SharedArray<std::uint8_t>& counters, const Lanes<Chunk>& chunk, const Lanes<int>& place) {
  for (const int byte : w.unrolled(kBytesAtOnce)) {
    const auto bin = lanewise([byte](const Chunk& c) { return c.bin(byte); }, chunk);
    const auto at = w.compute(3, bin * kThreads + place);
    const auto before = w.load(counters, at);
    const auto after = w.compute(1, before + 1);
    w.store(counters, at, after);
  }
}

void histogram(Warp& w, const Data& k) {
  const auto counters = w.shared<std::uint8_t>(0, kBins * kThreads);
  const auto cleared = w.shared<std::uint32_t>(0, kBins * kThreads / 4);
  const auto t = w.thread_x(), place = lanewise(place_of, t);
  w.alu(6);
  for (const int row : w.trips(kBins / 4)) w.store(cleared, row * kThreads + t, 0);
  w.barrier();
  for (int first = 0; first < k.chunks; first += k.ctas * kThreads) {
    const auto i = first + w.global_x();
    w.where(i < k.chunks, [&] {
      w.alu(3);
      const auto chunk = w.load(k.data, i);
      count_chunk(w, counters, chunk, place);
    });
  }
  w.barrier();
  Lanes<std::uint32_t> sum = 0u;
  for (const int part : w.trips(kThreads / kBankBytes)) {  // bin t; each lane starts in a bank of its own
    const auto begin = lanewise([part](int bin) { return bin * kThreads + (bin % kBanks + part) * kBankBytes % kThreads; }, t);
    for (const int byte : w.unrolled(kBankBytes)) {
      const auto count = w.load(counters, begin + byte);
      w.update(sum, 2.5, lanewise([](std::uint32_t s, std::uint8_t c) { return s + c; }, sum, count));
    }
  }
  w.store(k.partial, w.block_x() * kBins + t, sum);
}

void merge(Warp& w, const Data& k) {
  const auto sums = w.shared<std::uint32_t>(0, kMergeThreads);
  const auto t = w.thread_x();
  Lanes<std::uint32_t> sum = 0u;
  w.alu(8);
  for (const int pass : w.trips(int(ctas_for(k.ctas, kMergeThreads)))) {
    const auto cta = t + pass * kMergeThreads;
    w.where(cta < k.ctas, [&] {
      const auto count = w.load(k.partial, w.block_x() + cta * kBins);
      w.update(sum, 3, sum + count);
    });
  }
  w.store(sums, t, sum);
  for (int half = kMergeThreads / 2; half > 0; half /= 2) {
    w.barrier();
    w.alu(2);
    w.where(t < half, [&] {
      const auto own = w.load(sums, t);
      const auto other = w.load(sums, t + half);
      const auto both = w.compute(1, own + other);
      w.store(sums, t, both);
    });
  }
  w.where(t == 0, [&] {
    const auto total = w.load(sums, t);
    w.store(k.histogram, w.block_x(), total);
  });
}

class Histogram64 final : public Workload {
 public:
  Histogram64(const Arguments& arguments, Memory& memory, std::uint64_t seed) {
    auto& d = data_;
    const int bytes = arguments("bytes");
    arguments.require(bytes % kBytesAtOnce == 0, "bytes must be a multiple of 16, what a thread loads at once");
    d.chunks = bytes / kBytesAtOnce;
    d.ctas = int(ctas_for(bytes, kThreads * kBytesOfThread));
    d.data = memory.array<Chunk>("data", std::uint64_t(d.chunks));
    d.partial = memory.array<std::uint32_t>("partial", std::uint64_t(d.ctas) * kBins);
    d.histogram = memory.array<std::uint32_t>("histogram", kBins);
    Rng random(seed);
    for (std::uint32_t i = 0; i < d.data.size; ++i) {
      for (std::uint32_t& word : d.data[i].words) word = static_cast<std::uint32_t>(random.next());
    }
    add_launch(
        "histogram64", {std::uint32_t(d.ctas)}, {kThreads}, 16, [d](Warp& w) { histogram(w, d); }, kBins * kThreads, kBytesAtOnce);
    add_launch(
        "histogram64_merge", {kBins}, {kMergeThreads}, 10, [d](Warp& w) { merge(w, d); }, 4 * kMergeThreads);
  }

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<std::uint32_t> partial(d.partial.size), histogram(kBins);
    for (std::size_t i = 0; i < d.data.size; ++i) {
      const std::size_t cta = i / kThreads % std::size_t(d.ctas);
      for (int byte = 0; byte < kBytesAtOnce; ++byte) {
        const auto bin = static_cast<std::size_t>(d.data[i].bin(byte));
        ++partial[cta * kBins + bin];
        ++histogram[bin];
      }
    }
    return equal("partial", d.partial, partial, why) && equal("histogram", d.histogram, histogram, why);
  }

 private:
  Data data_{};
};

}  // namespace
}  // namespace histogram64

Entry histogram64_entry() {
  return {{"histogram64",
           "histogram of bytes in 64 bins (CUDA SDK): streaming, counters in shared memory",
           {{"bytes", "67108864", histogram64::kBytesAtOnce, 1 << 28, "data, a multiple of 16"}},
           {},
           {{"tiny", {{"bytes", 1 << 17}}}, {"std", {{"bytes", 1 << 22}}}, {"paper", {{"bytes", 1 << 26}}}, {"loscache", {{"bytes", 1 << 24}}}}},
          make_workload<histogram64::Histogram64>};
}

}  // namespace wharf::spmd
