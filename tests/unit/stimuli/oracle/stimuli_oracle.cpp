// The rows of workloads appendix B: the memory that each access of a kernel touches, computed from index formulas alone. The kernels must
// match the printed digits exactly; those with random inputs, within a few percent. CM-37: a pitch is a parameter of its own.

#include "stimuli_oracle.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

using namespace wharf;
using wharf::test::accesses;
using wharf::test::compare;
using wharf::test::joint;
using wharf::test::kRandom;

TEST_CASE("ATAX touches memory as its formulas say", "[stimuli][oracle]") {
  const auto k1 = accesses("atax:n=1024", "atax_k1");  // LD tmp, LD A, LD x, ST tmp
  REQUIRE(k1.size() == 4);
  compare(k1[1], {32768, 32.0, 32.00, 32.00, 32768, 1.00, 1.00});
  compare(k1[2], {32768, 32.0, 1.00, 1.00, 32, 32.00, 4.00});
  const auto k2 = accesses("atax:n=1024", "atax_k2");
  REQUIRE(k2.size() == 4);
  compare(k2[1], {32768, 32.0, 1.00, 4.00, 32768, 1.00, 1.00});
}

TEST_CASE("a pitch beyond the row length moves lines apart and changes nothing else", "[stimuli][oracle]") {
  const auto k1 = accesses("atax:n=256,pitch=4096", "atax_k1");
  compare(k1[1], {256 * 8, 32.0, 32.00, 32.00, 256 * 256 / 32, 1.00, 1.00});
  const auto range = k1[1].range();
  CHECK(range.second + 1 - range.first == (255u * 4096 + 256) * 4);
}

TEST_CASE("SYRK touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("syrk:n=256", "syrk");  // LD c, ST c, LD a[i], LD a[j], ST c
  REQUIRE(a.size() == 5);
  compare(a[2], {524288, 32.0, 1.00, 1.00, 2048, 8.00, 8.00});
  compare(a[3], {524288, 32.0, 32.00, 32.00, 2048, 256.00, 32.00});
  compare(a[4], {524288, 32.0, 1.00, 4.00, 2048, 1.00, 1.00});
}

TEST_CASE("GEMM touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("gemm:n=256", "gemm");  // LD c, ST c, LD a, LD b, ST c
  REQUIRE(a.size() == 5);
  compare(a[2], {524288, 32.0, 1.00, 1.00, 2048, 8.00, 8.00});
  compare(a[3], {524288, 32.0, 1.00, 4.00, 2048, 256.00, 32.00});
}

TEST_CASE("every product of 2MM and 3MM touches memory as GEMM does", "[stimuli][oracle]") {
  const std::vector<std::pair<std::string, std::string>> products = {
      {"2mm", "2mm_k1"}, {"2mm", "2mm_k2"}, {"3mm", "3mm_k1"}, {"3mm", "3mm_k2"}, {"3mm", "3mm_k3"}};
  for (const auto& [name, kernel] : products) {
    CAPTURE(kernel);
    const auto a = accesses(name + ":n=256", kernel);  // LD c, LD a, LD b, ST c
    REQUIRE(a.size() == 4);
    compare(a[0], {2048, 32.0, 1.00, 4.00, 2048, 1.00, 1.00});
    compare(a[1], {524288, 32.0, 1.00, 1.00, 2048, 8.00, 8.00});
    compare(a[2], {524288, 32.0, 1.00, 4.00, 2048, 256.00, 32.00});
    compare(a[3], {524288, 32.0, 1.00, 4.00, 2048, 1.00, 1.00});
  }
}

// Workloads appendix B has no rows for the next two. Their figures follow from those of GEMM and SYRK.
TEST_CASE("DOITGEN reads its matrix as GEMM does, in each of its launches", "[stimuli][oracle]") {
  const auto k1 = accesses("doitgen:nr=1", "doitgen_k1");  // ST sum, LD a, LD c4, ST sum
  REQUIRE(k1.size() == 4);
  compare(k1[1], {512 * 128, 32.0, 1.00, 1.00, 512, 4.00, 4.00});     // the warps of 4 CTAs read a row
  compare(k1[2], {512 * 128, 32.0, 1.00, 4.00, 512, 128.00, 16.00});  // those of 16 CTAs read a column block
  compare(k1[3], {512 * 128, 32.0, 1.00, 4.00, 512, 1.00, 1.00});
  const auto k2 = accesses("doitgen:nr=1", "doitgen_k2");  // LD sum, ST A
  REQUIRE(k2.size() == 2);
  compare(k2[0], {512, 32.0, 1.00, 4.00, 512, 1.00, 1.00});
}

