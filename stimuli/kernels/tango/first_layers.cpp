#include "stimuli/kernels/tango/first_layers.h"

#include <algorithm>
#include <cstddef>

namespace wharf::spmd {
namespace {

/// Image and weights as a tap reads them: the pixel has the same index in three arrays, and the weights are `taps` elements apart.
template <class Pixel, class Weight>
struct Colours {
  Array<Pixel> red, green, blue;
  Array<Weight> weights;
  int taps;
};

template <class C>
Colours<float, float> side_by_side(const C& k) {
  return {k.in, k.in.from(1), k.in.from(2), k.weights, C::kTaps};
}

/// Adds the three products of a tap to `sum`: six loads, then `count` compute instructions for each product.
template <class Pixel, class Weight>
void add_tap(Warp& w, Lanes<Weight>& sum, double count, const Colours<Pixel, Weight>& k, const Lanes<int>& pixel, const Lanes<int>& tap) {
  const auto product = [](Pixel x, Weight weight) { return static_cast<Weight>(x) * weight; };
  const auto red = w.load(k.red, pixel);
  const auto of_red = w.load(k.weights, tap);
  const auto green = w.load(k.green, pixel);
  const auto of_green = w.load(k.weights, tap + k.taps);
  const auto blue = w.load(k.blue, pixel);
  const auto of_blue = w.load(k.weights, tap + 2 * k.taps);
  w.update(sum, count, sum + lanewise(product, red, of_red));
  w.update(sum, count, sum + lanewise(product, green, of_green));
  w.update(sum, count, sum + lanewise(product, blue, of_blue));
}

/// The same sum on the host.
template <class Pixel, class Weight>
void add_tap(Weight& sum, const Colours<Pixel, Weight>& k, int pixel, int tap) {
  sum += static_cast<Weight>(k.red.data[pixel]) * k.weights.data[tap];
  sum += static_cast<Weight>(k.green.data[pixel]) * k.weights.data[tap + k.taps];
  sum += static_cast<Weight>(k.blue.data[pixel]) * k.weights.data[tap + 2 * k.taps];
}

/// The part of a patch's kernel, in rows or columns, that covers the image at one output row or column.
struct PatchWindow {
  int first, skipped, count;  // first row in the image; kernel rows (or columns) before the image; kernel rows inside it
};

PatchWindow patch_window_at(int position, int kernel) {
  using C = PatchConvolution;
  const int start = position * C::kStride - C::kPad, first = std::max(start, 0);
  return {first, first - start, std::max(0, std::min(start + kernel, C::kSideIn) - first)};
}

template <class T>
T rectified(T x) {
  return x > T{0} ? x : T{0};
}

/// Computes one output pixel per thread.
void convolve_patch_pixel(Warp& w, const PatchConvolution& k, const Lanes<int>& row, const Lanes<int>& column) {
  using C = PatchConvolution;
  const int o = w.block_x();
  const auto colours = side_by_side(k);
  const auto first = [](int position) { return patch_window_at(position, C::kKernel).first; };
  const auto outside = [](int position) { return patch_window_at(position, C::kKernel).skipped; };
  const auto rows = lanewise([&k](int r) { return patch_window_at(r, k.kernel_rows).count; }, row);
  const auto columns = lanewise([](int c) { return patch_window_at(c, C::kKernel).count; }, column);
  const auto corner = lanewise(first, row) * C::kRowIn + lanewise(first, column) * C::kColours;
  const auto skipped = lanewise(outside, row) * C::kKernel + lanewise(outside, column) + o * (C::kColours * C::kTaps);
  Lanes<float> sum = 0.0f;
  w.alu(12);
  w.for_lanes(0, rows, [&](const Lanes<int>& i) {
    w.for_lanes(0, columns, [&](const Lanes<int>& j) {
      add_tap(w, sum, 2.5, colours, corner + i * C::kRowIn + j * C::kColours, skipped + i * C::kKernel + j);
    });
  });
  w.store(k.out, o * C::kPlaneOut + row * C::kSideOut + column, sum);
}

}  // namespace

void convolve_colours(Warp& w, const ColourConvolution& k) {
  using C = ColourConvolution;
  const int o = w.block_x();
  const auto row = k.first_row + w.thread_x(), column = k.first_column + w.thread_y();
  const auto colours = side_by_side(k);
  Lanes<float> sum = 0.0f;
  w.alu(16);
  for (int i = 0; i < k.kernel_rows; ++i) {
    for (const int j : w.trips(C::kKernel)) {
      const auto pixel = (row * C::kStride + i) * C::kRowIn + (column * C::kStride + j) * C::kColours;
      add_tap(w, sum, 2.5, colours, pixel, o * (C::kColours * C::kTaps) + i * C::kKernel + j);
    }
  }
  const auto bias = w.load(k.bias, o);
  w.update(sum, 3, lanewise(rectified<float>, sum + bias));
  w.store(k.out, o * C::kPlaneOut + row * C::kSideOut + column, sum);
}

void convolve_patches(Warp& w, const PatchConvolution& k) {
  using C = PatchConvolution;
  const auto row = w.thread_x() * C::kPatch, column = w.thread_y() * C::kPatch;
  w.alu(10);
  w.where(row < C::kSideOut && column < C::kSideOut, [&] {
    for (int r = 0; r < k.patch_rows; ++r) {
      for (int c = 0; c < C::kPatch; ++c) convolve_patch_pixel(w, k, row + r, column + c);
    }
  });
}

void convolve_planes(Warp& w, const PlaneConvolution& k) {
  using C = PlaneConvolution;
  const auto row = w.thread_x();
  const int column = w.block_x();
  const Colours<int, double> colours{k.red, k.green, k.blue, k.weights, C::kTaps};
  w.alu(12);
  for (int o = 0; o < k.outputs; ++o) {
    Lanes<double> sum = 0.0;
    for (int i = 0; i < C::kKernel; ++i) {
      for (const int j : w.trips(C::kKernel)) {
        const auto pixel = (row * C::kStride + i) * C::kSideIn + (column * C::kStride + j);
        add_tap(w, sum, 2, colours, pixel, o * (C::kColours * C::kTaps) + i * C::kKernel + j);
      }
    }
    w.update(sum, 2, lanewise(rectified<double>, sum));
    w.store(k.out, o * C::kPlaneOut + row * C::kSideOut + column, sum);
  }
}

void convolve_colours_on_host(const ColourConvolution& k, std::vector<float>& out) {
  using C = ColourConvolution;
  const auto colours = side_by_side(k);
  for (int o = 0; o < k.outputs; ++o) {
    for (int row = k.first_row; row < k.first_row + k.rows; ++row) {
      for (int column = k.first_column; column < k.first_column + k.columns; ++column) {
        const int corner = row * C::kStride * C::kRowIn + column * C::kStride * C::kColours;
        float sum = 0.0f;
        for (int tap = 0; tap < k.kernel_rows * C::kKernel; ++tap) {
          const int i = tap / C::kKernel, j = tap % C::kKernel;
          add_tap(sum, colours, corner + i * C::kRowIn + j * C::kColours, o * (C::kColours * C::kTaps) + tap);
        }
        out[std::size_t(o * C::kPlaneOut + row * C::kSideOut + column)] = rectified(sum + k.bias[std::uint64_t(o)]);
      }
    }
  }
}

void convolve_patches_on_host(const PatchConvolution& k, std::vector<float>& out) {
  using C = PatchConvolution;
  const auto colours = side_by_side(k);
  for (int o = 0; o < k.outputs; ++o) {
    for (int row = 0; row < C::kSideOut; ++row) {
      if (row % C::kPatch >= k.patch_rows) continue;
      for (int column = 0; column < C::kSideOut; ++column) {
        const PatchWindow rows = patch_window_at(row, k.kernel_rows), columns = patch_window_at(column, C::kKernel);
        float sum = 0.0f;
        for (int i = 0; i < rows.count; ++i) {
          for (int j = 0; j < columns.count; ++j) {
            const int pixel = (rows.first + i) * C::kRowIn + (columns.first + j) * C::kColours;
            const int tap = (rows.skipped + i) * C::kKernel + columns.skipped + j;
            add_tap(sum, colours, pixel, o * (C::kColours * C::kTaps) + tap);
          }
        }
        out[std::size_t(o * C::kPlaneOut + row * C::kSideOut + column)] = sum;
      }
    }
  }
}

void convolve_planes_on_host(const PlaneConvolution& k, std::vector<double>& out) {
  using C = PlaneConvolution;
  const Colours<int, double> colours{k.red, k.green, k.blue, k.weights, C::kTaps};
  for (int o = 0; o < k.outputs; ++o) {
    for (int pixel = 0; pixel < C::kPlaneOut; ++pixel) {
      const int corner = pixel / C::kSideOut * C::kStride * C::kSideIn + pixel % C::kSideOut * C::kStride;
      double sum = 0.0;
      for (int tap = 0; tap < C::kTaps; ++tap) {
        add_tap(sum, colours, corner + tap / C::kKernel * C::kSideIn + tap % C::kKernel, o * (C::kColours * C::kTaps) + tap);
      }
      out[std::size_t(o * C::kPlaneOut + pixel)] = rectified(sum);
    }
  }
}

}  // namespace wharf::spmd
