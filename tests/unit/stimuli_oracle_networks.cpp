// Appendix B of the workload catalogue for the networks and the transpose.

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
  // Lanes of the first row skip the kernel's first row, so at the border two places of the weights are read: appendix B leaves that out.
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
  compare(joint(a, {0, 1, 2}), {92928, 32.0, 32.00, 32.00, 1839, 37.59, 8.00});
  compare(a[7], {256, 32.0, 32.00, 32.00, 440, 18.62, 1.00});
}

TEST_CASE("SqueezeNet's squeezing layers touch memory as their formulas say", "[stimuli][oracle]") {
  const auto fire2 = accesses("squeezenet:squeeze=4,expand=1", "fire_squeeze");  // LD in, w, ST out
  REQUIRE(fire2.size() == 3);
  compare(fire2[0], {42240, 27.5, 27.50, 27.50, 18150, 16.00, 16.00});
  const auto fire5 = accesses("squeezenet:side=27,channels=256,squeeze=4,expand=1", "fire_squeeze");
  compare(fire5[0], {27648, 27.0, 27.00, 27.00, 11664, 16.00, 16.00});
}
