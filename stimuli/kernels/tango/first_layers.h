#pragma once
// The first layers of the Tango networks (workloads sections 5.2 to 5.4): convolutions of a colour image, one thread per output pixel or
// patch of pixels. The lane-fast thread index is the output row, so neighbouring lanes read image rows that are 1.8 to 22 KB apart. Every
// CTA reads the same image. Each tap loads the three colours and their weights before it uses the first, as compilers order them.

#include <cstdint>
#include <vector>

#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {

/// AlexNet (workloads section 5.2): 11x11, stride 4, colours side by side; four launches cover the 55x55 pixels of an output.
struct ColourConvolution {
  Array<float> in, weights, bias, out;
  int first_row, first_column, rows, columns;  // the launch's part of each output
  int outputs;                                 // number of outputs that have weights
  int kernel_rows;                             // rows of the kernel that are summed over, 1 to kKernel

  static constexpr int kSideIn = 227, kSideOut = 55, kKernel = 11, kStride = 4, kColours = 3;
  static constexpr int kTaps = kKernel * kKernel, kRowIn = kSideIn * kColours, kPlaneOut = kSideOut * kSideOut;
};
void convolve_colours(Warp& w, const ColourConvolution& k);

/// ResNet (workloads section 5.3): 7x7, stride 2, pad 3, colours side by side. CTA bx of 32x32 threads computes output bx. A thread has a
/// patch of 4x4 pixels, so only 28x28 threads have work. Taps outside the image are skipped.
struct PatchConvolution {
  Array<float> in, weights, out;
  int outputs;
  int patch_rows;   // computed rows of each patch, 1 to kPatch; the others keep their values
  int kernel_rows;  // rows of the kernel that are summed over, 1 to kKernel

  static constexpr int kSideIn = 224, kSideOut = 112, kKernel = 7, kStride = 2, kPad = 3, kColours = 3, kPatch = 4, kThreads = 32;
  static constexpr int kTaps = kKernel * kKernel, kRowIn = kSideIn * kColours, kPlaneOut = kSideOut * kSideOut;
};
void convolve_patches(Warp& w, const PatchConvolution& k);

/// SqueezeNet (workloads section 5.4): 7x7, stride 2, one plane of integers per colour, weights in double precision. CTA bx of 111 threads
/// computes column bx of all outputs, one output after the other.
struct PlaneConvolution {
  Array<int> red, green, blue;
  Array<double> weights, out;
  int outputs;

  static constexpr int kSideIn = 227, kSideOut = 111, kKernel = 7, kStride = 2, kColours = 3;
  static constexpr int kTaps = kKernel * kKernel, kPlaneIn = kSideIn * kSideIn, kPlaneOut = kSideOut * kSideOut;
};
void convolve_planes(Warp& w, const PlaneConvolution& k);

/// The convolution on the host, into `out` instead of k.out. For AlexNet: only the part that the launch computes.
void convolve_colours_on_host(const ColourConvolution& k, std::vector<float>& out);
void convolve_patches_on_host(const PatchConvolution& k, std::vector<float>& out);
void convolve_planes_on_host(const PlaneConvolution& k, std::vector<double>& out);

}  // namespace wharf::spmd
