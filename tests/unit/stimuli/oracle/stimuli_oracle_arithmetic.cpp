// Memory touched by the kernels of the SDK, Parboil and ISPASS that compute more than they load. The stencil's row is in workloads appendix
// B. The other figures follow from the index formulas of their entries.

#include <catch2/catch.hpp>
#include <cstddef>

#include "stimuli_oracle.h"

using namespace wharf;
using wharf::test::accesses;
using wharf::test::compare;
using wharf::test::joint;

TEST_CASE("ST3D touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("stencil3d:nx=128,ny=128,nz=32", "stencil3d");  // LD above, below, north, south, east, west, centre, ST
  REQUIRE(a.size() == 8);
  compare(joint(a, {0, 1, 2, 3, 4, 5, 6}), {105840, 31.5, 1.21, 4.21, 16368, 6.00, 4.62});
  compare(a[7], {15120, 31.5, 1.00, 4.00, 15120, 1.00, 1.00});
}

TEST_CASE("MATRIXMUL shares rows of tiles among the CTAs of a row, columns among those of a column", "[stimuli][oracle]") {
  const auto a = accesses("matrixmul:ha=64,wa=64,wb=128", "matrixmul");  // LD A, LD B, ST C of 8 x 4 CTAs with 4 tiles each
  REQUIRE(a.size() == 3);
  compare(a[0], {32 * 8 * 4, 32.0, 2.00, 4.00, 64 * 2, 8.00, 8.00});
  compare(a[1], {32 * 8 * 4, 32.0, 2.00, 4.00, 64 * 4, 8.00, 8.00});  // a line is two tiles wide
  compare(a[2], {32 * 8, 32.0, 2.00, 4.00, 64 * 4, 2.00, 2.00});
}

TEST_CASE("the pitch of MATRIXMUL's A moves its rows apart and changes nothing else", "[stimuli][oracle]") {
  const auto a = accesses("matrixmul:ha=64,wa=64,wb=128,lda=320", "matrixmul");
  compare(a[0], {32 * 8 * 4, 32.0, 2.00, 4.00, 64 * 2, 8.00, 8.00});
  const auto range = a[0].range();
  CHECK(range.second + 1 - range.first == (63u * 320 + 64) * 4);
}

TEST_CASE("HISTOGRAM64 streams over its data and gathers the CTAs' histograms", "[stimuli][oracle]") {
  const auto counted = accesses("histogram64:bytes=491520", "histogram64");  // 32 CTAs of 240 B per thread: LD data, ST partial
  REQUIRE(counted.size() == 2);
  compare(counted[0], {32 * 2 * 15, 32.0, 4.00, 16.00, 491520 / 128, 1.00, 1.00});
  compare(counted[1], {32 * 2, 32.0, 1.00, 4.00, 32 * 2, 1.00, 1.00});
  const auto merged = accesses("histogram64:bytes=491520", "histogram64_merge");  // LD partial, ST histogram
  REQUIRE(merged.size() == 2);
  compare(merged[0], {64, 32.0, 32.00, 32.00, 64, 32.00, 32.00});
  compare(merged[1], {64, 1.0, 1.00, 1.00, 2, 32.00, 32.00});
}

TEST_CASE("CP reads and writes its plane once a launch, two rows of 64 B at a time", "[stimuli][oracle]") {
  const auto a = accesses("cp:width=128,height=64,atoms=2", "cp_potential");  // LD and ST of each point
  REQUIRE(a.size() == 4);
  for (const auto& access : a) compare(access, {128, 32.0, 2.00, 4.00, 256, 1.00, 1.00});
  compare(joint(a, {0, 1}), {256, 32.0, 2.00, 4.00, 256, 1.00, 1.00});  // the points of a thread share their lines
  CHECK(accesses("cp:width=128,height=64,atoms=4001", "cp_potential")[0].accesses == 2 * 128);
}

TEST_CASE("every access of LIB is one line that its warp alone has", "[stimuli][oracle]") {
  const double warps = 4, trips = 79 + 78;  // trips of both steps
  const auto portfolio = accesses("lib:paths=128,steps=2", "lib_portfolio");
  REQUIRE(portfolio.size() == 12);
  for (const auto& access : portfolio) {
    CHECK(access.lines == access.accesses);
    CHECK(access.sectors == 4 * access.accesses);
    CHECK(access.warps_per_line() == 1.0);
  }
  compare(portfolio[3], {warps * trips, 32.0, 1.00, 4.00, warps * 79, 1.00, 1.00});  // LD L
  compare(portfolio[4], {warps * trips, 32.0, 1.00, 4.00, warps * 79, 1.00, 1.00});  // ST L
  const auto adjoint = accesses("lib:paths=128,steps=2", "lib_adjoint");
  REQUIRE(adjoint.size() == 33);
  for (const std::size_t history : {6, 24, 26}) {  // ST L2, LD L2 after and before a step
    compare(adjoint[history], {warps * trips, 32.0, 1.00, 4.00, warps * trips, 1.00, 1.00});
  }
  CHECK(adjoint[6].unit == Unit::store);
  CHECK(adjoint[24].unit == Unit::load);
}

TEST_CASE("MRI-Q loads a voxel once a launch", "[stimuli][oracle]") {
  const auto a = accesses("mri_q:voxels=1024,samples=64", "mri_q_compute");  // LD x, y, z, Qr, Qi, ST Qr, Qi
  REQUIRE(a.size() == 7);
  for (const auto& access : a) compare(access, {32, 32.0, 1.00, 4.00, 32, 1.00, 1.00});
  CHECK(accesses("mri_q:voxels=1024,samples=1025", "mri_q_compute")[0].accesses == 2 * 32);
  CHECK(accesses("mri_q:voxels=1024,samples=64", "mri_q_magnitudes").size() == 3);
}
