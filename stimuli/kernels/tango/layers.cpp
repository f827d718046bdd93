#include "stimuli/kernels/tango/layers.h"

#include <algorithm>
#include <cstddef>

namespace wharf::spmd {
namespace {

/// The part of the kernel that covers the image at one output row or column.
struct Window {
  int first, skipped, count;  // first row in the image; kernel rows outside it; kernel rows inside it
};

template <class T>
Window window_at(const Convolution<T>& k, int position) {
  const int start = position * k.stride - k.pad, first = std::max(start, 0);
  return {first, first - start, std::min(start + k.kernel, k.side_in) - first};
}

template <class T>
int first_column(const Convolution<T>& k, int column) {
  if (!k.column_slip) return window_at(k, column).first;
  return column >= k.pad ? column : 0;
}

float relu(float x) { return x > 0.0f ? x : 0.0f; }

}  // namespace

void convolve_by_output(Warp& w, const Convolution<float>& k) {
  const int o = w.block_x();
  const auto row = w.thread_x(), column = w.thread_y();
  const auto base = lanewise([&k](int r, int c) { return window_at(k, r).first * k.side_in + first_column(k, c); }, row, column);
  const auto skipped = lanewise([&k](int r, int c) { return window_at(k, r).skipped * k.kernel + window_at(k, c).skipped; }, row, column);
  const auto rows = lanewise([&k](int r) { return window_at(k, r).count; }, row);
  const auto columns = lanewise([&k](int c) { return window_at(k, c).count; }, column);
  Lanes<float> sum = 0.0f;
  w.alu(20);
  for (int f = 0; f < k.channels; ++f) {
    const auto in = base + f * k.plane_in();
    const auto weights = skipped + (o * k.weight_pitch + f * k.kernel * k.kernel);
    w.for_lanes(0, rows, [&](const Lanes<int>& i) {
      w.for_lanes(0, columns, [&](const Lanes<int>& j) {
        const auto x = w.load(k.in, in + i * k.side_in + j);
        const auto weight = w.load(k.weights, weights + i * k.kernel + j);
        w.update(sum, 3, sum + x * weight);
      });
    });
  }
  if (k.bias.size > 0) {
    const auto bias = w.load(k.bias, o);
    w.update(sum, 2, sum + bias);
  }
  if (k.relu) w.update(sum, 1, lanewise(relu, sum));
  w.store(k.out, o * k.plane_out() + row * k.side_out + column, sum);
}

void convolve_by_column(Warp& w, const Convolution<double>& k) {
  const auto row = w.thread_x();
  const int column = w.block_x();
  w.alu(12);
  for (int o = 0; o < k.outputs; ++o) {
    Lanes<double> sum = 0.0;
    for (const int f : w.trips(k.channels)) {
      const int weights = o * k.weight_pitch + f * k.kernel * k.kernel;
      if (k.kernel == 1) {
        const auto x = w.load(k.in, f * k.plane_in() + row * k.side_in + column);
        const auto weight = w.load(k.weights, weights);
        w.alu(1);
        w.update(sum, 1, sum + x * weight);
        continue;
      }
      for (int tap = 0; tap < k.kernel * k.kernel; ++tap) {
        const auto r = row + (tap / k.kernel - k.pad);
        const int c = column + tap % k.kernel - k.pad;
        w.alu(5);
        w.where(r >= 0 && r < k.side_in && c >= 0 && c < k.side_in, [&] {
          const auto x = w.load(k.in, f * k.plane_in() + r * k.side_in + c);
          const auto weight = w.load(k.weights, weights + tap);
          w.update(sum, 1, sum + x * weight);
        });
      }
    }
    w.update(sum, 2, lanewise([](double x) { return x > 0.0 ? x : 0.0; }, sum));
    w.store(k.out, o * k.plane_out() + row * k.side_out + column, sum);
  }
}

void fully_connected(Warp& w, const FullyConnected& k) {
  const int o = w.block_x();
  Lanes<float> sum = 0.0f;
  w.alu(6);
  for (const int n : w.trips(k.inputs)) {
    const auto x = w.load(k.in, n);
    const auto weight = w.load(k.weights, o * k.weight_pitch + n);
    w.update(sum, 2, sum + x * weight);
  }
  w.store(k.out, o, sum);
}

template <class T>
void convolve_on_host(const Convolution<T>& k, T* out) {
  for (int o = 0; o < k.outputs; ++o) {
    for (int row = 0; row < k.side_out; ++row) {
      for (int column = 0; column < k.side_out; ++column) {
        const Window rows = window_at(k, row), columns = window_at(k, column);
        T sum = 0;
        for (int f = 0; f < k.channels; ++f) {
          const T* const in = k.in.data + f * k.plane_in() + rows.first * k.side_in + first_column(k, column);
          const T* const weights =
              k.weights.data + o * k.weight_pitch + f * k.kernel * k.kernel + rows.skipped * k.kernel + columns.skipped;
          for (int i = 0; i < rows.count; ++i) {
            for (int j = 0; j < columns.count; ++j) sum += in[i * k.side_in + j] * weights[i * k.kernel + j];
          }
        }
        if (k.bias.size > 0) sum += k.bias[std::uint64_t(o)];
        if (k.relu) sum = std::max(sum, T{0});
        out[o * k.plane_out() + row * k.side_out + column] = sum;
      }
    }
  }
}
template void convolve_on_host(const Convolution<float>&, float*);
template void convolve_on_host(const Convolution<double>&, double*);

void connect_on_host(const FullyConnected& k, std::vector<float>& out) {
  for (std::size_t o = 0; o < out.size(); ++o) {
    const float* const weights = k.weights.data + o * std::size_t(k.weight_pitch);
    for (int n = 0; n < k.inputs; ++n) out[o] += k.in.data[n] * weights[n];
  }
}

}  // namespace wharf::spmd