TEST_CASE("SYR2K touches two matrices as SYRK touches one", "[stimuli][oracle]") {
  const auto a = accesses("syr2k:n=256,m=64,pitch=256", "syr2k");  // LD c, ST c, LD a[i], LD b[j], LD b[i], LD a[j], ST c
  REQUIRE(a.size() == 7);
  for (const std::size_t own : {2, 4}) compare(a[own], {131072, 32.0, 1.00, 1.00, 512, 8.00, 8.00});
  for (const std::size_t other : {3, 5}) compare(a[other], {131072, 32.0, 32.00, 32.00, 512, 256.00, 32.00});
  compare(a[6], {131072, 32.0, 1.00, 4.00, 2048, 1.00, 1.00});
}

TEST_CASE("CORR touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("corr:m=512,n=4", "corr");  // ST 0, LD j1, LD j2, ST j1 j2, ST j2 j1, ST diagonal
  REQUIRE(a.size() == 6);
  compare(a[1], {17344, 30.2, 1.89, 4.76, 65, 1.97, 1.11});
  compare(a[2], {17344, 30.2, 1.96, 4.66, 65, 9.31, 1.55});
  compare(a[3], {17344, 30.2, 30.17, 30.17, 4577, 1.00, 1.00});
}

TEST_CASE("COVAR computes the diagonal too", "[stimuli][oracle]") {
  const auto a = accesses("covar:m=512,n=4", "covar");  // ST 0, LD j1, LD j2, ST j1 j2, ST j2 j1
  REQUIRE(a.size() == 5);
  CHECK(a[1].accesses == 17344 + 16 * 4);  // one more iteration for each of 16 warps
  CHECK(a[3].lanes == 512 * 513 / 2 * 4);
  CHECK(a[3].lines == a[3].lanes);
}

TEST_CASE("2DCONV touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("2dconv:ni=256,nj=1024", "2dconv");  // nine LD in three rows, ST
  REQUIRE(a.size() == 10);
  compare(joint(a, {0, 2, 3, 5, 6, 8}), {48768, 31.9, 1.97, 4.97, 8192, 8.74, 3.65});
  compare(joint(a, {1, 4, 7}), {24384, 31.9, 1.00, 4.00, 8192, 2.98, 1.24});
}

TEST_CASE("BACKPROP touches memory as its formulas say", "[stimuli][oracle]") {
  const auto forward = accesses("backprop:in=4096", "backprop_forward");  // LD input, LD w, ST w, ST partial
  REQUIRE(forward.size() == 4);
  compare(forward[0], {2048, 2.0, 1.06, 1.25, 129, 16.87, 2.98});
  compare(forward[1], {2048, 32.0, 2.00, 5.00, 2177, 1.88, 1.12});
  const auto adjust =
      accesses("backprop:in=4096", "backprop_adjust");  // LD w, delta, ly, oldw, ST w, LD delta, ly, oldw, ST oldw, 7 for the bias
  REQUIRE(adjust.size() == 16);
  compare(adjust[1], {2048, 32.0, 1.00, 3.00, 1, 2048.00, 256.00});
  compare(adjust[2], {2048, 32.0, 1.06, 1.25, 129, 16.87, 2.98});
}

TEST_CASE("HOTSPOT touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("hotspot@paper", "hotspot");  // LD temp, LD power, ST out
  REQUIRE(a.size() == 3);
  compare(a[0], {14620, 31.6, 2.93, 5.91, 8192, 5.23, 5.23});
  compare(a[2], {11008, 23.8, 2.47, 3.95, 8192, 3.31, 3.31});
}

