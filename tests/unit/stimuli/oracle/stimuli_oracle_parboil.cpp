// Memory touched by Parboil, Pannotia and the wavelet transform of Rodinia: rows of workloads appendix B, and figures from the formulas
// where it has none. morpheus section 16: footprints of Morpheus' memory-bound workloads.

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>

#include "stimuli/inputs/random_graph.h"
#include "stimuli/suites.h"
#include "stimuli_oracle.h"
#include "test_paths.h"

using namespace wharf;
using wharf::test::accesses;
using wharf::test::compare;
using wharf::test::kRandom;

TEST_CASE("Parboil's SGEMM touches memory as its formulas say", "[stimuli][oracle]") {
  // LD B, then for 16 columns: LD C, ST C. Then one pc for each of eight steps that the compiler unrolls, whose loads it issues first: LD A
  const auto a = accesses("sgemm:m=256,n=256,k=256", "sgemm");
  REQUIRE(a.size() == 1 + 8 + 2 * 16);
  compare(a[0], {4096, 32.0, 2.00, 4.00, 2048, 4.00, 4.00});
  compare(wharf::test::joint(a, {33, 34, 35, 36, 37, 38, 39, 40}), {32768, 32.0, 1.00, 4.00, 2048, 16.00, 16.00});
  CHECK(a[1].unit == Unit::load);
  CHECK(a[17].unit == Unit::store);
  compare(a[1], {128, 32.0, 1.00, 4.00, 128, 1.00, 1.00});
}

TEST_CASE("LBM reads aligned and stores to where its velocities point", "[stimuli][oracle]") {
  // A plane of 19 rows of 120 cells: 20 LD (distributions and flags), 19 ST in the order of the velocities
  const auto a = accesses("lbm:ny=19,nz=1", "lbm");
  REQUIRE(a.size() == 20 + 19);
  for (std::size_t e = 0; e < 20; ++e) compare(a[e], {76, 30.0, 1.00, 3.75, 76, 1.00, 1.00});
  for (const std::size_t aligned : {0, 1, 2, 5, 6, 11, 12, 13, 14}) compare(a[20 + aligned], {76, 30.0, 1.00, 3.75, 76, 1.00, 1.00});
  for (const std::size_t right : {3, 7, 9, 15, 16}) compare(a[20 + right], {76, 30.0, 1.75, 4.75, 76, 1.75, 1.00});
  for (const std::size_t left : {4, 8, 10, 17, 18}) compare(a[20 + left], {76, 30.0, 2.00, 4.75, 77, 1.97, 1.23});
}

TEST_CASE("Parboil's SpMV touches memory as its formulas say", "[stimuli][oracle]") {
  // LD permutation, ST y; then for eight elements in flight at once: LD columns, values, x
  const auto a = accesses("parboil_spmv:side=383", "spmv_jds");
  REQUIRE(a.size() == 2 + 3 * 8);
  const auto eight = [&a](std::size_t first) {
    return wharf::test::joint(a, {first, first + 1, first + 2, first + 3, first + 4, first + 5, first + 6, first + 7});
  };
  compare(a[0], {4585, 32.0, 1.00, 4.00, 4585, 1.00, 1.00});
  compare(a[1], {4585, 32.0, 4.16, 11.79, 4585, 4.16, 3.41}, kRandom);
  for (const std::size_t stream : {2, 10}) compare(eight(stream), {117624, 32.0, 1.00, 4.00, 117624, 1.00, 1.00}, kRandom);
  compare(eight(18), {117624, 32.0, 4.34, 12.28, 4585, 20.54, 11.39}, kRandom);
}

TEST_CASE("PageRank touches memory as its formulas say", "[stimuli][oracle]") {
  const auto a = accesses("pagerank:nodes=65536", "pagerank_push");  // LD start, end, column, rank, ATOM next rank
  REQUIRE(a.size() == 5);
  CHECK(a[4].unit == Unit::atomic);
  compare(a[2], {53937, 7.3, 4.75, 6.52, 12288, 1.16, 1.02}, kRandom);
  compare(a[4], {53937, 7.3, 7.03, 7.18, 2048, 144.70, 80.73}, kRandom);
}

TEST_CASE("Parboil's BFS visits each node and each edge once, and takes a colour for each node that it finds", "[stimuli][oracle]") {
  // Sums over launches: ST colour, LD cost, TEX node, edge, ATOM cost, colour
  std::uint64_t sums[6] = {};
  for (const char* kernel : {"bfs_in_cta_1", "bfs_in_cta_2", "bfs_level_1", "bfs_level_2"}) {
    const auto a = accesses("parboil_bfs@std", kernel, {~0ull, true});
    for (std::size_t i = 0; i < a.size() && i < 6; ++i) sums[i] += a[i].lanes;
  }
  const Graph graph = random_graph(65536, 2, 4, 1);
  for (const std::size_t node : {0, 1, 2}) CHECK(sums[node] == 65536);
  for (const std::size_t edge : {3, 4}) CHECK(sums[edge] == graph.targets.size());
  CHECK(sums[5] == 65535);
}

TEST_CASE("every memory-bound workload of Morpheus touches 5 to 35 MB", "[stimuli][suites]") {
  const auto suites = load_suites(WHARF_SOURCE_DIR "/stimuli/suites.yaml");
  for (const std::string& spec : find_suite(suites, "morpheus_memory").workloads()) {
    std::unordered_set<std::uint64_t> lines;
    wharf::test::walk(*make_stimulus(spec, 1), [&](const KernelLaunch&, const WarpInstruction& i, std::uint64_t, unsigned) {
      if (!is_global_memory(i.unit)) return;
      for (LaneMask rest = i.active; rest != 0; rest &= rest - 1) lines.insert(i.addresses[unsigned(__builtin_ctz(rest))] / 128);
    });
    CAPTURE(spec);
    const double megabytes = double(lines.size()) * 128 / 1e6;
    CHECK(megabytes > 5);
    CHECK(megabytes < 35);
  }
}
