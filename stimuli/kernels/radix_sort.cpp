#include "stimuli/kernels/radix_sort.h"

#include <algorithm>
#include <functional>

namespace wharf::spmd {
namespace {

struct Quad {
  std::int32_t v[4];
};

/// The array in groups of four elements.
Array<Quad> quads_of(const Array<std::int32_t>& array) { return {array.base, reinterpret_cast<Quad*>(array.data), array.size / 4}; }

int digit_of(std::int32_t key, int pass) { return key >> kDigitBits * pass & (kDigits - 1); }

/// Prefix sums of the CTA's counts: a thread's sum includes its own count.
Lanes<int> sum_up(Warp& w, const SharedArray<std::int32_t>& sums, const Lanes<int>& own) {
  const auto t = w.thread_x();
  auto sum = w.compute(1, own + 0);
  int to = 0;  // two copies in turn, so one barrier per step suffices
  for (int distance = 1; distance < kSortThreads; distance *= 2, to = kSortThreads - to) {
    w.store(sums, t + to, sum);
    w.barrier();
    w.alu(1);
    w.where(t >= distance, [&] {
      const auto before = w.load(sums, t + (to - distance));
      w.update(sum, 1, sum + before);
    });
  }
  return sum;
}

/// Stores the threads' elements at their places in shared memory, and loads them back, four per thread.
Lanes<Quad> exchange(Warp& w, const Lanes<int> (&places)[4], const Lanes<Quad>& elements, Site site = Site()) {
  const auto sorted = w.shared<std::int32_t>(kSorted, kSortElements);
  w.barrier();
  for (const int e : w.unrolled(4)) {
    const auto element = w.compute(1, lanewise([e](Quad q) { return q.v[e]; }, elements));
    w.store(sorted, places[e], element);
  }
  w.barrier();
  return w.load(w.shared<Quad>(kSorted, kSortThreads), w.thread_x(), site);
}

}  // namespace

void scan_block(Warp& w, const Array<std::int32_t>& data, int count, const Array<std::int32_t>& sums) {
  const auto tree = w.shared<std::int32_t>(0, kScanElements);
  const auto t = w.thread_x();
  const int first = w.block_x() * kScanElements;
  w.alu(8);
  for (const int half : w.unrolled(2)) {
    const auto i = t + half * kScanThreads;
    Lanes<std::int32_t> value = 0;
    w.where(i + first < count, [&] { w.set(value, w.load(data, i + first)); });
    w.store(tree, i, value);
  }
  const auto upper = [&t](int stride) { return (t + 1) * (2 * stride) - 1; };
  for (int stride = 1; stride < kScanElements; stride *= 2) {
    w.barrier();
    w.alu(3);
    w.where(t < kScanThreads / stride, [&] {
      const auto low = w.load(tree, upper(stride) - stride);
      const auto high = w.load(tree, upper(stride));
      const auto sum = w.compute(1, low + high);
      w.store(tree, upper(stride), sum);
    });
  }
  w.where(t == 0, [&] {
    const auto sum = w.load(tree, kScanElements - 1);
    w.store(sums, w.block_x(), sum);
    w.store(tree, kScanElements - 1, 0);
  });
  for (int stride = kScanThreads; stride > 0; stride /= 2) {
    w.barrier();
    w.alu(3);
    w.where(t < kScanThreads / stride, [&] {
      const auto low = w.load(tree, upper(stride) - stride);
      const auto high = w.load(tree, upper(stride));
      w.store(tree, upper(stride) - stride, high);
      const auto sum = w.compute(1, low + high);
      w.store(tree, upper(stride), sum);
    });
  }
  w.barrier();
  for (const int half : w.unrolled(2)) {
    const auto i = t + half * kScanThreads;
    w.where(i + first < count, [&] {
      const auto start = w.load(tree, i);
      w.store(data, i + first, start);
    });
  }
}

void add_starts(Warp& w, const Array<std::int32_t>& data, int count, const Array<std::int32_t>& starts) {
  w.alu(6);
  const auto start = w.load(starts, w.block_x());
  for (const int half : w.unrolled(2)) {
    const auto i = w.thread_x() + (w.block_x() * kScanElements + half * kScanThreads);
    w.where(i < count, [&] {
      const auto value = w.load(data, i);
      const auto sum = w.compute(1, value + start);
      w.store(data, i, sum);
    });
  }
}

void split(Warp& w, const SortPass& k) {
  const auto counts = w.shared<std::int32_t>(0, kDigits);
  const auto sums = w.shared<std::int32_t>(4 * kDigits, 2 * kSortThreads);
  const auto total = w.shared<std::int32_t>(4 * kDigits + 8 * kSortThreads, 1);
  const auto t = w.thread_x(), thread = w.global_x();
  w.alu(12);
  auto keys = w.load(quads_of(k.in[0]), thread);
  auto values = w.load(quads_of(k.in[1]), thread);
  w.where(t < kDigits, [&] { w.store(counts, t, 0); });
  w.barrier();
  for (const int e : w.unrolled(4)) {
    const auto digit = w.compute(2, lanewise([&](Quad q) { return digit_of(q.v[e], k.pass); }, keys));
    w.reduce(counts, digit, 1, std::plus<>());
  }
  for (int bit = kDigitBits * k.pass; bit < kDigitBits * (k.pass + 1); ++bit) {
    const auto zeros_in = [bit](Quad q) { return std::int32_t(std::count_if(q.v, q.v + 4, [bit](int v) { return (v >> bit & 1) == 0; })); };
    const auto own = w.compute(8, lanewise(zeros_in, keys));
    const auto up_to_here = sum_up(w, sums, own);
    w.where(t == kSortThreads - 1, [&] { w.store(total, 0, up_to_here); });
    w.barrier();
    const auto zeros = w.load(total, 0);
    const auto first_zero = w.compute(1, up_to_here - own);
    const auto first_one = w.compute(2, zeros + 4 * t - first_zero);
    Lanes<int> places[4];
    for (int e = 0; e < 4; ++e) {
      const auto place = [bit, e](Quad q, int zero, int one) {
        for (int before = 0; before < e; ++before) {
          if ((q.v[before] >> bit & 1) == 0)
            ++zero;
          else
            ++one;
        }
        return (q.v[e] >> bit & 1) == 0 ? zero : one;
      };
      places[e] = lanewise(place, keys, first_zero, first_one);
    }
    const auto keys_by_bit = exchange(w, places, keys);
    const auto values_by_bit = exchange(w, places, values);
    keys = keys_by_bit, values = values_by_bit;
  }
  w.store(quads_of(k.in[0]), thread, keys);
  w.store(quads_of(k.in[1]), thread, values);
  w.where(t < kDigits, [&] {
    const auto count = w.load(counts, t);
    w.store(k.digits, t * k.ctas() + w.block_x(), count);
  });
}

void rearrange(Warp& w, const SortPass& k) {
  const auto starts = w.shared<std::int32_t>(0, kDigits), offsets = w.shared<std::int32_t>(4 * kDigits, kDigits);
  const auto digits = w.shared<std::int32_t>(8 * kDigits, kSortElements);
  const auto quads = w.shared<Quad>(8 * kDigits, kSortThreads);
  const auto t = w.thread_x(), thread = w.global_x();
  w.alu(10);
  const auto keys = w.load(quads_of(k.in[0]), thread);
  const auto values = w.load(quads_of(k.in[1]), thread);
  const auto digits_of = [&k](Quad q) {
    for (std::int32_t& v : q.v) v = digit_of(v, k.pass);
    return q;
  };
  const auto own = w.compute(8, lanewise(digits_of, keys));
  w.store(quads, t, own);
  w.where(t < kDigits, [&] {
    const auto offset = w.load(k.digits, t * k.ctas() + w.block_x());
    w.store(offsets, t, offset);
  });
  w.barrier();
  for (const int e : w.unrolled(4)) {  // start of a run of equal digits
    const auto i = t * 4 + e;
    const auto before = w.load(digits, lanewise([](int at) { return std::max(at - 1, 0); }, i));
    const auto digit = lanewise([e](Quad q) { return q.v[e]; }, own);
    w.where(before != digit || i == 0, [&] {
      w.store(starts, digit, i);
    });
  }
  w.barrier();
  for (const int e : w.unrolled(4)) {
    const auto digit = lanewise([e](Quad q) { return q.v[e]; }, own);
    const auto offset = w.load(offsets, digit);
    const auto start = w.load(starts, digit);
    const auto place = w.compute(2, offset - start + (t * 4 + e));
    const auto key = lanewise([e](Quad q) { return q.v[e]; }, keys);
    const auto value = lanewise([e](Quad q) { return q.v[e]; }, values);
    w.store(k.out[0], place, key);
    w.store(k.out[1], place, value);
  }
}

void SummingWorkload::add_scan(const std::string& name, const Array<std::int32_t>& data, const Array<std::int32_t>& sums,
                               const Array<std::int32_t>& total) {
  const int count = int(data.size);
  const std::uint32_t ctas = ctas_for(count, kScanElements), bytes = 4 * kScanElements;
  add_launch(
      name, {ctas}, {kScanThreads}, 16, [data, count, sums](Warp& w) { scan_block(w, data, count, sums); }, bytes, 2);
  if (ctas == 1) return;
  const int parts = int(ctas);
  add_launch(
      name + "_sums", {}, {kScanThreads}, 16, [sums, parts, total](Warp& w) { scan_block(w, sums, parts, total); }, bytes, 2);
  add_launch(
      name + "_add", {ctas}, {kScanThreads}, 12, [data, count, sums](Warp& w) { add_starts(w, data, count, sums); }, 0, 2);
}

}  // namespace wharf::spmd