TEST_CASE("HOTSPOT3D touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("hotspot3d@std", "hotspot3d");  // LD own, LD above, west, east, south, north, power, ST result
  REQUIRE(a.size() == 8);
  compare(a[1], {57344, 32.0, 1.00, 4.00, 57344, 1.00, 1.00});
  compare(a[2], {65536, 32.0, 1.94, 4.94, 65536, 1.94, 1.44});
  compare(a[3], {65536, 32.0, 1.94, 4.94, 65536, 1.94, 1.44});
  compare(a[4], {65536, 32.0, 1.00, 4.00, 65408, 1.00, 1.00});
  compare(a[5], {65536, 32.0, 1.00, 4.00, 65408, 1.00, 1.00});
  compare(joint(a, {4, 5}), {131072, 32.0, 1.00, 4.00, 65536, 2.00, 1.50});
}

TEST_CASE("SRAD_V1 touches memory as its formulas say", "[stimuli][oracle]") {
  // LD image, iN, iS, jW, jE, image N, S, W, E, ST dN, dS, dW, dE, c
  const auto a = accesses("srad_v1:rows=502,columns=458", "srad_v1_srad");
  REQUIRE(a.size() == 14);
  compare(a[0], {7185, 32.0, 1.00, 4.00, 7185, 1.00, 1.00});
  compare(a[1], {7185, 32.0, 1.96, 4.76, 16, 878.06, 449.12});
  compare(a[5], {7185, 32.0, 2.00, 5.00, 7185, 2.00, 1.06});
  compare(a[3], {7185, 32.0, 1.00, 1.00, 15, 479.00, 30.87});
  compare(a[7], {7185, 32.0, 2.00, 5.00, 7170, 2.00, 1.06});
  compare(a[8], {7185, 32.0, 2.00, 5.00, 7170, 2.00, 1.06});
}

TEST_CASE("LUD's first internal launch touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("lud:n=256", "lud_internal", {1});  // LD row strip, column strip, tile, ST tile
  REQUIRE(a.size() == 4);
  compare(a[0], {1800, 32.0, 2.00, 4.00, 128, 28.12, 28.12});
  compare(a[1], {1800, 32.0, 2.00, 4.00, 240, 15.00, 15.00});
  compare(a[2], {1800, 32.0, 2.00, 4.00, 1920, 1.88, 1.88});
  compare(a[3], {1800, 32.0, 2.00, 4.00, 1920, 1.88, 1.88});
}

TEST_CASE("GAUSSIAN's first launches touch memory as their formulas say", "[stimuli][oracle]") {
  const auto column = accesses("gaussian@paper", "gaussian_fan1", {1});  // LD a below the pivot, pivot, ST m
  REQUIRE(column.size() == 3);
  compare(column[0], {7, 29.6, 29.57, 29.57, 207, 1.00, 1.00});  // 207 rows, each a line of its own
  compare(column[1], {7, 29.6, 1.00, 1.00, 1, 7.00, 1.00});
  const auto rest = accesses("gaussian@paper", "gaussian_fan2", {1});  // LD m, a above, a own, ST a, LD b above, m, b own, ST b
  REQUIRE(rest.size() == 8);
  compare(rest[0], {2704, 15.9, 3.98, 3.98, 207, 52.00, 52.00});
  compare(rest[1], {2704, 15.9, 1.00, 1.00, 7, 386.29, 386.29});
  compare(rest[2], {2704, 15.9, 3.98, 3.98, 1346, 8.00, 8.00});
  compare(rest[3], {2704, 15.9, 3.98, 3.98, 1346, 8.00, 8.00});
  CHECK(rest[7].accesses == 52);  // the CTAs of the first column
}

TEST_CASE("NN touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("nn@paper", "nn_euclid");  // LD latitude, LD longitude, ST distance
  REQUIRE(a.size() == 3);
  compare(a[0], {1337, 32.0, 2.00, 8.00, 2673, 1.00, 1.00});
  compare(a[1], {1337, 32.0, 2.00, 8.00, 2673, 1.00, 1.00});
}

