// Appendix B of the workload catalogue: what each access of a kernel touches, computed from index formulas alone. The kernels must
// reproduce it exactly to the printed digits; those with random inputs within a few percent.

#include "stimuli_oracle.h"

#include <catch2/catch.hpp>

using namespace wharf;
using wharf::test::accesses;
using wharf::test::compare;
using wharf::test::joint;

namespace {

constexpr double kRandom = 0.04;

}  // namespace

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
