#pragma once
// The first layers of the Tango networks (workloads sections 5.2 to 5.4): convolutions of a colour image, one thread an output pixel or a
// patch of them. The lane-fast thread index is the output row, so neighbouring lanes read rows of the image that lie 1.8 to 22 KB apart,
// and every CTA reads the same image. Each tap loads the three colours and their weights before the first is used, as compilers place them.

#include <cstdint>
#include <vector>

#include "stimuli/spmd/memory.h"
#include "stimuli/spmd/warp.h"

namespace wharf::spmd {

/// AlexNet (workloads section 5.2): 11x11, stride 4, colours side by side; four launches cover the 55x55 pixels of an output.
struct ColourConvolution {
  Array<float> in, weights, bias, out;
  int first_row, first_column, rows, columns;  // of the launch, in each output
  int outputs;                                 // how many have weights
  int kernel_rows;                             // rows of the kernel that are summed over, 1 to kKernel

  static constexpr int kSideIn = 227, kSideOut = 55, kKernel = 11, kStride = 4, kColours = 3;
  static constexpr int kTaps = kKernel * kKernel, kRowIn = kSideIn * kColours, kPlaneOut = kSideOut * kSideOut;
};
void convolve_colours(Warp& w, const ColourConvolution& k);

/// ResNet (workloads section 5.3): 7x7, stride 2, pad 3, colours side by side. CTA bx of 32x32 threads computes output bx; a thread has a
/// patch of 4x4 pixels, so 28x28 of them have work. Taps outside the image are left out.
struct PatchConvolution {
  Array<float> in, weights, out;
  int outputs;
  int patch_rows;   // rows of each patch that are computed, 1 to kPatch; the others keep what they held
  int kernel_rows;  // rows of the kernel that are summed over, 1 to kKernel

  static constexpr int kSideIn = 224, kSideOut = 112, kKernel = 7, kStride = 2, kPad = 3, kColours = 3, kPatch = 4, kThreads = 32;
  static constexpr int kTaps = kKernel * kKernel, kRowIn = kSideIn * kColours, kPlaneOut = kSideOut * kSideOut;
};
void convolve_patches(Warp& w, const PatchConvolution& k);

/// SqueezeNet (workloads section 5.4): 7x7, stride 2, a plane of integers for each colour, weights in double precision. CTA bx of 111
/// threads computes column bx of all outputs, one output after the other.
struct PlaneConvolution {
  Array<int> red, green, blue;
  Array<double> weights, out;
  int outputs;

  static constexpr int kSideIn = 227, kSideOut = 111, kKernel = 7, kStride = 2, kColours = 3;
  static constexpr int kTaps = kKernel * kKernel, kPlaneIn = kSideIn * kSideIn, kPlaneOut = kSideOut * kSideOut;
};
void convolve_planes(Warp& w, const PlaneConvolution& k);

/// The same on the host, into `out` instead of k.out; of AlexNet what the launch computes.
void convolve_colours_on_host(const ColourConvolution& k, std::vector<float>& out);
void convolve_patches_on_host(const PatchConvolution& k, std::vector<float>& out);
void convolve_planes_on_host(const PlaneConvolution& k, std::vector<double>& out);

}  // namespace wharf::spmd