TEST_CASE("NW touches memory as its formulas say", "[stimuli][oracle]") {
  auto a = accesses("nw:n=512", "nw_upper_left", {~0ull, true});  // LD corner, LD ref, LD west, LD north, ST score
  const auto lower_right = accesses("nw:n=512", "nw_lower_right", {~0ull, true});
  REQUIRE(a.size() == 5);
  REQUIRE(lower_right.size() == 5);
  for (std::size_t i = 0; i < a.size(); ++i) a[i].add(lower_right[i]);
  compare(a[1], {16384, 16.0, 1.47, 2.88, 8209, 2.93, 2.93});
  compare(a[2], {1024, 16.0, 16.00, 16.00, 8208, 2.00, 2.00});
  compare(a[3], {1024, 16.0, 1.50, 3.00, 544, 2.82, 2.82});
  compare(a[4], {16384, 16.0, 1.47, 2.88, 8209, 2.93, 2.93});
}

TEST_CASE("CFD gathers as the formula of its mesh says", "[stimuli][oracle]") {
  // LD five own variables, LD neighbour, three normals, gathers of five variables, five ST
  const auto gather = [](const std::string& window) {
    const auto a = accesses("cfd:nx=25,ny=26,nz=25,stages=1,window=" + window, "cfd_flux");
    REQUIRE(a.size() == 19);
    return a[9];
  };
  compare(gather("0"), {12188, 31.4, 3.75, 8.78, 3047, 10.67, 4.86});
  compare(gather("512"), {12188, 31.4, 18.16, 27.14, 3047, 39.31, 16.07}, kRandom);
  compare(gather("4096"), {12188, 31.4, 28.59, 30.71, 3047, 91.05, 37.42}, kRandom);
}

TEST_CASE("B+TREE touches memory as its formulas say", "[stimuli][oracle]") {
  // In the loop, with a pc for each of its two levels: LD current, key, wanted, next key, offset, child, ST offset, LD offset, ST current.
  const auto a = accesses("b+tree:points=2000,ranges=1,unroll=2", "b+tree_find_k");
  REQUIRE(a.size() == 2 * 9 + 6);
  compare(a[2], {16000, 32.0, 2.00, 5.00, 9, 3555.56, 2000.00});
  compare(a[3], {16000, 32.0, 1.96, 4.87, 556, 56.47, 32.24}, kRandom);
  compare(a[2 * 9 + 1], {16000, 32.0, 1.97, 4.87, 15784, 2.00, 1.14}, kRandom);
}

TEST_CASE("KMEANS touches memory as its formulas say, with and without textures", "[stimuli][oracle]") {
  const auto plain = accesses("kmeans:points=8192", "kmeans_assign");  // LD feature, LD cluster, ST member
  REQUIRE(plain.size() == 3);
  compare(plain[0], {43520, 32.0, 32.00, 32.00, 8704, 1.00, 1.00});
  compare(plain[1], {43520, 32.0, 1.00, 1.00, 6, 256.00, 32.00});
  const auto texture = accesses("kmeans:points=8192,texture=1", "kmeans_assign");  // TEX feature, ST member
  REQUIRE(texture.size() == 2);
  CHECK(texture[0].unit == Unit::texture);
  compare(texture[0], {43520, 32.0, 1.00, 4.00, 8704, 1.00, 1.00});
}

TEST_CASE("SpMV touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("spmv:rows=8192", "spmv_csr_scalar");  // LD start, LD end, LD col, LD val, LD x, ST out
  REQUIRE(a.size() == 6);
  compare(a[2], {25836, 25.9, 25.94, 25.94, 20945, 1.01, 1.00}, kRandom);
  compare(a[4], {25836, 25.9, 20.05, 24.11, 256, 255.97, 64.00}, kRandom);
}

TEST_CASE("BFS touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("bfs@std", "bfs_k1");  // LD mask, ST mask, LD start, degree, edge, visited, cost, ST cost, upd, LD start, degree
  REQUIRE(a.size() == 11);
  compare(a[0], {20480, 32.0, 1.00, 1.00, 512, 4.00, 1.00});
  compare(a[2], {8743, 7.5, 1.73, 4.38, 4096, 1.00, 1.00}, kRandom);
  compare(a[4], {70339, 5.6, 3.26, 5.19, 12297, 1.16, 1.01}, kRandom);
  compare(a[5], {70339, 5.6, 5.53, 5.58, 512, 641.44, 127.71}, kRandom);
  compare(a[7], {48417, 2.5, 2.54, 2.54, 2048, 59.28, 48.08}, kRandom);
}
