// Kernels of language models: their results, and their accesses as products of their sizes (workloads section 7).

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "model/base/error.h"
#include "stimuli/catalogue.h"
#include "stimuli/self_checking.h"
#include "stimuli_walk.h"
#include "tests/support/catalogue_workload.h"

using namespace wharf;
using Catch::Contains;
using wharf::test::refusal;
using wharf::test::walk;

namespace {

struct Counts {
  std::uint64_t loads = 0, stores = 0, atomics = 0, tensor = 0;
};

/// Runs the workload, checks its result and counts its instructions.
Counts counts_of(const std::string& spec) {
  CAPTURE(spec);
  const auto stimulus = make_stimulus(spec, 1);
  Counts counts;
  walk(*stimulus, [&counts](const KernelLaunch&, const WarpInstruction& i, std::uint64_t, unsigned) {
    counts.loads += i.unit == Unit::load;
    counts.stores += i.unit == Unit::store;
    counts.atomics += i.unit == Unit::atomic;
    counts.tensor += i.unit == Unit::tensor ? i.repeat : 0;
    if (i.unit == Unit::load || i.unit == Unit::store) CHECK((i.access_bytes == 16 || i.access_bytes == 4 || i.access_bytes == 2));
  });
  std::string why;
  CHECK(dynamic_cast<SelfChecking&>(*stimulus).check_results(why));
  CHECK(why == "");
  return counts;
}

}  // namespace

TEST_CASE("llm_gemm loads each tile of x and of the weights once per CTA, and multiplies rows up to the end of the tile", "[stimuli]") {
  // 2 x 2 CTAs of 4 warps, 3 steps of 64; the lower tiles have 16 of 32 rows.
  const auto counts = counts_of("llm_gemm:m=48,n=128,k=192");
  CHECK(counts.loads == 3 * (4 * 16 + 2 * 8 + 1 * 8));  // weights; x of full tiles, x of half tiles
  CHECK(counts.stores == 2 * (8 + 4));
  CHECK(counts.tensor == 64 * 128 * 192 / (16 * 8 * 16));
}

TEST_CASE("llm_gemm with few rows loads the weights once and x once per column", "[stimuli]") {
  const auto counts = counts_of("llm_gemm:m=3,n=64,k=1280,few=1");
  CHECK(counts.loads == 64 * 5 * (1 + 3));
  CHECK(counts.stores == 64 * 3);
  CHECK(counts.tensor == 0);
}

TEST_CASE("llm_prefill loads tiles up to the diagonal, and computes those that hold a key of the warp's queries or before", "[stimuli]") {
  const auto counts = counts_of("llm_prefill:tokens=128,heads=3");
  const int staged = 4 * (2 + 4);  // tiles of the two CTAs of a head, by four warps
  const int computed = (1 + 1 + 2 + 2) + (3 + 3 + 4 + 4);
  CHECK(counts.loads == 3 * (staged * (4 + 4) + 8 * 8));  // keys and values; queries, two rows per load
  CHECK(counts.stores == 3 * 8 * 8);
  CHECK(counts.tensor == 3 * computed * (2 * 8 + 8 * 2) * 2);
}

TEST_CASE("llm_decode loads each key and value once, rounded up to pages of 16 tokens", "[stimuli]") {
  const auto counts = counts_of("llm_decode:sequences=2,context=100,heads=3");
  CHECK(counts.loads == 2 * 3 * (7 * (1 + 8 + 8) + 4 * 2));  // per page: its number, two tokens per load; per warp: length and query
  CHECK(counts.stores == 2 * 3);
}

TEST_CASE("llm_norm loads each row twice, and its factors once per row", "[stimuli]") {
  const auto counts = counts_of("llm_norm:tokens=30,hidden=1280");
  CHECK(counts.loads == 30 * 5 * (1 + 3));
  CHECK(counts.stores == 30 * 5);
}

TEST_CASE("llm_rotary loads and stores each element once", "[stimuli]") {
  const auto counts = counts_of("llm_rotary:tokens=30,heads=5");
  const int warps = (30 * 5 * 8 + 31) / 32;
  CHECK(counts.loads == warps * (2 + 2));  // both halves of a head, a cosine and a sine
  CHECK(counts.stores == warps * 2);
}

