// HISTO, Parboil (workloads section 3.3): a saturating histogram with more bins than fit into shared memory. A sample shows
// which tiles of bins are popular. A row of CTAs counts each popular tile, with four 8-bit counters per word of shared memory.
// Global atomics count the other bins. Streams over the image and its map of bins; atomics meet at few words. Assumed of the
// compiler: the two loops over the sample store nothing, so they are unrolled by four, loads first. A thread of the last launch
// loads the counters of all CTAs before it adds the first. The other loops store, or count through pointers that may alias their
// loads.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace histo {
namespace {
using Word = std::uint32_t;
constexpr int kTileBins = 24 << 10, kTileWords = kTileBins / 4;  // shared memory: a counter is a byte
constexpr int kMost = 255;
constexpr int kSampleThreads = 512, kSampleCtas = 64, kSampleShare = 8;  // the sample is one pixel in eight
constexpr int kMainThreads = 768, kMainCtas = 14, kFinalThreads = 512, kFinalCtas = 42, kRowsAtOnce = 16;
constexpr int kUnrolled = 4;            // unrolling of the loops over the sample
constexpr std::uint32_t kParts = 1200;  // sites of the counters of each CTA; their registers (modulo 120) are 0 to 13

struct Pair {
  Word x, y;
};
struct Quad {
  Word word[4];
};

/// Place of a bin's counter: tile, row and column of its word in the tile, and bit in the word. The map packs them in four bytes.
struct Place {
  int tile, word, shift;
};
Word packed(Word bin) { return bin / Word(kTileBins) << 24 | (bin >> 10) % 24 << 16 | (bin >> 2) % 256 << 8 | bin % 4 * 8; }
Place unpacked(Word place) { return {int(place >> 24), int((place >> 16 & 0xFF) * 256 + (place >> 8 & 0xFF)), int(place & 0xFF)}; }

struct Data {
  Array<Word> image, map, range;  // range: first and last popular tile
  Array<Word> overflow;           // [bin] overflows of the 8-bit counters
  Array<Word> rare;               // two bins per element, in tiles that are not popular
  Array<Word> parts;              // [CTA][word] counters of the popular tiles
  Array<Word> result;             // [word] four bins
  int width, height, bins;

