// The rows of workloads appendix B for the networks and the transpose, and workloads section 5: the networks' first layers.

#include <catch2/catch.hpp>

#include "stimuli_oracle.h"

using namespace wharf;
using wharf::test::accesses;
using wharf::test::compare;
using wharf::test::joint;

TEST_CASE("TRANSPOSE touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("transpose:n=512", "transpose_naive");  // LD in, ST out
  REQUIRE(a.size() == 2);
  compare(a[0], {8192, 32.0, 1.00, 4.00, 8192, 1.00, 1.00});
  compare(a[1], {8192, 32.0, 32.00, 32.00, 8192, 16.00, 1.00});
}

TEST_CASE("AlexNet's 3x3 convolution touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("alexnet:conv1=0,conv2=0,fc6=0,conv3=64,conv3_channels=32", "conv3");  // LD in, w, bias, ST out
  REQUIRE(a.size() == 4);
  compare(a[0], {104448, 26.8, 5.21, 13.07, 170, 374.96, 64.00});
  // Lanes of the first row skip the kernel's first row, so at the border they read two places of the weights: workloads section 5.1.
  compare(a[1], {104448, 26.8, 1.06, 1.24, 576, 6.00, 1.00});
  compare(a[3], {384, 28.2, 5.62, 14.31, 338, 6.38, 1.18});
}

TEST_CASE("AlexNet's 5x5 convolution touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("alexnet:conv1=0,conv3=0,fc6=0,conv2=32,conv2_channels=8,conv2_groups=1", "conv2");
  REQUIRE(a.size() == 4);
  compare(a[0], {143360, 29.7, 20.28, 24.41, 183, 733.73, 32.00});
  compare(a[3], {736, 31.7, 22.84, 27.51, 729, 23.06, 1.04});
}

TEST_CASE("AlexNet's first layer touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("alexnet:conv1=8,conv2=0,conv3=0,fc6=0", "conv1_0_0");  // LD in and w of three colours, bias, ST out
  REQUIRE(a.size() == 8);
  compare(joint(a, {0, 2, 4}), {92928, 32.0, 32.00, 32.00, 1839, 37.59, 8.00});
  // Weights per output: 1452 bytes, so 7 of 91 lines belong to two of the 8 outputs, with one CTA of 32 warps each.
  compare(joint(a, {1, 3, 5}), {92928, 32.0, 1.00, 1.00, 91, 32 * 98.0 / 91, 98.0 / 91});
  compare(a[7], {256, 32.0, 32.00, 32.00, 440, 18.62, 1.00});
}

TEST_CASE("ResNet's first layer reads 28 rows of the image at once, 21 KB apart", "[stimuli][oracle]") {
  const auto a = accesses("resnet:conv1=1,block=0", "conv1");  // LD in and w of three colours, ST out
  REQUIRE(a.size() == 7);
  // 28 warps, 4 rows of their patches, 7 kernel rows, 112 columns of 7 taps less the 6 outside the image, three colours. Lanes: 112 rows of
  // 7 taps less 6; each column's taps are one access.
  const double taps = 112 * 7 - 6, loads = 3 * 4 * 7 * taps, lanes = 3 * taps * taps / loads;
  compare(joint(a, {0, 2, 4}), {loads, lanes, lanes, lanes, 224 * 224 * 3 * 4 / 128, 2.90, 1.00});
  compare(a[6], {28 * 16, 28.0, 28.00, 28.00, 112 * 112 * 4 / 128, 8.00, 1.00});
  const auto other = accesses("resnet:conv1=2,conv1_patch_rows=1,conv1_rows=3,block=0", "conv1");
  CHECK(joint(other, {0, 2, 4}).accesses == 2 * 3 * 3 * (112 * 7 - 6));
  CHECK(joint(other, {0, 2, 4}).ctas_per_line() == 2.0);  // every CTA reads the same image
}

TEST_CASE("SqueezeNet's first layer reads a row of the image a lane", "[stimuli][oracle]") {
  const auto a = accesses("squeezenet:conv1=2,fire=0", "conv1");  // LD in and w of three planes, ST out
  REQUIRE(a.size() == 7);
  const double lanes = 111 / 4.0;  // 227 x 227 integers per plane: 1611 lines
  compare(joint(a, {0, 2, 4}), {111 * 4 * 2 * 49 * 3, lanes, lanes, lanes, 3 * 1611, 19.80, 18.57});
  compare(a[6], {111 * 4 * 2, lanes, lanes, lanes, 1541, 15.99, 15.99});
}

TEST_CASE("SqueezeNet's squeezing layers touch memory as their formulas say", "[stimuli][oracle]") {
  const auto fire2 = accesses("squeezenet:squeeze=4,expand=1", "fire_squeeze");  // LD in, w, ST out
  REQUIRE(fire2.size() == 3);
  compare(fire2[0], {42240, 27.5, 27.50, 27.50, 18150, 16.00, 16.00});
  const auto fire5 = accesses("squeezenet:side=27,channels=256,squeeze=4,expand=1", "fire_squeeze");
  compare(fire5[0], {27648, 27.0, 27.00, 27.00, 11664, 16.00, 16.00});
}

TEST_CASE("STREAMCLUSTER touches memory as its formulas say", "[stimuli][oracle]") {
  // LD own coordinate, candidate's, weight, cost, ST switches, LD and ST of the gain, LD assigned, centre, LD and ST of the loss
  const auto a = accesses("streamcluster:points=16384,dimensions=1,launches=1", "sc_cost");
  REQUIRE(a.size() == 11);
  compare(a[0], {512, 32.0, 1.00, 4.00, 512, 1.00, 1.00});
  compare(a[2], {512, 32.0, 8.00, 32.00, 4096, 1.00, 1.00});
  compare(a[3], {512, 32.0, 8.00, 32.00, 4096, 1.00, 1.00});
  // The lanes that switch and those that stay together cover the table's row work[gid * 11 + 10], but for the place in the row.
  CHECK(a[5].lanes + a[9].lanes == 512 * 32);
  CHECK(a[5].lanes == a[6].lanes);
  const auto work = joint(a, {5, 6, 9, 10});
  CHECK(work.distinct_lines() <= 5632);
  CHECK(work.distinct_lines() > 5632 * 9 / 10);
  CHECK(work.warps_per_line() < 1.2);
}
