// FASTWALSHTRANSFORM, CUDA SDK (workloads section 4.8): a dyadic convolution through Walsh transforms of data and kernel. While a transform
// is longer than 2048 elements, each launch does two butterfly steps over the whole array in memory. The remaining steps run in shared
// memory. Every launch streams over the array in place, so launches share the lines that the L2 keeps.

#include <cstdint>
#include <utility>

#include "model/base/rng.h"
#include "stimuli/kernels/kernels.h"
#include "stimuli/kernels/support.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {
namespace fast_walsh {
namespace {
constexpr int kInShared = 2048;  // longest transform in shared memory
constexpr int kThreads = 256;    // the other kernels'

/// Two butterfly steps on four elements that are `stride` apart. `memory` is a global or a shared array.
template <class Memory>
void butterfly4(Warp& w, const Memory& memory, const Lanes<int>& i0, int stride, double count) {
  const auto a = w.load(memory, i0);
  const auto b = w.load(memory, i0 + stride);
  const auto c = w.load(memory, i0 + 2 * stride);
  const auto d = w.load(memory, i0 + 3 * stride);
  const auto even_sum = w.compute(count, a + c);
  const auto even_difference = w.compute(count, a - c);
  const auto odd_sum = w.compute(count, b + d);
  const auto odd_difference = w.compute(count, b - d);
  w.store(memory, i0, even_sum + odd_sum);
  w.store(memory, i0 + stride, even_sum - odd_sum);
  w.store(memory, i0 + 2 * stride, even_difference + odd_difference);
  w.store(memory, i0 + 3 * stride, even_difference - odd_difference);
}

/// The first of a thread's four elements.
Lanes<int> first_of_four(const Lanes<int>& position, int stride) {
  return lanewise([stride](int p) { return ((p - p % stride) << 2) + p % stride; }, position);
}

void two_steps(Warp& w, const Array<float>& data, int n) {
  const int stride = n / 4;
  const auto position = w.global_x();
  w.alu(20);
  butterfly4(w, data, w.block_y() * n + first_of_four(position, stride), stride, 5);
}

/// A whole transform of n elements in shared memory, by a CTA of n / 4 threads.
void last_steps(Warp& w, const Array<float>& data, int n) {
  const auto tile = w.shared<float>(0, std::uint32_t(n));
  const int base = w.block_x() * n, threads = n / 4;
  const auto t = w.thread_x();
  w.alu(6);
  for (const int part : w.trips(4)) {
    const auto value = w.load(data, base + t + part * threads);
    w.store(tile, t + part * threads, value);
  }
  int left = n;  // length of the remaining transforms
  for (; left >= 4; left /= 4) {
    w.barrier();
    w.alu(5);
    butterfly4(w, tile, first_of_four(t, left / 4), left / 4, 2);
  }
  w.barrier();
  if (left == 2) {
    for (const int part : w.trips(2)) {
      const auto pair = (t + part * threads) * 2;
      const auto a = w.load(tile, pair);
      const auto b = w.load(tile, pair + 1);
      const auto sum = w.compute(1, a + b);
      const auto difference = w.compute(1, a - b);
      w.store(tile, pair, sum);
      w.store(tile, pair + 1, difference);
    }
    w.barrier();
  }
  for (const int part : w.trips(4)) {
    const auto value = w.load(tile, t + part * threads);
    w.store(data, base + t + part * threads, value);
  }
}

struct Product {
  Array<float> data, kernel;
  int n, threads;
};

void modulate(Warp& w, const Product& k) {
  const float scale = 1.0f / static_cast<float>(k.n);
  w.alu(5);
  for (const int pass : w.trips((k.n + k.threads - 1) / k.threads)) {
    const auto i = w.global_x() + pass * k.threads;
    w.where(i < k.n, [&] {
      const auto value = w.load(k.data, i);
      const auto factor = w.load(k.kernel, i);
      const auto product = w.compute(5, value * (scale * factor));
      w.store(k.data, i, product);
    });
  }
}

class FastWalsh final : public Workload {
 public:
  FastWalsh(const Arguments& arguments, Memory& memory, std::uint64_t seed) : n_(1 << arguments("log2_data")) {
    const int kernel = 1 << arguments("log2_kernel");
    arguments.require(kernel <= n_, "log2_kernel must be at most log2_data");
    data_ = memory.array<float>("data", std::uint64_t(n_));
    kernel_ = memory.array<float>("kernel", std::uint64_t(n_));
    Rng random(seed);
    for (int i = 0; i < n_; ++i) data_.data[i] = static_cast<float>(random.unit());
    for (int i = 0; i < kernel; ++i) kernel_.data[i] = static_cast<float>(random.unit());
    for (const auto& [initial, array] : {std::pair{&initial_data_, &data_}, {&initial_kernel_, &kernel_}}) {
      initial->assign(array->data, array->data + n_);
    }
    add_transform("fwt_data", data_);
    add_transform("fwt_kernel", kernel_);
    constexpr std::uint32_t kCtas = 128;
    const Product product{data_, kernel_, n_, kCtas * kThreads};
    add_launch("fwt_modulate", {kCtas}, {kThreads}, 12, [product](Warp& w) { modulate(w, product); });
    add_transform("fwt_data", data_);
  }

  bool check(std::string& why) const override {
    auto data = initial_data_, kernel = initial_kernel_;
    transform(data);
    transform(kernel);
    const float scale = 1.0f / static_cast<float>(n_);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] *= scale * kernel[i];
    transform(data);
    return equal("kernel", kernel_, kernel, why) && equal("data", data_, data, why);
  }

 private:
  void add_transform(const std::string& name, const Array<float>& array) {
    int n = n_;
    std::uint32_t parts = 1;
    for (; n > kInShared; n /= 4, parts *= 4) {
      const Dim3 grid{std::uint32_t(n / 4 / kThreads), parts};
      add_launch(name + "_batch2", grid, {kThreads}, 16, [array, n](Warp& w) { two_steps(w, array, n); });
    }
    const auto rest = std::uint32_t(n);
    add_launch(
        name + "_batch1", {parts}, {rest / 4}, 18, [array, n](Warp& w) { last_steps(w, array, n); }, 4 * rest);
  }

  /// Does one butterfly step after another.
  static void transform(std::vector<float>& v) {
    for (std::size_t half = v.size() / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < v.size(); ++i) {
        if ((i & half) != 0) continue;
        const float a = v[i], b = v[i + half];
        v[i] = a + b;
        v[i + half] = a - b;
      }
    }
  }

  int n_;
  Array<float> data_, kernel_;
  std::vector<float> initial_data_, initial_kernel_;
};

}  // namespace
}  // namespace fast_walsh

Entry fast_walsh_entry() {
  return {{"fast_walsh",
           "convolution through fast Walsh transforms (CUDA SDK): streaming passes over one array",
           {{"log2_data", "19", 7, 27, "binary logarithm of the elements"},
            {"log2_kernel", "7", 0, 27, "binary logarithm of the kernel's elements; zeros follow them"}},
           {},
           {{"tiny", {{"log2_data", 13}}}, {"std", {{"log2_data", 17}}}, {"paper", {{"log2_data", 23}}}, {"wide", {{"log2_data", 19}}}, {"loscache", {{"log2_data", 19}}}}},
          make_workload<fast_walsh::FastWalsh>};
}

}  // namespace wharf::spmd