  int size() const { return width * height; }
  int tiles() const { return (bins + kTileBins - 1) / kTileBins; }
  int words() const { return tiles() * kTileWords; }
  int chunk() const { return size() / kSampleCtas; }
};

/// The sum over the CTA's threads. All threads receive it.
Lanes<Word> tree_sum(Warp& w, const SharedArray<Word>& sums, const Lanes<Word>& own) {
  const auto t = w.thread_x();
  w.store(sums, t, own);
  for (int half = kSampleThreads / 2; half > 0; half /= 2) {
    if (half >= int(kLanes)) w.barrier();  // the last warp needs no barrier
    w.where(t < half, [&] {
      const auto lower = w.load(sums, t);
      const auto upper = w.load(sums, t + half);
      const auto sum = w.compute(1, lower + upper);
      w.store(sums, t, sum);
    });
  }
  w.barrier();
  return w.load(sums, 0);
}

/// Calls use(bin) for each pixel of the CTA's sample of `count` pixels. Each thread takes one of every kSampleThreads.
template <class Use>
void for_sample(Warp& w, const Data& k, int count, Use&& use, Site site = Site()) {
  const auto t = w.thread_x();
  const int passes = (count - t[0] + kSampleThreads - 1) / kSampleThreads;  // of the warp's first lane; the others have as many or one less
  const auto pixel = [&t](int pass) { return t + pass * kSampleThreads; };
  const auto load = [&](int pass, Lanes<Word>& bin) {
    w.where(pixel(pass) < count, [&] { bin = w.load(k.image, pixel(pass) + w.block_x() * k.chunk(), site); });
  };
  w.batched_trips<Lanes<Word>>(passes, kUnrolled, load,
                               [&](int pass, const Lanes<Word>& bin) { w.where(pixel(pass) < count, [&] { use(bin); }); });
}

void prescan(Warp& w, const Data& k) {
  const auto sums = w.shared<Word>(0, kSampleThreads);
  const int count = k.chunk() / kSampleShare;
  const auto t = w.thread_x();
  Lanes<Word> sum = 0, deviation = 0;
  w.alu(8);
  const auto add = [&](const Lanes<Word>& bin) { w.update(sum, 2, sum + bin); };
  for_sample(w, k, count, add);
  const auto divided = [count](Word total) { return total / Word(count); };
  const auto mean = w.compute(4, lanewise(divided, tree_sum(w, sums, sum)));
  w.barrier();
  const auto add_deviation = [&](const Lanes<Word>& bin) {
    w.update(deviation, 3, deviation + lanewise([](Word a, Word b) { return a < b ? b - a : a - b; }, bin, mean));
  };
  for_sample(w, k, count, add_deviation);
  const auto spread = w.compute(4, lanewise(divided, tree_sum(w, sums, deviation)));
  w.where(t == 0, [&] {
    const auto first = w.compute(4, lanewise([](Word m, Word s) { return (m - std::min(m, s)) / Word(kTileBins); }, mean, spread));
    const auto last =
        w.compute(4, lanewise([&k](Word m, Word s) { return std::min(m + s, Word(k.bins) - 1) / Word(kTileBins); }, mean, spread));
    w.reduce(k.range, 0, first, [](Word a, Word b) { return std::min(a, b); });
    w.reduce(k.range, 1, last, [](Word a, Word b) { return std::max(a, b); });
  });
}

/// Converts bins to places, for 16 rows of the image, two pixels per thread.
void intermediates(Warp& w, const Data& k, const Array<Pair>& pairs) {
  const int threads = k.width / 2;
  const auto t = w.thread_x();
  w.alu(8);
  for (const int line : w.unrolled(kRowsAtOnce)) {
    const int row = w.block_x() * kRowsAtOnce + line;
    if (row >= k.height) break;
    const auto bins = w.load(pairs, t + row * threads);
    const auto first = w.compute(20, lanewise([](Pair p) { return packed(p.x); }, bins));
    const auto second = w.compute(20, lanewise([](Pair p) { return packed(p.y); }, bins));
    w.store(k.map, t + row * k.width, first);
    w.store(k.map, t + (row * k.width + threads), second);
  }
}

/// A counter wrapped from 255 to 0, so 256 must be added to its bin. Its carry incremented the next counter in the word, and so on.
void note_overflow(Warp& w, const Data& k, const Lanes<int>& bin, const Lanes<Word>& before, const Lanes<int>& shift) {
  const auto counter = [](Word word, int bit) { return bit < 32 ? word >> bit & 0xFF : Word{0}; };
  auto full = w.compute(2, lanewise(counter, before, shift)) == Word(kMost);
  auto at = bin;
  auto bit = shift;
  w.while_any([&] { return full; },
              [&] {
                w.alu(2);
                w.reduce(k.overflow, at, 256, std::plus<>());
                at = at + 1;
                bit = bit + 8;
                w.where(bit < 32, [&] {
                  w.reduce(k.overflow, at, ~Word{0}, std::plus<>());
                });
                full = bit < 32 && lanewise(counter, before, bit) == Word(kMost);
              });
}

void count_pixels(Warp& w, const Data& k, int first, int last) {
  const auto counters = w.shared<Word>(0, kTileWords);
  const auto t = w.thread_x();
  const int tile = first + w.block_y();
  const bool counts_rare = w.block_y() == 0;
  w.alu(8);
  for (const int part : w.trips(kTileWords / kMainThreads)) w.store(counters, t + part * kMainThreads, 0);
  w.barrier();
  const int stride = kMainThreads * kMainCtas, begin = w.block_x() * kMainThreads;
  for (const int pass : w.trips((k.size() - begin + stride - 1) / stride)) {
    const auto i = t + (begin + pass * stride);
    w.where(i < k.size(), [&] {
      w.alu(6);
      const auto place = w.load(k.map, i);
      const auto pixel_tile = w.compute(2, lanewise([](Word p) { return unpacked(p).tile; }, place));
      w.where(pixel_tile == tile, [&] {
        const auto word = w.compute(5, lanewise([](Word p) { return unpacked(p).word; }, place));
        const auto shift = w.compute(3, lanewise([](Word p) { return unpacked(p).shift; }, place));
        const auto one = w.compute(2, lanewise([](int s) { return Word{1} << s; }, shift));
        const auto before = w.atomic(counters, word, one, std::plus<>());
        const auto bin = w.compute(4, lanewise([tile](int at, int s) { return tile * kTileBins + at * 4 + s / 8; }, word, shift));
        note_overflow(w, k, bin, before, shift);
      });
      if (!counts_rare) return;
      w.where(pixel_tile < first || pixel_tile > last, [&] {
        const auto bin = w.compute(8, lanewise(
                                          [](Word p) {
                                            const Place at = unpacked(p);
                                            return at.tile * kTileBins + at.word * 4 + at.shift / 8;
                                          },
                                          place));
        const auto word = lanewise([](int b) { return b / 2; }, bin);
        const auto so_far = w.load(k.rare, word);
        const auto count = w.compute(2, lanewise([](Word two, int b) { return two >> b % 2 * 16 & 0xFFFF; }, so_far, bin));
        const auto one = lanewise([](int b) { return Word{1} << b % 2 * 16; }, bin);
        w.where(count < Word(kMost), [&] {
          w.reduce(k.rare, word, one, std::plus<>());
        });
      });
    });
  }
  w.barrier();
  for (const int part : w.trips(kTileWords / kMainThreads)) {
    const auto i = t + part * kMainThreads;
    const auto word = w.load(counters, i);
    w.store(k.parts, i + (w.block_x() * k.words() + tile * kTileWords), word);
  }
}

Word saturated(const std::array<Word, 4>& counts) {
  Word word = 0;
  for (unsigned i = 0; i < 4; ++i) word |= std::min(counts[i], Word(kMost)) << 8 * i;
  return word;
}

/// Popular tiles: adds the counters of the CTAs and the overflows. Other tiles: takes the counters in memory.
void finish(Warp& w, const Data& k, const Array<Quad>& overflow, const Array<Pair>& rare, int first, int last) {
  const auto thread = w.global_x();
  const int begin = first * kTileWords, end = (last + 1) * kTileWords, stride = kFinalThreads * kFinalCtas;
  w.alu(10);
  for (const int low : {0, 1}) {
    const int from = low == 1 ? 0 : end, to = low == 1 ? begin : k.words();
    for (const int pass : w.trips((to - from + stride - 1) / stride)) {
      const auto i = thread + (from + pass * stride);
      w.where(i < to, [&] {
        const auto counted = w.load(rare, i);
        w.store(rare, i, Pair{});
        const auto saturate = [](Pair p) { return saturated({p.x & 0xFFFF, p.x >> 16, p.y & 0xFFFF, p.y >> 16}); };
        const auto word = w.compute(8, lanewise(saturate, counted));
        w.store(k.result, i, word);
      });
    }
  }
  for (const int pass : w.trips((end - begin + stride - 1) / stride)) {
    const auto i = thread + (begin + pass * stride);
    w.where(i < end, [&] {
      auto counts = w.load(overflow, i);
      w.store(overflow, i, Quad{});
      Lanes<Word> parts[kMainCtas];
      for (int cta = 0; cta < kMainCtas; ++cta) parts[cta] = w.load(k.parts, i + cta * k.words(), Site(kParts + std::uint32_t(cta)));
      for (const int cta : w.unrolled(kMainCtas)) {
        const auto add = [](Quad q, Word p) {
          for (unsigned b = 0; b < 4; ++b) q.word[b] += p >> 8 * b & 0xFF;
          return q;
        };
        w.update(counts, 8, lanewise(add, counts, parts[cta]));
      }
      const auto word = w.compute(8, lanewise([](Quad q) { return saturated({q.word[0], q.word[1], q.word[2], q.word[3]}); }, counts));
      w.store(k.result, i, word);
    });
  }
}

class Histo final : public Workload {
 public:
  Histo(const Arguments& arguments, Memory& memory, std::uint64_t seed) : iterations_(arguments("iterations")) {
    auto& d = data_;
    d.width = arguments("width"), d.height = arguments("height"), d.bins = arguments("bins");
    arguments.require(d.width % 2 == 0, "width must be even, two pixels per thread");
    arguments.require(d.chunk() >= kSampleShare && double(d.chunk() / kSampleShare) * d.bins < 4294967296.0,
                      "a CTA adds width * height / 512 bins, at least one and to a sum below 2^32");
    const auto pixels = std::uint64_t(d.size()), words = std::uint64_t(d.words());
    d.image = memory.array<Word>("image", pixels);
    d.map = memory.array<Word>("map", pixels);
    d.range = memory.array<Word>("range", 2);
    d.overflow = memory.array<Word>("overflow", 4 * words);
    d.rare = memory.array<Word>("rare", 2 * words);
    d.parts = memory.array<Word>("parts", kMainCtas * words);
    d.result = memory.array<Word>("histogram", words);
    draw(seed);
    const auto pairs = in_parts_of<Pair>(d.image);
    add_launch(
        "histo_prescan", {kSampleCtas}, {kSampleThreads}, 16, [d](Warp& w) { prescan(w, d); }, 4 * kSampleThreads);
    add_launch(
        "histo_intermediates", {ctas_for(d.height, kRowsAtOnce)}, {std::uint32_t(d.width / 2)}, 26,
        [d, pairs](Warp& w) { intermediates(w, d, pairs); }, 0, kRowsAtOnce);
  }