TEST_CASE("llm_layer decodes with what its ten launches load", "[stimuli]") {
  const auto counts = counts_of("llm_layer:tokens=2,context=40,heads=2,ffn=512");  // a hidden size of 256
  constexpr std::uint64_t kNorms = 2 * 2 * (1 + 3), kQkv = 768 * (1 + 2), kRotary = 2 * 4, kAppend = 2 * 3;
  constexpr std::uint64_t kAttention = 2 * 2 * (3 * (1 + 8 + 8) + 4 * 2), kProjection = 256 * (1 + 2 + 2), kGateUp = 1024 * (1 + 2);
  constexpr std::uint64_t kSilu = 4 * 2, kDown = 256 * (2 * (1 + 2) + 2);
  CHECK(counts.loads == kNorms + kQkv + kRotary + kAppend + kAttention + kProjection + kGateUp + kSilu + kDown);
  CHECK(counts.stores == 2 * 2 + 768 * 2 + 2 * 2 + 2 * 2 + 4 + 256 * 2 + 1024 * 2 + 4 + 256 * 2);
  CHECK(counts.tensor == 0);
}

TEST_CASE("llm_layer prefills with the products of its four matrices and of attention", "[stimuli]") {
  const auto counts = counts_of("llm_layer:prefill=1,tokens=64,heads=2,ffn=256");
  constexpr std::uint64_t kMatrices = 64 * 256 * (768 + 256 + 512 + 256) / (16 * 8 * 16);
  constexpr std::uint64_t kAttention = 2 * (1 + 1 + 2 + 2) * (2 * 8 + 8 * 2) * 2;  // per head: the tiles up to the diagonal
  CHECK(counts.tensor == kMatrices + kAttention);
}

TEST_CASE("llm_top_k loads each logit once and stores a weight and a number per choice", "[stimuli]") {
  const auto counts = counts_of("llm_top_k:tokens=50,experts=96,k=3");
  CHECK(counts.loads == 50 * 3);
  CHECK(counts.stores == 50 * 3 * 2);
}

TEST_CASE("llm_moe takes a slot per choice and loads an expert's matrix where it has rows", "[stimuli]") {
  const auto counts = counts_of("llm_moe:tokens=20,hidden=256,experts=32,k=2");
  CHECK(counts.atomics == 20 * 2);
  REQUIRE(counts.tensor % (32 * 256 * 256 / (16 * 8 * 16)) == 0);
  const auto experts = counts.tensor / (32 * 256 * 256 / (16 * 8 * 16));  // experts with rows; none has more than a tile of 32
  CHECK(experts > 10);
  CHECK(experts <= 32);
  const std::uint64_t weights = experts * 4 * 4 * 4 * 4;                         // CTAs, warps, steps, loads
  const std::uint64_t others = 20 + 20 * 2 * (1 + 1) + 32 * 4 * 4 + 20 * 2 * 4;  // logits; dispatch; rows of each expert; combine
  CHECK(counts.loads > weights + others);  // and the rows: of the 16 that a load covers, only those that exist
  CHECK(counts.loads <= weights + others + experts * 4 * 4 * 4 * 2);
}

TEST_CASE("llm workloads refuse sizes that do not fill their tiles", "[stimuli]") {
  CHECK_THAT(refusal("llm_gemm:n=72,k=64"), Contains("n and k must be multiples of 64"));
  CHECK_THAT(refusal("llm_gemm:n=64,k=72"), Contains("n and k must be multiples of 64"));
  CHECK_THAT(refusal("llm_gemm:m=9,few=1"), Contains("m must be at most 8"));
  CHECK_THAT(refusal("llm_gemm:m=8,n=12,k=256,few=1"), Contains("n must be a multiple of 8 and k of 256"));
  CHECK_THAT(refusal("llm_gemm:m=8,n=8,k=320,few=1"), Contains("n must be a multiple of 8 and k of 256"));
  CHECK_THAT(refusal("llm_prefill:tokens=65"), Contains("tokens must be a multiple of 64"));
  CHECK_THAT(refusal("llm_layer:heads=3"), Contains("heads must be even and ffn a multiple of 256"));
  CHECK_THAT(refusal("llm_layer:ffn=300"), Contains("heads must be even and ffn a multiple of 256"));
  CHECK_THAT(refusal("llm_layer:prefill=1,tokens=1"), Contains("tokens of a prefill must be a multiple of 64"));
  CHECK_THAT(refusal("llm_layer:tokens=9"), Contains("tokens of a decode must be at most 8"));
  CHECK_THAT(refusal("llm_top_k:experts=33"), Contains("experts must be a multiple of 32"));
  CHECK_THAT(refusal("llm_moe:experts=33"), Contains("experts must be a multiple of 32"));
  CHECK_THAT(refusal("llm_moe:hidden=300"), Contains("hidden must be a multiple of 256"));
  CHECK_THAT(refusal("llm_norm:hidden=300"), Contains("hidden must be a multiple of 256"));
}