  const Kernel* next() override {
    if (launched_ == 4 * std::size_t(iterations_)) return nullptr;
    const auto& d = data_;
    const std::size_t step = launched_++ % 4;
    if (step == 0) {
      d.range[0] = ~Word{0}, d.range[1] = 0;
    } else if (step == 2) {
      launches.resize(2);
      const int first = int(d.range[0]), last = int(d.range[1]);
      add_launch(
          "histo_main", {kMainCtas, std::uint32_t(last - first + 1)}, {kMainThreads}, 24,
          [d, first, last](Warp& w) { count_pixels(w, d, first, last); }, 4 * kTileWords, 4);
      const auto overflow = in_parts_of<Quad>(d.overflow);
      const auto rare = in_parts_of<Pair>(d.rare);
      const auto program = [d, overflow, rare, first, last](Warp& w) { finish(w, d, overflow, rare, first, last); };
      add_launch("histo_final", {kFinalCtas}, {kFinalThreads}, 48, program, 0, kMainCtas);
    }
    return &launches[step];
  }
  std::size_t launch_count() const override { return 4 * std::size_t(iterations_); }
  bool has_fixed_launches() const override { return false; }  // the grid of histo_main is as large as the range that histo_prescan finds

  bool check(std::string& why) const override {
    const auto& d = data_;
    std::vector<Word> counts(d.overflow.size), histogram(d.result.size);
    for (std::uint32_t i = 0; i < d.image.size; ++i) ++counts[d.image.data[i]];
    for (std::size_t i = 0; i < histogram.size(); ++i) {
      histogram[i] = saturated({counts[4 * i], counts[4 * i + 1], counts[4 * i + 2], counts[4 * i + 3]});
    }
    return equal("histogram", d.result, histogram, why);
  }

 private:
  /// Draws bins normally distributed (the sum of twelve uniform numbers) around the middle, a fortieth of a tile wide; 2 % anywhere.
  void draw(std::uint64_t seed) {
    Rng random(seed);
    const auto& d = data_;
    for (std::uint32_t i = 0; i < d.image.size; ++i) {
      if (random.chance(0.02)) {
        d.image[i] = static_cast<Word>(random.below(std::uint64_t(d.bins)));
        continue;
      }
      double normal = -6.0;
      for (int n = 0; n < 12; ++n) normal += random.unit();
      const double bin = d.bins / 2 + normal * kTileBins / 40;
      d.image[i] = static_cast<Word>(std::clamp(bin, 0.0, d.bins - 1.0));
    }
  }

  int iterations_;
  Data data_{};
  std::size_t launched_ = 0;
};

}  // namespace
}  // namespace histo

Entry histo_entry() {
  return {{"histo",
           "saturating histogram in tiles of shared memory (Parboil): streams, and atomics that meet at few words",
           {{"width", "996", 2, 2048, "columns of the image, even"},
            {"height", "1040", 1, 8192, "rows of the image"},
            {"bins", "2097152", 4, 1 << 22, "of the histogram"},
            {"iterations", "1", 1, 1000, "times the histogram is taken, in four launches each"}},
           {},
           {{"tiny", {{"width", 64}, {"height", 48}, {"bins", 30000}}},
            {"std", {{"iterations", 1}}},
            {"paper", {{"iterations", 20}}},
            {"llc", {{"iterations", 2}}}}},
          make_workload<histo::Histo>};
}

}  // namespace wharf::spmd
